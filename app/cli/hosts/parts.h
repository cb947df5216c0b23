// What the hosts commands share: which hosts are meant, doing the same on several at once, how things are written. Main thread but where said.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "app/cluster/hosts/host_registry.h"
#include "app/cluster/check/host_check.h"
#include "app/cluster/hosts/facts.h"

namespace CLI {
class App;
}

namespace paceline::cli {

struct Shared;

// Each adds its subcommands to `hosts`.
void addHostsListCommands(CLI::App& hosts, Shared& shared);   // list, export
void addHostsBookCommands(CLI::App& hosts, Shared& shared);   // add, import, remove
void addHostsCheckCommands(CLI::App& hosts, Shared& shared);  // check, links
void addHostsDeployCommands(CLI::App& hosts, Shared& shared);  // deploy, clean
void addHostsPlaceCommand(CLI::App& hosts, Shared& shared);

// The names that were given, each known and once; all of the book when none was. Throws Error{kHost} for an unknown one.
std::vector<std::string> chosenHosts(const hosts::HostRegistry& book, const std::vector<std::string>& names);

// act(i, name) on every name, each on a thread of its own, and the sentence of what it threw, in the order of `names`; "": nothing.
std::vector<std::string> onEachHost(const std::vector<std::string>& names, const std::function<void(std::size_t i, const std::string& name)>& act);

// Throws one Error{kHost} for what went wrong: the first sentence, and how many more hosts failed.
void refuseHostErrors(const std::vector<std::string>& errors);

// One line of stderr that rewrites itself on a terminal, with a part for each host. Any thread.
class HostsLine {
 public:
  explicit HostsLine(bool shown) : shown_(shown) {}
  ~HostsLine() { clear(); }
  void tell(const std::string& host, const std::string& text);  // "": nothing more to say of it
  void print(const std::string& line);                          // a line that stays
  void clear();

 private:
  void draw();
  const bool shown_;
  std::mutex mutex_;  // guards parts_ and the terminal's line
  std::map<std::string, std::string> parts_;
};

// A bar, how much of how many bytes, the speed, the time left. `total` 0: not known.
std::string transferText(std::int64_t done, std::int64_t total, double bytesPerSecond, double secondsLeft);
std::string worstWord(const std::vector<check::CheckLine>& lines);  // "bad", "warning", "good", "not checked"

}  // namespace paceline::cli
