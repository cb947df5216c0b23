// Who hears of ends, and of which, besides the window and the program on-end: a web address and a command. One file a user, which the terminal's `paceline notices`
// and the window write and recorders read at each end. Any thread; the last writer wins.
#pragma once

#include <string>

namespace paceline::notices {

struct Settings {
  bool target = true, failed = true, suite = true;  // the ends that are told
  std::string webhook = {}, command = {};           // "": none
  bool operator==(const Settings&) const = default;

  bool wants(const std::string& event) const;  // "target", "failed", "suite"; "try" always
};

std::string settingsPath();                       // notices.json in the folder of the user's configuration
Settings load();                                  // without a file the defaults, by which nobody hears. Error{kFormat, kFile} naming it
void save(const Settings& settings);              // throws Error{kFile}, Error{kUsage} with the first of the problems below

// One sentence; "": none. A command's asks /bin/sh, which may take a moment.
std::string webhookProblem(const std::string& address);
std::string commandProblem(const std::string& command);
std::string endsProblem(const Settings& settings);

}  // namespace paceline::notices
