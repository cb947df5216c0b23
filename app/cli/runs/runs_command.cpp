// paceline runs | show | diff: what the store holds.
#include <cmath>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/results/documents.h"
#include "app/cli/runs/chosen_runs.h"
#include "app/cli/runs/followed_runs.h"
#include "app/cluster/run/run_session.h"
#include "app/figures/figure.h"
#include "engine/core/base/error.h"
#include "storage/store/store.h"
#include "storage/summary/assumed.h"
#include "storage/summary/diverged.h"

namespace paceline::cli {

namespace {

struct RunsArguments {
  std::string filter;
  bool trash = false, json = false;
};

void listRuns(const RunsArguments& arguments, const std::string& store) {
  const store::StoreReader reader(store);
  const Titles titles = arguments.json && arguments.filter.empty() ? Titles() : knownTitles();
  const auto titlesOfRun = [&titles](const store::RunRow& run) { return strCat(displayName(run.algorithm), "\n", titleIn(titles, run.model), "\n", titleIn(titles, run.dataset)); };
  const std::vector<store::RunRow> runs = reader.runs({.text = arguments.filter, .trashed = arguments.trash, .titles = titlesOfRun});
  if (arguments.json) {
    std::cout << runsDocument(runs);
    return;
  }
  if (runs.empty()) {
    std::cout << (arguments.trash            ? "the trash is empty\n"
                  : arguments.filter.empty() ? "no runs yet; `paceline run SPEC.json` makes one\n"
                                             : "no run matches\n");
    return;
  }
  std::vector<std::vector<std::string>> rows;
  for (const store::RunRow& run : runs)
    rows.push_back({run.id, run.name, strCat(store::stateName(run.state), run.source == "simulated" ? ", simulated" : ""), displayName(run.algorithm), titleIn(titles, run.model), titleIn(titles, run.dataset),
                    std::to_string(run.seed), utcText(run.createdUtc)});
  std::cout << tableText({"id", "name", "state", "algorithm", "model", "data set", "seed", "created"}, rows);
}

// One run on one screen of text.
constexpr std::size_t kCurveRows = 10;
constexpr std::size_t kNoticeRows = 12;

// Ids of the runs that go on from it, or took its place; newest first.
std::string successorsOf(const store::StoreReader& store, const std::string& id) {
  std::string ids;
  for (const store::RunRow& run : store.runs())
    if (const auto of = run::goesOn(run); run::resumedFrom(run) == id || (of && of->insteadOf == id)) ids += strCat(ids.empty() ? "" : ", ", run.id);
  return ids;
}

std::string headText(const store::RunRow& run, const std::string& successors) {
  std::string text = strCat(run.name.empty() ? run.id : run.name, "\n\n");
  const auto line = [&text](const std::string& key, const std::string& value) {
    if (!value.empty()) text += key + std::string(14 - key.size(), ' ') + value + "\n";
  };
  line("id", run.id);
  line("state",
       strCat(store::stateName(run.state), run.reason.empty() ? "" : " (" + store::reasonText(run.reason) + ")", run.trashed ? ", in the trash" : ""));
  line("error", run.error);
  line("source", run.source);
  if (run.source == "simulated" && !run.specText.empty()) line("assumed", summary::assumedOf(parseRunSpec(run.specText).spec));
  line("algorithm", displayName(run.algorithm));
  const Titles titles = knownTitles();
  line("model", titleIn(titles, run.model));
  line("data set", titleIn(titles, run.dataset) + (run.partition.empty() ? "" : ", " + titleIn(titles, run.partition)));
  line("seed", run.source.starts_with("esync") ? "" : std::to_string(run.seed));
  line("created", utcText(run.createdUtc));
  line("started", utcText(run.startedUtc));
  line("ended", utcText(run.endedUtc));
  line("goes on from", run::resumedFrom(run));
  if (const auto of = run::goesOn(run); of && of->insteadOf != run::resumedFrom(run)) line("instead of", of->insteadOf);
  line("went on as", successors);
  line("configuration", run.configHash.substr(0, 12));
  std::string tags;
  for (const std::string& tag : run.tags) tags += (tags.empty() ? "" : ", ") + tag;
  line("tags", tags);
  line("notes", run.notes);
  return text;
}

std::string knownText(double value, int digits = 3) { return std::isnan(value) ? "-" : significant(value, digits); }

std::string resultText(const summary::RunSummary& summary) {
  const bool said = !std::isnan(summary.throughputSamplesPerSecond);  // other tools' files may say neither samples nor times
  std::string text = strCat("\nresults\n  ", summary.rounds, " rounds, ", said || summary.samples > 0 ? std::to_string(summary.samples) : "-", " samples in ",
                            said || summary.wallSeconds > 0 ? durationText(summary.wallSeconds) : "-", "\n  ",
                            knownText(summary.throughputSamplesPerSecond), " samples/s, ", knownText(summary.trafficBytesPerSecond / 1e6), " MB/s on the network\n");
  if (summary.accuracyBest && summary.accuracyLast)
    text += strCat("  accuracy ", decimals(*summary.accuracyLast, 4), " at the end, ", decimals(*summary.accuracyBest, 4),
                   summary.validationBest ? strCat(" where the held-out samples are best (", decimals(*summary.validationBest, 4), "); ") : " at best; ", significant(summary.targetAccuracy),
                   summary.timeToTargetSeconds ? " reached after " + durationText(*summary.timeToTargetSeconds) : " not reached",
                   "\n");
  return text;
}

std::string workersText(const summary::RunSummary& summary) {
  if (summary.nodes.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const summary::NodeSummary& node : summary.nodes)
    rows.push_back({node.id, node.host, node.device, std::to_string(node.rounds), std::to_string(node.samples),
                    significant(node.computeSeconds), significant(node.waitSeconds),
                    significant(node.sendSeconds + node.receiveSeconds), significant(node.evaluateSeconds),
                    std::isnan(node.busyRatio) ? "-" : decimals(node.busyRatio, 2), significant(node.localStepsMean),
                    significant(node.stalenessMean)});
  return "\nworkers\n" + tableText({"id", "host", "device", "rounds", "samples", "compute s", "wait s", "send+receive s",
                                    "evaluate s", "computing", "local steps", "staleness"},
                                   rows);
}

std::string curveText(const summary::RunSummary& summary) {
  if (summary.curve.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  const std::size_t step = (summary.curve.size() + kCurveRows - 1) / kCurveRows;
  for (std::size_t i = 0; i < summary.curve.size(); ++i) {
    if (i % step != 0 && i + 1 != summary.curve.size()) continue;
    const summary::CurvePoint& point = summary.curve[i];
    rows.push_back({std::to_string(point.round), knownText(point.seconds, 4), std::to_string(point.samples),
                    significant(static_cast<double>(point.bytes) / 1e6), decimals(point.accuracy, 4), decimals(point.loss, 4)});
  }
  return strCat("\nevaluations (", rows.size(), " of ", summary.curve.size(), ")\n",
                tableText({"round", "s", "samples", "MB", "accuracy", "loss"}, rows));
}

std::string noticesText(const summary::RunData& data) {
  std::vector<const store::NoticeRow*> told;
  for (const store::NoticeRow& notice : data.notices)
    if (!notice.record.text.empty() || notice.record.kind == "exit") told.push_back(&notice);
  if (told.empty()) return "";
  const std::size_t first = told.size() > kNoticeRows ? told.size() - kNoticeRows : 0;
  std::string text = strCat("\nmessages (", told.size() - first, " of ", told.size(), ")\n");
  for (std::size_t i = first; i < told.size(); ++i) {
    const NoticeRecord& record = told[i]->record;
    const bool saysWhy = record.reason.empty() || record.text.find(record.reason) != std::string::npos;
    text += strCat("  ", told[i]->node, ": ", record.level == "warn" || record.level == "error" ? record.level + ": " : "",
                   record.text.empty() ? record.kind : record.text, saysWhy ? "" : strCat(" (", record.reason, ")"), "\n");
  }
  return text;
}

std::string runPage(const store::StoreReader& store, const summary::RunData& data, const summary::RunSummary& summary) {
  return headText(data.run, successorsOf(store, data.run.id)) + resultText(summary) + workersText(summary) + curveText(summary) + noticesText(data);
}

struct ShowArguments {
  std::string run;
  double target = 0.8;
  bool json = false, beforeNan = false, spec = false;
};

void showBeforeNan(const store::StoreReader& store, const store::RunRow& run) {
  const std::optional<summary::Divergence> found = summary::divergenceOf(store, run.id);
  if (!found) throw Error(Errc::kStore, strCat("every loss of ", nameOr(run), " is a number"));
  const summary::RecordTable table = summary::tableOf(found->rounds, true);
  std::cout << found->node << ": " << found->words << '\n' << tableText(table.heads, table.rows);
}

void showRun(const ShowArguments& arguments, const std::string& storePath) {
  const store::StoreReader store(storePath);
  const store::RunRow run = chosenRun(store, storePath, arguments.run);
  if (arguments.beforeNan) return showBeforeNan(store, run);
  if (arguments.spec) {
    if (run.specText.empty()) throw Error(Errc::kStore, strCat(nameOr(run), " has no spec (", run.source, ")"));
    std::cout << indented(run.specText);
    return;
  }
  const summary::RunData data = summary::loadRun(store, run);
  const summary::RunSummary summary = summary::summarise(data, {.targetAccuracy = arguments.target});
  std::cout << (arguments.json ? showDocument(data, summary) : runPage(store, data, summary));
}

struct DiffArguments {
  std::vector<std::string> runs;
  bool json = false;
};

void diffRuns(const DiffArguments& arguments, const std::string& storePath) {
  const store::StoreReader store(storePath);
  std::vector<std::string> documents, headings = {"pointer"};
  for (const store::RunRow& run : chosenRuns(store, storePath, arguments.runs)) {
    if (run.specText.empty()) throw Error(Errc::kStore, strCat(nameOr(run), " has no spec to compare (", run.source, ")"));
    documents.push_back(run.specText);
    headings.push_back(nameOr(run));
  }
  if (documents.size() < 2) throw Error(Errc::kUsage, strCat("diff compares two or more runs; that is one: ", headings.back()));
  const std::vector<Difference> found = differences(documents);
  if (arguments.json) {
    std::cout << differencesDocument(found);
    return;
  }
  if (found.empty()) {
    std::cout << "the specs are equal\n";
    return;
  }
  std::vector<std::vector<std::string>> rows;
  for (const Difference& difference : found) {
    std::vector<std::string>& row = rows.emplace_back(std::vector{difference.pointer});
    for (const std::string& value : difference.values) row.push_back(value.empty() ? "(absent)" : value);
  }
  std::cout << tableText(headings, rows);
}

}  // namespace

void addRunsCommands(CLI::App& app, Shared& shared) {
  auto runs = std::make_shared<RunsArguments>();
  CLI::App* list = app.add_subcommand("runs", "Lists runs, newest first.");
  list->add_option("filter", runs->filter, "words that name, id, algorithm, model, data set, tags, notes or state must hold")
      ->type_name("TEXT");
  list->add_flag("--trash", runs->trash, "only what is in the trash");
  list->add_flag("--json", runs->json, "print one JSON document and nothing else");
  list->callback([runs, &shared] { listRuns(*runs, shared.store); });

  auto show = std::make_shared<ShowArguments>();
  CLI::App* page = app.add_subcommand("show", "Shows one run: its nodes, results and messages.");
  page->add_option("run", show->run, "id, beginning of an id, or name")->required()->type_name("RUN");
  page->add_option("--target", show->target, "accuracy that the time to is told for")
      ->capture_default_str()
      ->check(CLI::Number);
  CLI::Option* json = page->add_flag("--json", show->json, "print one JSON document and nothing else");
  CLI::Option* beforeNan = page->add_flag("--before-nan", show->beforeNan, strCat("where the loss became no number, and the ", summary::kRecordsBefore, " records of that worker before it"))->excludes(json);
  page->add_flag("--spec", show->spec, "print the document alone, as `paceline run` takes it")->excludes(json)->excludes(beforeNan);
  page->callback([show, &shared] { showRun(*show, shared.store); });

  auto diff = std::make_shared<DiffArguments>();
  CLI::App* differ = app.add_subcommand("diff", "Shows where the specs of runs differ.");
  differ->add_option("runs", diff->runs, "two or more: ids, beginnings of ids, names; suites, too")->required()->expected(1, 1000)->type_name("RUN|SUITE");
  differ->add_flag("--json", diff->json, "print one JSON document and nothing else");
  differ->callback([diff, &shared] { diffRuns(*diff, shared.store); });
}

// paceline rm | restore | purge RUN...: away, back, gone.
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
  command->add_option("runs", *words, "ids, beginnings of ids, names; suites, too")->required()->type_name("RUN|SUITE");
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
