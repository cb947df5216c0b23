// WorkerContext's exchanges with servers and neighbours.
#include <algorithm>
#include <set>

#include "engine/algorithms/context/worker_context.h"
#include "engine/core/base/error.h"

namespace paceline {

void WorkerContext::keepStatistics() {
  if (setup_.statistics != Statistics::kLocal || !hasStatistics(blocks())) return;
  own_.resize(gradient_.size());
  copyStatistics(blocks(), parameters(), own_);
}

void WorkerContext::restoreStatistics() {
  if (!own_.empty()) copyStatistics(blocks(), own_, parameters());
}

void WorkerContext::sendPush(std::size_t shard, std::span<const Real> values, Packed packed, const PushFields& fields) {
  Message push = messageOf(MessageKind::kPush, fields);
  push.shard = static_cast<std::int32_t>(shard);
  push.round = round_;
  push.version = versions_[shard];
  if (packed.empty()) push.dense = Dense::borrowed(values.subspan(shards_[shard].offset, shards_[shard].size));
  push.packed = std::move(packed);
  setup_.transport.send(shards_[shard].server, std::move(push));
}

void WorkerContext::pushPull(std::span<const Real> values, const PushOptions& options) {
  PACELINE_CHECK(!shards_.empty() && values.size() == gradient_.size(), "pushPull needs servers and a whole vector");
  keepStatistics();
  std::vector<Packed> payloads(shards_.size());
  if (options.compressor) {
    payloads = options.compressor->compress(values, shards_, {});
    std::size_t kept = 0, elements = 0;
    for (const Packed& payload : payloads) kept += codecs::entriesOf(payload);
    for (const Block& block : blocks()) elements += block.trainable ? block.size : 0;
    record_.kept = static_cast<double>(kept) / static_cast<double>(std::max<std::size_t>(1, elements));
  }
  {
    const Phase phase(*this, Phase::kExchange);
    const PushFields fields{.rate = options.scale.value_or(record_.learningRate),
                            .samples = samplesTotal_ - samplesAgreed_,
                            .extra = {options.extra.begin(), options.extra.end()}};
    samplesAgreed_ = samplesTotal_;
    for (std::size_t s = 0; s < shards_.size(); ++s) sendPush(s, values, std::move(payloads[s]), fields);
    double staleness = 0;
    std::vector<bool> answered(shards_.size());
    for (std::size_t left = shards_.size(); left > 0; --left) {
      const Message reply = setup_.transport.receive();
      try {
        const std::size_t s = takeReply(reply, 0);
        if (answered[s]) throw Error(Errc::kFormat, strCat("node ", reply.from, " answered a push to shard ", s, " twice"));
        answered[s] = true;
        const auto told = fieldsOf<ReplyFields>(reply);
        staleness += told.staleness;
        if (s == 0) globalSamples_ = told.samples;  // each shard counts; they differ by what is under way
      } catch (const Error&) {
        setup_.transport.settle();
        throw;
      }
    }
    record_.staleness += staleness / static_cast<double>(shards_.size());
  }
  restoreStatistics();
}

// Shards that have moved on meanwhile set the version that the others are asked for again; they have the one before their newest too.
std::int64_t WorkerContext::pull(std::int64_t atLeast) {
  PACELINE_CHECK(!shards_.empty(), "pull needs servers");
  keepStatistics();
  const std::int64_t before = versions_[0];
  {
    const Phase phase(*this, Phase::kExchange);
    for (std::int64_t wanted = atLeast; std::any_of(versions_.begin(), versions_.end(), [&](std::int64_t v) { return v != wanted; });) {
      std::size_t asked = 0;
      for (std::size_t s = 0; s < shards_.size(); ++s) {
        if (versions_[s] == wanted) continue;
        setup_.transport.send(shards_[s].server,
                              {.kind = MessageKind::kPull, .shard = static_cast<std::int32_t>(s), .round = round_, .version = wanted});
        ++asked;
      }
      for (; asked > 0; --asked) takeReply(setup_.transport.receive(), wanted);
      wanted = *std::max_element(versions_.begin(), versions_.end());
    }
  }
  restoreStatistics();
  record_.staleness += static_cast<double>(versions_[0] - before);
  return versions_[0];
}

std::size_t WorkerContext::takeReply(const Message& reply, std::int64_t atLeast) {
  const auto s = static_cast<std::size_t>(reply.shard);
  const bool whole = reply.packed.empty();
  if (reply.kind != MessageKind::kReply || s >= shards_.size() || reply.from != shards_[s].server || reply.version < atLeast ||
      (whole && reply.dense.values().size() != shards_[s].size))
    throw Error(Errc::kFormat, strCat("node ", reply.from, " answered with message kind ", static_cast<int>(reply.kind), ", shard ", reply.shard,
                                      ", version ", reply.version, ", ", reply.dense.values().size(), " values"));
  const std::span<Real> shard = parameters().subspan(shards_[s].offset, shards_[s].size);
  if (whole) {
    std::copy(reply.dense.values().begin(), reply.dense.values().end(), shard.begin());
  } else {
    codecs::unpackSparse(reply.packed, shard.size(), strCat("node ", reply.from), difference_);
    for (std::size_t i = 0; i < difference_.indices.size(); ++i) shard[difference_.indices[i]] += difference_.values[i];
  }
  versions_[s] = reply.version;
  return s;
}

// Where a message has no room for all layers, neighbours are taken together.
LayerFields WorkerContext::layersOf(const ShardRange& shard) const {
  std::set<std::size_t> ends{shard.size};
  for (const Block& block : blocks()) {
    const std::size_t end = block.offset + block.size;
    if (end > shard.offset && end < shard.offset + shard.size) ends.insert(end - shard.offset);
  }
  const std::size_t together = (ends.size() + kMaxScalars - 1) / kMaxScalars;
  LayerFields kept;
  std::size_t left = ends.size();
  for (const std::size_t end : ends)
    if (--left % together == 0) kept.ends.push_back(static_cast<double>(end));
  return kept;
}

void WorkerContext::initServers(std::span<const Real> values, bool withLayers) {
  if (setup_.rank != 0) return;
  const Phase phase(*this, Phase::kExchange);
  for (std::size_t s = 0; s < shards_.size(); ++s) {
    Message init = messageOf(MessageKind::kInit, withLayers ? layersOf(shards_[s]) : LayerFields{});
    init.shard = static_cast<std::int32_t>(s);
    init.dense = Dense::copied(values.subspan(shards_[s].offset, shards_[s].size));
    setup_.transport.send(shards_[s].server, std::move(init));
  }
}

Message WorkerContext::askServer(Message question) {
  PACELINE_CHECK(!setup_.servers.empty(), "an algorithm asks a server that the run does not have");
  const Phase phase(*this, Phase::kQuery);
  const int server = setup_.servers.front();
  question.round = round_;
  setup_.transport.send(server, std::move(question));
  Message answer = setup_.transport.receiveFrom(server);
  if (answer.kind != MessageKind::kAnswer)
    throw Error(Errc::kFormat, strCat("node ", server, " answered a question with message kind ", static_cast<int>(answer.kind)));
  return answer;
}

void WorkerContext::exchange(const exchange::ExchangePlan& plan, const exchange::NeighbourExchange::Compose& compose, const exchange::NeighbourExchange::Crossed& crossed) {
  const Phase phase(*this, Phase::kExchange);
  neighbours_.exchange(setup_.transport, plan, round_, compose, crossed);
}

}  // namespace paceline
