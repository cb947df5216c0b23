// What a server has of one shard, and its answers. Private to the server's loop. Header-only.
#pragma once

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "engine/comm/transport/transport.h"
#include "engine/core/record/state_table.h"

namespace paceline {

// One shard: the aggregator's half, the algorithm's half, and what came before the values did.
struct Shard {
  std::unique_ptr<ServerAlgorithm> aggregation, algorithm;
  std::deque<Message> early;
  bool hasValues = false;

  std::vector<std::pair<const char*, ServerAlgorithm*>> halves() const {  // that there are
    std::vector<std::pair<const char*, ServerAlgorithm*>> there;
    if (aggregation) there.emplace_back("aggregation", aggregation.get());
    if (algorithm) there.emplace_back("algorithm", algorithm.get());
    return there;
  }
  // As ServerAlgorithm's.
  void state(Archive& archive) {
    std::int64_t has = hasValues ? 1 : 0;
    archive.number("has_values", has);
    hasValues = has != 0;
    for (const auto& [name, half] : halves()) {
      ArchiveScope own(archive, name);
      half->state(own);
    }
  }
  void owed(Archive& archive) {
    archiveMessages(archive, "early", early);
    for (const auto& [name, half] : halves()) {
      ArchiveScope own(archive, name);
      half->owed(own);
    }
  }
};

// Whose message led to what is sent travels with it.
class Answering final : public Outbox {
 public:
  Answering(Outbox& below, int cause) : below_(below), cause_(cause) {}
  void send(int to, Message message) override {
    message.cause = cause_;
    below_.send(to, std::move(message));
  }
  double now() const override { return below_.now(); }

 private:
  Outbox& below_;
  int cause_;
};

}  // namespace paceline
