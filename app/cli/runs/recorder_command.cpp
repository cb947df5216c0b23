// paceline recorder: the process that records a store's runs. paceline queue: what it has to do.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cluster/recorder/client.h"
#include "app/cluster/recorder/start.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

using recorder::Client;
using recorder::Entry;

void serve(Shared& shared, bool foreground) {
  try {
    shared.exit = recorder::serve(shared.store, foreground);
  } catch (const Error& error) {
    if (error.code() != Errc::kLocked) throw;
    std::cerr << "paceline: " << error.what() << '\n';
    shared.exit = recorder::kLockedExit;
  }
}

std::vector<Entry> unfinished(Client& client) {
  std::vector<Entry> entries = client.queue();
  std::erase_if(entries, &Entry::ended);
  return entries;
}

void list(const std::string& store) {
  Client client(store);
  std::vector<std::vector<std::string>> rows;
  for (const Entry& entry : unfinished(client)) {
    const std::string state = entry.held ? "held" : entry.waiting ? "waiting" : store::stateName(entry.state);
    const std::string done = entry.waiting ? "" : strCat(std::lround(entry.progress.fraction * 100), " %");
    rows.push_back({entry.run, entry.name, entry.suite, state, done, entry.text});
  }
  std::cout << tableText({"run", "name", "suite", "state", "done", "what"}, rows);
}

// The one that `word` names: its run's id, the beginning of one, or its name.
Entry chosen(Client& client, const std::string& word) {
  std::vector<Entry> fitting = unfinished(client);
  std::erase_if(fitting, [&](const Entry& entry) { return entry.run != word && entry.name != word && !entry.run.starts_with(word); });
  if (fitting.empty()) throw Error(Errc::kStore, strCat("the queue has no run \"", word, "\"; `paceline queue` lists what is there"));
  if (fitting.size() > 1 && fitting[0].run != word) throw Error(Errc::kStore, strCat("\"", word, "\" could be any of ", fitting.size(), " runs in the queue"));
  return fitting.front();
}

void remove(const std::string& store, const std::vector<std::string>& words) {
  Client client(store);
  for (const std::string& word : words) {
    const Entry entry = chosen(client, word);
    if (!entry.waiting) throw Error(Errc::kStore, strCat(entry.name, " does not wait any more; `paceline stop` ends it"));
    client.stop(entry.run);
    std::cout << "removed " << entry.run << "  " << entry.name << '\n';
  }
}

// In front of the entry that waits before it.
void up(const std::string& store, const std::string& word) {
  Client client(store);
  const Entry entry = chosen(client, word);
  if (!entry.waiting) throw Error(Errc::kStore, strCat(entry.name, " does not wait any more"));
  std::vector<Entry> waiting = unfinished(client);
  std::erase_if(waiting, [](const Entry& each) { return !each.waiting; });
  const auto at = std::ranges::find(waiting, entry.id, &Entry::id);
  if (at != waiting.begin()) client.moveBefore(entry.id, std::prev(at)->id);
}

}  // namespace

void addRecorderCommands(CLI::App& app, Shared& shared) {
  auto foreground = std::make_shared<bool>(false);
  CLI::App* recorder = app.add_subcommand("recorder", "Records the runs of a store and serves terminals and windows; they start it when they need it.");
  recorder->add_flag("--foreground", *foreground, "stay in the foreground, for service managers");
  recorder->callback([foreground, &shared] { serve(shared, *foreground); });

  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* queue = app.add_subcommand("queue", "Lists the runs that wait or are under way.");
  queue->require_subcommand(0, 1);
  queue->callback([queue, &shared] {
    if (queue->get_subcommands().empty()) list(shared.store);
  });
  queue->add_subcommand("list", "The same.")->callback([&shared] { list(shared.store); });
  queue->add_subcommand("go", "Lets runs that are held since this computer was started again run.")->callback([&shared] { Client(shared.store).go(); });
  CLI::App* removed = queue->add_subcommand("remove", "Takes waiting runs out of the queue.");
  removed->add_option("runs", *words, "ids, beginnings of ids, or names")->required()->type_name("RUN");
  removed->callback([words, &shared] { remove(shared.store, *words); });
  CLI::App* raised = queue->add_subcommand("up", "Moves a waiting run before the one in front of it.");
  raised->add_option("run", *words, "id, beginning of an id, or name")->required()->expected(1)->type_name("RUN");
  raised->callback([words, &shared] { up(shared.store, words->front()); });
}

}  // namespace paceline::cli
