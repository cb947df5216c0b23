// Everything a worker's algorithm may touch. It times fetch, compute, local update, send, wait, receive and query apart from each other
// and counts samples, so an algorithm contains no instrumentation. Used by the worker's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/algorithms/context/optimizer.h"
#include "engine/algorithms/context/round_norms.h"
#include "engine/algorithms/exchange/neighbours.h"
#include "engine/comm/aggregators/aggregator.h"
#include "engine/comm/codecs/compressor.h"
#include "engine/comm/codecs/sparse_codec.h"
#include "engine/comm/transport/fields.h"
#include "engine/comm/transport/layers.h"
#include "engine/comm/transport/send_vector.h"
#include "engine/comm/transport/shard_stream.h"
#include "engine/comm/transport/transport.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/cores.h"
#include "engine/core/base/objective.h"
#include "engine/core/base/rng.h"
#include "engine/core/record/event.h"
#include "engine/core/spec/run_spec.h"

namespace paceline {

// Makes a worker behave like a slower device: stretches each step by the spec's slowdown, fixed step time and jitter.
// In virtual time it alone sets the cost of a step. Used by the worker's thread.
class Pacer {
 public:
  // nominalSeconds > 0: virtual time; a step without step_s costs that many seconds times slowdown.
  Pacer(Clock& clock, const Emulate& emulate, Rng rng, double nominalSeconds = 0);
  // A step's compute took `measured` seconds: sleeps for the rest and returns the step's duration in the emulated world.
  double stretch(double measured);
  // The same in parts: after begin(), when `share` of the step (up to 1) is done and `measured` seconds were computed so far. Returns the step's
  // duration so far.
  void begin();
  double reach(double measured, double share);
  double slept() const { return slept_; }  // since begin()
  // The emulated wait for a batch, before its step. Returns how long it was.
  double fetch();
  // Without sleeping and without jitter; of step times that are drawn the mean. Waiting for the batch is in none of these.
  double expected(double measured) const { return expected(measured, 1); }
  void state(Archive& archive) { rng_.state(archive, "jitter"); }
  bool virtualTime() const { return nominal_ > 0; }  // measured times then mean nothing
  bool emulates() const { return virtualTime() || emulate_.slowdown != 1 || emulate_.stepSeconds || emulate_.jitter > 0 || !emulate_.steps.empty(); }

 private:
  double expected(double measured, double share) const;
  std::optional<double> stepSeconds() const;  // that the document says

  Clock& clock_;
  Emulate emulate_;
  Rng rng_;
  double nominal_;
  double jitter_ = 1, slept_ = 0;  // of the step
  double meanStep_ = 0;            // of emulate_.steps
};

struct WorkerSetup {
  Objective& objective;
  Transport& transport;
  const MeteredWire& meter;
  Clock& clock;
  Pacer& pacer;
  aggregators::Aggregator* aggregator = nullptr;  // null: the algorithm does not aggregate
  int rank = 0;
  NodeList workers;          // node index by rank
  std::span<const NodeSpec> nodes = {};  // of the document; lent
  std::vector<int> servers;  // node indices
  std::vector<double> serverShares = {};  // of the parameters, by server; empty: all the same
  std::uint64_t seed = 1;
  Optimizer optimizer = {};
  Cores* helpers = nullptr;  // a real node's further threads, for steps of long vectors; null: it has none
  std::span<const std::vector<int>> groups = {};      // of the document: ranks; lent
  std::optional<double> warmUp = {};          // seconds that a warm-up step took when this was run, where it is repeated
  std::function<void(double)> warmedUp = {};  // told how long it took; none: nobody hears
  std::function<void(const std::string&)> note = {};  // into the log; none: nobody hears
  std::function<void(std::int64_t round, double loss)> diverged = {};  // called once: of the first gradient whose loss is no number, before it is exchanged or beside that
  exchange::Neighbourhood neighbourhood = {};  // of decentralised methods
  Statistics statistics = Statistics::kLocal;  // as the algorithm declares
  bool overlap = false;  // the algorithm allows it and the document wants it
  RecordPlan records = {};
  Cores* cores = nullptr;  // of a simulation that learns
};

// The numbers that travel with a worker's exchanges with the servers (fields.h).
struct LayerFields {  // kInit: where the shard's layers end, as elements of the shard; empty: the method does not ask
  std::vector<double> ends = {};
  template <class S, class V> static void fields(S& s, V& v) { v.rest(s.ends); }
};

struct PushFields {
  double rate = 0;           // factor of the values
  std::int64_t samples = 0;  // trained since the last push
  std::vector<double> extra = {};
  template <class S, class V> static void fields(S& s, V& v) { v.real(s.rate), v.count(s.samples), v.rest(s.extra); }
};

struct ReplyFields {
  double staleness = 0;
  std::int64_t samples = 0;  // trained by all
  template <class S, class V> static void fields(S& s, V& v) { v.real(s.staleness), v.count(s.samples); }
};

struct Verdict {  // kAnswer to a yes-or-no question
  bool yes = false;
  template <class S, class V> static void fields(S& s, V& v) { v.choice(s.yes, true); }
};
inline Message answerTo(const Message& question, bool yes) {
  return {.kind = MessageKind::kAnswer, .round = question.round, .scalars = encodeFields(Verdict{yes})};
}

struct PushOptions {
  codecs::Compressor* compressor = nullptr;      // null: all values, in the document's wire format
  std::optional<double> scale = {};      // the servers multiply the values by it; none: the round's learning rate
  std::span<const double> extra = {};    // for the method's server half
};

class WorkerContext {
 public:
  explicit WorkerContext(const WorkerSetup& setup);
  ~WorkerContext();
  WorkerContext(const WorkerContext&) = delete;
  WorkerContext& operator=(const WorkerContext&) = delete;

