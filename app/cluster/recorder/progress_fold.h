// How far a run is and how long it will still take, from its events. The only place where that is computed. One thread.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "app/cluster/recorder/client.h"
#include "engine/core/record/event.h"
#include "engine/core/spec/run_spec.h"

namespace paceline::recorder {

class ProgressFold {
 public:
  // Simulated: the time left is that of this computer, not the simulated one. `clock`: seconds of this computer.
  explicit ProgressFold(const RunSpec& spec, bool simulated = false, double (*clock)() = nullptr);

  void take(const std::string& node, const Event& event);
  const Progress& progress() const { return progress_; }

 private:
  struct Rule {  // one way in which the run may end
    double limit = 0, done = 0;
    std::deque<std::pair<double, double>> recent{};  // time, done
  };
  void takeRound(const std::string& node, const RoundRecord& round);
  void advance(std::optional<Rule>& rule, double time, double done);
  void estimate();

  std::optional<Rule> rounds_, seconds_, samples_;
  std::string evaluator_;                     // node id; "": any
  std::map<std::string, std::string> roles_;  // by node id
  bool simulated_;
  double (*clock_)();
  double began_ = 0;          // by clock_
  std::int64_t trained_ = 0;  // samples of all workers
  int preferred_ = -1;        // of the evaluation that is shown
  Progress progress_;
};

}  // namespace paceline::recorder
