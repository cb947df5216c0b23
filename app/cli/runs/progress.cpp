#include "app/cli/runs/progress.h"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "app/cli/console.h"
#include "engine/core/base/error.h"
#include "storage/summary/summary.h"

namespace paceline::cli {
namespace {

constexpr int kBarCells = 24;

double seconds(std::chrono::steady_clock::duration span) { return std::chrono::duration<double>(span).count(); }

std::string bar(double fraction) {
  const int full = static_cast<int>(std::lround(fraction * kBarCells));
  return strCat("[", std::string(static_cast<std::size_t>(full), '#'),
                std::string(static_cast<std::size_t>(kBarCells - full), '.'), "]");
}

}  // namespace

Progress::Progress(const RunSpec& spec) : stop_(spec.stop) {
  const int node = spec.evaluatorNode();
  for (const NodeSpec& each : spec.nodes) roles_[each.id] = roleName(each.role);
  if (node >= 0) evaluator_ = spec.nodes[static_cast<std::size_t>(node)].id;
}

void Progress::advance(double done, double planned) {
  if (planned > 0) fraction_ = std::clamp(done / planned, fraction_, 1.0);
}

void Progress::take(const StampedEvent& event) {
  if (const auto* round = std::get_if<RoundRecord>(&event.event)) {
    samples_ += round->samples;
    if (stop_.samples) advance(static_cast<double>(samples_), static_cast<double>(*stop_.samples));
    if (!evaluator_.empty() && event.node != evaluator_) return;
    round_ = std::max(round_, round->round);
    if (stop_.rounds) advance(static_cast<double>(round_), static_cast<double>(*stop_.rounds));
    if (stop_.seconds) advance(round->t, *stop_.seconds);
  } else if (const auto* evaluation = std::get_if<EvaluationRecord>(&event.event)) {
    const int preference = summary::curvePreference(*evaluation, event.node, roles_[event.node]);  // the run's own curve, as summaries choose it
    if (preference < preferred_) return;
    preferred_ = preference;
    accuracy_ = evaluation->accuracy;
  }
}

std::optional<double> Progress::secondsLeft(double elapsed) const {
  if (fraction_ < 0.01) return std::nullopt;
  return elapsed * (1 - fraction_) / fraction_;
}

std::string Progress::text() const {
  std::string text = round_ > 0 ? strCat("round ", round_) : std::string();
  if (accuracy_) text += strCat(text.empty() ? "" : ", ", "accuracy ", decimals(*accuracy_, 3));
  return text;
}

void ProgressLine::begin(std::size_t index, const std::string& name, const RunSpec& spec) {
  index_ = index;
  name_ = name;
  state_ = "checking";
  progress_.emplace(spec);
  began_ = Clock::now();
  drawn_ = trains_ = began_;
}

std::string ProgressLine::prefix() const { return strCat(runs_ > 1 ? strCat("[", index_ + 1, "/", runs_, "] ") : "", name_); }

// Of this run, from when it began to train; for several runs also of all, taking the runs to come for as long as those that
// ended.
std::string ProgressLine::etaText() const {
  const auto left = progress_->secondsLeft(seconds(Clock::now() - trains_));
  if (!left) return "";
  std::string text = strCat(", about ", durationText(*left), " left");
  if (runs_ < 2) return text;
  const double perRun =
      ended_ > 0 ? seconds(began_ - first_) / static_cast<double>(ended_) : seconds(Clock::now() - began_) + *left;
  return text + strCat(", all runs ", durationText(*left + perRun * static_cast<double>(runs_ - index_ - 1)));
}

void ProgressLine::draw() {
  const std::string what = progress_->text();
  const std::string status = strCat(std::lround(progress_->fraction() * 100), " %", what.empty() ? "" : ", ", what, etaText());
  if (style_ == Style::kTerminal)
    std::cerr << '\r' << prefix() << "  " << bar(progress_->fraction()) << ' ' << (state_ == "running" ? status : state_)
              << "\x1b[K" << std::flush;
  else
    std::cerr << prefix() << ": " << status << std::endl;
  drawn_ = Clock::now();
}

void ProgressLine::take(const StampedEvent& event) {
  progress_->take(event);
  if (style_ == Style::kSilent) return;
  if (seconds(Clock::now() - drawn_) >= (style_ == Style::kTerminal ? 0.1 : 10.0)) draw();
}

void ProgressLine::state(const std::string& text) {
  state_ = text;
  if (text == "running") trains_ = Clock::now();
  if (style_ == Style::kTerminal) draw();
  if (style_ == Style::kPlain) std::cerr << prefix() << ": " << text << std::endl;
}

void ProgressLine::end(const std::string& text) {
  ++ended_;
  if (style_ == Style::kTerminal) std::cerr << '\r' << "\x1b[K";
  if (style_ != Style::kSilent) std::cerr << prefix() << ": " << text << std::endl;
}

}  // namespace paceline::cli
