// What a server records of what is a matter of time, so that a replay can repeat it (replay.h): in which order each shard applied messages, who was lost when, and what was
// answered to questions. In virtual time nothing, for there the document says it all. Used by the node's thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/comm/transport/message.h"
#include "engine/core/base/archive.h"
#include "engine/runtime/node_loop.h"
#include "engine/runtime/replay.h"

namespace paceline {

class OrderBook {
 public:
  OrderBook(const NodeRun& run, bool ordered);  // ordered: the algorithm's server half applies messages as they come

  void handed(const Message& message);  // in this order each shard gets them
  void lost(int node);                   // so far nobody else's message is handed to any shard
  void joined(int node);                 // another process of it takes part from here on
  void answered(int to, const Message& answer);
  void finish();                         // tells what is not told yet
  void state(Archive& archive);          // for the server's next process

 private:
  static constexpr std::size_t kSteps = 256, kAnswers = 256;  // of a record
  struct Shard {
    std::int64_t place = 0;  // of what follows
    ServerReplay::Steps steps;
    std::map<int, std::int64_t> contributions;  // by sender, to an aggregation
  };
  struct Told {
    std::int64_t place = 0;
    std::vector<std::vector<double>> answers;
  };

  bool records() const { return static_cast<bool>(run_.emit) && run_.nominalStepSeconds <= 0; }
  void add(std::int32_t number, Shard& shard, const AppliedStep& step);
  void closeAll();
  void close(std::int32_t number, Shard& shard);
  void tell(std::int32_t number, std::int64_t place, std::string nodes);
  void tell(int to, Told& told);

  const NodeRun& run_;
  bool ordered_;
  std::map<std::int32_t, Shard> shards_;
  struct Waiting {
    std::int32_t shard = 0;
    ServerReplay::Steps steps;
  };
  std::map<std::int64_t, std::vector<Waiting>> waiting_;  // by place: blocks that are told unless the first shard's is the same
  std::map<std::int64_t, ServerReplay::Steps> first_;     // blocks of the first shard that not all others have passed
  std::map<int, Told> answers_;                           // by node
};

}  // namespace paceline
