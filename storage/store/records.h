// Rows of the store as values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/record/event.h"
#include "engine/core/spec/run_spec.h"

namespace paceline::store {

// The life of a run. Written to disk as words; append only.
enum class RunState { kDraft, kChecking, kDeploying, kStarting, kRunning, kStopping, kFinished, kStopped, kFailed, kStale, kImported };

const char* stateName(RunState state);  // "draft", "checking", ...
std::string reasonText(const std::string& reason);  // of a run's end: "stopped on request"; an unknown one as it is
std::optional<RunState> stateFromName(std::string_view name);
inline bool isEnded(RunState s) {
  return s == RunState::kFinished || s == RunState::kStopped || s == RunState::kFailed || s == RunState::kImported;
}

struct RunRow {
  std::string id;
  std::string name;
  RunState state = RunState::kDraft;
  std::string error;
  std::string reason;
  std::string specText;
  std::string algorithm, model, dataset, partition;
  std::uint64_t seed = 0;
  std::string configHash, groupHash;
  std::vector<std::string> tags;
  std::string notes;
  double createdUtc = 0, startedUtc = 0, endedUtc = 0;
  std::string source;
  bool trashed = false;
  std::int64_t ownerPid = 0, ownerStart = 0;
  std::string versions;
};

// What a bundle takes along.
template <class Visit, Of<RunRow> R>
void describeRun(Visit&& visit, R& r) {
  visit(Field{.key = "id", .help = "20 characters that sort by creation time; see newRunId()."}, r.id);
  visit(Field{.key = "name", .help = "Of the run."}, r.name);
  visit(Field{.key = "state", .help = "In its life."}, r.state);
  visit(Field{.key = "error", .help = "One sentence when failed or stale."}, r.error);
  visit(Field{.key = "reason", .help = "Why it ended: \"rounds\", \"accuracy\", \"asked\", ..."}, r.reason);
  visit(Field{.key = "algorithm", .help = "Its id."}, r.algorithm);
  visit(Field{.key = "model", .help = "Its id."}, r.model);
  visit(Field{.key = "dataset", .help = "Its id."}, r.dataset);
  visit(Field{.key = "partition", .help = "Its id."}, r.partition);
  visit(Field{.key = "seed", .help = "64 bits without sign; large ones look negative in SQL."}, r.seed);
  visit(Field{.key = "config_hash", .help = "Of the document."}, r.configHash);
  visit(Field{.key = "group_hash", .help = "Of the document without its seed."}, r.groupHash);
  visit(Field{.key = "tags", .help = "A person's."}, r.tags);
  visit(Field{.key = "notes", .help = "A person's."}, r.notes);
  visit(Field{.key = "created_utc", .unit = "Unix s", .zero = "not yet"}, r.createdUtc);
  visit(Field{.key = "started_utc", .unit = "Unix s", .zero = "not yet"}, r.startedUtc);
  visit(Field{.key = "ended_utc", .unit = "Unix s", .zero = "not yet"}, r.endedUtc);
  visit(Field{.key = "source", .help = "\"simulated\", \"esync tree\", \"esync summary\".", .zero = "an own run"}, r.source);
  visit(Field{.key = "versions", .help = "Paceline, torch, host names: how it was produced.", .unit = "JSON"}, r.versions);
  visit(Field{.key = "spec", .help = "The completed document.", .unit = "JSON", .zero = "an import without one"}, r.specText);
}

// With what is of this store only. While the process that records it lives (same pid, same start time) the state is true, else it is stale
// unless ended.
template <class Visit, Of<RunRow> R>
void describe(Visit&& visit, R& r) {
  describeRun(visit, r);
  visit(Field{.key = "trashed", .help = "In the trash."}, r.trashed);
  visit(Field{.key = "owner_pid", .help = "The process that records it.", .zero = "nobody"}, r.ownerPid);
  visit(Field{.key = "owner_start", .help = "When that process started."}, r.ownerStart);
}

struct NodeRow {
  std::string run, id, role, host, device;
  int rank = -1;
};

template <class Visit, Of<NodeRow> R>
void describe(Visit&& visit, R& r) {
  visit(Field{.key = "id", .help = "As in the document."}, r.id);
  visit(Field{.key = "role", .help = "\"worker\", \"server\", \"evaluator\"."}, r.role);
  visit(Field{.key = "host", .help = "As in the document."}, r.host);
  visit(Field{.key = "device", .help = "As in the document."}, r.device);
  visit(Field{.key = "rank", .help = "Of workers; -1: none."}, r.rank);
}

// What the store's recorder has to do.
struct QueueRow {
  std::int64_t entry = 0, position = 0;
  std::string kind{}, run{}, specText{}, name{}, suite{}, resumedFrom{};
  bool now = false, begun = false, held = false;
  std::string boot{};     // of the system that was up when it was last looked at
  std::string context{};  // JSON: folder, variables and list of hosts of who submitted it
  double submittedUtc = 0;
};

// One run of a suite that was asked for, and the runs that were made for it.
struct SuiteCell {
  std::int64_t place = 0;  // in its suite
  std::string name, kind;  // kind: as in QueueRow
  std::vector<std::string> runs{};  // ids, oldest first; the newest counts, whether it ever began or not
};

// Runs that were submitted together.
struct SuiteRow {
  std::string id, name;
  double createdUtc = 0;
  std::vector<SuiteCell> cells{};
  bool searched = false;  // it has a SearchRow
};

// A suite whose points are chosen one after the other.
struct SearchRow {
  std::string suite;  // its id
  std::string document{}, kind{}, context{};  // kind, context: as in QueueRow, of all its runs
  bool now = false, held = false;
  std::string boot{};
  bool ended = false;
  std::string result{};  // what came out, a sentence
  std::vector<std::string> trials{};  // JSON, in the order in which they were chosen
};

template <class Record>
struct RecordRow {
  std::string node;  // a host's name for what hosts tell
  std::int64_t seq = 0;
  Record record;
  std::int64_t merged = 1;  // records that it stands for, of a lower level of detail
};
using RoundRow = RecordRow<RoundRecord>;
using EvaluationRow = RecordRow<EvaluationRecord>;
using NoticeRow = RecordRow<NoticeRecord>;
using HostLoadRow = RecordRow<HostLoad>;
using EdgeRow = RecordRow<EdgeRecord>;
using LabelsRow = RecordRow<LabelsRecord>;
using MetricRow = RecordRow<MetricRecord>;
using BusyRow = RecordRow<BusyRecord>;
using ClockRow = RecordRow<ClockRecord>;
using LinkRow = RecordRow<LinkRecord>;

std::string newRunId();  // time-ordered, unique on this machine

}  // namespace paceline::store
