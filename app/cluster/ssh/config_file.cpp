#include "app/cluster/ssh/config_file.h"

#include <fnmatch.h>
#include <glob.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>

#include "engine/core/base/text.h"

namespace paceline::ssh {
namespace {

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

}  // namespace

SshSettings readSshConfig(const std::string& file, const std::string& alias) {
  SshSettings settings;
  bool active = true;
  const auto block = [&](const std::string& keyword, const std::string& value) {
    if (keyword == "host") return matches(value, alias);
    if (lowerCase(value) == "all") return true;
    settings.emplace_back("match", value);
    return false;
  };
  walk(file, file, 0, active, block, false, [&](const std::string& keyword, const std::string& value) {
    const bool many = keyword == "identityfile" || keyword == "certificatefile";
    const bool known = std::any_of(settings.begin(), settings.end(), [&](const auto& each) { return each.first == keyword; });
    const std::vector<std::string> words = wordsOf(value);
    if (many || !known) settings.emplace_back(keyword, keyword == "proxycommand" || words.size() != 1 ? value : words[0]);
  });
  return settings;
}

std::vector<std::string> hostNamesIn(const std::string& file) {
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

}  // namespace paceline::ssh
