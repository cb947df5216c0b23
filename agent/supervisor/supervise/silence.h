// Whether a node still shows that it lives. Signs are its beats, which a thread of its own says however long its steps are, and its events. Pure:
// seconds of one clock, as the caller reads it. Nodes that have never said a beat (other programs, older ones) are not judged.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

namespace paceline::supervise {

class Silence {
 public:
  enum class Turn { kNone, kSilent, kHeard, kOver };  // kSilent and kHeard alternate; kOver comes once

  explicit Silence(double endSeconds) : end_(endSeconds) {}  // 0: kOver never comes

  void beat() { judged_ = heard_ = true; }
  void event() { heard_ = true; }

  // Call it often, after all that has come was told.
  Turn pass(double now) {
    // Who judges may have been stopped itself, perhaps with the whole host: the time of one pass counts up to this much only.
    quiet_ += std::clamp(now - last_, 0.0, kLongestPass);
    last_ = now;
    if (heard_ || !judged_) return hear();
    if (!silent_ && quiet_ >= silentAfter()) return silent_ = true, Turn::kSilent;
    if (silent_ && !over_ && end_ > 0 && quiet_ >= end_) return over_ = true, Turn::kOver;
    return Turn::kNone;
  }

  // Ten seconds, or an eighth of a shorter end; longer for a node whose signs have come more rarely than that, because its host is busy.
  double silentAfter() const {
    const double least = end_ > 0 ? std::min(kLeast, end_ / 8) : kLeast, own = std::max(least, kGaps * longest_);
    return end_ > 0 ? std::min(own, end_ / 2) : own;
  }
  double endSeconds() const { return end_; }
  double lastGap() const { return gap_; }  // seconds between the two latest signs

  // Between two beats: some forty before the end, at most one a second.
  static double beatSeconds(double endSeconds) { return endSeconds > 0 ? std::clamp(endSeconds / 40, 0.05, 1.0) : 1.0; }

 private:
  static constexpr double kLeast = 10, kGaps = 4, kLongestPass = 2;

  Turn hear() {
    heard_ = false;
    gap_ = quiet_;
    quiet_ = 0;
    if (!std::exchange(known_, judged_)) return Turn::kNone;  // before the first beat it was being started
    longest_ = std::max(longest_, gap_);
    if (!silent_) return Turn::kNone;
    silent_ = false;
    return Turn::kHeard;
  }

  double end_, quiet_ = 0, gap_ = 0, longest_ = 0;
  double last_ = std::numeric_limits<double>::infinity();  // no pass yet
  bool judged_ = false, known_ = false, heard_ = false, silent_ = false, over_ = false;
};

}  // namespace paceline::supervise