  int rank() const { return setup_.rank; }
  int world() const { return static_cast<int>(setup_.workers.size()); }
  std::int64_t round() const { return round_; }  // from 1
  Rng& rng() { return rng_; }
  std::uint64_t seed() const { return setup_.seed; }  // of the run
  std::span<const std::vector<int>> groups() const { return setup_.groups; }
  void note(const std::string& text) const { if (setup_.note) setup_.note(text); }  // a line for the run's log
  std::span<const Block> blocks() const { return setup_.objective.blocks(); }
  std::span<Real> parameters() {
    land();
    return setup_.objective.parameters();
  }
  // A number of the method's own, stored with the run below its name: of every round the last that was recorded.
  void record(const std::string& name, double value) { metrics_[name] = value; }
  // `base` times the schedule's factor for this round; recorded as the round's rate.
  double learningRate(double base);
  double scheduleFactor() const { return scheduleFactor_; }

  // Mean gradient of the next mini-batch at parameters(), with the document's weight decay and norm clipping; the buffer is the
  // context's and is overwritten by the next call.
  std::span<Real> gradient();
  // The same for pushPull() with these options, which it must go to unchanged, at the rate that learningRate() gave in this round: with overlap its shards
  // leave as they become final.
  std::span<Real> gradientFor(const PushOptions& push);
  // The same before clipping, for methods whose next steps are aggregateMean(), clip() and applyGradient() of it, the same way.
  std::span<Real> gradientForMean();
  // One more local step, parameters() -= rate * gradient(), and then the mean of parameters() over all workers. With overlap a block leaves as soon as it has
  // taken the step. `distance`: name of a number of the method's own, |own parameters - mean|.
  void stepToMean(double rate, const std::string& distance);
  void clip(std::span<Real> g) { clipToNorm(setup_.optimizer, blocks(), g); }
  // parameters() -= rate * g turned by the document's optimizer, where blocks are trainable; g's values are any afterwards.
  void applyGradient(double rate, std::span<Real> g);
  const Optimizer& optimizer() const { return setup_.optimizer; }
  void forgetSteps() { direction_.forget(); }  // what the optimizer remembers of steps before
  // Seconds of one forward and backward pass after a warm-up step, as the pacer stretches it; draws no batch.
  double warmUpStep();
  // Seconds since the last gradient() began: one local step, once the update is applied.
  double stepSeconds() const;

