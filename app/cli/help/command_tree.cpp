#include "app/cli/help/command_tree.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

namespace paceline::cli {
namespace {

// CLI11 says "TEXT:{csv,json}" of a value that is one of these, "FLOAT:NUMBER" of one that is checked.
void readValue(const std::string& typed, OptionText& option) {
  const std::size_t colon = typed.find(':');
  option.value = typed.substr(0, colon);
  if (colon == std::string::npos || typed.size() < colon + 3 || typed[colon + 1] != '{' || typed.back() != '}') return;
  std::istringstream choices(typed.substr(colon + 2, typed.size() - colon - 3));
  for (std::string choice; std::getline(choices, choice, ',');) option.choices.push_back(choice);
}

OptionText optionText(const CLI::Option& option) {
  OptionText text{.names = {}, .value = {}, .choices = {}, .help = option.get_description(), .fallback = option.get_default_str(), .required = option.get_required(), .many = option.get_items_expected_max() > 1};
  if (option.get_positional()) {
    text.names.push_back(option.get_name(true));
  } else {
    for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  }
  if (option.get_items_expected_max() > 0) readValue(option.get_type_name(), text);
  return text;
}

}  // namespace

const CommandText* CommandText::command(const std::string& named) const {
  const auto found = std::ranges::find(commands, named, &CommandText::name);
  return found == commands.end() ? nullptr : &*found;
}

const OptionText* CommandText::option(const std::string& named) const {
  const auto found = std::ranges::find_if(options, [&](const OptionText& option) { return std::ranges::find(option.names, named) != option.names.end(); });
  return found == options.end() ? nullptr : &*found;
}

CommandText commandTree(const CLI::App& app) {
  CommandText text{.name = app.get_name(), .help = app.get_description(), .options = {}, .arguments = {}, .commands = {}};
  for (const CLI::Option* option : app.get_options([](const CLI::Option* each) { return !each->get_group().empty(); })) (option->get_positional() ? text.arguments : text.options).push_back(optionText(*option));
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); })) text.commands.push_back(commandTree(*command));
  return text;
}

}  // namespace paceline::cli
