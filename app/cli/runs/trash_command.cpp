// paceline rm | restore | purge RUN...: away, back, gone.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "app/cli/runs/chosen_runs.h"
#include "app/cli/runs/followed_runs.h"
#include "app/cli/command.h"
#include "storage/store/store.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

using Words = std::vector<std::string>;

// All runs are found before the first is touched: a mistyped name changes nothing.
void change(const Words& words, const std::string& storePath, const std::string& done, bool (*fits)(const store::RunRow&), const std::string& unfit,
            const std::function<void(recorder::Client&, const Words& ids)>& act) {
  const std::vector<store::RunRow> runs = chosenRuns(store::StoreReader(storePath), storePath, words);
  Words ids;
  for (const store::RunRow& run : runs) {
    if (!fits(run)) throw Error(Errc::kStore, strCat(nameOr(run), " ", unfit));
    ids.push_back(run.id);
  }
  TerminalPrompts prompts;
  recorder::Client client(storePath, {.answers = true, .ask = [&prompts](const recorder::Question& question) { return answerTo(question, prompts); }});
  act(client, ids);
  for (const store::RunRow& run : runs) std::cout << done << ' ' << run.id << "  " << nameOr(run) << '\n';
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
        "is in the trash already or still running", [](recorder::Client& client, const Words& ids) { client.trash(ids); });
  });
  add(app, "restore", "Takes runs back out of the trash.", [&shared](const Words& words) {
    change(
        words, shared.store, "restored", [](const store::RunRow& run) { return run.trashed; }, "is not in the trash",
        [](recorder::Client& client, const Words& ids) { client.restore(ids); });
  });
  add(app, "purge", "Deletes runs that are in the trash for good, with their checkpoints.", [&shared](const Words& words) {
    change(
        words, shared.store, "purged", [](const store::RunRow& run) { return run.trashed; },
        "is not in the trash; `paceline rm` comes first", [](recorder::Client& client, const Words& ids) {
          for (const std::string& problem : client.purge(ids)) std::cerr << "paceline: " << problem << '\n';
        });
  });
}

}  // namespace paceline::cli
