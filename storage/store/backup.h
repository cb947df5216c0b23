// Copies of a store that can be trusted: SQLite's own, while runs are recorded, checked before they take their name. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace paceline::store {

struct Backup {
  std::string path;
  std::int64_t runs = 0, bytes = 0;
};

// All that is committed as of now, to a new file. Checked: the pages (PRAGMA integrity_check) and as many rows in each table as the store has at that moment. Throws Error{kStore}: there is no
// such store, `to` exists, the copy is not whole; Unavailable where the disk is the reason. Then nothing is left at `to`.
Backup backUp(const std::string& store, const std::string& to);

// Copies of a store in a folder, named by their time; of those the newest `keep` stay (0: all), others go.
struct BackupPlan {
  std::string folder;  // absolute
  int keep = 7;
  double everyHours = 24;
};
// Into plan.folder, now; which copies went, too.
Backup backUpInto(const std::string& store, const BackupPlan& plan, std::vector<std::string>* removed = nullptr);

// The plan beside the store (FILE.backup.json), by which its recorder copies it when a run has ended and the newest copy is old enough. nullopt: there is none.
std::optional<BackupPlan> backupPlan(const std::string& store);  // Error{kFormat, kFile}
void setBackupPlan(const std::string& store, const std::optional<BackupPlan>& plan);  // nullopt: none from here on
double newestBackupUtc(const BackupPlan& plan);                  // Unix s; 0: there is no copy
// What the plan asks for now, if anything; one at a time in this process.
std::optional<Backup> backUpWhenDue(const std::string& store);

}  // namespace paceline::store
