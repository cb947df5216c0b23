// What nodes tell the desktop: one JSON object a line on stdout. The supervisor adds (node, seq) and spools it; the recorder stores it.
// Non-finite numbers travel as the strings "NaN", "Infinity", "-Infinity". A type's describe() is the one list of what it records: lines,
// the store's columns, CSV and bundles follow from it. To add a quantity: a member, a line in describe() with the number of the migration
// that adds the column as `since`, and that migration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/core/json/describe.h"
#include "engine/core/json/json_text.h"

namespace paceline {

// What a type of record is called. Written to disk; never changes.
struct RecordName {
  std::string_view kind;   // "kind" in a line; "": any other
  std::string_view table;  // of the store
  std::string_view list;   // in a bundle; also names its CSV
  int since = 1;           // the migration that made the table; bundles from before lack the list
};

// One closed round of one worker. Seconds are apart from each other; their sum is at most totalSeconds.
struct RoundRecord {
  static constexpr RecordName kName{"round", "round", "rounds"};
  std::int64_t round = 0;
  double t = 0;
  double fetch = 0, compute = 0, update = 0, send = 0, wait = 0, receive = 0, query = 0, evaluate = 0, total = 0;
  std::int64_t localSteps = 0;
  std::int64_t samples = 0;
  std::int64_t bytesSent = 0, bytesReceived = 0, messagesSent = 0, messagesReceived = 0;
  double staleness = 0;
  double loss = 0;
  double learningRate = 0;
  std::optional<double> kept = {};
  std::string longestWaitFor = {};
  std::optional<double> longestWait = {};
  std::optional<double> exchangeBegan = {}, exchangeEnded = {};
  bool operator==(const RoundRecord&) const = default;
};

template <class Visit, Of<RoundRecord> R>
void describe(Visit&& visit, R& r) {
  visit(Field{.key = "round", .help = "Number of the round, from 1."}, r.round);
  visit(Field{.key = "t_s", .help = "End of the round, since this node was told to start.", .unit = "s"}, r.t);
  visit(Field{.key = "fetch_s", .help = "Making batches.", .unit = "s"}, r.fetch);
  visit(Field{.key = "compute_s", .help = "Forward and backward passes.", .unit = "s"}, r.compute);
  visit(Field{.key = "update_s", .help = "Local update: what no other part of the round took.", .unit = "s"}, r.update);
  visit(Field{.key = "send_s", .help = "Sending.", .unit = "s"}, r.send);
  visit(Field{.key = "wait_s", .help = "Waiting for others.", .unit = "s"}, r.wait);
  visit(Field{.key = "receive_s", .help = "Receiving, and computing with what came.", .unit = "s"}, r.receive);
  visit(Field{.key = "query_s", .help = "Questions to a state server.", .unit = "s"}, r.query);
  visit(Field{.key = "evaluate_s", .help = "Evaluation at the round's end.", .unit = "s"}, r.evaluate);
  visit(Field{.key = "total_s", .help = "The whole round, evaluation included.", .unit = "s"}, r.total);
  visit(Field{.key = "local_steps", .help = "Gradients computed."}, r.localSteps);
  visit(Field{.key = "samples", .help = "Samples trained in this round."}, r.samples);
  visit(Field{.key = "bytes_sent", .help = "On the wire, in this round.", .unit = "bytes"}, r.bytesSent);
  visit(Field{.key = "bytes_received", .help = "On the wire, in this round.", .unit = "bytes"}, r.bytesReceived);
  visit(Field{.key = "messages_sent", .help = "On the wire, in this round."}, r.messagesSent);
  visit(Field{.key = "messages_received", .help = "On the wire, in this round."}, r.messagesReceived);
  visit(Field{.key = "staleness", .help = "Updates by others between this worker's pull and its push.", .zero = "also: a synchronous method"}, r.staleness);
  visit(Field{.key = "loss", .help = "Mean over the round's samples."}, r.loss);
  visit(Field{.key = "learning_rate", .help = "Of the round."}, r.learningRate);
  visit(Field{.key = "kept", .help = "Fraction of the elements that was sent.", .zero = "absent: a dense method"}, r.kept);
  visit(Field{.key = "longest_wait_for", .help = "Whose message ended the longest wait of the round: a node's id.", .zero = "nobody was waited for", .since = 7}, r.longestWaitFor);
  visit(Field{.key = "longest_wait_s", .help = "That wait; waits for one node that follow each other are one.", .unit = "s", .zero = "absent: nobody was waited for", .since = 7}, r.longestWait);
  visit(Field{.key = "exchange_begin_s", .help = "The round's first vector leaves, since this node was told to start.", .unit = "s", .zero = "absent: nothing was exchanged", .since = 7}, r.exchangeBegan);
  visit(Field{.key = "exchange_end_s", .help = "The last one has come back; with overlap in the next round's step.", .unit = "s", .zero = "absent: nothing was exchanged", .since = 7}, r.exchangeEnded);
}

struct EvaluationRecord {
  static constexpr RecordName kName{"evaluation", "evaluation", "evaluations"};
  std::int64_t round = 0;
  double t = 0;
  double accuracy = 0;
  double loss = 0;
  std::int64_t samples = 0;
  double seconds = 0;
  std::string of = {};
  std::optional<double> consensus = {};
  std::optional<double> validationAccuracy = {}, validationLoss = {};
  double deciding() const { return validationAccuracy.value_or(accuracy); }  // which evaluation is the best, and whether to stop
  bool operator==(const EvaluationRecord&) const = default;
};

template <class Visit, Of<EvaluationRecord> R>
void describe(Visit&& visit, R& r) {
  visit(Field{.key = "round", .help = "Rounds that the parameters had seen."}, r.round);
  visit(Field{.key = "t_s", .help = "Start of the evaluation, since this node was told to start.", .unit = "s"}, r.t);
  visit(Field{.key = "accuracy", .help = "Correct / total."}, r.accuracy);
  visit(Field{.key = "loss", .help = "Mean over the test set."}, r.loss);
  visit(Field{.key = "samples", .help = "Trained so far, by this node."}, r.samples);
  visit(Field{.key = "evaluate_s", .help = "Duration of the evaluation.", .unit = "s"}, r.seconds);
  visit(Field{.key = "of", .help = "Whose parameters: a worker's id, or \"mean\" of all workers.", .zero = "the emitting node's own", .since = 2}, r.of);
  visit(Field{.key = "consensus", .help = "With \"mean\": root of the mean over workers of |w_i - mean|^2.", .zero = "absent: not measured", .since = 2}, r.consensus);
  visit(Field{.key = "validation_accuracy", .help = "Over the training samples that are held out.", .zero = "absent: none are", .since = 13}, r.validationAccuracy);
  visit(Field{.key = "validation_loss", .help = "Over the training samples that are held out.", .zero = "absent: none are", .since = 13}, r.validationLoss);
}

// Reason of the notice that a worker gives once, when the loss of a gradient is no number for the first time; its records before it tell how that came.
inline constexpr const char* kNotFinite = "not_finite";

// Any other event: "listening" {endpoint}, "started", "log" {level, text}, "note", "finished" {reason}, "failed" {error}, "exit" {code, signal, reason}.
struct NoticeRecord {
  static constexpr RecordName kName{"", "event", "notices"};
  std::string kind;
  std::string text;
  std::string level;
  std::string reason;
  std::int64_t code = 0;
  double unixTime = 0;
  bool operator==(const NoticeRecord&) const = default;
};

template <class Visit, Of<NoticeRecord> R>
void describe(Visit&& visit, R& r) {
  visit(Field{.key = "kind", .help = "What happened."}, r.kind);
  visit(Field{.key = "text", .help = "The sentence or the endpoint."}, r.text);
  visit(Field{.key = "level", .help = "\"info\", \"warn\", \"error\"."}, r.level);
  visit(Field{.key = "reason", .help = "Machine-readable where there is one: \"rounds\", \"seconds\", \"samples\", \"accuracy\", \"asked\", \"killed\", ..."}, r.reason);
  visit(Field{.key = "code", .help = "Exit code or number of the signal where there is one."}, r.code);
  visit(Field{.key = "unix_s", .help = "Of the node's clock.", .unit = "Unix s"}, r.unixTime);
}

struct HostLoad {  // once a second per host
  static constexpr RecordName kName{"host", "host_load", "host_loads"};
  double t = 0;
  double cpu = 0;
  std::int64_t memoryUsedBytes = 0, memoryTotalBytes = 0;
  std::int64_t networkSentBytes = 0, networkReceivedBytes = 0;
  bool operator==(const HostLoad&) const = default;
};

template <class Visit, Of<HostLoad> R>
void describe(Visit&& visit, R& r) {
  visit(Field{.key = "unix_s", .help = "Of the host's clock.", .unit = "Unix s"}, r.t);
  visit(Field{.key = "cpu", .help = "Busy fraction of all cores."}, r.cpu);
  visit(Field{.key = "memory_used_bytes", .help = "Main memory in use.", .unit = "bytes"}, r.memoryUsedBytes);
  visit(Field{.key = "memory_total_bytes", .help = "Main memory.", .unit = "bytes"}, r.memoryTotalBytes);
  visit(Field{.key = "network_sent_bytes", .help = "Since boot, all interfaces.", .unit = "bytes"}, r.networkSentBytes);
  visit(Field{.key = "network_received_bytes", .help = "Since boot, all interfaces.", .unit = "bytes"}, r.networkReceivedBytes);
}

// What one worker of a decentralised method exchanged with one neighbour since its last record of that edge.
struct EdgeRecord {
  static constexpr RecordName kName{"edge", "edge", "edges", 2};
  std::int64_t round = 0;
  double t = 0;
  std::string peer = {};
  std::int64_t exchanges = 0;
  double age = 0;
  std::int64_t bytesSent = 0, bytesReceived = 0;
  std::int64_t lost = 0;
  bool operator==(const EdgeRecord&) const = default;
};

template <class Visit, Of<EdgeRecord> R>
void describe(Visit&& visit, R& r) {
  visit(Field{.key = "round", .help = "The worker's, when the record was made."}, r.round);
  visit(Field{.key = "t_s", .help = "Since this node was told to start.", .unit = "s"}, r.t);
  visit(Field{.key = "peer", .help = "The neighbour's id."}, r.peer);
  visit(Field{.key = "exchanges", .help = "Vectors received and applied since the last record."}, r.exchanges);
  visit(Field{.key = "age", .help = "Steps of its own since the worker applied the newest vector, mean over its steps."}, r.age);
  visit(Field{.key = "bytes_sent", .help = "On the wire.", .unit = "bytes"}, r.bytesSent);
  visit(Field{.key = "bytes_received", .help = "On the wire.", .unit = "bytes"}, r.bytesReceived);
  visit(Field{.key = "lost", .help = "1: the neighbour is unreachable and its last vector stands in."}, r.lost);
}

// What a worker trains on: told once, before its first round.
struct LabelsRecord {
  static constexpr RecordName kName{"labels", "labels", "labels", 3};
  std::vector<std::int64_t> counts = {};
  bool operator==(const LabelsRecord&) const = default;
};

template <class Visit, Of<LabelsRecord> R>
void describe(Visit&& visit, R& r) { visit(Field{.key = "counts", .help = "Samples of each class in the worker's share."}, r.counts); }

// A number with a name of the method's own, once per round and name (WorkerContext::record). Needs no migration.
struct MetricRecord {
  static constexpr RecordName kName{"metric", "metric", "metrics", 5};
  std::int64_t round = 0;
  double t = 0;
  std::string name = {};
  double value = 0;
  bool operator==(const MetricRecord&) const = default;
};

template <class Visit, Of<MetricRecord> R>
void describe(Visit&& visit, R& r) {
  visit(Field{.key = "round", .help = "The round that it belongs to."}, r.round);
  visit(Field{.key = "t_s", .help = "End of that round, since this node was told to start.", .unit = "s"}, r.t);
  visit(Field{.key = "name", .help = "Of the metric."}, r.name);
  visit(Field{.key = "value", .help = "The last one recorded in the round."}, r.value);
}

// Metrics that workers record where the document's `records` says so, with `per_layer` also of each block: "gradient_norm.conv1.weight".
inline constexpr const char* kGradientNorm = "gradient_norm";      // |g| of a mini-batch as the model gives it, before decay and clipping; mean over the local steps
inline constexpr const char* kUpdateNorm = "update_norm";          // |w before - w after| of a round, w the worker's parameters: what others changed is part of it
inline constexpr const char* kGradientCosine = "gradient_cosine";  // between the sum of its gradients and w before - w after; none where one of them is 0

// How busy a server or an evaluator was: at most five a second, however many messages there are. What lies between two records was idle.
struct BusyRecord {
  static constexpr RecordName kName{"busy", "busy", "busy", 7};
  double t = 0;
  double span = 0, busy = 0, queued = 0;
  std::int64_t messages = 0, longestQueue = 0;
  std::int64_t bytesReceived = 0, bytesSent = 0;
  bool operator==(const BusyRecord&) const = default;
};

template <class Visit, Of<BusyRecord> R>
void describe(Visit&& visit, R& r) {
  visit(Field{.key = "t_s", .help = "End of the interval, since this node was told to start.", .unit = "s"}, r.t);
  visit(Field{.key = "span_s", .help = "Length of the interval.", .unit = "s"}, r.span);
  visit(Field{.key = "busy_s", .help = "Handling messages, or evaluating; all threads together.", .unit = "s"}, r.busy);
  visit(Field{.key = "queue_s", .help = "What messages have waited between leaving the socket and being handled, summed.", .unit = "s"}, r.queued);
  visit(Field{.key = "messages", .help = "Taken from the socket, without those about the run itself."}, r.messages);
  visit(Field{.key = "longest_queue", .help = "Messages that waited at one moment, at most."}, r.longestQueue);
  visit(Field{.key = "bytes_received", .help = "On the wire.", .unit = "bytes"}, r.bytesReceived);
  visit(Field{.key = "bytes_sent", .help = "On the wire.", .unit = "bytes"}, r.bytesSent);
}

// How two clocks were related at one moment, so that the records of different nodes and hosts lie on one axis. A node tells what its host's clock said; a host
// tells how far its clock is from that of the recorder.
struct ClockRecord {
  static constexpr RecordName kName{"clock", "clock", "clocks", 7};
  double unixTime = 0;
  std::optional<double> t = {};
  std::optional<double> offset = {};
  double error = 0;
  bool operator==(const ClockRecord&) const = default;
};

template <class Visit, Of<ClockRecord> R>
void describe(Visit&& visit, R& r) {
  visit(Field{.key = "unix_s", .help = "Of the host's clock; in a simulation of its one clock.", .unit = "Unix s"}, r.unixTime);
  visit(Field{.key = "t_s", .help = "The same moment, since this node was told to start.", .unit = "s", .zero = "absent: a host tells"}, r.t);
  visit(Field{.key = "offset_s", .help = "The host's clock less the recorder's.", .unit = "s", .zero = "absent: a node tells"}, r.offset);
  visit(Field{.key = "error_s", .help = "The two moments are apart by this at most.", .unit = "s"}, r.error);
}

// In which order a server applied what came to one of its shards where that is a matter of time: what a replay (paceline replay) needs. A few hundred messages a record.
struct OrderRecord {
  static constexpr RecordName kName{"order", "applied", "orders", 11};
  std::int64_t shard = 0, place = 0;
  std::string nodes = {};
  bool operator==(const OrderRecord&) const = default;
};

template <class Visit, Of<OrderRecord> R>
void describe(Visit&& visit, R& r) {
  visit(Field{.key = "shard", .help = "Of the model."}, r.shard);
  visit(Field{.key = "place", .help = "Of the first of these in the shard's order, from 0."}, r.place);
  visit(Field{.key = "nodes", .help = "The senders' places in the document, one for each message, with spaces between them; \"-2\": node 2 was lost then; \"-2:17\": after 17 contributions to an aggregation. "
                                      "\"=30\": the next 30 as those of the server's first shard, as are places that a shard lacks."}, r.nodes);
}

// What a server's algorithm answered to questions of one worker: a state server's answers depend on when it was asked.
struct AnswerRecord {
  static constexpr RecordName kName{"answer", "answer", "answers", 11};
  std::string peer = {};
  std::int64_t place = 0;
  std::string answers = {};
  bool operator==(const AnswerRecord&) const = default;
};

template <class Visit, Of<AnswerRecord> R>
void describe(Visit&& visit, R& r) {
  visit(Field{.key = "peer", .help = "The worker's id."}, r.peer);
  visit(Field{.key = "place", .help = "Of the first of these among the worker's answers, from 0."}, r.place);
  visit(Field{.key = "answers", .help = "The numbers of each answer: a list of lists, as JSON."}, r.answers);
}

// What crossed one link of a node since its last record of that link: the same messages counted on each level. Both ends count, so that what was sent is what came.
struct LinkRecord {
  static constexpr RecordName kName{"link", "link", "links", 11};
  std::int64_t round = 0;
  double t = 0;
  std::string peer = {};
  std::int64_t messagesSent = 0, messagesReceived = 0;
  std::int64_t valuesSent = 0, valuesReceived = 0;
  std::int64_t bytesSent = 0, bytesReceived = 0;
  std::int64_t sharedSent = 0;
  std::int64_t framedSent = 0;
  std::optional<double> kernelSent = {}, retransmitted = {};
  bool operator==(const LinkRecord&) const = default;
};

template <class Visit, Of<LinkRecord> R>
void describe(Visit&& visit, R& r) {
  visit(Field{.key = "round", .help = "The node's newest round then; of a server that of the newest message from there."}, r.round);
  visit(Field{.key = "t_s", .help = "Since this node was told to start.", .unit = "s"}, r.t);
  visit(Field{.key = "peer", .help = "The id of the node at the other end."}, r.peer);
  visit(Field{.key = "messages_sent", .help = "Messages to it."}, r.messagesSent);
  visit(Field{.key = "messages_received", .help = "Messages from it."}, r.messagesReceived);
  visit(Field{.key = "values_sent", .help = "Payload: of vectors alone, as the wire format has them.", .unit = "bytes"}, r.valuesSent);
  visit(Field{.key = "values_received", .help = "The same, received.", .unit = "bytes"}, r.valuesReceived);
  visit(Field{.key = "bytes_sent", .help = "Payload, with headers and numbers of the messages.", .unit = "bytes"}, r.bytesSent);
  visit(Field{.key = "bytes_received", .help = "The same, received.", .unit = "bytes"}, r.bytesReceived);
  visit(Field{.key = "shared_sent", .help = "Of the bytes sent those that went by the memory of one host and crossed no connection.", .unit = "bytes"}, r.sharedSent);
  visit(Field{.key = "framed_sent", .help = "What was to cross the connection to it: the rest of the bytes, with the frames of ZeroMQ and what protects them, and its greetings.", .unit = "bytes"}, r.framedSent);
  visit(Field{.key = "kernel_sent", .help = "What the kernel says that the other side's kernel has acknowledged (TCP_INFO).", .unit = "bytes", .zero = "absent: no TCP connection"}, r.kernelSent);
  visit(Field{.key = "retransmitted", .help = "What the kernel sent again.", .unit = "bytes", .zero = "absent: no TCP connection, or the kernel does not say"}, r.retransmitted);
}

using Event = std::variant<RoundRecord, EvaluationRecord, NoticeRecord, HostLoad, EdgeRecord, LabelsRecord, MetricRecord, BusyRecord, ClockRecord, OrderRecord, AnswerRecord, LinkRecord>;

// Calls visit.operator()<Record>() for every type of record.
template <class Visit>
void eachRecordType(Visit&& visit) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (visit.template operator()<std::variant_alternative_t<I, Event>>(), ...);
  }(std::make_index_sequence<std::variant_size_v<Event>>{});
}

std::string toLine(const Event& event);       // without the newline
Event parseEvent(std::string_view line);      // throws Error{kFormat} that quotes the start of the line

// Written by the supervisor around each line; (run, node, seq) is the primary key everywhere, so re-reading is harmless.
struct StampedEvent {
  std::string run, node;
  std::int64_t seq = 0;  // from 1, growing per (run, node)
  Event event;
};

double unixNow();  // seconds since 1970, wall clock: for a date that stands alone, never for decisions; records have dates.h

// An event from JSON that has been parsed already.
Event readEvent(const Json& object);  // throws Error{kFormat}

}  // namespace paceline
