// DeMo, decoupled momentum: every worker keeps a momentum of its own and tells the others its few largest frequencies only.
//
//   m_i <- beta m_i + g_i;   q_i = the k largest coefficients of DCT(m_i) in every chunk;   m_i <- m_i - IDCT(q_i)
//   qbar = mean of the q_i, each coefficient over those who sent it;   w <- w - lr sign(IDCT(qbar))
//
// B. Peng, J. Quesnelle, D. P. Kingma, "DeMo: Decoupled Momentum Optimization" (arXiv 2411.19870): chunk 64, k 32, beta 0.999. There lr stands inside m; with a constant
// one it is the same. That a coefficient is averaged over those who sent it is the published code's; `mean` over all workers is the other reading. A block of two and more dimensions is a
// matrix of its first dimension by the others, in the order in which they lie, and cut in squares of h x w; else it is cut in pieces. h and w are the largest divisors of the dimensions up to
// `chunk`. DCT is the orthonormal DCT-II along both. With all coefficients, beta 0, the mean over the workers and no sign it is SSGD.
// On the wire per round and part of at most 1 MB: 64 bytes, 8 more with a server, and 8 + index bytes + (4 or 2) bytes per coefficient (sparse_codec.h), from each worker to all others
// (gather.h), in all N - 1 times into each. A coefficient that is 0 is not sent. Batch-norm statistics are averaged in a message of their own. Nothing overlaps (wire.overlap): frequencies
// are those of the whole gradient.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "engine/algorithms/algorithm.h"
#include "engine/comm/codecs/compressor.h"
#include "engine/comm/codecs/sparse_codec.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

// C and its transpose, rows one behind the other: C[u][i] = sqrt(2 / n) cos(pi (2 i + 1) u / 2 n), the first row by 1 / sqrt(2).
struct Cosines {
  explicit Cosines(std::size_t n) : forward(n * n), backward(n * n) {
    const auto size = static_cast<double>(n);
    for (std::size_t u = 0; u < n; ++u)
      for (std::size_t i = 0; i < n; ++i) {
        const double c = std::sqrt((u == 0 ? 1 : 2) / size) * std::cos(std::numbers::pi * static_cast<double>((2 * i + 1) * u) / (2 * size));
        forward[u * n + i] = backward[i * n + u] = static_cast<Real>(c);
      }
  }
  std::vector<Real> forward, backward;
};

// Squares of one matrix. Its coefficients lie square by square from the block's offset on.
struct Squares {
  std::size_t offset = 0, rows = 0, columns = 0, height = 0, width = 0;
  std::string name = {};
};

std::size_t divisorUpTo(std::size_t size, std::size_t most) {
  std::size_t found = std::min(size, most);
  while (size % found != 0) --found;
  return found;
}

class Transform {
 public:
  Transform(std::span<const Block> blocks, std::size_t chunk) {
    for (const Block& block : blocks) {
      if (!block.trainable || block.size == 0) continue;
      std::size_t rows = block.shape.size() < 2 || block.shape.front() < 1 ? 1 : static_cast<std::size_t>(block.shape.front());
      if (block.size % rows != 0) rows = 1;
      const std::size_t columns = block.size / rows;
      squares_.push_back({.offset = block.offset, .rows = rows, .columns = columns, .height = divisorUpTo(rows, chunk), .width = divisorUpTo(columns, chunk), .name = block.name});
      for (const std::size_t side : {squares_.back().height, squares_.back().width}) cosines_.try_emplace(side, side);
    }
  }

  // Of each square as the selection of the largest takes them.
  std::vector<codecs::Layer> layers(const std::string& whose) const {
    std::vector<codecs::Layer> layers;
    for (const Squares& each : squares_)
      for (std::size_t at = 0; at < each.rows * each.columns; at += each.height * each.width)
        layers.push_back({.begin = each.offset + at, .size = each.height * each.width, .name = strCat(whose, " \"", each.name, "\"")});
    return layers;
  }

