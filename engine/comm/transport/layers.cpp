#include "engine/comm/transport/layers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/core/base/error.h"

namespace paceline {

template <class Count>
void MeteredWire::count(int peer, const Count& count) {
  count(traffic_);
  if (const std::optional<std::size_t> place = peers_.placeOf(peer)) count(byPeer_[*place]);
}

void MeteredWire::send(int to, Message message) {
  count(to, [bytes = static_cast<std::int64_t>(wireBytes(message)), values = static_cast<std::int64_t>(valueBytes(message))](Traffic& traffic) {
    traffic.bytesSent += bytes, ++traffic.messagesSent, traffic.valuesSent += values;
  });
  below_.send(to, std::move(message));
}

void MeteredWire::sendToAll(const NodeList& nodes, const Message& message) {
  const auto others = static_cast<std::int64_t>(nodes.size()) - 1;
  traffic_.bytesSent += others * static_cast<std::int64_t>(wireBytes(message));
  traffic_.messagesSent += others;
  traffic_.valuesSent += others * static_cast<std::int64_t>(valueBytes(message));
  for (std::size_t place = 0; place < peers_.size(); ++place)
    if (nodes.contains(peers_[place]) && peers_[place] != self()) {
      Traffic& one = byPeer_[place];
      one.bytesSent += static_cast<std::int64_t>(wireBytes(message)), ++one.messagesSent, one.valuesSent += static_cast<std::int64_t>(valueBytes(message));
    }
  below_.sendToAll(nodes, message);
}

std::optional<Message> MeteredWire::receive(double timeoutSeconds) {
  std::optional<Message> message = below_.receive(timeoutSeconds);
  if (!message || message->kind >= MessageKind::kLost) return message;
  count(message->from, [bytes = static_cast<std::int64_t>(wireBytes(*message)), values = static_cast<std::int64_t>(valueBytes(*message))](Traffic& traffic) {
    traffic.bytesReceived += bytes, ++traffic.messagesReceived, traffic.valuesReceived += values;
  });
  return message;
}

void MeteredWire::state(Archive& archive) {
  std::vector<double> counts;  // of all, then by peer
  const auto each = [this](auto&& act) {
    const auto ofOne = [&](Traffic& one) {
      for (std::int64_t* count : {&one.bytesSent, &one.bytesReceived, &one.messagesSent, &one.messagesReceived, &one.valuesSent, &one.valuesReceived}) act(*count);
    };
    ofOne(traffic_);
    for (Traffic& one : byPeer_) ofOne(one);
  };
  each([&](std::int64_t& count) { counts.push_back(static_cast<double>(count)); });
  archive.fixedNumbers("traffic", counts);
  if (archive.loading()) each([&counts, at = std::size_t{0}](std::int64_t& count) mutable { count = static_cast<std::int64_t>(counts[at++]); });
}

LinkModel::LinkModel(const Emulate& emulate)
    : secondsPerByte_(emulate.bandwidthMbps ? 8.0 / (*emulate.bandwidthMbps * 1e6) : 0.0), latency_(emulate.latencyMs * 1e-3) {}

double LinkModel::leave(double now, std::size_t bytes) {
  egressFree_ = std::max(now, egressFree_) + static_cast<double>(bytes) * secondsPerByte_;
  return egressFree_ + latency_;
}

double LinkModel::arrive(double availableAt, std::size_t bytes) {
  ingressFree_ = std::max(availableAt, ingressFree_) + static_cast<double>(bytes) * secondsPerByte_;
  return ingressFree_;
}

void ShapedWire::send(int to, Message message) {
  const double now = clock_.now();
  message.availableAt = link_.leave(message.dueAt > 0 ? std::min(now, message.dueAt) : now, wireBytes(message));
  message.holdSeconds = std::max(0.0, message.availableAt - now);
  below_.send(to, std::move(message));
}

// A message may wait behind the one that leaves, so that the link is not idle before this node has looked again.
double ShapedWire::roomIn(int to) {
  constexpr double kAhead = 1e-3;
  return std::max({0.0, link_.freeAt() - kAhead - clock_.now(), below_.roomIn(to)});
}

bool ShapedWire::later(const Held& a, const Held& b) { return a.at != b.at ? a.at > b.at : a.order > b.order; }

void ShapedWire::hold(Message message) {
  const double now = clock_.now();
  // On the sender's host availableAt is our own clock; on another host it means nothing, and the hold is the bound.
  const double wait = std::clamp(message.availableAt - now, 0.0, std::max(0.0, message.holdSeconds));
  double& at = latest_.try_emplace(message.from, now).first->second;
  at = std::max(at, now + wait);
  underWay_.push_back({.at = at, .order = taken_++, .message = std::move(message)});
  std::push_heap(underWay_.begin(), underWay_.end(), later);
}

void ShapedWire::admit(double now) {
  while (!underWay_.empty() && underWay_.front().at <= now) {
    std::pop_heap(underWay_.begin(), underWay_.end(), later);
    Held held = std::move(underWay_.back());
    underWay_.pop_back();
    held.at = link_.arrive(held.at, wireBytes(held.message));
    arriving_.push_back(std::move(held));
  }
}

// Waits at most `seconds`; `woken`: was woken before. The wire below may be coarse (milliseconds): with `exactly` the last bit is slept.
std::optional<Message> ShapedWire::fromBelow(double seconds, bool exactly, bool& woken) {
  constexpr double kCoarse = 2e-3;
  if (exactly && seconds > 0 && seconds <= kCoarse) {
    clock_.sleepFor(seconds);
    return below_.receive(0);
  }
  const double asked = std::max(0.0, exactly ? seconds - kCoarse / 2 : seconds), until = clock_.now() + asked;
  std::optional<Message> message = below_.receive(asked);
  woken = !message && clock_.now() < until;
  return message;
}

void ShapedWire::renew(int node) {
  const auto isOf = [node](const Held& held) { return held.message.from == node; };
  std::erase_if(arriving_, isOf);
  std::erase_if(underWay_, isOf);
  std::make_heap(underWay_.begin(), underWay_.end(), later);
  below_.renew(node);
}

std::optional<Message> ShapedWire::receive(double timeoutSeconds) {
  const double deadline = clock_.now() + timeoutSeconds;
  bool looked = false;  // below, since nothing was held or the deadline came
  while (true) {
    const double now = clock_.now();
    admit(now);
    if (!arriving_.empty() && arriving_.front().at <= now) {
      Message message = std::move(arriving_.front().message);
      arriving_.pop_front();
      return message;
    }
    double until = deadline;
    if (!arriving_.empty()) until = std::min(until, arriving_.front().at);
    if (!underWay_.empty()) until = std::min(until, underWay_.front().at);
    if (now >= deadline && looked) return std::nullopt;
    looked = now >= deadline;
    const bool idle = arriving_.empty() && underWay_.empty();
    bool woken = false;
    std::optional<Message> message = fromBelow(until - now, !idle, woken);
    if (woken) return std::nullopt;
    while (message) {
      hold(std::move(*message));
      message = below_.receive(0);
    }
  }
}

namespace {

// The next `size` elements in `count` pieces, equal to within one element; piece i belongs to serverOf(i).
template <class ServerOf>
void cut(std::vector<ShardRange>& shards, std::size_t size, std::size_t count, const ServerOf& serverOf) {
  const std::size_t base = size / count, longer = size % count;
  std::size_t offset = shards.empty() ? 0 : shards.back().offset + shards.back().size;
  for (std::size_t i = 0; i < count; ++i) {
    shards.push_back({.offset = offset, .size = base + (i < longer ? 1 : 0), .server = serverOf(i)});
    offset += shards.back().size;
  }
}

// Where each server's range ends: the running sum of the shares, moved as little as leaves every server an element.
std::vector<std::size_t> endsOf(std::size_t size, const std::vector<double>& shares) {
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::vector<std::size_t> ends;
  double sum = 0;
  std::size_t least = 1;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    PACELINE_CHECK(shares[k] > 0, "a server's share of the parameters");
    sum += shares[k];
    const std::size_t most = size - (shares.size() - 1 - k);
    const auto end = static_cast<std::size_t>(std::llround(static_cast<double>(size) * std::min(1.0, sum / total)));
    ends.push_back(k + 1 == shares.size() ? size : std::clamp(end, least, most));
    least = ends.back() + 1;
  }
  return ends;
}

// Elements of a shard: a sixteenth of the vector, in these bounds.
std::size_t sixteenth(std::size_t size, std::size_t longest) {
  constexpr std::size_t kShards = 16, kShortest = (std::size_t{1} << 15) / sizeof(float);
  return std::clamp((size + kShards - 1) / kShards, kShortest, longest);
}

std::vector<ShardRange> shardsOf(std::size_t size, const std::vector<int>& serverNodes, const std::vector<double>& shares, std::size_t longest) {
  if (size == 0) return {};
  const std::size_t servers = serverNodes.size();
  PACELINE_CHECK(servers > 0, "shards need a server");
  PACELINE_CHECK(shares.empty() || shares.size() == servers, "every server has a share or none has");
  const auto needed = [longest](std::size_t elements) { return (elements + longest - 1) / longest; };
  std::vector<ShardRange> shards;
  if (shares.empty() || size < servers) {
    // As few as the limit allows, rounded up so that every server gets equally many.
    const std::size_t count = std::min(size, (needed(size) + servers - 1) / servers * servers);
    cut(shards, size, count, [&](std::size_t i) { return serverNodes[i * servers / count]; });
    return shards;
  }
  std::size_t begin = 0;
  const std::vector<std::size_t> ends = endsOf(size, shares);
  for (std::size_t k = 0; k < servers; begin = ends[k++])
    cut(shards, ends[k] - begin, needed(ends[k] - begin), [&](std::size_t) { return serverNodes[k]; });
  return shards;
}

}  // namespace

std::size_t shardLength(std::size_t size) { return sixteenth(size, kLongestShard); }

std::vector<ShardRange> shardsOf(std::size_t size, const std::vector<int>& serverNodes, const std::vector<double>& shares) {
  return shardsOf(size, serverNodes, shares, shardLength(size));
}

std::vector<std::vector<ShardRange>> earlierShardsOf(std::size_t size, const std::vector<int>& serverNodes, const std::vector<double>& shares) {
  constexpr std::size_t kLongest = kShardBytes / sizeof(Real);
  return {shardsOf(size, serverNodes, shares, sixteenth(size, kLongest)), shardsOf(size, serverNodes, shares, kLongest)};
}

}  // namespace paceline
