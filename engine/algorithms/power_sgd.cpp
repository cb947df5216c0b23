// PowerSGD: workers exchange two thin factors of their gradients instead of the gradients.
// Of each matrix: M = g + e; P = mean(M Q), its columns made orthonormal; Q = mean(M^T P); ghat = P Q^T; e = M - ghat; w -= lr ghat. Q is kept for the next round, so that a
// round is a step of the power method. Vogels et al. 2019, "PowerSGD: Practical Low-Rank Gradient Compression for Distributed Optimization" (arXiv 1905.13727). A block of two
// and more dimensions is a matrix of its first dimension by the others, in the order in which they lie; what has one dimension, or no known shape, is averaged as it is. At
// full rank it is SSGD. The document's clipping bounds ghat; its momentum is the same on every worker.
// On the wire per round: rank x rows of every matrix and the other blocks, then rank x columns of every matrix, each once to the aggregation and once back. Batch-norm
// statistics are averaged. Nothing overlaps (wire.overlap): the second exchange needs the first.
#include <algorithm>
#include <cmath>

#include "engine/algorithms/algorithm.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

struct Matrix {
  std::size_t offset = 0, rows = 0, columns = 0, rank = 0;
  std::size_t p = 0, q = 0;  // where its factors lie in the vectors that are exchanged
};
struct Plain {
  std::size_t offset = 0, size = 0, p = 0;
  bool trainable = true;
};
struct Layout {
  std::vector<Matrix> matrices;
  std::vector<Plain> others;
  std::size_t p = 0, q = 0;  // lengths
};

Layout layoutOf(std::span<const Block> blocks, std::size_t rank) {
  Layout layout;
  for (const Block& block : blocks) {
    const std::size_t rows = block.shape.size() < 2 || block.shape.front() < 1 ? 1 : static_cast<std::size_t>(block.shape.front()), columns = block.size / rows;
    if (!block.trainable || rows < 2 || columns < 2 || rows * columns != block.size) {
      layout.others.push_back({.offset = block.offset, .size = block.size, .p = layout.p, .trainable = block.trainable});
      layout.p += block.size;
      continue;
    }
    const std::size_t most = std::min({rank, rows, columns});
    layout.matrices.push_back({.offset = block.offset, .rows = rows, .columns = columns, .rank = most, .p = layout.p, .q = layout.q});
    layout.p += most * rows, layout.q += most * columns;
  }
  return layout;
}

Owned<Real> vectorOf(std::size_t size, std::span<const Real> like) {
  return Owned<Real>::zeros(isHollow(like) ? std::span<const Real>(hollow<Real>(size)) : std::vector<Real>(size));
}

// Gram-Schmidt, twice, of the columns of a rows x rank matrix. What is left of a column that the others span is rounding: it becomes zero.
void orthonormalise(std::span<Real> p, std::size_t rank) {
  constexpr double kNothing = sizeof(Real) == 8 ? 1e-12 : 1e-5;
  const std::size_t rows = p.size() / rank;
  const auto dot = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i) sum += static_cast<double>(p[i * rank + a]) * static_cast<double>(p[i * rank + b]);
    return sum;
  };
  for (std::size_t k = 0; k < rank; ++k) {
    const double before = std::sqrt(dot(k, k));
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t j = 0; j < k; ++j) {
        const auto share = static_cast<Real>(dot(j, k));
        for (std::size_t i = 0; i < rows; ++i) p[i * rank + k] -= share * p[i * rank + j];
      }
    const double length = std::sqrt(dot(k, k));
    const auto scale = static_cast<Real>(length > kNothing * before ? 1 / length : 0);
    for (std::size_t i = 0; i < rows; ++i) p[i * rank + k] *= scale;
  }
}

class PowerSgdWorker final : public WorkerAlgorithm {
 public:
  explicit PowerSgdWorker(const Params& params) : rate_(params.real("learning_rate")), rank_(static_cast<std::size_t>(params.integer("rank"))) {}

  void round(WorkerContext& ctx) override {
    const std::span<Real> g = ctx.gradientForMean();
    const Layout layout = layoutOf(ctx.blocks(), rank_);
    if (p_.size() != layout.p) p_ = vectorOf(layout.p, g);
    if (error_.empty()) error_ = Owned<Real>::zeros(g), q_ = vectorOf(layout.q, g), fill(ctx, layout);
    if (q_.size() != layout.q) throw Error(Errc::kFormat, strCat("the checkpoint has ", q_.size(), " values of PowerSGD's factors, this run has ", layout.q));
    addScaledTrainable(ctx.blocks(), error_, Real{1}, g);  // M
    gather(ctx, layout, g);
    ctx.aggregateFactor(p_);
    if (layout.q > 0) project(layout), ctx.aggregateFactor(q_, 1);
    scatter(ctx, layout, g);
    fill(ctx, layout);
    ctx.clip(g);
    ctx.applyGradient(ctx.learningRate(rate_), g);
  }

