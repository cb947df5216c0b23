// paceline backup PATH: a copy of the store that was checked; in a folder by its time, the oldest of many going; with --every from here on by the store's recorder.
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "engine/core/base/error.h"
#include "storage/store/backup.h"

namespace paceline::cli {
namespace {

struct BackupArguments {
  std::string path;
  int keep = 0;
  double everyHours = 0;
  bool never = false;
};

std::string planText(const std::string& store) {
  const std::optional<store::BackupPlan> plan = store::backupPlan(store);
  if (!plan) return "no copies are made by themselves; `paceline backup DIR --every 24` begins with it";
  const auto newest = static_cast<std::time_t>(store::newestBackupUtc(*plan));
  char text[32] = "none yet";
  std::tm utc{};
  if (newest > 0 && gmtime_r(&newest, &utc) != nullptr) std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return strCat("when a run ends and the newest copy is older than ", plan->everyHours, " h the store is copied into ", plan->folder, ", of whose copies the newest ", plan->keep, " stay; the newest: ", text);
}

void tellCopy(const store::Backup& made) { std::cout << made.path << ": " << made.runs << (made.runs == 1 ? " run, " : " runs, ") << bytesText(made.bytes) << ", checked\n"; }

void backUp(const BackupArguments& arguments, const std::string& storePath) {
  if (arguments.never) store::setBackupPlan(storePath, std::nullopt);
  if (arguments.path.empty()) {
    std::cout << planText(storePath) << '\n';
    return;
  }
  std::error_code ignored;
  if (arguments.keep == 0 && arguments.everyHours == 0 && !std::filesystem::is_directory(arguments.path, ignored)) return tellCopy(store::backUp(storePath, arguments.path));
  makeFolder(arguments.path);
  store::BackupPlan plan{.folder = std::filesystem::absolute(arguments.path).lexically_normal().string(), .keep = arguments.keep, .everyHours = arguments.everyHours};
  if (arguments.everyHours > 0 && plan.keep == 0) plan.keep = store::BackupPlan().keep;
  std::vector<std::string> removed;
  tellCopy(store::backUpInto(storePath, plan, &removed));
  for (const std::string& path : removed) std::cout << "removed " << path << '\n';
  if (arguments.everyHours == 0) return;
  store::setBackupPlan(storePath, plan);
  std::cout << planText(storePath) << '\n';
}

}  // namespace

void addBackupCommand(CLI::App& app, Shared& shared) {
  auto arguments = std::make_shared<BackupArguments>();
  CLI::App* command = app.add_subcommand("backup", "Copies the store, also while runs are recorded, and checks the copy. Without PATH says which copies are made by themselves.");
  CLI::Option* path = command->add_option("path", arguments->path, "a new file, or a folder, in which the copy is named by its time")->type_name("PATH");
  command->add_option("--keep", arguments->keep, "of the copies in the folder, the newest so many; older ones go")->needs(path)->check(CLI::Range(1, 100000))->type_name("N");
  command->add_option("--every", arguments->everyHours, "from here on, too: when a run ends and the newest copy is older than so many hours")->needs(path)->check(CLI::Range(0.01, 1e6))->type_name("HOURS");
  command->add_flag("--never", arguments->never, "no copies by themselves any more; those that are there stay")->excludes(path);
  command->callback([arguments, &shared] { backUp(*arguments, shared.store); });
}

}  // namespace paceline::cli
