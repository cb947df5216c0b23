// Layers over a Wire. Each borrows the wire below it. Same thread as that wire.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "engine/comm/transport/message.h"
#include "engine/comm/transport/transport.h"
#include "engine/core/base/clock.h"
#include "engine/core/spec/run_spec.h"

namespace paceline {

struct Traffic {
  std::int64_t bytesSent = 0, bytesReceived = 0, messagesSent = 0, messagesReceived = 0;
  std::int64_t valuesSent = 0, valuesReceived = 0;  // of the bytes those of vectors
};

// Counts the bytes and messages that cross the wire.
class MeteredWire final : public LayerWire {
 public:
  explicit MeteredWire(Wire& below, NodeList peers = {}) : LayerWire(below), peers_(std::move(peers)), byPeer_(peers_.size()) {}
  void send(int to, Message message) override;
  void sendToAll(const NodeList& nodes, const Message& message) override;
  std::optional<Message> receive(double timeoutSeconds) override;
  const Traffic& traffic() const { return traffic_; }
  const Traffic& with(int peer) const { return byPeer_.at(peers_.placeOf(peer).value()); }  // of it, with one of `peers`
  const NodeList& peers() const { return peers_; }
  void state(Archive& archive);  // what is counted so far
  void book(std::int64_t bytes) { traffic_.bytesSent += bytes, traffic_.bytesReceived += bytes; }  // both ways, past this wire

 private:
  template <class Count>
  void count(int peer, const Count& count);

  Traffic traffic_;
  NodeList peers_;
  std::vector<Traffic> byPeer_;
};

// One node's emulated link: full duplex, store and forward. A message of b bytes leaves when the ones before it have left plus
// b / bandwidth, is on its way for `latency`, and arrives when the ones before it have arrived plus b / receiver's bandwidth.
// The simulator schedules by it, ShapedWire sleeps by it: the same model in virtual and in real time.
class LinkModel {
 public:
  explicit LinkModel(const Emulate& emulate);
  double leave(double now, std::size_t bytes);               // when it is available to the receiver's link
  double arrive(double availableAt, std::size_t bytes);      // when the receiver has it
  double freeAt() const { return egressFree_; }              // when all that was sent has left
  bool isFree() const { return secondsPerByte_ == 0; }       // a message leaves and arrives in no time

 private:
  double secondsPerByte_ = 0, latency_ = 0, egressFree_ = 0, ingressFree_ = 0;
};

// Emulates the link in real time; always present on the receiving side so that a shaped sender is honoured. Messages carry the
// sender's steady clock (one host) and the hold, so a receiver on another host never waits longer than the hold.
class ShapedWire final : public LayerWire {
 public:
  ShapedWire(Wire& below, Clock& clock, const Emulate& emulate) : LayerWire(below), clock_(clock), link_(emulate) {}
  void send(int to, Message message) override;
  std::optional<Message> receive(double timeoutSeconds) override;
  double roomIn(int to) override;
  void renew(int node) override;

 private:
  struct Held {
    double at = 0;  // own clock
    std::uint64_t order = 0;
    Message message;
  };
  static bool later(const Held& a, const Held& b);
  void hold(Message message);  // until the receiver's link may start with it
  void admit(double now);      // those whose time has come pass the receiver's link
  std::optional<Message> fromBelow(double seconds, bool exactly, bool& woken);

  Clock& clock_;
  LinkModel link_;
  std::vector<Held> underWay_;  // heap, earliest (at, order) first
  std::deque<Held> arriving_;   // in the order of arrival; at = when the node has it
  std::map<int, double> latest_;  // by sender: its messages stay in order whatever its clock says
  std::uint64_t taken_ = 0;
};

// How a flat vector of `size` elements is cut into contiguous shards of at most `longest` elements, and which server owns which.
// Every server gets consecutive shards, at least one when there are enough elements. Without shares all shards are equal to within
// one element; with them a server owns its fraction of the vector to within one element and its shards are equal among themselves.
// Pure: every node computes the same.
struct ShardRange {
  std::size_t offset = 0, size = 0;  // elements
  int server = 0;                    // node index
};

// The vector is in the model's order, so this is the order in which the next forward pass needs the shards: that of answers.
inline std::int32_t shardPriority(std::size_t shard) { return static_cast<std::int32_t>(shard) + 1; }

// The order in which the shards of a gradient leave while the backward pass, last layers first, still makes them. A shard is answered when all workers have
// sent it, so it is one order for all, whatever their pace and their links: if each sent what the next pass needs first of what it has just then, shards of
// which one worker is missing would pile up at the server (sum_credit.h). Two of three leave in the order in which they become final, every third in the order
// of need.
inline std::int32_t pushPriority(std::size_t shard, std::size_t shards) {
  constexpr std::size_t kEvery = 3;
  const std::size_t fromEnd = shards - 1 - shard, third = fromEnd / kEvery;
  return 1 + static_cast<std::int32_t>(fromEnd % kEvery == 0 ? shards - 1 - third : fromEnd - 1 - third);
}

// Elements of a shard, at most: sixteen shards a vector keep both directions of a link busy, unless they would be of less than 32 kB; and of a long vector a
// shard of 512 kB is short against what computing and sending the rest takes.
std::size_t shardLength(std::size_t size);
inline constexpr std::size_t kLongestShard = kShardBytes / 2 / sizeof(Real);

// `shares`: what each server owns, in proportion, all > 0; empty: all the same.
std::vector<ShardRange> shardsOf(std::size_t size, const std::vector<int>& serverNodes, const std::vector<double>& shares = {});
// How versions of before cut it, where otherwise: up to 1 MB; before November 2026 as few as there could be. A run that goes on from their checkpoints still has those.
std::vector<std::vector<ShardRange>> earlierShardsOf(std::size_t size, const std::vector<int>& serverNodes, const std::vector<double>& shares = {});

}  // namespace paceline
