// paceline: the workbench's abilities from a terminal. Exit 0: done; 1: the input or the run failed, one line on stderr; 2: usage.

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <numeric>
#include <set>
#include <unistd.h>
#include <utility>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/help/completion.h"
#include "app/cli/help/man_pages.h"
#include "app/cli/help/manual_pages.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/disk.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "engine/core/spec/schema.h"
#include "storage/store/store.h"

namespace paceline::cli {
namespace {

std::string oneLine(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

bool isOneOf(const CLI::App& app, const std::set<std::string>& names) {
  return std::ranges::any_of(app.get_subcommands(), [&](const CLI::App* command) { return names.contains(command->get_name()); });
}

// A store that was named is meant: what is about runs that are there finds none in a mistyped one. Others need none yet, or make it. What reads a store upgrades an older one first.
void prepareStore(const CLI::App& app, const std::string& store, bool named) {
  static const std::set<std::string> kAboutRuns = {"runs", "show", "diff", "summary", "why", "replay", "traffic", "figure", "report", "export", "stop", "attach", "resume",
                                                   "queue", "search", "tag", "note", "rename", "rm", "restore", "purge", "storage", "backup"};
  const bool aboutRuns = isOneOf(app, kAboutRuns);
  std::error_code ignored;
  if (!std::filesystem::exists(store, ignored)) {
    if (named && aboutRuns) throw Error(Errc::kStore, strCat("there is no store ", store, "; `paceline run` and `paceline import` make one"));
    return;
  }
  const bool reads = isOneOf(app, {"run", "simulate", "predict", "import"}) || (aboutRuns && !isOneOf(app, {"backup"}));
  if (!reads) return;
  if (const std::string copy = store::upgrade(store); !copy.empty())
    std::cerr << "paceline: " << store << " was of an older Paceline and is upgraded; that version can open the copy " << copy << '\n';
}

void addCommands(CLI::App& app, Shared& shared) {
  app.set_version_flag("--version", strCat("paceline ", PACELINE_VERSION));
  app.require_subcommand(1);
  app.fallthrough();
  CLI::Option* named = app.add_option("--store", shared.store, "the database; default: $PACELINE_STORE, else below the XDG data folder")->type_name("FILE");
  app.parse_complete_callback([&app, &shared, named] {
    prepareStore(app, shared.store, named->count() > 0);
  });
  addNewCommand(app, shared);
  addRunCommands(app, shared);
  addValidateCommand(app, shared);
  addCatalogCommand(app, shared);
  addRunsCommands(app, shared);
  addSummaryCommand(app, shared);
  addWhyCommand(app, shared);
  addPredictCommand(app, shared);
  addReplayCommand(app, shared);
  addTrafficCommand(app, shared);
  addFigureCommand(app, shared);
  addReportCommand(app, shared);
  addInteropCommands(app, shared);
  addVerifyCommand(app, shared);
  addControlCommands(app, shared);
  addRecorderCommands(app, shared);
  addQueueCommands(app, shared);
  addSearchCommand(app, shared);
  addTextCommands(app, shared);
  addTrashCommands(app, shared);
  addStorageCommand(app, shared);
  addBackupCommand(app, shared);
  addNoticesCommand(app, shared);
  addHostsCommand(app, shared);
  addClusterCommand(app, shared);
  addDataCommand(app, shared);
  addModelCommand(app, shared);
  addCompletionCommand(app, shared);
  addGuiCommand(app, shared);
}

// What packages and shells ask, in words that are no commands: `__complete WORD...` what the last word may become; `__share FOLDER [MANUAL]` for what is installed
// beside the programs: manual pages (with a folder of Markdown also what it says, and its chapters), completion, the document's schema.
bool answered(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty() || (words[0] != "__complete" && words[0] != "__share")) return false;
  const CommandText program = commandTree(app);
  if (words[0] == "__complete") {
    std::cout << completionText(complete(program, {words.begin() + 1, words.end()}, namedHere));
    return true;
  }
  if (words.size() != 2 && words.size() != 3) throw Error(Errc::kUsage, "__share needs a folder, and may have that of the manual");
  const Catalog catalog = worker::describeLocal();
  const auto put = [&words](const std::string& folder, const std::string& name, const std::string& text) {
    const std::string in = strCat(words[1], "/", folder);
    std::filesystem::create_directories(in);
    writeOutput(strCat(in, "/", name), text);
  };
  const std::vector<ManualChapter> chapters = words.size() == 3 ? readManual(words[2]) : std::vector<ManualChapter>();
  for (const auto& [name, page] : manPages(program, catalog, chapters)) put(strCat("man/man", name.back()), name, page);
  for (const auto& [name, page] : manualPages(chapters)) put("man/man7", name, page);
  put("bash-completion/completions", "paceline", completionScript("bash"));
  put("zsh/site-functions", "_paceline", completionScript("zsh"));
  put("fish/vendor_completions.d", "paceline.fish", completionScript("fish"));
  put("paceline", "experiment.schema.json", schemaText(catalog));
  return true;
}

// The one that the words got to: "paceline hosts add".
const CLI::App& namedCommand(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().back();
  return *command;
}
std::string fullName(const CLI::App& command) { return command.get_parent() == nullptr ? command.get_name() : strCat(fullName(*command.get_parent()), " ", command.get_name()); }

// Letters that are put in, left out or changed between the two (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) diagonal = std::exchange(row[j + 1], std::min({row[j + 1] + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1)}));
  }
  return row.back();
}

