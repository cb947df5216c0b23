// Rows of the store as values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/record/event.h"
#include "engine/core/spec/run_spec.h"
#include "storage/store/run_state.h"

namespace paceline::store {

struct RunRow {
  std::string id;  // 20 characters, sorts by creation time; see newRunId()
  std::string name;
  RunState state = RunState::kDraft;
  std::string error;      // one sentence when failed or stale
  std::string reason;     // why it ended: "rounds", "accuracy", "asked", ...
  std::string specText;   // completed RunSpec document; "" for imports without one
  std::string algorithm, model, dataset, partition;
  std::uint64_t seed = 0;
  std::string configHash, groupHash;
  std::vector<std::string> tags;
  std::string notes;
  double createdUtc = 0, startedUtc = 0, endedUtc = 0;  // Unix seconds; 0: not yet
  std::string source;     // "" own run, "simulated", "esync tree", "esync summary"
  bool trashed = false;
  // Who records it: while that process lives (same pid, same start time) the state is true, else it is stale unless ended.
  std::int64_t ownerPid = 0, ownerStart = 0;
  std::string versions;   // JSON: paceline, torch, sqlite, host names; how it was produced
};

struct NodeRow {
  std::string run, id, role, host, device;
  int rank = -1;  // of workers
};

struct RoundRow {
  std::string node;
  std::int64_t seq = 0;
  RoundRecord record;
};
struct EvaluationRow {
  std::string node;
  std::int64_t seq = 0;
  EvaluationRecord record;
};
struct NoticeRow {
  std::string node;
  std::int64_t seq = 0;
  NoticeRecord record;
};
struct HostLoadRow {
  std::string node;  // the host's name
  std::int64_t seq = 0;
  HostLoad record;
};
struct EdgeRow {
  std::string node;
  std::int64_t seq = 0;
  EdgeRecord record;
};
struct LabelsRow {
  std::string node;
  std::int64_t seq = 0;
  LabelsRecord record;
};

std::string newRunId();  // time-ordered, unique on this machine

}  // namespace paceline::store
