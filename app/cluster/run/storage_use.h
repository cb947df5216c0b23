// Where the bytes of this computer went: the store by runs and suites, the trash, checkpoints, spools, data sets. The same numbers for window and terminal.
// Any thread; reads the whole store and walks folders, which takes seconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "storage/store/usage.h"

namespace paceline::run {

struct KeptItem {  // a suite, or a run of none
  std::string id, name;
  bool suite = false;
  int runs = 0, trashed = 0;  // of a suite several
  std::int64_t records = 0, bytes = 0;
};

struct FolderUse {
  std::string path;        // "": there is none
  std::int64_t bytes = 0;
  int entries = 0;         // directly in it: runs, data sets
};

struct StorageUse {
  store::StoreUsage store;
  std::vector<KeptItem> items;     // the largest first
  std::vector<std::string> trash;  // ids of runs
  std::int64_t trashBytes = 0;
  FolderUse checkpoints, spools, dataSets;  // of runs at this computer's supervisor; where downloads go
  FolderUse arrays;                         // unpacked of .npz files, once for all runs that read them
};

StorageUse storageUse(const std::string& storePath);  // throws Error{kStore, kFormat}
// Deletes them: the next run that reads one of those files unpacks it again; runs that read one now keep what they have mapped. Returns the bytes that are
// free. Throws Error{kFile}.
std::int64_t emptyArrays();
std::int64_t storeBytes(const std::string& storePath);  // file and log as they are now

}  // namespace paceline::run