  void forward(std::span<const Real> values, std::span<Real> coefficients) { eachSquare(values, coefficients, true); }
  void backward(std::span<const Real> coefficients, std::span<Real> values) { eachSquare(coefficients, values, false); }

 private:
  // A X B^T of each square; zeros of X cost nothing, and of coefficients few are others.
  void eachSquare(std::span<const Real> from, std::span<Real> to, bool forward) {
    for (const Squares& s : squares_) {
      const Cosines &down = cosines_.at(s.height), &along = cosines_.at(s.width);
      const std::vector<Real>&a = forward ? down.forward : down.backward, &b = forward ? along.backward : along.forward;  // b transposed
      std::size_t square = s.offset;
      for (std::size_t top = 0; top < s.rows; top += s.height)
        for (std::size_t left = 0; left < s.columns; left += s.width, square += s.height * s.width) {
          const std::size_t corner = s.offset + top * s.columns + left;
          half_.assign(s.height * s.width, Real{0});
          for (std::size_t i = 0; i < s.height; ++i) {
            const std::span<const Real> row = from.subspan(forward ? corner + i * s.columns : square + i * s.width, s.width);
            const std::span<Real> sum(half_.data() + i * s.width, s.width);
            for (std::size_t j = 0; j < s.width; ++j)
              if (row[j] != 0) addScaled(sum, row[j], std::span<const Real>(b.data() + j * s.width, s.width));
          }
          for (std::size_t u = 0; u < s.height; ++u) {
            const std::span<Real> row = to.subspan(forward ? square + u * s.width : corner + u * s.columns, s.width);
            std::ranges::fill(row, Real{0});
            for (std::size_t i = 0; i < s.height; ++i) addScaled(row, a[u * s.height + i], std::span<const Real>(half_.data() + i * s.width, s.width));
          }
        }
    }
  }

  std::vector<Squares> squares_;
  std::map<std::size_t, Cosines> cosines_;  // by side
  std::vector<Real> half_;
};

class DemoWorker final : public WorkerAlgorithm {
 public:
  explicit DemoWorker(const Params& params)
      : rate_(params.real("learning_rate")), decay_(static_cast<Real>(params.real("decay"))), chunk_(static_cast<std::size_t>(params.integer("chunk"))),
        sign_(params.boolean("sign")), ofSenders_(params.text("mean") == "senders"),
        largest_(0, params.text("values") == "fp16" ? codecs::SparseValues::kHalf : codecs::SparseValues::kReal) {
    largest_.setMost(static_cast<std::size_t>(params.integer("top_k")));
  }

  void round(WorkerContext& ctx) override {
    const std::span<Real> g = ctx.gradient();
    if (!transform_) {
      transform_.emplace(ctx.blocks(), chunk_);
      largest_.setLayers(transform_->layers(strCat("the momentum of worker ", ctx.rank(), ", ")));
      coefficients_.resize(g.size()), senders_.resize(g.size()), momentum_.resize(g.size());
    }
    for (std::size_t i = 0; i < g.size(); ++i) momentum_[i] = decay_ * momentum_[i] + g[i];
    transform_->forward(momentum_, coefficients_);
    const std::vector<ShardRange> parts = ctx.gatherParts(g.size());
    std::vector<Packed> own = largest_.compress(coefficients_, parts, {});
    std::ranges::fill(coefficients_, Real{0});
    for (std::size_t i = 0; i < largest_.sent().indices.size(); ++i) coefficients_[largest_.sent().indices[i]] = largest_.sent().values[i];
    transform_->backward(coefficients_, g);
    addScaledTrainable(ctx.blocks(), momentum_, Real{-1}, g);
    addUp(ctx.gather(parts, std::move(own)), parts);
    transform_->backward(coefficients_, g);
    for (std::size_t i = 0; sign_ && i < g.size(); ++i) g[i] = static_cast<Real>((g[i] > 0) - (g[i] < 0));
    addScaledTrainable(ctx.blocks(), ctx.parameters(), -static_cast<Real>(ctx.learningRate(rate_)), g);
    averageStatistics(ctx);
  }

