// The server's side of an algorithm or aggregation for one shard: a message handler with no thread, socket or clock of its own.
#pragma once

#include <functional>

#include "engine/comm/transport/message.h"
#include "engine/core/base/archive.h"

namespace paceline {

class Outbox {
 public:
  virtual ~Outbox() = default;
  virtual void send(int to, Message message) = 0;
  virtual double now() const = 0;  // the server's clock, seconds; for receive times
};

class ServerAlgorithm {
 public:
  virtual ~ServerAlgorithm() = default;
  virtual void onMessage(Message message, Outbox& out) = 0;  // one at a time
  virtual void state(Archive&) {}                            // everything that outlives a message; for checkpoints
  virtual Dense parameters() const { return {}; }            // of this shard, where the half holds them; they never change afterwards
};

}  // namespace paceline
