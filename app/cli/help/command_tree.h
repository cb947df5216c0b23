// The commands as their parser describes them: what completion and the manual pages are made of. Main thread.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace paceline::cli {

struct OptionText {
  std::vector<std::string> names;    // "-o", "--output"; of an argument: "spec"
  std::string value;                 // "FILE"; "": a flag
  std::vector<std::string> choices;  // what it may be; empty: anything
  std::string help, fallback;        // fallback "": none, or it goes without saying
  bool required = false, many = false;
};

struct CommandText {
  std::string name, help;
  std::vector<OptionText> options, arguments;
  std::vector<CommandText> commands;

  const CommandText* command(const std::string& named) const;  // nullptr: none
  const OptionText* option(const std::string& named) const;
};

CommandText commandTree(const CLI::App& app);

}  // namespace paceline::cli
