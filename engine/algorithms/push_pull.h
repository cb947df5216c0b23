// What asynchronous parameter-server methods have in common: the worker pushes its gradient and gets the new values back in one
// exchange; the server half keeps a shard's values and their version. A method adds its update formula.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/algorithms/algorithm.h"
#include "engine/comm/message.h"

namespace paceline {

// Worker half: one gradient, one exchange; reads "learning_rate". Batch-norm statistics stay the worker's own.
std::unique_ptr<WorkerAlgorithm> makePushPullWorker(const Params& params);

// Server half of one shard. kInit gives the values; a kPush carries {learning rate, samples trained
// since the last push} and the version that it was computed at, its reply {staleness, samples trained by all}.
class PushServer : public ServerAlgorithm {
 public:
  explicit PushServer(std::vector<int> workers) : workers_(std::move(workers)) {}
  void onMessage(Message message, Outbox& out) final;

 protected:
  // next = the values after this push.
  virtual void step(std::size_t rank, Real rate, std::span<const Real> w, std::span<const Real> g, std::span<Real> next) = 0;
  // Afterwards; `before` and `after` may be kept. At the start `before` is empty and it is called for every rank.
  virtual void stepped(std::size_t /*rank*/, const Dense& /*before*/, const Dense& /*after*/) {}
  std::size_t world() const { return workers_.size(); }

 private:
  void onInit(const Message& message);
  void onPush(const Message& message, Outbox& out);

  std::vector<int> workers_;
  Dense values_;              // shared with replies and backups, so every update is written into memory of its own
  std::int64_t version_ = 0;  // updates applied
  std::int64_t samples_ = 0;  // behind them
};

}  // namespace paceline
