// paceline traffic RUN: what crossed each link of a run, counted on each level by both ends, beside what its method has to send.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/runs/chosen_runs.h"
#include "app/why/traffic.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"

namespace paceline::cli {
namespace {

struct TrafficArguments {
  std::string run;
  bool json = false;
};

std::string whole(double value) { return decimals(value, 0); }

void printTraffic(const TrafficArguments& arguments, const std::string& storePath) {
  const store::StoreReader store(storePath);
  const store::RunRow run = chosenRun(store, storePath, arguments.run);
  why::Ledger ledger = why::ledgerOf(store, run);
  const std::vector<summary::Way>& ways = ledger.ways;
  if (ways.empty()) throw Error(Errc::kStore, why::noLinksText(run));
  why::addByMethod(ledger, run);
  if (arguments.json) {
    Json links = Json::array(), workers = Json::array();
    for (const summary::Way& way : ways) {
      Json link = {{"from", way.from}, {"to", way.to}, {"messages", way.messages}, {"values_bytes", way.values}, {"bytes", way.bytes}, {"shared_bytes", way.shared}, {"framed_bytes", way.framed}};
      link["kernel_bytes"] = way.kernel ? Json(*way.kernel) : Json();
      link["retransmitted_bytes"] = way.again ? Json(*way.again) : Json();
      link["received_bytes"] = way.bytesReceived ? Json(*way.bytesReceived) : Json();
      links.push_back(std::move(link));
    }
    for (const why::SentRounds& worker : ledger.rounds) workers.push_back({{"worker", worker.worker}, {"bytes_a_round", worker.recorded}, {"by_method", worker.byMethod ? Json(*worker.byMethod) : Json()}});
    std::cout << dumped(Json{{"run", run.id}, {"links", links}, {"rounds", workers}, {"uneven", ledger.uneven}, {"started_again", ledger.again}, {"not_by_method", ledger.notByMethod}}, 2) << '\n';
    return;
  }
  std::vector<std::vector<std::string>> table;
  for (const summary::Way& way : ways)
    table.push_back({way.from, way.to, std::to_string(way.messages), std::to_string(way.values), std::to_string(way.bytes), way.bytesReceived ? std::to_string(*way.bytesReceived) : "-", std::to_string(way.shared),
                     way.framed > 0 ? std::to_string(way.framed) : "-", way.kernel ? whole(*way.kernel) : "-", way.kernel && way.framed > 0 ? why::offText(*way.kernel, static_cast<double>(way.framed)) : "-",
                     way.again ? whole(*way.again) : "-"});
  std::cout << tableText({"from", "to", "messages", "values", "bytes", "received", "by memory", "framed", "kernel", "kernel off", "sent again"}, table) << '\n';
  std::vector<std::vector<std::string>> each;
  for (const why::SentRounds& worker : ledger.rounds) each.push_back({worker.worker, whole(worker.recorded), worker.byMethod ? whole(*worker.byMethod) : "-", worker.byMethod ? why::offText(worker.recorded, *worker.byMethod) : "-"});
  std::cout << tableText({"worker", "bytes a round", "by its method", "off"}, each);
  if (!ledger.notByMethod.empty()) std::cout << "by its method: not known, " << ledger.notByMethod << '\n';
  if (ledger.uneven.empty()) std::cout << (ledger.again.empty() ? "\nwhat workers sent is what servers received\n" : "\nwhat the other workers sent is what servers received\n");
  for (const std::string& sentence : ledger.uneven) std::cout << sentence << '\n';
  if (const std::string again = why::againText(ledger); !again.empty()) std::cout << again << '\n';
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