  void state(Archive& archive, const StateSizes& sizes) override {
    archive.fixed("error", error_.values(), sizes.parameters);
    archive.reals("factors", q_.values());
  }

 private:
  // P = M Q of every matrix, and the other blocks behind.
  void gather(WorkerContext& ctx, const Layout& layout, std::span<const Real> g) {
    if (isHollow(g)) return;
    const std::span<const Real> w = ctx.parameters(), m = error_, q = q_;
    const std::span<Real> p = p_;
    for (const Plain& plain : layout.others) copyValues((plain.trainable ? g : w).subspan(plain.offset, plain.size), p.subspan(plain.p, plain.size));
    for (const Matrix& a : layout.matrices)
      for (std::size_t i = 0; i < a.rows; ++i) {
        const std::span<Real> row = p.subspan(a.p + i * a.rank, a.rank);
        std::ranges::fill(row, Real{0});
        for (std::size_t c = 0; c < a.columns; ++c) addScaled(row, m[a.offset + i * a.columns + c], q.subspan(a.q + c * a.rank, a.rank));
      }
  }

  // Q = M^T P.
  void project(const Layout& layout) {
    if (isHollow(p_.span())) return;
    const std::span<const Real> m = error_;
    const std::span<Real> p = p_, q = q_;
    std::ranges::fill(q, Real{0});
    for (const Matrix& a : layout.matrices) {
      orthonormalise(p.subspan(a.p, a.rows * a.rank), a.rank);
      for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t c = 0; c < a.columns; ++c) addScaled<Real>(q.subspan(a.q + c * a.rank, a.rank), m[a.offset + i * a.columns + c], p.subspan(a.p + i * a.rank, a.rank));
    }
  }

  // ghat = P Q^T into g, e = M - ghat; the other blocks are what came.
  void scatter(WorkerContext& ctx, const Layout& layout, std::span<Real> g) {
    if (isHollow(g)) return;
    const std::span<Real> w = ctx.parameters(), e = error_;
    const std::span<const Real> p = p_, q = q_;
    for (const Plain& plain : layout.others) {
      copyValues(p.subspan(plain.p, plain.size), (plain.trainable ? g : w).subspan(plain.offset, plain.size));
      std::ranges::fill(e.subspan(plain.offset, plain.size), Real{0});
    }
    for (const Matrix& a : layout.matrices)
      for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t c = 0; c < a.columns; ++c) {
          Real sum = 0;
          for (std::size_t k = 0; k < a.rank; ++k) sum += p[a.p + i * a.rank + k] * q[a.q + c * a.rank + k];
          const std::size_t at = a.offset + i * a.columns + c;
          g[at] = sum, e[at] -= sum;
        }
  }

  // A direction that is lost, as all are at first, would never come back: it begins anew, the same on all workers.
  void fill(WorkerContext& ctx, const Layout& layout) {
    if (isHollow(q_.span())) return;
    Rng rng = Rng::stream(ctx.seed(), "power_sgd", static_cast<std::uint64_t>(ctx.round()));
    const std::span<Real> q = q_;
    for (const Matrix& a : layout.matrices)
      for (std::size_t k = 0; k < a.rank; ++k) {
        bool lost = true;
        for (std::size_t c = 0; c < a.columns; ++c) lost = lost && q[a.q + c * a.rank + k] == 0;
        for (std::size_t c = 0; lost && c < a.columns; ++c) q[a.q + c * a.rank + k] = static_cast<Real>(rng.normal());
      }
  }

  double rate_;
  std::size_t rank_;
  Owned<Real> error_, p_, q_;  // e, then M; the factors of all matrices, one behind the other
};

}  // namespace

AlgorithmDef power_sgd() {
  AlgorithmDef def;
  def.id = "power_sgd";
  def.title = "PowerSGD";
  def.summary = "Synchronous SGD that exchanges two thin factors of each gradient matrix; what they leave out waits.";
  def.reference = "T. Vogels et al., PowerSGD: Practical Low-Rank Gradient Compression for Distributed Optimization, NeurIPS 2019";
  def.topology = Topology::kAggregated;
  def.survivesLoss = true;
  def.owed = {"error"};
  def.statistics = Statistics::kAveraged;
  def.params = {realParam("learning_rate", 0.032, 0, std::nullopt, "Step size on the mean gradient as its factors have it."),
                integerParam("rank", 2, 1, 1e6, "Columns of the factors; at most as many as a matrix has rows or columns. Published: 1 to 4.")};
  def.makeWorker = [](const Params& params) { return std::make_unique<PowerSgdWorker>(params); };
  return def;
}

}  // namespace paceline
