#include "engine/algorithms/exchange/sparse_server.h"

#include <algorithm>
#include <cmath>

#include "engine/algorithms/exchange/select.h"
#include "engine/comm/codecs/sparse_codec.h"
#include "engine/core/base/error.h"

namespace paceline::exchange {
namespace {

class SparseServer final : public ServerAlgorithm {
 public:
  explicit SparseServer(const ServerSetup& setup)
      : workers_(setup.workers),
        denseBelow_(static_cast<std::size_t>(setup.params.integer("dense_below"))),
        format_(setup.params.text("values") == "fp16" ? codecs::SparseValues::kHalf : codecs::SparseValues::kReal),
        whole_(setup.params.text("answer") == "whole"),
        fraction_(setup.params.real("down_fraction")),
        resyncEvery_(setup.params.integer("resync_every")),
        replicas_(workers_.size()),
        exchanges_(workers_.size()) {}

  void onMessage(Message message, Outbox& out) override {
    switch (message.kind) {
      case MessageKind::kInit: return onInit(message);
      case MessageKind::kPush: return onPush(message, out);
      case MessageKind::kPull: return out.send(message.from, answer(message));
      default:
        throw Error(Errc::kFormat,
                    strCat("node ", message.from, " sent message kind ", static_cast<int>(message.kind), " to a parameter server"));
    }
  }

  Dense parameters() const override { return Dense::copied(values_); }
  void state(Archive& archive) override {
    archive.reals("values", values_);
    for (std::size_t rank = 0; rank < replicas_.size(); ++rank) archive.reals(strCat("replica ", rank), replicas_[rank]);
    archive.numbers("layer ends", layerEnds_);
    archive.numbers("exchanges", exchanges_);
    archive.number("version", version_);
    archive.number("samples", samples_);
  }

 private:
  void onInit(const Message& message);
  void onPush(const Message& message, Outbox& out);
  std::size_t checkedRank(const Message& message) const;
  Message answer(const Message& question) const;  // all values
  Packed difference(std::vector<Real>& replica);

  std::vector<int> workers_;
  std::size_t denseBelow_;
  codecs::SparseValues format_;
  bool whole_;
  double fraction_;
  std::int64_t resyncEvery_;
  std::vector<Real> values_;
  std::vector<std::vector<Real>> replicas_;  // by rank: what that worker has; empty with whole answers
  std::vector<double> layerEnds_, exchanges_;
  std::int64_t version_ = 0, samples_ = 0;  // updates applied; trained by all

  Selector selector_;
  codecs::SparseVector entries_;
  std::vector<Real> lacking_;
};

void SparseServer::onInit(const Message& message) {
  const std::span<const Real> values = message.dense.values();
  layerEnds_ = message.scalars;
  double before = 0;
  for (const double end : layerEnds_) {
    if (!(end > before && end == std::floor(end)))
      throw Error(Errc::kFormat, strCat("node ", message.from, " says that shard ", message.shard, " has a layer from ", before, " to ", end));
    before = end;
  }
  if (before != static_cast<double>(values.size()))
    throw Error(Errc::kFormat, strCat("node ", message.from, " gives shard ", message.shard, " ", values.size(),
                                      " values and layers up to ", before));
  values_.assign(values.begin(), values.end());
  for (std::vector<Real>& replica : replicas_)
    if (!whole_) replica = values_;
  std::fill(exchanges_.begin(), exchanges_.end(), 0);
  version_ = samples_ = 0;
}

std::size_t SparseServer::checkedRank(const Message& message) const {
  const auto worker = std::find(workers_.begin(), workers_.end(), message.from);
  const std::vector<double>& s = message.scalars;
  if (worker == workers_.end() || s.size() != 2 || !std::isfinite(s[0]) || !(s[1] >= 0 && s[1] < 1e15))
    throw Error(Errc::kFormat, strCat("node ", message.from, " pushed ", s.size(), " scalars to shard ", message.shard,
                                      ", which expects a worker's scale and count of samples"));
  return static_cast<std::size_t>(worker - workers_.begin());
}

void SparseServer::onPush(const Message& message, Outbox& out) {
  const std::size_t rank = checkedRank(message);
  codecs::unpackSparse(message.packed, values_.size(), strCat("node ", message.from), entries_);
  const auto scale = static_cast<Real>(message.scalars[0]);
  for (std::size_t i = 0; i < entries_.indices.size(); ++i) values_[entries_.indices[i]] -= scale * entries_.values[i];
  const double staleness = static_cast<double>(version_ - message.version);
  ++version_;
  samples_ += static_cast<std::int64_t>(message.scalars[1]);
  exchanges_[rank] += 1;

  const bool resync = resyncEvery_ > 0 && std::fmod(exchanges_[rank], static_cast<double>(resyncEvery_)) == 0;
  Message reply = whole_ || resync ? answer(message) : Message{};
  if (resync && !whole_) replicas_[rank] = values_;
  if (reply.dense.empty()) reply.packed = difference(replicas_[rank]);
  reply.kind = MessageKind::kReply;
  reply.shard = message.shard;
  reply.round = message.round;
  reply.version = version_;
  reply.scalars = {staleness, static_cast<double>(samples_)};
  out.send(message.from, std::move(reply));
}

Message SparseServer::answer(const Message& question) const {
  Message reply;
  reply.kind = MessageKind::kReply;
  reply.shard = question.shard;
  reply.round = question.round;
  reply.version = version_;
  reply.scalars = {0, static_cast<double>(samples_)};
  reply.dense = Dense::copied(values_);
  return reply;
}

Packed SparseServer::difference(std::vector<Real>& replica) {
  lacking_.resize(values_.size());
  for (std::size_t i = 0; i < lacking_.size(); ++i) lacking_[i] = values_[i] - replica[i];
  entries_.indices.clear();
  std::size_t begin = 0;
  for (const double layerEnd : layerEnds_) {
    const auto end = static_cast<std::size_t>(layerEnd);
    const std::size_t size = end - begin, k = size < denseBelow_ ? size : keptOf(size, fraction_);
    selector_.largest(std::span<const Real>(lacking_).subspan(begin, size), k, begin, "what a worker lacks at the server", entries_.indices);
    begin = end;
  }
  entries_.values.resize(entries_.indices.size());
  for (std::size_t i = 0; i < entries_.indices.size(); ++i) entries_.values[i] = lacking_[entries_.indices[i]];
  Packed packed = codecs::packSparse({.begin = 0, .count = values_.size()}, entries_.indices, entries_.values, format_);
  for (std::size_t i = 0; i < entries_.indices.size(); ++i) replica[entries_.indices[i]] += entries_.values[i];
  return packed;
}

}  // namespace

std::unique_ptr<ServerAlgorithm> makeSparseServer(const ServerSetup& setup) { return std::make_unique<SparseServer>(setup); }

}  // namespace paceline::exchange
