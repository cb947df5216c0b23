// One shard's values at a server. Replies and backups share them instead of copying, so an update is written beside them, into a
// buffer that nobody reads any more. One owner thread; a reader may be let go on any thread (the wire's).
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "engine/comm/message.h"

namespace paceline {

class ShardValues {
 public:
  void reset(std::span<const Real> values);
  std::size_t size() const { return current_ ? current_->values.size() : 0; }
  std::span<const Real> values() const { return current_->values; }
  Dense snapshot() const;    // the values as they are now, unchanged for as long as somebody holds it
  std::span<Real> beside();  // room for the next values; size() elements of old rubbish
  void advance();            // what beside() was filled with are the values now

 private:
  struct Buffer {
    std::vector<Real> values;
    std::atomic<int> readers{0};
  };
  std::shared_ptr<Buffer> current_, next_;
  std::vector<std::shared_ptr<Buffer>> buffers_;
};

}  // namespace paceline
