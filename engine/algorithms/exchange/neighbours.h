// One worker's exchanges with its neighbours: two vectors cross on an edge, one each way, in pieces of at most kMaxDenseBytes. Only whole
// vectors are handed over, at the step boundary that exchange() is. Used by the worker's thread; throws Error{kFormat} naming the sender of
// an impossible message.
//
// A crossing has a number. Synchronous: the round in which both ends have it, so that both send and then wait for each other. Asynchronous:
// the end that begins it counts; the other end answers at its next step boundary with its vector of then. When both ends begin at the same
// time their vectors are each other's answers. A neighbour that is lost is passed over until it is back; then both ends say how far they are.
//
// push() is the same one way: where edges are arrows a vector and a number leave along each that is due, and those that come are waited for.
//
// On the wire, per vector of n values: pieces x (64 + 8) + n x sizeof(Real) bytes each way, pieces = ceil(n x sizeof(Real) / 1 MiB).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/comm/transport/transport.h"
#include "engine/core/base/archive.h"
#include "engine/core/base/objective.h"
#include "engine/core/record/event.h"
#include "engine/core/spec/params.h"
#include "engine/core/spec/topologies.h"

namespace paceline::exchange {

struct Neighbourhood {
  std::vector<Neighbour> neighbours = {};  // in rank order
  std::vector<int> nodes = {};             // their node indices
  std::vector<std::string> ids = {};
  int largestDegree = 0;                   // in the whole graph
  bool arrows = false;                     // edges are one-way to push() (topologies.h)
  bool active = false;                     // of the two sides (topologies.h); it begins what ExchangePlan::onePartner allows
  std::vector<bool> across = {};           // by neighbour: it is on the other side
};
Neighbourhood neighbourhoodOf(const RunSpec& spec, int rank);

struct ExchangePlan {
  bool synchronous = true;   // false: nobody waits
  bool randomTimes = false;  // at a random step of every interval instead of always the same; both ends draw the same
  bool onePartner = false;   // asynchronous: active workers alone begin, one crossing at a time, with one that is drawn of the neighbours across that are due
};

// Two vectors that crossed.
struct Crossing {
  std::size_t neighbour = 0;  // index into neighbours
  std::span<const Real> sent, received;
  double ownContacts = 0;  // crossings that this end has at this step; asynchronous: its neighbours
  double contacts = 0;     // of the end that has more of them
};

class NeighbourExchange {
 public:
  using Compose = std::function<void(std::size_t neighbour, std::span<Real> message)>;
  using Crossed = std::function<void(const Crossing&)>;

  NeighbourExchange(Neighbourhood hood, int rank, std::uint64_t seed, std::span<const Real> like);  // like: what crosses is as long, and hollow if it is

  const Neighbourhood& hood() const { return hood_; }
  // Once per round, at its end. Calls `compose` for every vector that it sends and `crossed`, in rank order, for every pair that crossed.
  void exchange(Transport& transport, const ExchangePlan& plan, std::int64_t round, const Compose& compose, const Crossed& crossed);
  // In place of exchange(), synchronous: calls `compose` for every vector that it sends, with `number`, and `came`, in rank order, for every one that comes.
  using Came = std::function<void(std::span<const Real> received, double number)>;
  void push(Transport& transport, std::int64_t round, double number, const Compose& compose, const Came& came);
  std::size_t leaving(std::int64_t round) const;  // to how many neighbours push() will send
  // Whether a pair's slot falls on this round (from 1).
  bool due(const Neighbour& neighbour, const Neighbour::Slot& slot, const ExchangePlan& plan, std::int64_t round) const;

  void lost(int node);
  void back(Transport& transport, int node);
  void leave(Transport& transport);  // this worker takes part in no further crossing
  void gone(int node);               // that one does not
  bool isNeighbour(int node) const { return linkOf(node) != nullptr; }

  // Of the edges on which something happened since their last record; `all`: of all that were used since. t is the caller's.
  std::vector<EdgeRecord> takeRecords(std::int64_t round, bool all);
  void state(Archive& archive);

