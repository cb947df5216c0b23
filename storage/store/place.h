// Where the file of an open store stands. A process that has it open goes on writing into a file that was deleted or replaced, and all of it is
// gone when it closes: so what is in it is copied, and comes back as soon as nothing else stands there. Used by the writer's thread. Private to
// storage.
#pragma once

#include <sys/types.h>

#include <string>

#include "storage/store/owner.h"
#include "storage/store/sqlite.h"

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
  void keep(Database& database);
  void takeLogsAway() const;
  void bringBack();
  void openAgain(Database& database);

  std::string path_, place_;  // as it was given; the file, whatever links lead to it
  std::optional<FileIdentity> file_, log_, index_, copied_;
  mode_t mode_ = 0600;
  std::string copy_;  // where it is kept meanwhile; copied_: that file
  std::string news_;
};

}  // namespace paceline::store
