// What parameter-server methods have in common: the worker pushes and is answered in one exchange; the server half keeps a shard's values and
// their version. A method says which update a push leads to, and when who is answered: a reply may be held back, and one message may release
// several. Pushes carry all values or some entries; answers carry all values or, with SparseAnswers, the largest entries of the difference.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/algorithms/algorithm.h"
#include "engine/algorithms/context/optimizer.h"
#include "engine/algorithms/exchange/sparse_push.h"
#include "engine/comm/transport/message.h"

namespace paceline::exchange {

// Worker half: one gradient, one exchange; reads "learning_rate".
class PushPullWorker : public WorkerAlgorithm {
 public:
  explicit PushPullWorker(const Params& params) : rate_(params.real("learning_rate")) {}
  void round(WorkerContext& ctx) override;

 protected:
  std::vector<double> extra_;  // for the method's server half, with every push

 private:
  double rate_;
};

// Server half of one shard. kInit gives the values; a kPush carries PushFields and the version that it was computed at, its reply ReplyFields.
// Staleness is exact: the updates by others between the values of the reply before and the update that this push went into. A malformed push
// throws Error{kFormat}, one with values that are not finite Error{kData}; both name the worker.
class PushServer : public ServerAlgorithm {
 public:
  // extras: numbers of a method's own in every push. `sparse`: pushes and answers carry entries.
  explicit PushServer(const ServerSetup& setup, std::size_t extras = 0, std::unique_ptr<SparseAnswers> sparse = nullptr);
  void onMessage(Message message, Outbox& out) final;
  void left(int node, Outbox& out) final;
  void joined(int node, int like) final;
  void state(Archive& archive) override;
  void owed(Archive& archive) override;
  Dense parameters() const override { return sparse_ ? Dense::copied(values_.values()) : values_; }

 protected:
  struct Push {
    std::size_t rank = 0;
    Real rate = 0;
    std::int64_t version = 0;  // of the values that the gradient was computed at
    Dense gradient = {};
    codecs::SparseVector entries = {};  // instead of the gradient
    std::vector<double> extra = {};
  };
  using Formula = std::function<void(std::span<const Real> w, std::span<Real> next)>;

  virtual void started() {}                            // values() are the start values
  // Now or in a later call: one update it goes into, or none, and one answer to its rank. Here one step of gradient descent, answered at once: ASGD's server half.
  virtual void pushed(Push push, Outbox& out);
  virtual void asked(Message question, Outbox& out);   // refuses, unless the method has questions
  virtual void pulled(Message pull, Outbox& out);      // refuses, unless the method's workers pull without pushing
  virtual void lost(std::size_t /*rank*/, Outbox& /*out*/) {}  // for methods in which one waits for another; its answers go nowhere
  virtual void found(std::size_t /*rank*/, std::size_t /*like*/) {}  // joined(), for methods that keep something by rank

  std::size_t world() const { return workers_.size(); }
  std::optional<std::size_t> rankOf(int node) const { return workers_.placeOf(node); }
  const Dense& values() const { return values_; }  // never changes after it was set: every update is written into memory of its own
  std::int64_t version() const { return version_; }  // updates applied
  std::int64_t stalenessOf(const Push& push) const { return version_ - push.version; }
  bool owes(std::size_t rank) const { return owed_[rank].has_value(); }

  // One update that these pushes make together. `next` is all the formula's to fill.
  void update(std::span<const Push> pushes, const Formula& formula);
  // w -= rate * turned(scale * (g_1 + g_2 + ...)): summed in their order at the first one's rate, turned by the document's momentum. A push of
  // entries comes alone and moves only those.
  void descend(std::span<const Push> pushes, Real scale = 1);
  void answer(std::size_t rank, Outbox& out);  // with the values of now

  static void archivePushes(Archive& archive, std::string_view name, std::vector<Push>& pushes);  // of all values, which wait for others

 private:
  struct Owed {  // a push without its reply
    std::int64_t round = 0;
    double staleness = 0;
  };

  void onInit(const Message& message);
  void onPush(Message message, Outbox& out);
  void setValues(std::span<const Real> values);
  void subtract(const codecs::SparseVector& entries, Real scale);

  NodeList workers_;        // node index by rank
  std::size_t extras_;
  Direction direction_;
  std::unique_ptr<SparseAnswers> sparse_;  // null: all values, both ways
  std::int32_t shard_ = 0;
  std::shared_ptr<Real[]> memory_;  // of values_
  Dense values_;
  std::int64_t version_ = 0;  // updates applied
  std::int64_t samples_ = 0;  // behind all pushes
  std::vector<std::optional<Owed>> owed_;  // by rank
};

// What asynchronous methods with a PushServer declare alike, with ASGD's halves; their first parameter is "learning_rate", then come `own`.
AlgorithmDef pushDef(std::string id, std::vector<ParamSpec> own = {}, std::string rateHelp = "Step size of every single push.");

// 1 / (1 + staleness): the weight of a gradient in methods that weigh by staleness.
inline Real staleWeight(std::int64_t staleness) { return Real{1} / static_cast<Real>(1 + staleness); }

}  // namespace paceline::exchange
