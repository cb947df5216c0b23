// What gradient_dropping, dgc and dgs have in common at the worker: top-k with error feedback, pushed to the servers, whose answer goes into the
// parameters. Used by the worker's thread.
//
// On the wire per round and shard, up: one message of 64 + 16 bytes and 8 + index bytes + (4 or 2) bytes per kept entry, about 1.01 + 4 bytes
// at 1 %; down: the same with what the answer keeps, or 4 bytes per element where it is whole (sparse_codec.h).
// Only the answers overlap (wire.overlap): the largest entries are chosen when the whole vector is there, and a push of a hundredth of it has little to hide.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/algorithms/algorithm.h"
#include "engine/comm/codecs/compressor.h"

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
  void state(Archive& archive, std::string_view name, std::size_t parameters) { feedback_.state(archive, name, parameters); }

 private:
  codecs::TopK topK_;
  codecs::ErrorFeedback feedback_;
};

codecs::TopK topKOf(const Params& params);  // reads dense_below, values

// What all three declare alike: parameter server, asynchronous, local statistics, no dense pushes; ASGD's server with sparse answers; the
// parameters learning_rate, kept_fraction (default `fraction`), then `own`, then those of the exchange, of which values travel as `values` by default.
AlgorithmDef sparseDef(std::string id, double fraction, std::vector<ParamSpec> own, std::string values = "fp32");

// A parameter server's answers in few entries: the largest of what the worker lacks, per layer.
//
// What worker i has is kept here as its replica R_i, made by the very additions that the worker makes: R_i += D, D = top of (values - R_i),
// in the same order and precision, so that both hold the same bits for ever. What an answer leaves out stays in values - R_i; nothing
// else needs to be remembered. Published code sums up answers apart from the worker's own additions, so that both drift apart, and
// needs a whole answer every 150 exchanges. Layers that a shard's bounds cut are layers of their own. Memory: one replica per worker, unless
// answers are whole. One shard; the server's thread.
class SparseAnswers {
 public:
  // Reads dense_below, values, answer, down_fraction, resync_every.
  explicit SparseAnswers(const ServerSetup& setup);

  // The start values, which all workers have. Throws Error{kFormat} naming the node for layers that do not fit them.
  void start(const Message& init);
  // Into the reply to that worker's push: entries or all values.
  void fill(Message& reply, std::size_t rank, const Dense& values);
  void found(std::size_t rank, std::size_t like) { replicas_[rank] = replicas_[like], exchanges_[rank] = exchanges_[like]; }  // it has the parameters that `like` has
  void state(Archive& archive, std::size_t size);  // of the shard

 private:
  // Throws Error{kFormat} that begins with `source` for ends of layers that do not fit `size` values.
  void takeLayers(std::vector<double> ends, std::size_t size, const std::string& source);

  codecs::TopK topK_;
  bool whole_;
  std::int64_t resyncEvery_;
  std::vector<std::vector<Real>> replicas_;  // by rank; empty with whole answers
  std::vector<double> layerEnds_, exchanges_;
  std::vector<Real> lacking_;
};

}  // namespace paceline::exchange
