// What a shell offers while a command is typed. Main thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cli/help/command_tree.h"

namespace paceline::cli {

struct Candidate {
  std::string word, help;
  bool operator==(const Candidate&) const = default;
};

// Names of what a user has, by the name that the help gives such a value: "RUN", "SUITE", "HOST", "FIGURE", "TEMPLATE".
using Named = std::function<std::vector<Candidate>(const std::string& value, const std::string& store)>;  // store "": the default

struct Completion {
  std::vector<Candidate> candidates;
  std::string paths;  // "files" or "folders": paths are possible, too
};

// `words` are behind the program's name, the last is the one that is typed. A word "=" of its own, as Bash cuts them, joins an option and its value.
Completion complete(const CommandText& program, std::vector<std::string> words, const Named& named);

// A candidate a line, its help behind a tab, then ":files" or ":folders".
std::string completionText(const Completion& completion);

// What the user has on this computer; nothing where that cannot be read.
std::vector<Candidate> namedHere(const std::string& value, const std::string& store);

std::string completionScript(const std::string& shell);  // "bash", "zsh", "fish"

}  // namespace paceline::cli
