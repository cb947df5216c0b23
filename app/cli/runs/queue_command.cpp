// paceline queue: what the recorder has to do, its order, what is held; suites and their missing runs. Words name a run (id, beginning of one, name) or a suite.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/results/documents.h"
#include "app/cluster/recorder/suites.h"

namespace paceline::cli {
namespace {

using recorder::CellStanding;
using recorder::Client;
using recorder::Entry;
using Words = std::vector<std::string>;
using Entries = std::vector<Entry>;

Entries unfinished(Client& client) {
  Entries entries = client.queue();
  std::erase_if(entries, &Entry::ended);
  return entries;
}

void list(const std::string& store) {
  Client client(store);
  std::vector<Words> rows;
  for (const Entry& entry : unfinished(client)) {
    const std::string state = entry.held ? "held" : entry.waiting ? "waiting" : store::stateName(entry.state);
    const std::string done = entry.waiting ? "" : strCat(std::lround(entry.progress.fraction * 100), " %");
    rows.push_back({entry.run, entry.name, entry.suite, state, done, entry.text});
  }
  std::cout << tableText({"run", "name", "suite", "state", "done", "what"}, rows);
}

// The one run that `word` names, or all of the suite of that name.
Entries chosen(const Entries& queue, const std::string& word) {
  Entries fitting = queue;
  std::erase_if(fitting, [&](const Entry& entry) { return entry.run != word && entry.name != word && !entry.run.starts_with(word); });
  if (fitting.size() > 1 && fitting[0].run != word) throw Error(Errc::kStore, strCat("\"", word, "\" could be any of ", fitting.size(), " runs in the queue"));
  if (!fitting.empty()) return {fitting.front()};
  fitting = queue;
  std::erase_if(fitting, [&](const Entry& entry) { return entry.suite != word; });
  if (word.empty() || fitting.empty()) throw Error(Errc::kStore, strCat("the queue has no run \"", word, "\"; `paceline queue` lists what is there"));
  return fitting;
}

// Of a run all that is named must wait; of a suite those that do.
Entries waitingOf(const Entries& queue, const Words& words, const std::string& otherwise) {
  Entries all;
  for (const std::string& word : words) {
    Entries found = chosen(queue, word);
    const std::string name = found.size() == 1 ? found.front().name : word;
    std::erase_if(found, [](const Entry& entry) { return !entry.waiting; });
    if (found.empty()) throw Error(Errc::kStore, strCat(name, " does not wait any more", otherwise));
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

Words runsOf(const Entries& entries) {
  Words runs;
  for (const Entry& entry : entries) runs.push_back(entry.run);
  return runs;
}

void told(const char* what, const Entries& entries) {
  for (const Entry& entry : entries) std::cout << what << ' ' << entry.run << "  " << entry.name << '\n';
}

// The searches that go on among the words are taken out of these, and done so.
Words withoutSearches(const std::string& storePath, const Words& words, const std::function<void(const std::string& suite)>& act) {
  const store::StoreReader store(storePath);
  Words others;
  for (const std::string& word : words) {
    const auto searches = store.searches();
    const auto suites = store.suites();
    const auto named = std::ranges::find_if(suites, [&](const store::SuiteRow& suite) { return suite.id == word || suite.name == word; });
    const bool goes = named != suites.end() && std::ranges::any_of(searches, [&](const store::SearchRow& search) { return search.suite == named->id && !search.ended; });
    if (goes) act(named->id);
    else others.push_back(word);
  }
  return others;
}

// From the last to the first, so that none begins because another one goes.
void remove(const std::string& store, const Words& named) {
  Client client(store);
  const Words words = withoutSearches(store, named, [&](const std::string& suite) { client.endSearch(suite); });
  Entries entries = waitingOf(unfinished(client), words, "; `paceline stop` ends it");
  std::ranges::reverse(entries);
  for (const Entry& entry : entries) client.stop(entry.run);
  std::ranges::reverse(entries);
  told("removed", entries);
}

void hold(const std::string& store, const Words& named) {
  Client client(store);
  const Words words = withoutSearches(store, named, [&](const std::string& suite) { client.holdSearch(suite, true); });
  if (words.empty() && !named.empty()) return;
  const Entries entries = words.empty() ? Entries() : waitingOf(unfinished(client), words, "");
  client.hold(runsOf(entries));
  told("held", entries);
}

void go(const std::string& store, const Words& named) {
  Client client(store);
  const Words words = withoutSearches(store, named, [&](const std::string& suite) { client.holdSearch(suite, false); });
  if (words.empty() && !named.empty()) return;
  const Entries entries = words.empty() ? Entries() : waitingOf(unfinished(client), words, "");
  client.go(runsOf(entries));
}

Entries allWaiting(Client& client) {
  Entries waiting = unfinished(client);
  std::erase_if(waiting, [](const Entry& each) { return !each.waiting; });
  return waiting;
}

// Past the entry that waits before or behind it.
void step(const std::string& store, const std::string& word, int by) {
  Client client(store);
  const Entry entry = waitingOf(unfinished(client), {word}, "").front();
  const Entries waiting = allWaiting(client);
  const auto from = std::ranges::find(waiting, entry.id, &Entry::id) - waiting.begin(), to = from + by, size = std::ssize(waiting);
  if (to < 0 || to >= size) return;
  const auto next = by > 0 ? to + 1 : to;  // it will stand before this one
  client.moveBefore({entry.id}, next < size ? waiting[static_cast<std::size_t>(next)].id : 0);
}

struct MoveArguments {
  Words words;
  std::string before;
  bool first = false, last = false;
};

void move(const std::string& store, const MoveArguments& arguments) {
  if (static_cast<int>(!arguments.before.empty()) + static_cast<int>(arguments.first) + static_cast<int>(arguments.last) != 1)
    throw Error(Errc::kUsage, "queue move needs one of --before RUN, --first and --last");
  Client client(store);
  std::vector<std::int64_t> ids;
  for (const Entry& entry : waitingOf(unfinished(client), arguments.words, "")) ids.push_back(entry.id);
  std::int64_t before = 0;
  if (!arguments.before.empty()) before = waitingOf(unfinished(client), {arguments.before}, "").front().id;
  if (arguments.first) {
    const Entries waiting = allWaiting(client);
    const auto other = std::ranges::find_if(waiting, [&](const Entry& entry) { return std::ranges::find(ids, entry.id) == ids.end(); });
    if (other != waiting.end()) before = other->id;
  }
  client.moveBefore(ids, before);
}

struct SuiteArguments {
  std::string word;
  bool json = false;
};

// All of a store, or the cells of one.
void suites(const std::string& storePath, const std::string& word) {
  const store::StoreReader store(storePath);
  Client client(storePath);
  const Entries queue = unfinished(client);
  std::vector<Words> rows;
  if (!word.empty()) {
    const store::SuiteRow suite = recorder::suiteOf(store, word);
    const std::vector<CellStanding> standings = recorder::standingsOf(store, suite, queue);
    for (std::size_t i = 0; i < standings.size(); ++i)
      rows.push_back({suite.cells[i].name, recorder::standingWord(standings[i]), suite.cells[i].runs.back(), std::to_string(suite.cells[i].runs.size())});
    std::cout << tableText({"name", "state", "run", "attempts"}, rows);
    return;
  }
  for (const store::SuiteRow& suite : store.suites())
    rows.push_back({suite.id, suite.name, std::to_string(suite.cells.size()), recorder::standingsText(recorder::standingsOf(store, suite, queue))});
  std::cout << tableText({"suite", "name", "runs", "of these"}, rows);
}

void runMissing(const std::string& storePath, const SuiteArguments& arguments) {
  const store::StoreReader store(storePath);
  Client client(storePath);
  const store::SuiteRow suite = recorder::suiteOf(store, arguments.word);
  if (suite.searched) throw Error(Errc::kStore, strCat("suite ", suite.name, " is searched: nothing of it is missing; `paceline search ", arguments.word, "` shows what it tried"));
  const recorder::Submission missing = recorder::missingOf(store, suite, unfinished(client));
  if (missing.points.empty() && !arguments.json) std::cout << "nothing of " << missing.suite << " is missing\n";
  const Entries entries = missing.points.empty() ? Entries() : client.submit(missing);
  if (arguments.json) std::cout << outcomesDocument(entries);
  else
    for (const Entry& entry : entries) std::cout << entry.run << "  " << entry.name << '\n';
}

void forget(const std::string& storePath, const std::string& word) { Client(storePath).forgetCells(recorder::suiteOf(store::StoreReader(storePath), word).id); }

// A command on runs and suites of the queue.
CLI::App* onEntries(CLI::App& queue, const char* name, const char* help, bool required, const std::function<void(const Words&)>& act) {
  auto words = std::make_shared<Words>();
  CLI::App* command = queue.add_subcommand(name, help);
  CLI::Option* runs = command->add_option("runs", *words, "ids, beginnings of ids, names of runs, names of suites")->type_name("RUN|SUITE");
  if (required) runs->required();
  command->callback([words, act] { act(*words); });
  return command;
}

void addOrder(CLI::App& queue, Shared& shared) {
  onEntries(queue, "up", "Moves a waiting run before the one in front of it.", true, [&shared](const Words& words) { step(shared.store, words.front(), -1); })->get_option("runs")->expected(1);
  onEntries(queue, "down", "Moves a waiting run behind the one after it.", true, [&shared](const Words& words) { step(shared.store, words.front(), 1); })->get_option("runs")->expected(1);
  auto arguments = std::make_shared<MoveArguments>();
  CLI::App* mover = queue.add_subcommand("move", "Moves waiting runs, in the order in which they are named.");
  mover->add_option("runs", arguments->words, "ids, beginnings of ids, names of runs, names of suites")->required()->type_name("RUN|SUITE");
  mover->add_option("--before", arguments->before, "a run that waits")->type_name("RUN|SUITE");
  mover->add_flag("--first", arguments->first, "before all others");
  mover->add_flag("--last", arguments->last, "behind all others");
  mover->callback([arguments, &shared] { move(shared.store, *arguments); });
}

void addSuites(CLI::App& queue, Shared& shared) {
  const auto named = [&queue](const char* name, const char* help, bool required) {
    auto arguments = std::make_shared<SuiteArguments>();
    CLI::App* command = queue.add_subcommand(name, help);
    CLI::Option* word = command->add_option("suite", arguments->word, "id, beginning of an id, or name (the newest)")->type_name("SUITE");
    if (required) word->required();
    return std::pair(command, arguments);
  };
  const auto [lister, listed] = named("suites", "Lists suites and what became of their runs, or the runs of one.", false);
  lister->callback([listed = listed, &shared] { suites(shared.store, listed->word); });
  const auto [runner, ran] = named("missing", "Submits the runs of a suite again that failed, were cancelled or never began.", true);
  runner->add_flag("--json", ran->json, "print one JSON document and nothing else");
  runner->callback([ran = ran, &shared] { runMissing(shared.store, *ran); });
  const auto [forgetter, forgot] = named("forget", "Takes the runs that never began out of a suite: they are not missing any more.", true);
  forgetter->callback([forgot = forgot, &shared] { forget(shared.store, forgot->word); });
}

}  // namespace

void addQueueCommands(CLI::App& app, Shared& shared) {
  CLI::App* queue = app.add_subcommand("queue", "Lists the runs that wait or are under way.");
  queue->require_subcommand(0, 1);
  queue->callback([queue, &shared] {
    if (queue->get_subcommands().empty()) list(shared.store);
  });
  queue->add_subcommand("list", "The same.")->callback([&shared] { list(shared.store); });
  onEntries(*queue, "hold", "Holds waiting runs, or all of them, until `queue go`.", false, [&shared](const Words& words) { hold(shared.store, words); });
  onEntries(*queue, "go", "Lets runs that are held run: since this computer was started again, or by `queue hold`.", false, [&shared](const Words& words) { go(shared.store, words); });
  onEntries(*queue, "remove", "Takes waiting runs out of the queue.", true, [&shared](const Words& words) { remove(shared.store, words); });
  addOrder(*queue, shared);
  addSuites(*queue, shared);
}

}  // namespace paceline::cli
