// What a search measures of a run, from its events. One thread.
#pragma once

#include <cmath>
#include <functional>
#include <map>

#include "app/search/plan.h"
#include "engine/core/record/event.h"
#include "engine/core/spec/run_spec.h"
#include "storage/store/store.h"

namespace paceline::recorder {

// Which evaluations are the run's own curve, as they come: as summaries choose it; among workers that evaluate themselves the coordinator's.
class OwnCurve {
 public:
  explicit OwnCurve(const RunSpec& spec);

  bool takes(const std::string& node, const EvaluationRecord& evaluation, bool* instead = nullptr);  // instead: of all that came before
  bool isCoordinator(const std::string& node) const { return evaluator_.empty() || node == evaluator_; }

 private:
  std::string evaluator_;                     // node id; "": any
  std::map<std::string, std::string> roles_;  // by node id
  int preferred_ = -1;
};

class SearchWatch {
 public:
  // onRung: the run came to a rung, told once for each, in their order; may be empty. A rung of rounds is reached by the first evaluation at it or behind it (throughput: by
  // the coordinator's round), one of seconds by the first record from then on, and what was evaluated until then counts. The run's own end is no rung.
  SearchWatch(const RunSpec& spec, const SearchSpec& search, std::function<void(std::size_t rung, const search::Measure&)> onRung = {});

  void take(const std::string& node, const Event& event);
  search::Measure measure() const;  // by now; as summaries have it

 private:
  void takeRound(const std::string& node, const RoundRecord& round);
  void takeEvaluation(const EvaluationRecord& evaluation);
  void reach(RungUnit unit, double done);

  const std::optional<SearchHalving> halving_;
  const bool byRate_;
  const double end_;  // rounds or seconds, as the rungs; infinity: the document does not say
  const std::optional<double> target_;
  const std::function<void(std::size_t, const search::Measure&)> onRung_;
  OwnCurve own_;
  search::Measure measure_;
  std::size_t rungs_ = 0;  // that were told
  double began_ = HUGE_VAL, ended_ = 0;
  std::int64_t samples_ = 0;
};

// Of a run that has ended, from its rows.
search::Measure measureOf(const store::StoreReader& store, const store::RunRow& run, const SearchSpec& search);

// Every round and evaluation that the store has of a run, by their times, then its notices.
void replay(const store::StoreReader& store, const std::string& run, const std::function<void(const std::string& node, const Event&)>& take);

}  // namespace paceline::recorder
