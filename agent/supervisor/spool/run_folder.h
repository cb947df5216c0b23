// A run's folder in the spool: run.json says what was launched; one spool per node, one for the host's own events.
// Making and reading throw Error{kFile, kFormat}. run.json may lack what older versions did not write, and hold what newer ones add.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/supervisor/spool/spool.h"

namespace paceline::spool {

struct RunFolder {
  std::string run;
  std::string host;                // the name that the desktop has for this machine
  std::vector<std::string> nodes;  // ids; node i writes "i.spool", the host "host.spool"
  std::string path;
  std::string cgroup = "";  // that holds its processes; "": none
  std::shared_ptr<SpoolBudget> budget = std::make_shared<SpoolBudget>();  // of all its spools together

  static bool isRunName(const std::string& name);  // letters, digits, - and _; at most 64
  void create() const;                             // refuses a run that is already there
  static RunFolder read(const std::string& path);
  std::shared_ptr<Spool> openSpool(int node) const;  // -1: the host's
  void remove() const;
};

}  // namespace paceline::spool
