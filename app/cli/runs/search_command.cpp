// paceline search [SUITE]: what searches tried, why the next point; they are held, let go and ended.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/runs/search_table.h"
#include "app/cluster/recorder/client.h"
#include "app/cluster/recorder/suites.h"

namespace paceline::cli {
namespace {

struct SearchArguments {
  std::string word;
  bool hold = false, go = false, end = false, json = false;
};

void listSearches(const std::string& storePath) {
  const store::StoreReader store(storePath);
  std::vector<std::vector<std::string>> rows;
  for (const store::SuiteRow& suite : store.suites())
    if (const auto story = recorder::storyOf(store, suite))
      rows.push_back({suite.id, suite.name, std::to_string(story->points.size()), story->ended ? "ended" : story->held ? "held" : "goes on", story->best ? story->points[*story->best].result : "", story->sentence});
  std::cout << tableText({"suite", "name", "points", "state", "best", "what"}, rows);
}

void showSearch(const SearchArguments& arguments, const std::string& storePath) {
  if (static_cast<int>(arguments.hold) + static_cast<int>(arguments.go) + static_cast<int>(arguments.end) > 1) throw Error(Errc::kUsage, "search takes one of --hold, --go and --end");
  if (arguments.word.empty()) {
    if (arguments.hold || arguments.go || arguments.end || arguments.json) throw Error(Errc::kUsage, "search needs the name of a suite for --hold, --go, --end and --json");
    return listSearches(storePath);
  }
  const std::string suite = recorder::suiteOf(store::StoreReader(storePath), arguments.word).id;
  if (arguments.hold || arguments.go) recorder::Client(storePath).holdSearch(suite, arguments.hold);
  if (arguments.end) recorder::Client(storePath).endSearch(suite);
  printSearch(storePath, suite, arguments.json);
}

}  // namespace

recorder::SearchStory printSearch(const std::string& storePath, const std::string& suite, bool json) {
  const store::StoreReader store(storePath);
  const store::SuiteRow row = recorder::suiteOf(store, suite);
  const auto story = recorder::storyOf(store, row);
  if (!story) throw Error(Errc::kStore, strCat("suite ", row.name, " is not searched: all its runs were asked for"));
  if (json) {
    std::cout << recorder::storyDocument(*story);
    return *story;
  }
  std::vector<std::string> header = {"", "point"};
  header.insert(header.end(), story->axes.begin(), story->axes.end());
  header.insert(header.end(), {story->goal, "state", "run", "why"});
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < story->points.size(); ++i) {
    const recorder::TriedPoint& point = story->points[i];
    std::vector<std::string> cells = {story->best == i ? "*" : "", std::to_string(i + 1)};
    cells.insert(cells.end(), point.values.begin(), point.values.end());
    cells.insert(cells.end(), {point.result, point.note.empty() ? point.state : strCat(point.state, ": ", point.note), point.runs.empty() ? "" : point.runs.back(), point.why});
    rows.push_back(std::move(cells));
  }
  std::cout << tableText(header, rows) << '\n' << story->sentence << '\n';
  return *story;
}

void addSearchCommand(CLI::App& app, Shared& shared) {
  auto arguments = std::make_shared<SearchArguments>();
  CLI::App* command = app.add_subcommand("search", "Shows what a search tried and why; lists the searches of the store.");
  command->add_option("suite", arguments->word, "id, beginning of an id, or name (the newest)")->type_name("SUITE");
  command->add_flag("--hold", arguments->hold, "no further run begins; those under way go on");
  command->add_flag("--go", arguments->go, "lets a held search go on");
  command->add_flag("--end", arguments->end, "ends it: its runs are stopped, what it found stands");
  command->add_flag("--json", arguments->json, "print one JSON document and nothing else");
  command->callback([arguments, &shared] { showSearch(*arguments, shared.store); });
}

}  // namespace paceline::cli
