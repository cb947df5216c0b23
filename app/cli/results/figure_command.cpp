// paceline figure ID|all RUN...
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/runs/chosen_runs.h"
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/results/figure_file.h"
#include "app/figures/budget.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

struct FigureArguments {
  std::string figure, folder = ".", style = "modern", theme = "light", x = "time", cut;
  std::vector<std::string> runs, formats = {"png"};
  double target = 0.8;
  FigureOptions options;
  bool everySeed = false;
};

const std::map<std::string, XAxis> kAxes = {{"time", XAxis::kTime},
                                            {"rounds", XAxis::kRounds},
                                            {"epochs", XAxis::kEpochs},
                                            {"samples", XAxis::kSamples},
                                            {"bytes", XAxis::kBytes}};

std::string knownFigures() {
  std::string ids;
  for (const FigureDef& figure : figures()) ids += figure.id + ", ";
  return ids + "all";
}

struct Wanted {
  FigureDef def;
  std::string metric{};  // which, where the figure draws one of several
};

// "ID:NAME": of a figure that draws one of several metrics.
std::vector<FigureDef> chosenFigures(const std::string& text) {
  if (text == "all") return figures();
  const std::size_t colon = text.find(':');
  const FigureDef* found = findFigure(text.substr(0, colon));
  if (found == nullptr || (colon != std::string::npos && !found->ofMetric)) throw Error(Errc::kSpec, strCat("figure \"", text, "\" is not known; have ", knownFigures()));
  return {*found};
}

// Where no metric is named, a figure for each that the runs recorded.
std::vector<Wanted> wantedOf(const std::vector<FigureDef>& defs, const std::string& text, const std::vector<summary::RunSummary>& runs) {
  const std::size_t colon = text.find(':');
  std::vector<Wanted> wanted;
  for (const FigureDef& def : defs) {
    std::vector<std::string> names;
    if (def.ofMetric) names = colon == std::string::npos ? metricNames(runs) : std::vector{text.substr(colon + 1)};
    if (names.empty()) names = {""};
    for (const std::string& name : names) wanted.push_back({.def = def, .metric = name});
  }
  return wanted;
}

void writeFigure(const Figure& figure, const std::string& metric, const FigureArguments& arguments) {
  std::string name = metric.empty() ? figure.id : strCat(figure.id, "-", metric);
  std::ranges::replace(name, '/', '_');
  const std::string stem = strCat(arguments.folder, "/", name, arguments.style == "published" ? "-published." : ".");
  for (const std::string& format : arguments.formats) {
    const std::string path = stem + format;
    writeFigureFile(figure, path, {.style = arguments.style, .theme = arguments.theme});
    std::cout << path << '\n';
  }
}

std::string whyEmpty(const Figure& figure) {
  std::string why;
  for (const std::string& note : figure.notes) why += (why.empty() ? "" : "; ") + note;
  return why.empty() ? "nothing to draw" : why;
}

void makeFigures(FigureArguments arguments, const std::string& store) {
  const std::vector<FigureDef> defs = chosenFigures(arguments.figure);
  arguments.options.variant = arguments.style == "published" ? Variant::kPublished : Variant::kCorrected;
  arguments.options.x = kAxes.at(arguments.x);
  arguments.options.groupSeeds = !arguments.everySeed;
  arguments.options.titles = knownTitles();
  if (std::ranges::any_of(arguments.formats, [](const std::string& format) { return format != "csv" && format != "json"; }))
    workbenchPath();
  summary::Details details;
  for (const FigureDef& def : defs) details.add(def.reads(arguments.options));
  const auto [summaries, cutNote] = chosenWithin(arguments.cut, store, arguments.runs, arguments.target, details);
  const std::vector<Wanted> wanted = wantedOf(defs, arguments.figure, summaries);
  makeFolder(arguments.folder);
  std::string empty;
  std::size_t written = 0;
  for (const auto& [def, metric] : wanted) {
    arguments.options.metric = metric;
    Figure figure = def.build(summaries, arguments.options);
    if (!cutNote.empty()) figure.notes.push_back(cutNote);
    if (!figure.empty()) {
      writeFigure(figure, metric, arguments);
      ++written;
    } else if (wanted.size() == 1) {
      throw Error(Errc::kSpec, strCat("figure ", def.id, ": ", whyEmpty(figure)));
    } else {
      empty += (empty.empty() ? "" : ", ") + def.id;
    }
  }
  if (written == 0) throw Error(Errc::kSpec, "no figure has anything to draw for these runs");
  if (!empty.empty()) std::cerr << "nothing to draw for " << empty << " (`paceline figure ID` says why)\n";
}

}  // namespace

void addFigureCommand(CLI::App& app, Shared& shared) {
  auto a = std::make_shared<FigureArguments>();
  CLI::App* command = app.add_subcommand("figure", "Draws figures of runs: " + knownFigures() + ".");
  command->add_option("figure", a->figure, "one of the above; metric:NAME for one of several metrics")->required()->type_name("FIGURE");
  command->add_option("runs", a->runs, "ids, beginnings of ids, names; suites, too")->required()->type_name("RUN|SUITE");
  command->add_option("-o,--output", a->folder, "folder for the files ID.FORMAT")->capture_default_str()->type_name("DIR");
  command->add_option("--format", a->formats, "png, svg, pdf, csv or json; several with commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"png", "svg", "pdf", "csv", "json"}));
  command->add_option("--style", a->style, "modern: measured values; published: formulas and look of the original scripts")
      ->capture_default_str()
      ->check(CLI::IsMember({"modern", "published"}));
  command->add_option("--theme", a->theme, "light or dark")->capture_default_str()->check(CLI::IsMember({"light", "dark"}));
  command->add_option("--x", a->x, "of curves: time, rounds, epochs, samples or bytes")
      ->capture_default_str()
      ->check(CLI::IsMember({"time", "rounds", "epochs", "samples", "bytes"}));
  command->add_flag("--log-x", a->options.logX, "logarithmic x axis");
  command->add_flag("--log-y", a->options.logY, "logarithmic y axis");
  command->add_option("--smooth", a->options.smoothing, "curves as the mean of so many points")->check(CLI::Range(1, 100000));
  command->add_flag("--every-seed", a->everySeed, "draw the seeds of a configuration apart instead of their mean and band");
  command->add_option("--standalone", a->options.standaloneAccuracy, "accuracy of the dashed line")->check(CLI::Range(0.0, 1.0));
  command->add_option("--over", a->options.reference, "what speed-ups are over: a run's id or an algorithm's; without it SSGD")->type_name("RUN");
  command->add_option("--cut", a->cut, kCutHelp)->type_name("BUDGET");
  command->add_option("--target", a->target, "accuracy of the speed-up")->capture_default_str()->check(CLI::Number);
  command->callback([a, &shared] { makeFigures(*a, shared.store); });
}

}  // namespace paceline::cli
