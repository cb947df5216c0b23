// What nodes tell the desktop: one JSON object a line on stdout. The supervisor adds (node, seq) and spools it; the recorder stores it.
// Non-finite numbers travel as the strings "NaN", "Infinity", "-Infinity".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace paceline {

// One closed round of one worker. Seconds are apart from each other; their sum is at most totalSeconds.
struct RoundRecord {
  std::int64_t round = 0;       // from 1
  double t = 0;                 // seconds since this node was told to start, at the round's end
  double fetch = 0, compute = 0, update = 0, send = 0, wait = 0, receive = 0, query = 0, evaluate = 0, total = 0;
  std::int64_t localSteps = 0;
  std::int64_t samples = 0;     // trained in this round
  std::int64_t bytesSent = 0, bytesReceived = 0, messagesSent = 0, messagesReceived = 0;  // on the wire, in this round
  double staleness = 0;         // server updates by others between this worker's pull and its push; 0 when synchronous
  double loss = 0;              // mean over the round's samples
  double learningRate = 0;
  std::optional<double> kept;   // fraction, sparse methods only
  bool operator==(const RoundRecord&) const = default;
};

struct EvaluationRecord {
  std::int64_t round = 0;
  double t = 0;                 // seconds since start, when the evaluation began
  double accuracy = 0;          // correct / total
  double loss = 0;
  std::int64_t samples = 0;     // trained so far, by this node
  double seconds = 0;           // what evaluating took
  std::string of = {};               // whose parameters: "" the emitting node's own, a worker's id, or "mean" for the average over workers
  std::optional<double> consensus = {};  // with "mean": root of the mean over workers of |w_i - mean|^2, decentralised methods
  bool operator==(const EvaluationRecord&) const = default;
};

// What one worker of a decentralised method exchanged with one neighbour since its last record of that edge.
struct EdgeRecord {
  std::int64_t round = 0;       // the worker's, when the record was made
  double t = 0;                 // seconds since this node was told to start
  std::string peer = {};        // the neighbour's id
  std::int64_t exchanges = 0;   // vectors received and applied since the last record
  double age = 0;               // steps of its own that the worker has taken since it applied the newest vector, mean over its steps
  std::int64_t bytesSent = 0, bytesReceived = 0;  // on the wire
  std::int64_t lost = 0;        // 1: the neighbour is unreachable and its last vector stands in
  bool operator==(const EdgeRecord&) const = default;
};

// What a worker trains on: told once, before its first round.
struct LabelsRecord {
  std::vector<std::int64_t> counts = {};  // samples of each class in its share
  bool operator==(const LabelsRecord&) const = default;
};

struct HostLoad {  // once a second per host
  double t = 0;                         // Unix seconds
  double cpu = 0;                       // fraction of all cores
  std::int64_t memoryUsedBytes = 0, memoryTotalBytes = 0;
  std::int64_t networkSentBytes = 0, networkReceivedBytes = 0;  // counters since boot, all interfaces
  bool operator==(const HostLoad&) const = default;
};

// Anything else: "listening" {endpoint}, "started", "log" {level, text}, "note", "finished" {reason}, "failed" {error}, "exit" {code, signal, reason}.
struct NoticeRecord {
  std::string kind;
  std::string text;      // the sentence or the endpoint
  std::string level;     // "info", "warn", "error"
  std::string reason;    // machine-readable where there is one: "rounds", "seconds", "samples", "accuracy", "asked", "killed", ...
  std::int64_t code = 0;  // exit code or signal number where there is one
  double unixTime = 0;   // of the node's clock
  bool operator==(const NoticeRecord&) const = default;
};

using Event = std::variant<RoundRecord, EvaluationRecord, HostLoad, NoticeRecord, EdgeRecord, LabelsRecord>;

std::string toLine(const Event& event);       // without the newline
Event parseEvent(std::string_view line);      // throws Error{kFormat} that quotes the start of the line

// Written by the supervisor around each line; (run, node, seq) is the primary key everywhere, so re-reading is harmless.
struct StampedEvent {
  std::string run, node;
  std::int64_t seq = 0;  // from 1, growing per (run, node)
  Event event;
};

double unixNow();  // seconds since 1970, wall clock: for display only, never for decisions

}  // namespace paceline
