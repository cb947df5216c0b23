#include "engine/comm/aggregators/aggregation_engine.h"

#include "engine/comm/transport/message.h"
#include "engine/core/base/error.h"

namespace paceline::aggregators {

std::vector<Real> realsOf(std::span<const char> bytes) {
  std::vector<Real> values;
  values.reserve(bytes.size());
  for (const char byte : bytes) values.push_back(static_cast<Real>(static_cast<unsigned char>(byte)));
  return values;
}

std::vector<char> bytesOf(const Message& message) {
  std::vector<char> bytes;
  for (const Real value : message.dense.values()) {
    if (!(value >= 0 && value <= 255)) throw Error(Errc::kFormat, strCat("node ", message.from, " sent an address with the byte ", value));
    bytes.push_back(static_cast<char>(static_cast<unsigned char>(value)));
  }
  return bytes;
}

bool EngineBarrier::allGood(Transport& transport, std::int64_t round, bool good) const {
  const std::size_t world = workers_.size();
  for (std::size_t distance = 1; distance < world; distance *= 2) {
    transport.send(workers_[(rank_ + distance) % world], {.kind = MessageKind::kReduce,
                                                          .shard = static_cast<std::int32_t>(distance),
                                                          .round = round,
                                                          .scalars = {good ? 1.0 : 0.0}});
    const Message got = transport.receiveFrom(workers_[(rank_ + world - distance) % world]);
    if (got.kind != MessageKind::kReduce || got.round != round || got.shard != static_cast<std::int32_t>(distance) || got.scalars.size() != 1)
      throw Error(Errc::kFormat, strCat("node ", got.from, " sent a ", kindName(got.kind), " of round ", got.round, " where it was due to meet the others in round ", round));
    good = good && got.scalars[0] == 1;
  }
  return good;
}

std::vector<std::vector<char>> EngineBarrier::tellAll(Transport& transport, std::span<const char> own) const {
  const std::vector<Real> values = realsOf(own);
  std::vector<std::vector<char>> all(workers_.size());
  for (std::size_t rank = 0; rank < workers_.size(); ++rank)
    if (rank != rank_) transport.send(workers_[rank], {.kind = MessageKind::kExchange, .dense = Dense::copied(values)});
  for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
    if (rank == rank_) {
      all[rank].assign(own.begin(), own.end());
      continue;
    }
    const Message got = transport.receiveFrom(workers_[rank]);
    if (got.kind != MessageKind::kExchange) throw Error(Errc::kFormat, strCat("node ", got.from, " sent a ", kindName(got.kind), " where its address was due"));
    all[rank] = bytesOf(got);
  }
  return all;
}

EngineAggregator::EngineAggregator(const AggregatorSetup& setup, std::string engine, const char* costOf)
    : rank_(setup.rank), world_(static_cast<int>(setup.workers.size())), barrier_(setup), engine_(std::move(engine)), costOf_(costOf), book_(setup.book) {}

std::optional<std::string> EngineAggregator::tried(std::span<Real> data) noexcept {
  try {
    allReduce(data);
    return std::nullopt;
  } catch (const std::exception& error) {
    disconnect();
    return error.what();
  } catch (...) {
    disconnect();
    return "it failed";
  }
}

void EngineAggregator::mean(Transport& transport, std::int64_t round, std::span<Real> data) {
  if (world_ == 1 || data.empty()) return;
  if (!connected_) connect(transport, barrier_);
  connected_ = true;
  (void)barrier_.allGood(transport, round, true);
  const std::optional<std::string> wrong = tried(data);
  if (!barrier_.allGood(transport, round, !wrong))
    throw Error(Errc::kHost, strCat("the ", engine_, " all-reduce of round ", round, wrong ? strCat(" failed: ", *wrong) : " failed on another node"));
  if (book_) book_(static_cast<std::int64_t>(findAggregator(costOf_)->cost(rank_, world_, data.size()).elementsSent * sizeof(Real)));
}

}  // namespace paceline::aggregators
