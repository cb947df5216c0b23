// paceline backup PATH: a copy of the store that was checked; in a folder by its time, the oldest of many going.
#include <algorithm>
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
};

constexpr const char* kCopyBegin = "paceline-";
constexpr const char* kCopyEnd = ".db";

std::string nameByTime() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &utc);
  return strCat(kCopyBegin, text, kCopyEnd);
}

bool isOurs(const std::filesystem::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  constexpr std::size_t kLength = sizeof "paceline-20260101T000000Z.db" - 1;
  return entry.is_regular_file() && name.size() == kLength && name.starts_with(kCopyBegin) && name.ends_with(kCopyEnd);
}

// Those of this command alone, by their names' times.
void removeOldest(const std::string& folder, std::size_t keep) {
  std::vector<std::filesystem::path> copies;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (isOurs(entry)) copies.push_back(entry.path());
  std::ranges::sort(copies);
  for (std::size_t i = 0; i + keep < copies.size(); ++i) {
    std::filesystem::remove(copies[i]);
    std::cout << "removed " << copies[i].string() << '\n';
  }
}

void backUp(const BackupArguments& arguments, const std::string& storePath) {
  std::error_code ignored;
  const bool folder = arguments.keep > 0 || std::filesystem::is_directory(arguments.path, ignored);
  if (folder) makeFolder(arguments.path);
  const store::Backup made = store::backUp(storePath, folder ? strCat(arguments.path, "/", nameByTime()) : arguments.path);
  std::cout << made.path << ": " << made.runs << (made.runs == 1 ? " run, " : " runs, ") << bytesText(made.bytes) << ", checked\n";
  if (arguments.keep > 0) removeOldest(arguments.path, static_cast<std::size_t>(arguments.keep));
}

}  // namespace

void addBackupCommand(CLI::App& app, Shared& shared) {
  auto arguments = std::make_shared<BackupArguments>();
  CLI::App* command = app.add_subcommand("backup", "Copies the store, also while runs are recorded, and checks the copy.");
  command->add_option("path", arguments->path, "a new file, or a folder, in which the copy is named by its time")->required()->type_name("PATH");
  command->add_option("--keep", arguments->keep, "of the copies in the folder, the newest so many; older ones go. For a line of crontab: @daily paceline backup DIR --keep 7")->check(CLI::Range(1, 100000))->type_name("N");
  command->callback([arguments, &shared] { backUp(*arguments, shared.store); });
}

}  // namespace paceline::cli