  // Mean over all workers, in place, by the aggregation that the spec chose. Where the method averages statistics, a gradient or a difference
  // carries the worker's in its places for them, and parameters() get their mean. Methods of several factors call it once for each; `vector`: which
  // of them, from 0, or kExactVector where a lossy wire format must leave it alone.
  void aggregateMean(std::span<Real> data, std::int32_t vector = 0);
  void aggregateFactor(std::span<Real> data, std::int32_t vector = 0);  // the same of what is no vector of the parameters' layout, however long it is
  // What a server can make of them instead (AlgorithmEntry::combines); who does not contribute sends no values and gets the result.
  void aggregate(std::span<Real> data, const aggregators::CombineFields& how, bool contributes = true, std::int32_t vector = 0);
  // What each worker has of a vector, packed and by rank: a payload for each of gatherParts() of its size.
  std::vector<aggregators::Payloads> gather(std::span<const ShardRange> parts, aggregators::Payloads own);  // sparse ones
  std::vector<ShardRange> gatherParts(std::size_t size) const;
  std::vector<double> distances(std::span<Real> data);  // between the workers' vectors; aggregators::Combiner::distances()
  // One exchange with the servers: `values` leave shard by shard, each shard of parameters() is brought up to date as its answer comes (whole
  // shards are taken, differences added). The version of each shard travels with the push, so the server knows the exact staleness.
  // Where statistics are local, parameters() keep the worker's own. With overlap it returns before the answers are there.
  void pushPull(std::span<const Real> values, const PushOptions& options = {});
  // The servers' values into parameters(), all shards at one version that is at least `atLeast`; that version. Waits until there is one.
  std::int64_t pull(std::int64_t atLeast);
  // Rank 0 gives the servers their start values (kInit), and with them where each shard's layers end.
  void initServers(std::span<const Real> values, bool withLayers = false);
  // One question to the server half at the first server; waits for the answer. Both are structs of fields.h.
  template <class Answer, class Question>
  Answer ask(const Question& question) { return fieldsOf<Answer>(askServer(messageOf(MessageKind::kAsk, question))); }

  // Of decentralised methods: this worker's neighbours, in rank order.
  const exchange::Neighbourhood& neighbourhood() const { return neighbours_.hood(); }
  // The step boundary, once per round: vectors cross on the edges that are due (neighbours.h).
  void exchange(const exchange::ExchangePlan& plan, const exchange::NeighbourExchange::Compose& compose, const exchange::NeighbourExchange::Crossed& crossed);
  // The same for methods that send one way: a vector and a number along each arrow that is due.
  void push(double number, const exchange::NeighbourExchange::Compose& compose, const exchange::NeighbourExchange::Came& came);
  std::size_t leaving() const { return neighbours_.leaving(round_); }  // to how many

  // For the worker loop.
  exchange::NeighbourExchange& neighbours() { return neighbours_; }
  void beginRound(std::int64_t round, double scheduleFactor);
  RoundRecord endRound();            // times, counts, loss of the round just closed; t and evaluate are the loop's. Moments are the clock's.
  // Gives it to `emit` when the round's exchange is complete, with what that alone tells, and the method's own numbers of the round that has just been closed: now, or with
  // overlap in the next round's step.
  using Metrics = std::map<std::string, double>;
  using Emit = std::function<void(RoundRecord, const Metrics&)>;
  void whenLanded(RoundRecord record, Emit emit);
  // Waits for what an exchange has left under way, unless a control message makes `unless` true; parameters() are up to date then.
  void land(const std::function<bool()>& unless = {});
  bool underWay() const { return exchange_.shards.open(); }
  void abandon();  // the run has ended, and nobody may answer any more: the round of that exchange is none
  std::int64_t samplesTotal() const { return samplesTotal_; }
  // Trained by all workers, as the servers' last replies or the last agreement say; where there was neither, own samples x world.
  std::int64_t globalSamples() const { return globalSamples_ > 0 ? globalSamples_ : samplesTotal_ * world(); }
  // Adds up the samples of all workers since the last agreement: one more aggregation of one element.
  void agreeOnSamples();
  void goOn();  // after a snapshot: the traffic and the waiting since the last round belong to no round
  void state(Archive& archive);

 private:
  class Phase;

