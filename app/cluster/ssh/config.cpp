#include "app/cluster/ssh/config.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fnmatch.h>
#include <fstream>
#include <functional>
#include <glob.h>
#include <pwd.h>
#include <set>
#include <unistd.h>
#include <utility>

#include "app/cluster/hosts/host.h"
#include "engine/core/base/text.h"
#include "engine/core/base/user_folders.h"

namespace paceline::ssh {
namespace {

// A reader of ssh_config's grammar: Host blocks with wildcards and negation, Include with globs, first value wins. For the list of aliases, and for
// computers without OpenSSH's client.
using SshSettings = std::vector<std::pair<std::string, std::string>>;  // keyword in lower case, value; in order

constexpr int kMaxDepth = 16;  // of Include, as in OpenSSH

// Words of a value; double quotes keep blanks together.
std::vector<std::string> wordsOf(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false, any = false;
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
      any = true;
    } else if (!quoted && std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (any) words.push_back(std::exchange(word, ""));
      any = false;
    } else {
      word += c;
      any = true;
    }
  }
  if (any) words.push_back(word);
  return words;
}

// "Keyword value", "Keyword=value", "Keyword = value". False for blank lines and comments.
bool splitLine(const std::string& line, std::string& keyword, std::string& value) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string::npos || line[begin] == '#') return false;
  const std::size_t end = std::min(line.find_first_of(" \t=", begin), line.size());
  keyword = lowerCase(line.substr(begin, end - begin));
  std::size_t from = std::min(line.find_first_not_of(" \t", end), line.size());
  if (from < line.size() && line[from] == '=') from = std::min(line.find_first_not_of(" \t", from + 1), line.size());
  value = line.substr(from, line.find_last_not_of(" \t\r") + 1 - from);
  return true;
}

std::vector<std::string> included(const std::string& pattern, const std::string& base) {
  const bool absolute = pattern.front() == '/' || pattern.front() == '~';
  const std::string path = absolute ? pattern : (std::filesystem::path(base).parent_path() / pattern).string();
  glob_t found{};
  std::vector<std::string> files;
  if (::glob(path.c_str(), GLOB_TILDE, nullptr, &found) == 0) files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  return files;
}

bool matches(const std::string& patterns, const std::string& alias) {
  bool any = false;
  for (const std::string& pattern : wordsOf(patterns)) {
    const bool negated = pattern[0] == '!';
    if (::fnmatch(pattern.c_str() + (negated ? 1 : 0), alias.c_str(), 0) != 0) continue;
    if (negated) return false;
    any = true;
  }
  return any;
}

// Calls `line` for each; `line` of Host and Match decides whether what follows counts. An Include stands in the block it is in.
using OnLine = std::function<void(const std::string& keyword, const std::string& value)>;
using OnBlock = std::function<bool(const std::string& keyword, const std::string& value)>;
void walk(const std::string& file, const std::string& base, int depth, bool& active, const OnBlock& block, bool everything, const OnLine& line) {
  std::ifstream in(file);
  std::string keyword, value;
  for (std::string text; std::getline(in, text);) {
    if (!splitLine(text, keyword, value)) continue;
    if (keyword == "host" || keyword == "match") {
      active = block(keyword, value);
    } else if (keyword == "include" && (active || everything) && depth < kMaxDepth) {
      for (const std::string& pattern : wordsOf(value))
        for (const std::string& each : included(pattern, base)) {
          bool inside = active;
          walk(each, base, depth + 1, inside, block, everything, line);
        }
    } else if (active) {
      line(keyword, value);
    }
  }
}

// What holds for `alias`. Match blocks are not read unless they are `Match all`.
SshSettings readSshConfig(const std::string& file, const std::string& alias) {
  SshSettings settings;
  bool active = true;
  const auto block = [&](const std::string& keyword, const std::string& value) { return keyword == "host" ? matches(value, alias) : lowerCase(value) == "all"; };
  walk(file, file, 0, active, block, false, [&](const std::string& keyword, const std::string& value) {
    const bool many = keyword == "identityfile" || keyword == "certificatefile";
    const bool known = std::any_of(settings.begin(), settings.end(), [&](const auto& each) { return each.first == keyword; });
    const std::vector<std::string> words = wordsOf(value);
    if (many || !known) settings.emplace_back(keyword, keyword == "proxycommand" || words.size() != 1 ? value : words[0]);
  });
  return settings;
}

struct User {
  std::string name, home;
};

const User& thisUser() {  // asked once: threads share what getpwuid() answers
  static const User found = [] {
    const passwd* user = ::getpwuid(::getuid());
    return user != nullptr ? User{user->pw_name, user->pw_dir} : User{"root", environment("HOME")};
  }();
  return found;
}

// What `ssh -G` prints; nullopt: there is no ssh. `errors`: what it says against the config.
std::optional<SshSettings> askSsh(const std::vector<std::string>& options, const std::string& alias, std::string& errors) {
  std::vector<std::string> command{"ssh", "-G"};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"--", alias});
  hosts::CommandResult said;
  try {
    said = hosts::runOn(*hosts::localHost(), command, {.silenceSeconds = 30});
  } catch (const Error&) {
    return std::nullopt;
  }
  SshSettings settings;
  for (const std::string& line : said.lines)
    if (const std::size_t blank = line.find(' '); blank != std::string::npos) settings.emplace_back(lowerCase(line.substr(0, blank)), line.substr(blank + 1));
  if (said.end.code != 0) errors = said.end.errors.empty() ? strCat("ssh -G ended with ", said.end.code) : trimmedEnd(said.end.errors);
  return settings;
}

