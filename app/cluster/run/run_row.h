// The row of a run that begins, from its document.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/core/spec/catalog.h"
#include "engine/core/spec/run_spec.h"
#include "storage/store/records.h"

namespace paceline::run {

store::RunRow newRunRow(const RunSpec& spec, const std::string& source);  // a new id, state checking, no versions yet
bool canResume(const store::RunRow& run);  // it has ended, was real, and its document asks for checkpoints; whether its hosts still have them is seen there
std::vector<store::NodeRow> nodeRows(const std::string& run, const RunSpec& spec);

// JSON: how the run was produced. "parameters": trainable ones of the model, 0 when the catalogue does not know it.
// `resumed`: the run that it goes on from ("resumed_from").
std::string versionsText(const RunSpec& spec, const Catalog& catalog, const std::string& resumed = "");

struct InstalledOn {
  std::string id, agent;  // hash of what was deployed there ("": our own programs); the supervisor's version
};
// The same with the runs that shared a host: "shared": {"gpu1": ["another"]}.
std::string withShared(const std::string& versions, const std::map<std::string, std::set<std::string>>& shared);
// The same with what runs on each host: "installations": {"gpu1": {"id": "3f...", "agent": "0.1.0"}}.
std::string withInstallations(const std::string& versions, const std::map<std::string, InstalledOn>& hosts);

}  // namespace paceline::run
