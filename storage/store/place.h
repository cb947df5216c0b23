// Where the file of an open store stands, with its log and the log's index. A process that has them open goes on writing into files that were deleted
// or replaced, and all of it is gone when it closes: so what is in them is copied, and comes back as soon as nothing else stands there. Used by the
// writer's thread. Private to storage.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "storage/store/owner.h"
#include "storage/store/sqlite.h"
#include "storage/store/store.h"

namespace paceline::store {

void prepareForWriting(Database& database);  // throws Error{kStore} where no write-ahead log can be

class StorePlace {
 public:
  explicit StorePlace(const Database& database);  // just opened there

  // The store stands where it was opened, or is back there, with `database` open on it. Throws Unavailable while it cannot be: the file was replaced
  // and what stands there now is left alone, there is no space for a copy, ...
  void look(Database& database, LockFile& lock);
  std::string takeNews();  // what was done since the last call, a sentence; "": nothing

 private:
  void stands();
  bool lostLogs() const;
  void keep(Database& database);
  void copy(Database& database);
  void syncNames() const;
  void takeLogsAway() const;
  void bringBack(bool overFile) const;
  void openAgain(Database& database);

  std::string path_, place_;  // as it was given; the file, whatever links lead to it
  std::optional<FileIdentity> file_, log_, index_, copied_;
  mode_t mode_ = 0600;
  std::string copy_;  // where it is kept meanwhile; copied_: that file
  std::optional<Unavailable> refused_;  // why the last copy could not be made
  double nextCopy_ = 0;                 // steady seconds: none is begun before
  std::string news_;
};

}  // namespace paceline::store
