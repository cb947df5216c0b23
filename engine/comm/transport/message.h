// A message between the nodes of a run. A value; its dense part may share or borrow memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/core/base/vec.h"
#include "engine/core/base/vector_memory.h"

namespace paceline {

// On the wire; append only.
enum class MessageKind : std::uint8_t {
  kInit = 1,     // rank 0 -> server: a shard's start values
  kPush = 2,     // worker -> server: gradient or difference of one shard
  kReply = 3,    // server -> worker: the shard's new values or some entries of their change
  kReduce = 4,   // aggregation: a contribution
  kReduced = 5,  // aggregation: the result
  kAsk = 6,      // worker -> first server: a question to the algorithm's server half
  kAnswer = 7,
  kExchange = 8,  // between neighbours
  kPull = 9,      // worker or evaluator -> server: question for the shard's values, answered by kReply
  kCopy = 10,     // worker -> evaluator: a piece of its parameters
  // From here on: control, never seen by algorithms (Transport::onControl).
  // Their numbers: engine/runtime/control.h.
  kProgress = 32,    // worker -> coordinator: round and samples trained so far; {0, 0}: ready, and back: all are, begin
  kStop = 33,        // coordinator -> workers: the run's last round
  kBye = 34,         // I leave in order; my silence is no failure
  kCheckpoint = 35,  // a step of a snapshot of all nodes
  kEvaluate = 36,    // between the evaluator and those whose parameters it evaluates
  kDropped = 37,     // the run goes on without this worker: between servers, the coordinator and evaluators, and to the worker
  kAnew = 38,        // worker -> all that it meets: this process takes the place of one that was lost; server -> it: what follows is for this process
  kMembers = 39,     // coordinator -> workers: whom the run goes on without, where their data are divided
  kPadding = 253,  // between two wires, handed on to nobody: pushes out what hangs on the way
  // Made by the receiving node's own wire about a peer that Wire::tolerate() named; never sent.
  kLost = 254,  // from: out of reach; messages to it go nowhere
  kBack = 255,  // from: within reach again
};
const char* kindName(MessageKind kind);  // "push"; "unknown" for none of ours
inline bool isControl(MessageKind kind) { return kind >= MessageKind::kProgress; }

// A vector, owned (shared) or borrowed. A borrowed one must stay unchanged until the peer has answered.
class Dense {
 public:
  Dense() = default;
  static Dense borrowed(std::span<const Real> values) { return Dense(values, nullptr); }
  static Dense shared(std::span<const Real> values, std::shared_ptr<const void> owner) { return Dense(values, std::move(owner)); }
  static Dense copied(std::span<const Real> values);
  static Dense sum(std::span<const Dense> parts, Real scale);  // (parts[0] + parts[1] + ...) * scale, all as long
  // In memory of its own, which fill(std::span<Real>) writes.
  template <class Fill>
  static Dense made(std::size_t size, const Fill& fill) {
    std::shared_ptr<Real[]> memory = newVector<Real>(size);
    const std::span<Real> values(memory.get(), size);
    fill(values);
    return Dense(values, std::move(memory));
  }
  std::span<const Real> values() const { return values_; }
  const std::shared_ptr<const void>& owner() const { return owner_; }
  bool empty() const { return values_.empty(); }

 private:
  Dense(std::span<const Real> values, std::shared_ptr<const void> owner) : values_(values), owner_(std::move(owner)) {}
  std::span<const Real> values_;
  std::shared_ptr<const void> owner_;
};

// How the bytes of a packed payload are to be read. On the wire; append only.
enum class Packing : std::uint8_t {
  kNone = 0,
  kHalf = 1,    // every element in fp16 (codec.h)
  kInt8 = 2,    // a scale, then every element in 8 bits (codec.h)
  kSparse = 3,  // some elements: index gaps and values (sparse_codec.h)
  kShared = 4,  // where the vector lies in memory of this host (shm/shared_wire.h)
  kState = 5,   // a piece of a node's saved state, no vector (runtime/control.h)
};

// An encoded vector. The wire carries it without looking inside; its receiver decodes it, and a decoder trusts no byte.
struct Packed {
  Packing packing = Packing::kNone;
  std::size_t count = 0;  // elements of the vector that it stands for
  std::shared_ptr<const void> owner = {};
  std::span<const std::byte> bytes = {};
  static Packed of(Packing packing, std::size_t count, std::vector<std::byte> bytes);
  bool empty() const { return packing == Packing::kNone; }
};

inline constexpr std::int32_t kExactVector = -1;

struct Message {
  MessageKind kind = MessageKind::kPush;
  int from = -1;              // node index; set by the wire on arrival
  std::int32_t shard = 0;     // or the ring's chunk
  std::int64_t round = 0;
  std::int64_t version = 0;   // of the shard's values at the server
  std::vector<double> scalars = {};
  Dense dense = {};
  Packed packed = {};  // instead of dense
  // Of messages to one node that wait for the link the smallest leaves first (send_queue.h). 0: in order, it overtakes nothing and nothing overtakes it.
  // The sender's own; does not travel.
  std::int32_t priority = 0;
  // Of a contribution: which of the vectors that its method averages in turn, so that a lossy wire format keeps a residual for each; kExactVector: never lossy.
  // Does not travel.
  std::int32_t vector = 0;
  std::int32_t cause = -1;  // of an answer: the node whose message led to it, which may be another than its receiver; -1: not told
  // Set by the sender's ShapedWire: how long the receiver holds the message back, and the sender's steady clock. Seconds.
  double availableAt = 0, holdSeconds = 0;
  // Of messages to and from a server that may be started again (lasting_wire.h): its place among those to this receiver, from 1 on, and how many of the receiver's the sender
  // has, without a gap. Modulo 2^32. 0: not numbered.
  std::uint32_t number = 0, taken = 0;
  // Set by the sender's PriorityWire where the message waited for the link and was handed on late: when the link could have had it, by its steady clock. Does not travel.
  double dueAt = 0;
  // Set by the receiver's PriorityWire where it has kept the message: since when, and how many behind it. Do not travel.
  double takenAt = 0;
  std::int64_t behind = 0;
};

constexpr std::size_t kHeaderBytes = 64;                   // fixed, little-endian
constexpr std::size_t kMaxScalars = 4096;                  // per message
constexpr std::size_t kShardBytes = std::size_t{1} << 20;  // a shard is at most this long
constexpr std::size_t kMaxDenseBytes = kShardBytes;        // per message: nothing is longer than a shard or a piece of a ring's chunk

constexpr std::size_t kMaxPackedBytes = 2 * kMaxDenseBytes;  // room for a codec's worst case

// Real bytes on the wire: header, scalars, dense or packed values.
std::size_t wireBytes(const Message& message);
std::size_t valueBytes(const Message& message);  // of them those of the vector

}  // namespace paceline
