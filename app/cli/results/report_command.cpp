// paceline report FILE | --new RUN... | --syntax
#include <CLI/CLI.hpp>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/runs/chosen_runs.h"
#include "app/report/resolve.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

struct ReportArguments {
  std::string file, output;
  std::vector<std::string> begin;
  double target = 0.8;
  bool syntax = false;
};

void beginReport(const ReportArguments& arguments, const std::string& storePath) {
  if (!arguments.output.empty() && std::filesystem::exists(arguments.output)) throw Error(Errc::kFile, strCat(arguments.output, ": is there already, and is not replaced by a new report"));
  writeOutput(arguments.output, report::starter(chosenSummaries(storePath, arguments.begin, arguments.target), knownTitles()));
}

// "waits.report.md" -> "waits.html", beside it.
std::string outputFor(const std::string& file) {
  std::filesystem::path path(file);
  for (const char* ending : {".md", ".report"})
    if (path.extension() == ending) path.replace_extension();
  return path.string() + ".html";
}

void makeReport(const ReportArguments& arguments, const std::string& storePath) {
  const std::string output = arguments.output.empty() ? outputFor(arguments.file) : arguments.output, ending = std::filesystem::path(output).extension().string();
  if (ending != ".html" && ending != ".tex" && ending != ".pdf") throw Error(Errc::kUsage, strCat(output, ": a report is written as .html, .tex or .pdf"));
  const report::Document document = report::parse(readTextFile(arguments.file));
  report::Records records(storePath);
  const report::Making making{.file = arguments.file, .output = output, .madeUtc = static_cast<double>(std::time(nullptr)), .store = storePath == store::defaultStorePath() ? "" : storePath};
  const report::Report made = report::resolved(document, records, knownTitles(), making);
  report::refuseProblems(arguments.file, made);
  if (ending == ".tex") writeOutput(output, report::toLatex(made));
  else runWorkbench({"report", arguments.file, "-o", output, "--store", storePath});
  std::cout << output << '\n';
}

void reportCommand(const ReportArguments& arguments, const std::string& storePath) {
  const int asked = (arguments.file.empty() ? 0 : 1) + (arguments.begin.empty() ? 0 : 1) + (arguments.syntax ? 1 : 0);
  if (asked != 1) throw Error(Errc::kUsage, "report: name a report FILE, or runs with --new, or ask for --syntax");
  if (arguments.syntax) writeOutput(arguments.output, report::syntaxHelp());
  else if (arguments.begin.empty()) makeReport(arguments, storePath);
  else beginReport(arguments, storePath);
}

}  // namespace

void addReportCommand(CLI::App& app, Shared& shared) {
  auto a = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "Writes a report, a text whose numbers, tables and figures are read from the store, as HTML, LaTeX or PDF.");
  command->add_option("file", a->file, "the report's text")->type_name("FILE");
  command->add_option("-o,--output", a->output, "a .html, .tex or .pdf; without it FILE.html beside FILE. With --new: the new FILE; without it stdout")->type_name("PATH");
  command->add_option("--new", a->begin, "print a report to begin with, of these runs")->type_name("RUN");
  command->add_option("--target", a->target, "accuracy of a new report's times to it")->capture_default_str()->check(CLI::Number);
  command->add_flag("--syntax", a->syntax, "print how a report is written");
  command->callback([a, &shared] { reportCommand(*a, shared.store); });
}

}  // namespace paceline::cli
