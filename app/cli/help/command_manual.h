// What the manual says of a command of the terminal, found by its name: "`paceline backup`" in a sentence, `paceline backup` in a block of commands. Any thread.
#pragma once

#include <string>
#include <vector>

#include "app/cli/help/manual_text.h"

namespace paceline::cli {

struct CommandManual {
  struct Told {
    std::string title = {};  // of the section that tells it
    std::vector<ManualBlock> blocks = {};
  };
  struct Example {
    std::string words;  // what leads to it; "": nothing
    std::vector<std::string> commands;
  };
  struct Row {
    std::string name, words;  // Markdown
  };
  std::vector<Told> told;
  std::vector<Example> examples;
  std::vector<Row> variables, files;  // of tables whose last column is "used by"
  std::vector<std::string> chapters;  // files of those that name the command
};

// "": the program, which uses all variables and files.
CommandManual commandManual(const std::string& command, const std::vector<ManualChapter>& chapters);

}  // namespace paceline::cli
