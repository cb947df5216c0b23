#include "engine/algorithms/exchange/sparse_answers.h"

#include <algorithm>
#include <cmath>

#include "engine/algorithms/exchange/sparse_push.h"
#include "engine/core/base/error.h"

namespace paceline::exchange {

SparseAnswers::SparseAnswers(const ServerSetup& setup)
    : topK_(topKOf(setup.params)),
      whole_(setup.params.text("answer") == "whole"),
      resyncEvery_(setup.params.integer("resync_every")),
      replicas_(setup.workers.size()),
      exchanges_(setup.workers.size()) {
  topK_.setFraction(setup.params.real("down_fraction"));
}

void SparseAnswers::start(const Message& init) {
  const std::span<const Real> values = init.dense.values();
  layerEnds_ = fieldsOf<LayerFields>(init).ends;
  double before = 0;
  for (const double end : layerEnds_) {
    if (!(end > before && end == std::floor(end)))
      throw Error(Errc::kFormat, strCat("node ", init.from, " says that shard ", init.shard, " has a layer from ", before, " to ", end));
    before = end;
  }
  if (before != static_cast<double>(values.size()))
    throw Error(Errc::kFormat, strCat("node ", init.from, " gives shard ", init.shard, " ", values.size(), " values and layers up to ", before));
  for (std::vector<Real>& replica : replicas_)
    if (!whole_) replica.assign(values.begin(), values.end());
  std::fill(exchanges_.begin(), exchanges_.end(), 0);
  topK_.setLayers({});
}

void SparseAnswers::fill(Message& reply, std::size_t rank, const Dense& values) {
  exchanges_[rank] += 1;
  std::vector<Real>& replica = replicas_[rank];
  const std::span<const Real> now = values.values();
  const bool resync = resyncEvery_ > 0 && std::fmod(exchanges_[rank], static_cast<double>(resyncEvery_)) == 0;
  if (whole_ || resync) reply.dense = Dense::copied(now);
  if (whole_) return;
  if (resync) return replica.assign(now.begin(), now.end());

  if (!topK_.hasLayers()) {  // also after a resume
    std::vector<codecs::Layer> layers;
    for (std::size_t begin = 0; const double end : layerEnds_) {
      layers.push_back({.begin = begin, .size = static_cast<std::size_t>(end) - begin, .name = "what a worker lacks at the server"});
      begin = static_cast<std::size_t>(end);
    }
    topK_.setLayers(std::move(layers));
  }
  lacking_.resize(now.size());
  for (std::size_t i = 0; i < lacking_.size(); ++i) lacking_[i] = now[i] - replica[i];
  const ShardRange shard{.offset = 0, .size = now.size(), .server = 0};
  reply.packed = std::move(topK_.compress(lacking_, {&shard, 1}, {}).front());
  const codecs::SparseVector& sent = topK_.sent();
  for (std::size_t i = 0; i < sent.indices.size(); ++i) replica[sent.indices[i]] += sent.values[i];
}

void SparseAnswers::state(Archive& archive) {
  for (std::size_t rank = 0; rank < replicas_.size(); ++rank) archive.reals(strCat("replica ", rank), replicas_[rank]);
  archive.numbers("layer ends", layerEnds_);
  archive.numbers("exchanges", exchanges_);
  if (archive.loading()) topK_.setLayers({});
}

}  // namespace paceline::exchange
