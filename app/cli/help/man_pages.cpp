#include "app/cli/help/man_pages.h"

#include "app/cli/help/command_manual.h"
#include "app/cli/help/manual_pages.h"
#include "app/cli/help/roff.h"
#include "engine/core/base/text.h"
#include "engine/core/spec/schema.h"

namespace paceline::cli {
namespace {

using roff::bold;
using roff::escaped;
using roff::head;
using roff::italic;
using roff::section;

std::string item(const std::string& term, const std::string& text) { return ".TP\n" + term + "\n" + escaped(text.empty() ? "-" : text) + "\n"; }

std::string valueOf(const OptionText& option) {
  std::string text;
  for (const std::string& choice : option.choices) text += (text.empty() ? "" : "|") + choice;
  return text.empty() ? option.value : text;
}

std::string optionItem(const OptionText& option) {
  std::string term;
  for (const std::string& name : option.names) term += (term.empty() ? "" : ", ") + bold(name);
  if (!option.value.empty()) term += " " + italic(valueOf(option)) + (option.many ? " ..." : "");
  return item(term, option.help + (option.fallback.empty() ? "" : "; without it " + option.fallback));
}

std::string argumentTerm(const OptionText& argument) {
  const std::string name = italic(argument.value.empty() || argument.value == "TEXT" ? argument.names.front() : argument.value) + (argument.many ? " ..." : "");
  return argument.required ? name : "[" + name + "]";
}

std::string synopsis(const std::string& path, const CommandText& command) {
  std::string text = bold(path);
  if (!command.commands.empty()) text += " " + italic("COMMAND");
  if (!command.options.empty()) text += " [" + italic("OPTIONS") + "]";
  for (const OptionText& argument : command.arguments) text += " " + argumentTerm(argument);
  return text + "\n";
}

void describe(std::string& page, const std::string& path, const CommandText& command) {
  for (const OptionText& argument : command.arguments) page += item(argumentTerm(argument), argument.help);
  for (const OptionText& option : command.options)
    if (option.names.back() != "--help") page += optionItem(option);
  for (const CommandText& inner : command.commands) {
    page += ".SS " + escaped(path + " " + inner.name) + "\n" + escaped(inner.help) + "\n";
    describe(page, path + " " + inner.name, inner);
  }
}

std::string firstSentence(const std::string& help) {
  std::string text = help.substr(0, help.find_first_of(".:;"));
  if (!text.empty() && text.front() >= 'A' && text.front() <= 'Z') text.front() = static_cast<char>(text.front() - 'A' + 'a');
  return text;
}

std::string exitStatus() {
  return section("EXIT STATUS") + item("0", "Done.") + item("1", "The input or the run failed; one line on standard error says why.") + item("2", "Usage.");
}

std::string rows(const std::string& title, const std::vector<CommandManual::Row>& of) {
  std::string text;
  for (const CommandManual::Row& row : of) text += (text.empty() ? section(title) : "") + ".TP\n" + inlineRoff(row.name) + "\n" + inlineRoff(row.words) + "\n";
  return text;
}

std::string told(const CommandManual& manual) {
  std::string text;
  for (const CommandManual::Told& each : manual.told) text += (text.empty() ? section("DISCUSSION") : "") + ".SS " + inlineRoff(each.title) + "\n" + blocksRoff(each.blocks);
  return text;
}

std::string examples(const CommandManual& manual) {
  std::string text;
  for (const CommandManual::Example& each : manual.examples) {
    text += text.empty() ? section("EXAMPLES") : ".PP\n";
    if (!each.words.empty()) text += inlineRoff(each.words) + "\n.PP\n";
    text += codeRoff(each.commands);
  }
  return text;
}

std::string seeAlso(std::vector<std::string> pages) {
  std::string text = section("SEE ALSO");
  for (std::size_t i = 0; i < pages.size(); ++i) text += pageReference(pages[i]) + (i + 1 < pages.size() ? ",\n" : "\n");
  return text;
}

std::string commandPage(const CommandText& program, const CommandText& command, const std::vector<ManualChapter>& chapters) {
  const std::string path = program.name + " " + command.name;
  const CommandManual manual = commandManual(command.name, chapters);
  std::string page = head(program.name + "-" + command.name, 1, firstSentence(command.help)) + section("SYNOPSIS") + synopsis(path, command) + section("DESCRIPTION") + escaped(command.help) + "\n";
  if (!command.arguments.empty() || command.options.size() > 1 || !command.commands.empty()) page += section(command.commands.empty() ? "OPTIONS" : "COMMANDS");
  describe(page, path, command);
  page += told(manual) + exitStatus() + rows("ENVIRONMENT", manual.variables) + rows("FILES", manual.files) + examples(manual);
  std::vector<std::string> also = {"paceline.1", "paceline-experiment.5"};
  for (const std::string& chapter : manual.chapters) also.push_back(manualPageName(chapter));
  return page + seeAlso(std::move(also));
}

std::string programPage(const CommandText& program, const std::vector<ManualChapter>& chapters) {
  std::string page = head(program.name, 1, firstSentence(program.help)) + section("SYNOPSIS") + synopsis(program.name, program) + bold("paceline-workbench") + "\n" + section("DESCRIPTION") + escaped(program.help) +
                     "\nThe window is " + bold("paceline-workbench") + "; what it can do, the commands can, too. Each has a page of its own, as " + bold("paceline-run") + "(1).\n" + section("COMMANDS");
  for (const CommandText& command : program.commands) page += item(bold(command.name), command.help);
  page += section("OPTIONS");
  for (const OptionText& option : program.options) page += optionItem(option);
  const CommandManual manual = commandManual("", chapters);
  page += exitStatus() + rows("ENVIRONMENT", manual.variables) + rows("FILES", manual.files);
  std::vector<std::string> also = {"paceline-experiment.5"};
  for (const ManualChapter& chapter : chapters) also.push_back(manualPageName(chapter.file));
  return page + seeAlso(std::move(also));
}

template <class Entry>
void list(std::string& page, const std::string& title, const std::vector<Entry>& entries) {
  page += section(title);
  for (const Entry& entry : entries) {
    page += item(bold(entry.id), strCat(entry.title, entry.summary.empty() ? "" : ": ", entry.summary));
    if (entry.params.empty()) continue;
    page += ".RS\n";
    for (const ParamSpec& param : entry.params) page += item(italic(param.name), param.help + (param.unit.empty() ? "" : " (" + param.unit + ")"));
    page += ".RE\n";
  }
}

std::string documentPage(const Catalog& catalog) {
  std::string page = head("paceline-experiment", 5, "the document of an experiment") + section("DESCRIPTION") +
                     escaped("A JSON object; // and /* */ comments are passed over. `paceline new` writes one to begin from, `paceline schema` prints its JSON Schema. A suite has it as \"base\" beside "
                             "\"vary\", pointers with the values they take.\n") +
                     section("MEMBERS");
  for (const FieldInfo& field : runSpecFields())
    if (!field.help.empty()) page += item(bold(field.pointer), fieldHelp(field.pointer));
  list(page, "ALGORITHMS", catalog.algorithms);
  list(page, "AGGREGATIONS", catalog.aggregations);
  list(page, "MODELS", catalog.models);
  list(page, "DATA SETS", catalog.datasets);
  list(page, "PARTITIONS", catalog.partitions);
  list(page, "TOPOLOGIES", catalog.topologies);
  list(page, "LEARNING-RATE SCHEDULES", catalog.schedules);
  return page + section("SEE ALSO") + ".BR paceline (1)\n";
}

}  // namespace

std::map<std::string, std::string> manPages(const CommandText& program, const Catalog& catalog, const std::vector<ManualChapter>& chapters) {
  std::map<std::string, std::string> pages = {{program.name + ".1", programPage(program, chapters)}, {"paceline-experiment.5", documentPage(catalog)}};
  for (const CommandText& command : program.commands) pages[program.name + "-" + command.name + ".1"] = commandPage(program, command, chapters);
  for (auto& [name, page] : pages) page = roff::wrapped(page);
  return pages;
}

}  // namespace paceline::cli