// "": every word that was left belongs to a command that was found.
std::string unknownCommand(const CLI::App& app, const CLI::App& command) {
  const std::vector<std::string> left = app.remaining(true);
  const auto word = std::ranges::find_if(left, [](const std::string& each) { return !each.starts_with('-'); });
  const auto known = command.get_subcommands([](const CLI::App*) { return true; });
  if (word == left.end() || known.empty()) return "";
  const CLI::App* nearest = *std::ranges::min_element(known, {}, [&word](const CLI::App* each) {
    const std::string name = each->get_name();
    return std::pair(distance(*word, name), std::max(name.size(), word->size()) - std::min(name.size(), word->size()));
  });
  return strCat("\"", quotable(*word), "\" is no command of ", fullName(command), "; the nearest is \"", nearest->get_name(), "\"");
}

int usageExit(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
  const CLI::App& command = namedCommand(app);
  const auto is = [&error](CLI::ExitCodes code) { return error.get_exit_code() == static_cast<int>(code); };
  const bool ofWords = is(CLI::ExitCodes::RequiredError) || is(CLI::ExitCodes::ExtrasError);
  const std::string unknown = ofWords ? unknownCommand(app, command) : "";
  std::cerr << "paceline: " << (unknown.empty() ? oneLine(error.what()) : unknown) << " (" << fullName(command) << " --help)\n";
  return 2;
}

// Subcommands work in callbacks, which CLI11 calls when everything is parsed.
int runProgram(int argc, char** argv) {
  CLI::App app("Experiments in distributed training on unequal machines.", "paceline");
  Shared shared;
  shared.store = store::defaultStorePath();
  addCommands(app, shared);
  try {
    if (!answered(app, {argv + std::min(argc, 1), argv + argc})) app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return usageExit(app, error);
  }
  std::cout.flush();
  if (!std::cout) throw Error(Errc::kFile, strCat("cannot write standard output: ", std::strerror(errno)));
  return shared.exit;
}

}  // namespace
}  // namespace paceline::cli

int main(int argc, char** argv) {
  paceline::disk::tellFileSizeLimits();
  paceline::cli::guardTerminal();
  try {
    return paceline::cli::runProgram(argc, argv);
  } catch (const paceline::Error& error) {
    std::cerr << "paceline: " << paceline::cli::oneLine(error.what()) << '\n';
    return error.code() == paceline::Errc::kUsage ? 2 : 1;
  } catch (const std::exception& error) {
    std::cerr << "paceline: " << paceline::cli::oneLine(paceline::reasonOf(error)) << '\n';
    return 1;
  }
}

// paceline gui: becomes the workbench.
namespace paceline::cli {

void addGuiCommand(CLI::App& app, Shared& shared) {
  CLI::App* command = app.add_subcommand("gui", "Opens the workbench.");
  command->callback([&shared] {
    const std::string path = workbenchPath();
    ::setenv("PACELINE_STORE", shared.store.c_str(), 1);
    ::execl(path.c_str(), path.c_str(), static_cast<char*>(nullptr));
    throw Error(Errc::kHost, strCat("cannot start ", path, ": ", std::strerror(errno)));
  });
}

}  // namespace paceline::cli
