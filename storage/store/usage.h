// How the bytes of a store are spent. Any thread, with a connection of its own; reads every page, so it takes as long as reading the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace paceline::store {

struct RunUsage {
  std::string run;           // id
  std::int64_t records = 0;  // of all types, levels of detail among them
  std::int64_t bytes = 0;    // its share, by records, of what their tables and indexes take
};

struct StoreUsage {
  std::int64_t fileBytes = 0, logBytes = 0;
  std::int64_t freeBytes = 0;   // of the file: pages that hold nothing
  std::int64_t otherBytes = 0;  // documents, summaries, suites, the queue, the schema
  std::vector<RunUsage> runs;   // those with records, the largest first
};

// A missing file is an empty store. Throws Error{kStore, kFormat} naming the file.
StoreUsage usageOf(const std::string& path);

}  // namespace paceline::store
