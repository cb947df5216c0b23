#include "storage/store/copied_records.h"

#include <algorithm>

namespace paceline::store {

std::vector<StampedEvent> recordsUpTo(const StoreReader& store, const std::string& run, const std::set<std::string>& nodes, std::int64_t rounds) {
  std::vector<StampedEvent> events;
  eachRecordType([&]<class Record>() {
    if constexpr (requires(Record record) { record.round; })
      for (const RecordRow<Record>& row : store.records<Record>(run))
        if (nodes.contains(row.node) && row.record.round <= rounds) events.push_back({.run = "", .node = row.node, .seq = row.seq, .event = row.record});
  });
  std::stable_sort(events.begin(), events.end(), [](const StampedEvent& a, const StampedEvent& b) { return a.seq < b.seq; });
  if (events.empty()) return events;
  const std::int64_t newest = events.back().seq;
  for (StampedEvent& event : events) event.seq -= newest;
  return events;
}

}  // namespace paceline::store
