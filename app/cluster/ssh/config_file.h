// A reader of ssh_config's grammar: Host blocks with wildcards and negation, Include with globs, first value wins. For the list of aliases, and for
// computers without OpenSSH's client. Pure but for the files.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace paceline::ssh {

using SshSettings = std::vector<std::pair<std::string, std::string>>;  // keyword in lower case, value; in order

// What holds for `alias`. "match" stands for each Match block that is more than `Match all`: those are not read.
SshSettings readSshConfig(const std::string& file, const std::string& alias);

std::vector<std::string> hostNamesIn(const std::string& file);  // of Host lines, without wildcards, each once

}  // namespace paceline::ssh
