// paceline traffic RUN: what crossed each link of a run, counted on each level by both ends, beside what its method has to send.
#include <cmath>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/runs/chosen_runs.h"
#include "app/why/simulated.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "storage/summary/links.h"

namespace paceline::cli {
namespace {

struct TrafficArguments {
  std::string run;
  bool json = false;
};

// Bytes a worker sends in a round after the first: recorded, and by its method, which the simulator's twin without learning sends.
struct Rounds {
  std::string worker;
  double recorded = 0;
  std::optional<double> byMethod;
};

constexpr std::int64_t kSimulatedRounds = 12;

double meanSent(const std::vector<store::RoundRow>& rows, const std::string& worker) {
  double sum = 0;
  std::int64_t count = 0;
  for (const store::RoundRow& row : rows)
    if (row.node == worker && row.record.round > 1) sum += static_cast<double>(row.record.bytesSent), ++count;
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

std::vector<Rounds> roundsOf(const store::StoreReader& store, const store::RunRow& run, std::string& whyNot) {
  const std::vector<store::RoundRow> recorded = store.rounds(run.id);
  std::vector<store::RoundRow> simulated;
  ParsedSpec parsed = parseRunSpec(run.specText);
  if (hasErrors(parsed.findings)) whyNot = "the run has no whole document";
  try {
    RunSpec& spec = parsed.spec;
    const std::vector<int> evaluators = spec.evaluators();
    for (auto node = evaluators.rbegin(); node != evaluators.rend(); ++node) spec.nodes.erase(spec.nodes.begin() + *node);
    for (NodeSpec& node : spec.nodes) node.host = "local", node.emulate.lostAfterRounds.reset();
    spec.learn = false, spec.evaluate.everyRounds = 0, spec.checkpointEveryRounds = 0;
    spec.stop = {};
    spec.stop.rounds = kSimulatedRounds;
    if (whyNot.empty()) simulated = why::localSimulator({})(spec);
  } catch (const Error& error) {
    whyNot = error.what();
  }
  std::vector<Rounds> all;
  for (const store::NodeRow& node : store.nodes(run.id)) {
    const double mean = meanSent(recorded, node.id);
    if (mean <= 0) continue;
    Rounds& rounds = all.emplace_back(Rounds{.worker = node.id, .recorded = mean, .byMethod = {}});
    if (const double predicted = meanSent(simulated, node.id); predicted > 0) rounds.byMethod = predicted;
  }
  return all;
}

std::string percent(double part, double whole) { return whole == 0 ? "-" : strCat(decimals(100 * (part / whole - 1), 3), " %"); }
std::string whole(double value) { return decimals(value, 0); }

void printTraffic(const TrafficArguments& arguments, const std::string& storePath) {
  const store::StoreReader store(storePath);
  const store::RunRow run = chosenRun(store, storePath, arguments.run);
  const std::vector<summary::Way> ways = summary::waysOf(store.records<LinkRecord>(run.id));
  if (ways.empty()) throw Error(Errc::kStore, strCat("no link of ", run.id, " is recorded: it is of an earlier version, or its nodes ended before they told"));
  const std::vector<std::string> uneven = summary::unevenWays(ways, store.nodes(run.id));
  std::string whyNot;
  const std::vector<Rounds> rounds = roundsOf(store, run, whyNot);
  if (arguments.json) {
    Json links = Json::array(), workers = Json::array();
    for (const summary::Way& way : ways) {
      Json link = {{"from", way.from}, {"to", way.to}, {"messages", way.messages}, {"values_bytes", way.values}, {"bytes", way.bytes}, {"shared_bytes", way.shared}, {"framed_bytes", way.framed}};
      link["kernel_bytes"] = way.kernel ? Json(*way.kernel) : Json();
      link["retransmitted_bytes"] = way.again ? Json(*way.again) : Json();
      link["received_bytes"] = way.bytesReceived ? Json(*way.bytesReceived) : Json();
      links.push_back(std::move(link));
    }
    for (const Rounds& worker : rounds) workers.push_back({{"worker", worker.worker}, {"bytes_a_round", worker.recorded}, {"by_method", worker.byMethod ? Json(*worker.byMethod) : Json()}});
    std::cout << dumped(Json{{"run", run.id}, {"links", links}, {"rounds", workers}, {"uneven", uneven}, {"not_by_method", whyNot}}, 2) << '\n';
    return;
  }
  std::vector<std::vector<std::string>> table;
  for (const summary::Way& way : ways)
    table.push_back({way.from, way.to, std::to_string(way.messages), std::to_string(way.values), std::to_string(way.bytes), way.bytesReceived ? std::to_string(*way.bytesReceived) : "-", std::to_string(way.shared),
                     way.framed > 0 ? std::to_string(way.framed) : "-", way.kernel ? whole(*way.kernel) : "-", way.kernel && way.framed > 0 ? percent(*way.kernel, static_cast<double>(way.framed)) : "-",
                     way.again ? whole(*way.again) : "-"});
  std::cout << tableText({"from", "to", "messages", "values", "bytes", "received", "by memory", "framed", "kernel", "kernel off", "sent again"}, table) << '\n';
  std::vector<std::vector<std::string>> each;
  for (const Rounds& worker : rounds) each.push_back({worker.worker, whole(worker.recorded), worker.byMethod ? whole(*worker.byMethod) : "-", worker.byMethod ? percent(worker.recorded, *worker.byMethod) : "-"});
  std::cout << tableText({"worker", "bytes a round", "by its method", "off"}, each);
  if (!whyNot.empty()) std::cout << "by its method: not known, " << whyNot << '\n';
  if (uneven.empty()) std::cout << "\nwhat workers sent is what servers received\n";
  for (const std::string& sentence : uneven) std::cout << sentence << '\n';
}

}  // namespace

void addTrafficCommand(CLI::App& app, Shared& shared) {
  auto arguments = std::make_shared<TrafficArguments>();
  CLI::App* command = app.add_subcommand("traffic", "Says what crossed each link of a run: payload, messages, frames, what the kernel counted, what the other end received; and what the method has to send in a round.");
  command->add_option("run", arguments->run, "id, start of an id, or name")->required()->type_name("RUN");
  command->add_flag("--json", arguments->json, "print one JSON document");
  command->callback([arguments, &shared] { printTraffic(*arguments, shared.store); });
}

}  // namespace paceline::cli
