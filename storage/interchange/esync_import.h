// What the two ESync importers share: a run put together in memory, then stored as a whole. Private to storage.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "storage/interchange/esync_format.h"
#include "storage/store/store.h"

namespace paceline::interchange {

struct EsyncRun {
  EsyncRun(const EsyncModeName& mode, const std::string& network, const std::string& source, const std::string& from);
  bool isEsync() const;
  std::string addNode(const std::string& host, const std::string& device);  // its id, "host/device"
  // Before its round, as it is evaluated within it.
  void addAccuracy(const std::string& node, std::int64_t seq, const RoundRecord& round, double accuracy);

  store::RunRow row;
  std::vector<store::NodeRow> nodes;
  std::vector<StampedEvent> events;
  std::map<std::string, std::int64_t> samplesOf;  // trained so far, by node
};

std::vector<std::string> storeEsyncRuns(store::StoreWriter& store, const std::vector<EsyncRun>& runs);  // their ids

// Error{kFile}; Error{kFormat} when absurdly large.
std::string textOfFile(const std::string& path, std::uintmax_t maxBytes = 16 << 20);
bool naturalLess(std::string_view a, std::string_view b);  // "gpu2" before "gpu10"

}  // namespace paceline::interchange
