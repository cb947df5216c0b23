// How far a run is, from its events; and how that is shown. Main thread.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "engine/core/record/event.h"
#include "engine/core/spec/run_spec.h"

namespace paceline::cli {

class Progress {
 public:
  explicit Progress(const RunSpec& spec);
  void take(const StampedEvent& event);

  double fraction() const { return fraction_; }  // never goes back; 0 while nothing but an accuracy rule could end the run
  std::optional<double> secondsLeft(double elapsed) const;  // nullopt: cannot be told (yet)
  std::string text() const;                                 // "round 120, accuracy 0.812"
  std::optional<double> accuracy() const { return accuracy_; }

 private:
  void advance(double done, double planned);

  StopRules stop_;
  std::string evaluator_;  // node id; "" = any
  double fraction_ = 0;
  std::int64_t round_ = 0, samples_ = 0;
  std::optional<double> accuracy_;
  std::map<std::string, std::string> roles_;  // by node id
  int preferred_ = -1;                        // of the evaluation that is shown
};

// Where a command is in its list of runs: one line that rewrites itself on a terminal, a plain line every ten seconds elsewhere.
class ProgressLine {
 public:
  enum class Style { kSilent, kPlain, kTerminal };

  ProgressLine(Style style, std::size_t runs) : style_(style), runs_(runs) {}
  void begin(std::size_t index, const std::string& name, const RunSpec& spec);
  void take(const StampedEvent& event);
  void state(const std::string& text);  // "running"
  void end(const std::string& text);    // the run's last line: "finished after 1:20"

 private:
  using Clock = std::chrono::steady_clock;
  std::string prefix() const;
  std::string etaText() const;
  void draw();

  Style style_;
  std::size_t runs_, index_ = 0, ended_ = 0;
  std::string name_, state_;
  std::optional<Progress> progress_;
  Clock::time_point began_, trains_, drawn_, first_ = Clock::now();
};

}  // namespace paceline::cli
