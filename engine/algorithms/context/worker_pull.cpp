#include <algorithm>

#include "engine/algorithms/context/worker_context.h"
#include "engine/algorithms/context/worker_phase.h"
#include "engine/core/base/error.h"

namespace paceline {

// Shards that have moved on meanwhile set the version that the others are asked for again; they have the one before their newest too.
std::int64_t WorkerContext::pull(std::span<Real> into, std::int64_t atLeast) {
  PACELINE_CHECK(!shards_.empty() && into.size() == gradient_.size(), "pull needs servers and a whole vector");
  const Phase phase(*this, Phase::kExchange);
  const std::int64_t before = versions_[0];
  for (std::int64_t wanted = atLeast; std::any_of(versions_.begin(), versions_.end(), [&](std::int64_t v) { return v != wanted; });) {
    std::size_t asked = 0;
    for (std::size_t s = 0; s < shards_.size(); ++s) {
      if (versions_[s] == wanted) continue;
      Message question;
      question.kind = MessageKind::kPull;
      question.shard = static_cast<std::int32_t>(s);
      question.round = round_;
      question.version = wanted;
      setup_.transport.send(shards_[s].server, std::move(question));
      ++asked;
    }
    for (; asked > 0; --asked) {
      const Message reply = setup_.transport.receive();
      const auto s = static_cast<std::size_t>(reply.shard);
      if (reply.kind != MessageKind::kReply || s >= shards_.size() || reply.from != shards_[s].server || reply.version < wanted ||
          reply.dense.values().size() != shards_[s].size)
        throw Error(Errc::kFormat, strCat("node ", reply.from, " answered a pull with message kind ", static_cast<int>(reply.kind), ", shard ",
                                          reply.shard, ", version ", reply.version, ", ", reply.dense.values().size(), " values"));
      std::copy(reply.dense.values().begin(), reply.dense.values().end(), into.begin() + static_cast<std::ptrdiff_t>(shards_[s].offset));
      versions_[s] = reply.version;
    }
    wanted = *std::max_element(versions_.begin(), versions_.end());
  }
  record_.staleness += static_cast<double>(versions_[0] - before);
  return versions_[0];
}

}  // namespace paceline
