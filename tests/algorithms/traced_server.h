// A server half of one shard fed by hand, message by message. Header-only.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/algorithms/algorithm.h"
#include "engine/core/record/state_table.h"

namespace paceline::tests {

class RecordedOutbox final : public Outbox {
 public:
  void send(int to, Message message) override {
    message.from = to;  // whom it is for
    sent.push_back(std::move(message));
  }
  double now() const override { return 0; }
  std::vector<Message> sent;
};

// Workers are nodes 5, 6, ...; every push has rate 0.5 and 4 samples.
class TracedServer {
 public:
  static constexpr int kFirstNode = 5;

  TracedServer(const std::string& id, const Params& given, int workers, const std::vector<Real>& start, const Optimizer& optimizer = {})
      : versions_(static_cast<std::size_t>(workers)) {
    std::vector<Finding> findings;
    const AlgorithmDef* def = findAlgorithm(id);
    params_ = completeParams(def->params, given, "", findings);
    EXPECT_FALSE(hasErrors(findings));
    std::vector<int> nodes;
    for (int rank = 0; rank < workers; ++rank) nodes.push_back(kFirstNode + rank);
    half_ = def->makeServer({.params = params_, .workers = nodes, .optimizer = optimizer});
    half_->onMessage({.kind = MessageKind::kInit, .from = kFirstNode, .scalars = {}, .dense = Dense::copied(start)}, out_);
  }

  // What the push released, in the order of sending; `from` says to which node. Computed at what the rank got last.
  std::vector<Message> push(int rank, const std::vector<Real>& gradient, const std::vector<double>& extra = {}) {
    return send(rank, gradient, versions_[static_cast<std::size_t>(rank)], extra);
  }
  std::vector<Message> push(int rank, double gradient, const std::vector<double>& extra = {}) {
    return push(rank, std::vector<Real>{static_cast<Real>(gradient)}, extra);
  }
  std::vector<Message> pushAt(int rank, double gradient, std::int64_t version) {
    return send(rank, {static_cast<Real>(gradient)}, version, {});
  }
  std::vector<Message> ask(int rank, std::vector<double> question) {
    out_.sent.clear();
    half_->onMessage({.kind = MessageKind::kAsk, .from = kFirstNode + rank, .scalars = std::move(question), .dense = {}}, out_);
    return out_.sent;
  }
  std::vector<Message> left(int rank) {
    out_.sent.clear();
    half_->left(kFirstNode + rank, out_);
    return out_.sent;
  }
  void joined(int rank, int like) { half_->joined(kFirstNode + rank, kFirstNode + like); }
  void load(const StateTable& table) {
    StateReader reader(table);
    half_->state(reader);
  }
  StateTable saved() {
    StateTable table;
    StateWriter writer(table);
    half_->state(writer);
    return table;
  }

 private:
  std::vector<Message> send(int rank, const std::vector<Real>& gradient, std::int64_t version, const std::vector<double>& extra) {
    Message message{.kind = MessageKind::kPush, .from = kFirstNode + rank, .version = version, .scalars = {0.5, 4}, .dense = Dense::copied(gradient)};
    message.scalars.insert(message.scalars.end(), extra.begin(), extra.end());
    out_.sent.clear();
    half_->onMessage(std::move(message), out_);
    for (const Message& reply : out_.sent) versions_[static_cast<std::size_t>(reply.from - kFirstNode)] = reply.version;
    return out_.sent;
  }

  Params params_;
  RecordedOutbox out_;
  std::unique_ptr<ServerAlgorithm> half_;
  std::vector<std::int64_t> versions_;  // of what each rank got last
};

// Everything that a reply says, for comparing traces bit for bit.
struct SeenReply {
  int to = 0;
  std::int64_t version = 0;
  std::vector<double> scalars;
  std::vector<Real> values;
  bool operator==(const SeenReply&) const = default;
};
inline std::vector<SeenReply> seen(const std::vector<Message>& replies) {
  std::vector<SeenReply> all;
  for (const Message& reply : replies)
    all.push_back({reply.from - TracedServer::kFirstNode, reply.version, reply.scalars, {reply.dense.values().begin(), reply.dense.values().end()}});
  return all;
}

}  // namespace paceline::tests
