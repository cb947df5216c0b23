// What gradient_dropping, dgc and dgs have in common at the worker: from what has piled up it sends the largest entries of every layer
// and takes the servers' answer into the parameters. Batch-norm statistics stay the worker's own. Used by the worker's thread.
//
// On the wire per round and shard, up: one message of 64 + 16 bytes and 8 + index bytes + (4 or 2) bytes per kept entry, about 1.01 + 4 bytes
// at 1 %; down: the same with what the answer keeps, or 4 bytes per element where it is whole (sparse_codec.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/algorithms/algorithm.h"
#include "engine/algorithms/exchange/select.h"
#include "engine/comm/codecs/sparse_codec.h"

namespace paceline::exchange {

class SparsePush {
 public:
  explicit SparsePush(const Params& params);

  // Sends the largest `fraction` of every trainable layer of `from` (small layers whole) and brings ctx.parameters() up to date. The servers
  // subtract scale * value. Returns what they read, entry by entry: where values are rounded, what `from` has more was not sent.
  const codecs::SparseVector& exchange(WorkerContext& ctx, std::span<const Real> from, double fraction, double scale = 1);

 private:
  void select(const WorkerContext& ctx, std::span<const Real> from, double fraction);

  std::size_t denseBelow_;
  codecs::SparseValues values_;
  Selector selector_;
  codecs::SparseVector sent_;
  std::vector<std::string> names_;  // of the blocks, for errors
  std::vector<Real> own_;           // statistics in their places
};

// What all three declare alike: parameter server, asynchronous, local statistics, no dense pushes; SparseServer as server half; the
// parameters learning_rate, kept_fraction (default `fraction`), then `own`, then those of the exchange.
AlgorithmDef sparseDef(std::string id, double rate, double fraction, std::vector<ParamSpec> own);

}  // namespace paceline::exchange