 private:
  struct Arrived {
    std::int64_t number = 0;
    double contacts = 0;
    Owned<Real> values;
  };
  struct Link {
    int node = 0;
    bool lost = false, gone = false;
    std::int64_t begun = 0;        // asynchronous: crossings that this end has begun
    std::int64_t outstanding = 0;  // number of the crossing whose other half has not come; 0: none
    std::int64_t passed = 0;       // synchronous: the neighbour has done this round
    double contactsSent = 0;
    Dense sent;                    // shared with the wire until it is sent
    std::deque<Arrived> arrived;   // whole
    Arrived coming;
    std::vector<bool> pieces;      // of `coming` that are here
    EdgeRecord record;             // since the last one
    double age = 0, ageSum = 0;
    std::int64_t steps = 0;
    bool changed = false;
    bool reachable() const { return !lost && !gone; }
    template <class Visit>
    void numbers(Visit visit) {  // that a checkpoint keeps, in its order: append only
      visit(begun), visit(outstanding), visit(contactsSent), visit(age), visit(ageSum), visit(steps), visit(coming.number), visit(coming.contacts);
      visit(record.bytesSent), visit(record.bytesReceived);
    }
  };
  const Link* linkOf(int node) const;
  Link* linkOf(int node) { return const_cast<Link*>(std::as_const(*this).linkOf(node)); }
  bool dueAt(std::size_t i, const ExchangePlan& plan, std::int64_t round, bool mineOnly) const;
  struct Step {  // one call of exchange()
    Transport& transport;
    const ExchangePlan& plan;
    std::int64_t round;
    const Compose& compose;
    const Crossed& crossed;
  };
  using Places = std::vector<std::size_t>;  // in links_
  Places arrowsAt(std::int64_t round, bool mine) const;
  void await(Transport& transport, std::int64_t round, const Places& places);
  void exchangeInStep(const Step& step);
  void exchangeFreely(const Step& step);
  void beginOne(const Step& step);
  void drain(Transport& transport);
  void grow();
  void send(const Step& step, std::size_t i, std::int64_t number, double contacts);
  void tell(Transport& transport, Link& link, std::int64_t passed);
  void take(Message message);
  void takePiece(Link& link, const Message& message);
  void cross(std::size_t i, const Arrived& theirs, const Crossed& crossed);
  std::size_t pieceCount() const;

  Neighbourhood hood_;
  int rank_;
  std::uint64_t seed_;
  std::size_t size_;
  std::span<const Real> like_;  // lent
  std::vector<Link> links_;  // as hood_.neighbours
  std::int64_t round_ = 0;   // the last one in which exchange() was called
  bool left_ = false;
};

// `count` vectors of `size` elements, in a checkpoint: their number under names.count, then "<names.each>0", "<names.each>1" ...
struct EachNames {
  const char *count, *each;
};
void archiveEach(Archive& archive, const EachNames& names, std::vector<Owned<Real>>& vectors, std::size_t count, std::size_t size);

// The parameters that decentralised methods share: when a worker exchanges with its neighbours. Pure functions.
// "exchange" and "exchange_times", to stand behind a method's own.
std::vector<ParamSpec> withExchangeParams(std::vector<ParamSpec> own);
ExchangePlan exchangePlanOf(const Params& params);

// Averaging with neighbours when vectors cross: w <- w + weight * (received - sent). Both ends use the same two vectors, so with equal
// weights at both ends the mean over all workers stays the same, whenever either end gets to it. Pure functions.
// 1 / (1 + max(d_i, d_j)) over the graph of the edges that cross at this step (L. Xiao, S. Boyd, S.-J. Kim 2007, time-varying form): both
// ends agree, rows and columns sum to 1. One crossing at a time is the mean of the two.
inline Real metropolisWeight(const Crossing& crossing) { return static_cast<Real>(1 / (1 + crossing.contacts)); }

inline void mix(std::span<Real> w, const Crossing& crossing, Real weight) {
  for (std::size_t i = 0; i < w.size() && !isHollow(w); ++i) w[i] += weight * (crossing.received[i] - crossing.sent[i]);
}

// The same for batch-norm statistics alone.
inline void mixStatistics(std::span<const Block> blocks, std::span<Real> w, const Crossing& crossing, Real weight) {
  for (const Block& block : blocks)
    for (std::size_t i = block.offset; !block.trainable && !isHollow(w) && i < block.offset + block.size; ++i)
      w[i] += weight * (crossing.received[i] - crossing.sent[i]);
}

}  // namespace paceline::exchange
