// What gradient_dropping, dgc and dgs have in common at the worker: top-k with error feedback, pushed to the servers, whose answer goes into the
// parameters. Used by the worker's thread.
//
// On the wire per round and shard, up: one message of 64 + 16 bytes and 8 + index bytes + (4 or 2) bytes per kept entry, about 1.01 + 4 bytes
// at 1 %; down: the same with what the answer keeps, or 4 bytes per element where it is whole (sparse_codec.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/algorithms/algorithm.h"
#include "engine/comm/codecs/top_k.h"

namespace paceline::exchange {

class SparsePush {
 public:
  explicit SparsePush(const Params& params);
  SparsePush(const SparsePush&) = delete;  // the decorator borrows its neighbour
  SparsePush& operator=(const SparsePush&) = delete;

  // Adds `values` to the residual, sends the largest `fraction` of every trainable layer of it (small layers whole) and brings ctx.parameters()
  // up to date. The servers subtract scale * value. Returns the entries that left the residual.
  const codecs::SparseVector& exchange(WorkerContext& ctx, std::span<const Real> values, double fraction, double scale = 1);
  std::span<Real> residual() { return feedback_.rest(); }
  void state(Archive& archive, std::string_view name) { feedback_.state(archive, name); }

 private:
  codecs::TopK topK_;
  codecs::ErrorFeedback feedback_;
};

codecs::TopK topKOf(const Params& params);  // reads dense_below, values

// What all three declare alike: parameter server, asynchronous, local statistics, no dense pushes; ASGD's server with sparse answers; the
// parameters learning_rate, kept_fraction (default `fraction`), then `own`, then those of the exchange.
AlgorithmDef sparseDef(std::string id, double rate, double fraction, std::vector<ParamSpec> own);

}  // namespace paceline::exchange
