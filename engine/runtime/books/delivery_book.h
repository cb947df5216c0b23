// What a server has sent to each worker and the worker has received, as its last word tells. Where another process took a worker's place, only what went to that one counts. Used by the
// server's thread. Header-only.
#pragma once

#include <map>

#include "engine/comm/transport/layers.h"
#include "engine/core/record/state_table.h"
#include "engine/runtime/control.h"

namespace paceline {

class DeliveryBook {
 public:
  explicit DeliveryBook(MeteredWire& meter) : meter_(meter) {}

  void renewed(int worker) { sentBefore_[worker] = meter_.with(worker); }
  void left(int worker, const Bye& bye) {
    if (bye.received.size() == 2) received_[worker] = {.bytesReceived = bye.received[0], .messagesReceived = bye.received[1]};
  }
  // Bytes and messages that were sent and not received: answers that the stop overtook.
  Traffic undelivered() {
    Traffic sum;
    for (const auto& [worker, received] : received_) {
      const Traffic &sent = meter_.with(worker), &before = sentBefore_[worker];
      sum.bytesSent += sent.bytesSent - before.bytesSent - received.bytesReceived;
      sum.messagesSent += sent.messagesSent - before.messagesSent - received.messagesReceived;
    }
    return sum;
  }
  void state(Archive& archive) {
    archiveOf(archive, "received", received_, &Traffic::bytesReceived, &Traffic::messagesReceived);
    archiveOf(archive, "sent_before", sentBefore_, &Traffic::bytesSent, &Traffic::messagesSent);
  }

 private:
  static void archiveOf(Archive& archive, const char* name, std::map<int, Traffic>& of, std::int64_t Traffic::*bytes, std::int64_t Traffic::*messages) {
    std::vector<double> numbers;
    for (const auto& [node, traffic] : of) numbers.insert(numbers.end(), {static_cast<double>(node), static_cast<double>(traffic.*bytes), static_cast<double>(traffic.*messages)});
    archive.numbers(name, numbers);
    for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) {
      Traffic& traffic = of[static_cast<int>(numbers[i])];
      traffic.*bytes = static_cast<std::int64_t>(numbers[i + 1]), traffic.*messages = static_cast<std::int64_t>(numbers[i + 2]);
    }
  }

  MeteredWire& meter_;
  std::map<int, Traffic> received_, sentBefore_;  // by worker
};

}  // namespace paceline