std::string replaced(std::string text, const ResolvedAlias& target, const std::string& alias) {
  if (text.rfind("~/", 0) == 0) text = thisUser().home + text.substr(1);
  const std::map<char, std::string> tokens{{'d', thisUser().home}, {'h', target.host}, {'n', alias}, {'p', std::to_string(target.port)},
                                           {'r', target.user}, {'u', thisUser().name}, {'i', std::to_string(::getuid())}, {'%', "%"}};
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto token = text[i] == '%' && i + 1 < text.size() ? tokens.find(text[i + 1]) : tokens.end();
    if (token == tokens.end()) out += text[i];
    else out += token->second, ++i;
  }
  return out;
}

std::vector<std::string> words(const std::string& text, char separator) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, separator);)
    if (!word.empty()) all.push_back(word);
  return all;
}

SshSettings settingsOf(const hosts::HostEntry& entry) {
  std::vector<std::string> options;
  if (const std::string file = environment("PACELINE_SSH_CONFIG"); !file.empty()) options = {"-F", file};
  if (!entry.user.empty()) options.insert(options.end(), {"-l", entry.user});
  if (entry.port != 0) options.insert(options.end(), {"-p", std::to_string(entry.port)});
  std::string errors;
  if (auto settings = askSsh(options, entry.address, errors)) {
    if (!errors.empty()) throw SshError(SshStage::kReach, strCat(entry.name, ": ", sshConfigPath(), " cannot be used: ", errors));
    return *settings;
  }
  SshSettings settings = readSshConfig(sshConfigPath(), entry.address);
  for (auto& [keyword, value] : settings)
    if (const std::size_t token = value.find("%h"); keyword == "hostname" && token != std::string::npos) value.replace(token, 2, entry.address);
  return settings;
}

// OpenSSH's own key files, which `ssh -G` names where the config names none.
const std::set<std::string> kDefaultIdentities{"~/.ssh/id_rsa", "~/.ssh/id_ecdsa", "~/.ssh/id_ecdsa_sk", "~/.ssh/id_ed25519", "~/.ssh/id_ed25519_sk",
                                               "~/.ssh/id_xmss", "~/.ssh/id_dsa"};

void apply(const std::string& keyword, const std::string& value, ResolvedAlias& target) {
  const bool none = value == "none";
  if (keyword == "hostname") target.host = value;
  else if (keyword == "user") target.user = value;
  else if (keyword == "port") target.port = std::atoi(value.c_str());
  else if (keyword == "identityfile" && !none) target.identities.push_back(value), target.identitiesNamed |= !kDefaultIdentities.contains(value);
  else if (keyword == "identitiesonly") target.identitiesOnly = value == "yes";
  else if (keyword == "identityagent") target.agent = none ? "" : value == "SSH_AUTH_SOCK" ? target.agent : value;
  else if (keyword == "proxyjump" && !none) target.jumps = words(value, ',');
  else if (keyword == "proxycommand" && !none) target.proxyCommand = value;
  else if (keyword == "userknownhostsfile") target.knownHosts = none ? std::vector<std::string>{} : words(value, ' ');
  else if (keyword == "globalknownhostsfile") target.globalKnownHosts = none ? std::vector<std::string>{} : words(value, ' ');
  else if (keyword == "hostkeyalias") target.hostKeyAlias = value;
  else if (keyword == "serveraliveinterval") target.aliveSeconds = std::atof(value.c_str());
  else if (keyword == "connecttimeout" && !none) target.connectSeconds = std::atof(value.c_str());
  else if (keyword == "stricthostkeychecking") target.neverAsk = value == "yes" || value == "true";
}

}  // namespace

std::string sshConfigPath() {
  const std::string given = environment("PACELINE_SSH_CONFIG");
  return given.empty() ? thisUser().home + "/.ssh/config" : given;
}

std::vector<std::string> sshAliases(const std::string& path) {
  const std::string file = path.empty() ? sshConfigPath() : path;
  std::vector<std::string> names;
  bool active = true;
  const auto block = [&](const std::string& keyword, const std::string& value) {
    if (keyword != "host") return true;
    for (const std::string& name : wordsOf(value))
      if (name.find_first_of("*?!") == std::string::npos && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return true;
  };
  walk(file, file, 0, active, block, true, [](const std::string&, const std::string&) {});
  return names;
}

ResolvedAlias resolveAlias(const hosts::HostEntry& entry) {
  if (entry.address.empty() || entry.address.front() == '-')
    throw SshError(SshStage::kReach, strCat(entry.name, ": \"", entry.address, "\" is no host name, IP or alias"));
  ResolvedAlias target;
  target.name = entry.name, target.host = entry.address, target.user = thisUser().name;
  target.agent = environment("SSH_AUTH_SOCK");
  for (const auto& [keyword, value] : settingsOf(entry)) apply(keyword, value, target);
  if (!entry.user.empty()) target.user = entry.user;
  if (entry.port != 0) target.port = entry.port;
  if (!entry.identity.empty()) target.identities = {entry.identity}, target.identitiesNamed = target.identitiesOnly = true;
  if (!entry.knownHosts.empty()) target.knownHosts = {entry.knownHosts}, target.globalKnownHosts.clear();
  if (!entry.jump.empty()) target.jumps.clear(), target.proxyCommand.clear();
  if (target.identities.empty()) target.identities = {"~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa"};
  if (target.knownHosts.empty()) target.knownHosts = {"~/.ssh/known_hosts"};
  target.acceptNewKey = entry.acceptNewKey && !target.neverAsk;
  for (auto* texts : {&target.identities, &target.knownHosts, &target.globalKnownHosts})
    for (std::string& text : *texts) text = replaced(text, target, entry.address);
  target.agent = replaced(target.agent, target, entry.address);
  return target;
}

}  // namespace paceline::ssh
