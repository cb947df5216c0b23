// paceline rm | restore | purge RUN...: away, back, gone.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "app/cli/runs/chosen_runs.h"
#include "app/cli/command.h"
#include "app/cli/terminal_prompts.h"
#include "app/cluster/run/run_controller.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

using Words = std::vector<std::string>;

// All runs are found before the first is touched: a mistyped name changes nothing.
void change(const Words& words, const std::string& storePath, const std::string& done, bool (*fits)(const store::RunRow&),
            const std::string& unfit, void (store::StoreWriter::*act)(const std::string&)) {
  const std::vector<store::RunRow> runs = chosenRuns(store::StoreReader(storePath), storePath, words);
  for (const store::RunRow& run : runs)
    if (!fits(run)) throw Error(Errc::kStore, strCat(nameOr(run), " ", unfit));
  store::StoreWriter store(storePath);
  for (const store::RunRow& run : runs) {
    (store.*act)(run.id);
    std::cout << done << ' ' << run.id << "  " << nameOr(run) << '\n';
  }
}

// A host that cannot be reached keeps them; the run is purged all the same.
void dropCheckpointsOf(const Words& words, const std::string& storePath) {
  TerminalPrompts prompts;
  for (const store::RunRow& run : chosenRuns(store::StoreReader(storePath), storePath, words)) {
    const RunSpec spec = parseRunSpec(run.specText).spec;
    if (!run.trashed || !run.source.empty() || spec.checkpointEveryRounds == 0) continue;
    for (const std::string& problem : run::dropCheckpoints(run.id, listedHosts(prompts), spec.hosts()))
      std::cerr << "paceline: checkpoints of " << nameOr(run) << " stay: " << problem << '\n';
  }
}

void add(CLI::App& app, const std::string& name, const std::string& help, std::function<void(const Words&)> act) {
  auto words = std::make_shared<Words>();
  CLI::App* command = app.add_subcommand(name, help);
  command->add_option("runs", *words, "ids, beginnings of ids, or names")->required()->type_name("RUN");
  command->callback([words, act] { act(*words); });
}

}  // namespace

void addTrashCommands(CLI::App& app, Shared& shared) {
  add(app, "rm", "Moves runs to the trash.", [&shared](const Words& words) {
    change(
        words, shared.store, "trashed",
        [](const store::RunRow& run) {
          return !run.trashed && (store::isEnded(run.state) || run.state == store::RunState::kStale || run.state == store::RunState::kDraft);
        },
        "is in the trash already or still running", &store::StoreWriter::trash);
  });
  add(app, "restore", "Takes runs back out of the trash.", [&shared](const Words& words) {
    change(
        words, shared.store, "restored", [](const store::RunRow& run) { return run.trashed; }, "is not in the trash",
        &store::StoreWriter::restore);
  });
  add(app, "purge", "Deletes runs that are in the trash for good, with their checkpoints.", [&shared](const Words& words) {
    dropCheckpointsOf(words, shared.store);
    change(
        words, shared.store, "purged", [](const store::RunRow& run) { return run.trashed; },
        "is not in the trash; `paceline rm` comes first", &store::StoreWriter::purge);
  });
}

}  // namespace paceline::cli
