// What a run recorded of what was a matter of time, so that virtual time can repeat it: the order in which servers applied messages, their answers to questions, the
// workers' warm-up steps, whom they lost and took in again, and how many rounds the coordinator closed. Read from records (OrderRecord, AnswerRecord, MetricRecord); pure. Never changes while a run repeats it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/core/base/vec.h"
#include "engine/core/record/event.h"
#include "engine/core/spec/run_spec.h"

namespace paceline {

inline constexpr const char* kWarmUpMetric = "warm_up_s";      // of round 0, by each worker that takes a warm-up step
// By each worker, its epoch from which on it trains on its part of the data of this lost worker, too, or not any more: "takes_data_of.w1".
inline constexpr std::string_view kTakesData = "takes_data_of.", kLeavesData = "leaves_data_of.";
inline constexpr std::string_view kTakesIn = "takes_in.";  // by the coordinator, of the round behind which this lost worker takes part again: the number of its process

// One step of a shard: a message of this node is applied; or the node is lost, once so many contributions of its to an aggregation have come; or another process of it takes part
// again, and the server had answered so many questions of those before.
struct AppliedStep {
  int node = 0;
  bool lost = false, joined = false;
  std::int64_t count = 0;
  bool operator==(const AppliedStep&) const = default;
};

// Of one server.
struct ServerReplay {
  using Steps = std::vector<AppliedStep>;
  using Answers = std::vector<std::vector<double>>;  // of one worker, in the order of its questions
  std::size_t losing(int node, std::size_t before) const;  // shards that lost this node more often than this
  std::size_t timesLost(int node) const;
  std::optional<std::size_t> answersBefore(int node, std::size_t process) const;  // answers to its processes before this one; none: no such one joined
  const Steps& of(std::int32_t shard) const;          // a shard without an order of its own has that of the first
  std::map<std::int32_t, Steps> shards;
  std::map<int, Answers> answers;  // by node
};

struct Replay {
  std::map<int, ServerReplay> servers;  // by node
  std::map<int, double> warmUps;        // seconds, by node
  std::set<int> lost;                   // nodes that some server lost, and nobody took in again
  using Divisions = std::map<std::uint64_t, std::vector<int>>;  // from these epochs on: ranks of lost workers, ascending
  std::map<int, Divisions> divided;     // by node
  std::int64_t rounds = 0;              // of the coordinator
  std::optional<double> warmUpOf(int node) const;  // none: it took no warm-up step
  struct Return {  // of a lost worker, as another process
    std::int64_t begins = 0;   // behind this round
    std::int64_t samples = 0;  // that count as its own by then
    Divisions divided = {};
  };
  std::map<int, std::vector<Return>> returns;        // by node; one that was lost before it had begun as well
  std::map<std::int64_t, std::vector<int>> takenIn;  // by the coordinator's round: nodes
  Divisions dividedBy(int node, std::size_t process = 0) const;  // process: how many it had before
  bool loses(int node, std::size_t process = 0) const;           // somebody lost this process
};

std::string checksumOf(std::span<const Real> parameters);  // SHA-256 of their bytes

// Throws Error{kFormat} naming the node of a record that does not fit.
class ReplayReader {
 public:
  explicit ReplayReader(const RunSpec& spec) : spec_(spec) {}
  void take(const std::string& node, const Event& event);  // of one run, each node's in its order; others than the four are of no interest
  Replay finished();

 private:
  int indexOf(const std::string& node) const;
  void takeOrder(int server, const OrderRecord& record);
  void takeAnswers(int server, const AnswerRecord& record);
  void takeMetric(int node, const MetricRecord& record);

  const RunSpec& spec_;
  Replay replay_;
  struct Begun {
    std::int64_t process = 0;
    Replay::Return as;
  };
  std::map<int, std::vector<Begun>> begun_;  // by node
  std::map<std::int64_t, std::vector<std::pair<int, std::int64_t>>> takenIn_;  // by the coordinator's round: nodes, and the numbers of their processes
  std::map<int, std::map<std::int32_t, std::map<std::int64_t, std::string>>> blocks_;  // by server, shard and place
};

// "0 1 1 -2:17 =30": what OrderRecord::nodes says; the last word: as `first`, the first shard's steps at these places, at the next 30.
std::string textOf(const ServerReplay::Steps& steps, const ServerReplay::Steps& first = {});
ServerReplay::Steps stepsOf(const std::string& text, const ServerReplay::Steps& first = {});  // throws Error{kFormat}

}  // namespace paceline
