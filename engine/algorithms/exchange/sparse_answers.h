// A parameter server's answers in few entries: the largest of what the worker lacks, per layer.
//
// What worker i has is kept here as its replica R_i, made by the very additions that the worker makes: R_i += D, D = top of (values - R_i),
// in the same order and precision, so that both hold the same bits for ever. What an answer leaves out stays in values - R_i; nothing
// else needs to be remembered. Published code sums up answers apart from the worker's own additions, so that both drift apart, and
// needs a whole answer every 150 exchanges. Layers that a shard's bounds cut are layers of their own. Memory: one replica per worker, unless
// answers are whole. One shard; the server's thread.
#pragma once

#include <vector>

#include "engine/algorithms/algorithm.h"
#include "engine/comm/codecs/top_k.h"

namespace paceline::exchange {

class SparseAnswers {
 public:
  // Reads dense_below, values, answer, down_fraction, resync_every.
  explicit SparseAnswers(const ServerSetup& setup);

  // The start values, which all workers have. Throws Error{kFormat} naming the node for layers that do not fit them.
  void start(const Message& init);
  // Into the reply to that worker's push: entries or all values.
  void fill(Message& reply, std::size_t rank, const Dense& values);
  void state(Archive& archive);

 private:
  codecs::TopK topK_;
  bool whole_;
  std::int64_t resyncEvery_;
  std::vector<std::vector<Real>> replicas_;  // by rank; empty with whole answers
  std::vector<double> layerEnds_, exchanges_;
  std::vector<Real> lacking_;
};

}  // namespace paceline::exchange