  // An exchange whose shards come and go one by one (overlap.cpp).
  struct Exchange {
    enum class Kind { kMean, kPush };
    Kind kind = Kind::kMean;
    ShardStream shards = {};
    std::span<const Real> values = {};  // what is sent
    std::shared_ptr<const void> owner = {};  // of its memory; null: it is lent
    std::span<Real> mean = {};     // the same, where a mean comes back
    std::vector<Packed> payloads = {};  // of a push: instead of values; by shard
    bool taken = true;            // the algorithm has come to it: aggregateMean() or pushPull()
    std::int64_t number = 0;      // a mean's
    std::vector<bool> answered = {};  // the same
    std::optional<Real> rate = {};  // of the step to take where a mean is back
    std::optional<Real> before = {};  // of the step that each block takes before it leaves: the mean is of parameters
    std::vector<double> squares = {};  // of those: distance from the mean, by shard
    std::string distance = {};
    PushFields fields = {};       // of a push
    double staleness = 0;         // sum over the shards that are back
  };
  struct Held {  // a record whose exchange is not complete
    RoundRecord record;
    Metrics metrics;
    Emit emit;
  };

  void recordKept(std::span<const Packed> payloads);
  bool isWhole(std::span<const Real> data) const { return data.size() == setup_.objective.parameters().size(); }
  using Exchanged = std::function<void(std::int64_t number)>;
  void exchangeWhole(std::span<Real> data, std::int32_t vector, bool isWhole, const Exchanged& by);
  void planStep();
  void useShards(std::vector<ShardRange> shards);
  std::span<Real> computed(const std::function<void(std::uint64_t samples)>& begin);  // begin: of the exchange that its blocks leave for as they are final; or none
  void waitFor(const Block& block);
  void beginMean(std::span<Real> data);
  void beginPush(std::span<const Real> values, const PushOptions& push, std::int64_t samples);
  std::shared_ptr<const void> ownerOf(std::span<const Real> values) const;  // null: not one of our gradients
  void giveBlock(const Block& block);
  void takeMean(std::size_t shard, std::span<const Real> mean);
  void give(std::size_t offset, std::size_t size);
  bool landOne(const std::function<bool()>& unless = {});
  void takeShard(const Message& reply);
  void landed();
  void stepWhere(const ShardRange& range, std::span<const Real> mean);
  bool averages() const { return setup_.statistics == Statistics::kAveraged; }
  void complete(RoundRecord& record, Metrics& metrics);
  void exchangeBegins();  // something of the round's leaves
  void exchangeEnds() { exchangeEnded_ = setup_.clock.now(); }
  void tellWait(RoundRecord& record) const;

  LayerFields layersOf(const ShardRange& shard) const;
  void sendPush(std::size_t shard);
  std::size_t takeReply(const Message& reply, std::int64_t atLeast);  // which shard it answers
  Message askServer(Message question);

  WorkerSetup setup_;
  Rng rng_;
  SendVector gradient_, other_;  // other_: with overlap; what an exchange still needs of the one is not overwritten by the next gradient
  exchange::NeighbourExchange neighbours_;
  std::vector<ShardRange> shards_;
  std::vector<std::int64_t> versions_;  // of the values last pulled, per shard
  Direction direction_;
  codecs::SparseVector difference_;  // a shard's, as it came
  std::vector<Real> own_;    // local statistics of a shard, while it is taken
  Exchange exchange_;        // the newest
  std::optional<Held> held_;
  std::vector<double> before_, after_;  // by block: the share of a step that is done when its forward pass begins, and when its gradient is final
  bool inRound_ = false, incomplete_ = false;  // incomplete_: the closed round's exchange was under way
  bool diverged_ = false;                      // a loss was no number
  std::int64_t round_ = 0, samplesTotal_ = 0;
  std::int64_t globalSamples_ = 0, samplesAgreed_ = 0;  // of all; own, when all last agreed or the servers last heard of them
  std::int64_t aggregations_ = 0;                       // each has a number of its own, the same on all workers
  double scheduleFactor_ = 1, roundBegan_ = 0, stepBegan_ = 0, lossSum_ = 0;
  double exchangeEnded_ = 0;  // the newest
  Traffic sentBefore_, receivedBefore_;
  RoundRecord record_;
  Metrics metrics_;
  RoundNorms norms_;
};

}  // namespace paceline
