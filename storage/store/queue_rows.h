// Rows of the table queue: what the store's recorder has to do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace paceline::store {

class Database;

struct QueueRow {
  std::int64_t entry = 0, position = 0;
  std::string kind{}, run{}, specText{}, name{}, suite{}, resumedFrom{};
  bool now = false, begun = false, held = false;
  std::string boot{};     // of the system that was up when it was last looked at
  std::string context{};  // JSON: folder, variables and list of hosts of who submitted it
  double submittedUtc = 0;
};

// Private to storage; StoreReader and StoreWriter pass them on.
std::vector<QueueRow> selectQueue(Database& database);            // by position
std::int64_t insertQueue(Database& database, const QueueRow& row);  // its entry
void updateQueue(Database& database, const QueueRow& row);        // position, now, begun, held, boot
void deleteQueue(Database& database, std::int64_t entry);

}  // namespace paceline::store