  void state(Archive& archive, const StateSizes& sizes) override { archive.fixedOrNone("momentum", momentum_, sizes.parameters); }

 private:
  // In rank order, so that all have the same bits.
  void addUp(const std::vector<aggregators::Payloads>& all, std::span<const ShardRange> parts) {
    std::ranges::fill(coefficients_, Real{0});
    std::ranges::fill(senders_, std::uint32_t{0});
    for (std::size_t rank = 0; rank < all.size(); ++rank)
      for (std::size_t p = 0; p < parts.size(); ++p) {
        if (all[rank].at(p).empty()) continue;  // of a worker that is lost
        for (std::size_t i = 0; !ofSenders_ && i < parts[p].size; ++i) ++senders_[parts[p].offset + i];
        codecs::unpackSparse(all[rank].at(p), parts[p].size, strCat("rank ", rank), one_);
        for (std::size_t i = 0; i < one_.indices.size(); ++i) {
          coefficients_[parts[p].offset + one_.indices[i]] += one_.values[i];
          if (ofSenders_) ++senders_[parts[p].offset + one_.indices[i]];
        }
      }
    for (std::size_t i = 0; i < coefficients_.size(); ++i)
      if (senders_[i] > 1) coefficients_[i] /= static_cast<Real>(senders_[i]);
  }

  static void averageStatistics(WorkerContext& ctx) {
    const std::span<Real> w = ctx.parameters();
    std::vector<Real> statistics;
    for (const Block& block : ctx.blocks())
      if (!block.trainable) statistics.insert(statistics.end(), w.begin() + static_cast<std::ptrdiff_t>(block.offset), w.begin() + static_cast<std::ptrdiff_t>(block.offset + block.size));
    if (statistics.empty()) return;
    ctx.aggregateFactor(statistics, kExactVector);
    std::size_t at = 0;
    for (const Block& block : ctx.blocks())
      for (std::size_t i = 0; !block.trainable && i < block.size; ++i) w[block.offset + i] = statistics[at++];
  }

  double rate_;
  Real decay_;
  std::size_t chunk_;
  bool sign_, ofSenders_;
  codecs::TopK largest_;
  std::optional<Transform> transform_;
  std::vector<Real> momentum_, coefficients_;
  std::vector<std::uint32_t> senders_;  // by coefficient
  codecs::SparseVector one_;
};

}  // namespace

AlgorithmDef demo() {
  AlgorithmDef def;
  def.id = "demo";
  def.title = "DeMo";
  def.summary = "Decoupled momentum: each worker sends the few largest frequencies of its own momentum; the sign of their mean is the step.";
  def.reference = "B. Peng, J. Quesnelle, D. P. Kingma, DeMo: Decoupled Momentum Optimization, 2024";
  def.topology = Topology::kAggregated;
  def.survivesLoss = true;
  def.owed = {"momentum"};
  def.statistics = Statistics::kAveraged;
  def.momentum = false;
  def.densePushes = false;
  def.trafficByValue = true;
  def.params = {realParam("learning_rate", 0.001, 0, std::nullopt, "Size of a step, which is a sign; without signs the step size on the mean."),
                realParam({"decay", "Momentum decay"}, 0.999, 0, 1, "Of each worker's own momentum, less what it has sent."),
                integerParam({"top_k", "Coefficients kept"}, 32, 1, 1e9, "Of every chunk, the largest first."),
                integerParam("chunk", 64, 1, 4096, "Longest side of the squares whose frequencies are taken; a side divides its dimension."),
                advanced(booleanParam("sign", true, "The step is the sign of the mean, as published.")),
                advanced(choiceParam("mean", "senders", {"senders", "workers"}, "A coefficient's mean over those who sent it, as in the published code, or over all workers.")),
                advanced(choiceParam("values", "fp32", {"fp32", "fp16"}, "How coefficients travel. What fp16 rounds off stays in the momentum."))};
  def.makeWorker = [](const Params& params) { return std::make_unique<DemoWorker>(params); };
  return def;
}

}  // namespace paceline
