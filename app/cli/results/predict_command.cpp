// paceline predict SPEC.json: how fast each of its runs will be, before anything starts.
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/document/experiment_file.h"
#include "app/cluster/worker/worker_answer.h"
#include "app/predict/local.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

struct PredictArguments {
  ExperimentRequest request;
  bool json = false;
};

struct Told {
  std::string name;
  std::optional<predict::Prediction> prediction;
  std::string problem;  // why there is none
};

Json jsonOf(const Told& told) {
  Json json = {{"name", told.name}};
  if (!told.prediction) {
    json["problem"] = told.problem;
    return json;
  }
  const predict::Prediction& made = *told.prediction;
  json.update({{"samples_per_s", made.samplesPerSecond}, {"round_s", made.roundSeconds}, {"bytes_per_round", made.bytesPerRound}, {"worker_bytes", made.workerBytes}, {"server_bytes", made.serverBytes}, {"by", made.sources}});
  if (made.seconds) json["seconds"] = *made.seconds;
  if (made.targetSeconds) json["target"] = {{"accuracy", made.target->accuracy}, {"seconds", *made.targetSeconds}, {"run", made.target->run}, {"samples", made.target->samples}};
  return json;
}

std::string targetText(const predict::Prediction& made) {
  return made.targetSeconds ? strCat(decimals(100 * made.target->accuracy, 1), " % after ", durationText(*made.targetSeconds)) : "-";
}

void print(const std::vector<Told>& all) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> sources, problems;
  double seconds = 0;
  bool ends = all.size() > 1;
  for (const Told& told : all) {
    if (!told.prediction) {
      rows.push_back({told.name, "-", "-", "-", "-", "-"});
      problems.push_back(strCat(told.name, ": ", told.problem));
      ends = false;
      continue;
    }
    const predict::Prediction& made = *told.prediction;
    rows.push_back({told.name, decimals(made.samplesPerSecond, 0), significant(made.roundSeconds), significant(made.bytesPerRound / 1e6), made.seconds ? durationText(*made.seconds) : "-", targetText(made)});
    for (const std::string& source : made.sources)
      if (std::ranges::find(sources, source) == sources.end()) sources.push_back(source);
    if (made.seconds) seconds += *made.seconds;
    else ends = false;
  }
  std::cout << tableText({"name", "samples/s", "round s", "MB a round", "ends after", "target"}, rows);
  if (ends) std::cout << all.size() << " runs, " << durationText(seconds) << " one after the other\n";
  for (const auto& [head, lines] : {std::pair("not predicted", &problems), std::pair("by", &sources)}) {
    if (!lines->empty()) std::cout << '\n' << head << '\n';
    for (const std::string& line : *lines) std::cout << "  " << line << '\n';
  }
}

void predictAll(const PredictArguments& arguments, const std::string& storePath) {
  const Experiment experiment = readExperiment(arguments.request, worker::describeLocal());
  refuseErrors(experiment);
  if (!experiment.search.empty()) throw Error(Errc::kUsage, strCat(experiment.path, " is searched: which points it tries follows from what they give; --set /base/... makes a run of it"));
  predict::LocalPredictions predictions(storePath);
  const std::vector<predict::HostSpeed> hosts = predict::measuredHosts();
  std::vector<Told> all;
  std::map<std::string, Told> known;  // by key: runs that differ in their seeds are predicted once
  for (const ExperimentPoint& point : experiment.points) {
    const auto [found, isNew] = known.try_emplace(predict::keyOf(point.spec));
    Told& told = found->second;
    told.name = point.name;
    try {
      if (isNew) told.prediction = predictions.of(point.spec, hosts, {});
    } catch (const Error& error) {
      if (experiment.points.size() == 1) throw;
      told.problem = error.what();
    }
    all.push_back(told);
  }
  if (!arguments.json) return print(all);
  Json document = {{"predictions", Json::array()}};
  for (const Told& told : all) document["predictions"].push_back(jsonOf(told));
  std::cout << dumped(document, 2) << '\n';
}

}  // namespace

void addPredictCommand(CLI::App& app, Shared& shared) {
  auto arguments = std::make_shared<PredictArguments>();
  CLI::App* command = app.add_subcommand("predict", "Says how fast a run or the runs of a suite will be, before they start: by what was measured, else by what the document emulates.");
  command->add_option("spec", arguments->request.path, "a run or a suite of runs")->required()->type_name("SPEC.json");
  command->add_option("--set", arguments->request.assignments, "overrides a value of the document, as /seed=3")->type_name("/pointer=value")->allow_extra_args(false);
  command->add_flag("--json", arguments->json, "print one JSON document and nothing else");
  command->callback([arguments, &shared] { predictAll(*arguments, shared.store); });
}

}  // namespace paceline::cli
