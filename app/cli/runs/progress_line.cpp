#include "app/cli/runs/progress_line.h"

#include <unistd.h>

#include <cmath>
#include <iostream>

#include "app/cli/console.h"
#include "engine/core/base/error.h"
#include "engine/core/base/clock.h"

namespace paceline::cli {
namespace {

constexpr int kBarCells = 24;
constexpr double kPlainSeconds = 10, kTerminalSeconds = 0.1;

std::string bar(double fraction) {
  const int full = static_cast<int>(std::lround(fraction * kBarCells));
  return strCat("[", std::string(static_cast<std::size_t>(full), '#'), std::string(static_cast<std::size_t>(kBarCells - full), '.'), "]");
}

}  // namespace

std::string progressText(const recorder::Progress& progress) {
  std::string text = strCat(std::lround(progress.fraction * 100), " %");
  if (progress.round > 0) text += strCat(", round ", progress.round);
  if (progress.accuracy) text += strCat(", accuracy ", decimals(*progress.accuracy, 3));
  if (!progress.leftLowSeconds || !progress.leftHighSeconds) return text;
  const std::string low = durationText(*progress.leftLowSeconds), high = durationText(*progress.leftHighSeconds);
  return strCat(text, ", ", low == high ? strCat("about ", low) : strCat(low, " to ", high), " left");
}

ProgressLine::Style ProgressLine::styleFor(bool json) {
  if (isTerminal(STDERR_FILENO)) return Style::kTerminal;
  return json ? Style::kSilent : Style::kPlain;
}

std::string ProgressLine::prefix(std::size_t index, const std::string& name) const {
  return strCat(runs_ > 1 ? strCat("[", index + 1, "/", runs_, "] ") : "", name);
}

// The runs to come are taken for as long as those that ended.
std::string ProgressLine::allText(std::size_t index, const recorder::Progress& progress) const {
  if (runs_ < 2 || !progress.leftHighSeconds) return "";
  const double left = *progress.leftHighSeconds;
  const double perRun = ended_ > 0 ? (began_ - first_) / static_cast<double>(ended_) : steadySeconds() - began_ + left;
  return strCat(", all runs ", durationText(left + perRun * static_cast<double>(runs_ - index - 1)));
}

void ProgressLine::show(std::size_t index, const recorder::Entry& entry) {
  if (style_ == Style::kSilent) return;
  const bool running = entry.state == store::RunState::kRunning && entry.text.empty();
  const std::string state = entry.text.empty() ? store::stateName(entry.state) : entry.text, told = strCat(index, " ", state);
  const bool news = told != said_;
  if (first_ == 0) first_ = began_ = steadySeconds();
  if (!news && (!running || steadySeconds() - drawn_ < (style_ == Style::kTerminal ? kTerminalSeconds : kPlainSeconds))) return;
  said_ = told;
  drawn_ = steadySeconds();
  const std::string status = progressText(entry.progress) + allText(index, entry.progress);
  if (style_ == Style::kTerminal)
    std::cerr << '\r' << prefix(index, entry.name) << "  " << bar(entry.progress.fraction) << ' ' << (running ? status : state) << "\x1b[K" << std::flush;
  else
    std::cerr << prefix(index, entry.name) << ": " << (news ? state : status) << std::endl;
}

void ProgressLine::end(std::size_t index, const std::string& name, const std::string& text) {
  ++ended_;
  began_ = steadySeconds();
  if (style_ == Style::kTerminal) std::cerr << '\r' << "\x1b[K";
  if (style_ != Style::kSilent) std::cerr << prefix(index, name) << ": " << text << std::endl;
}

}  // namespace paceline::cli
