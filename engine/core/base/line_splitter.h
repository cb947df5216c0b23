// Cuts a byte stream into lines. A line longer than the limit is cut there and its rest skipped. What it has given out it overwrites: keys are among what comes in lines.
// One thread; never fails.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace paceline {

class LineSplitter {
 public:
  struct Line {
    std::string text;  // without the newline
    bool cut = false;  // it was longer than the limit
  };
  explicit LineSplitter(std::size_t limit) : limit_(limit) {}

  void feed(std::string_view bytes);
  std::optional<Line> next();
  bool empty() const { return begin_ == held_.size(); }
  std::optional<Line> rest();  // at the end of the stream: what stood after the last newline

 private:
  std::size_t limit_;
  std::string held_;         // bytes not yet given out
  std::size_t begin_ = 0;    // of the next line in held_
  std::size_t scanned_ = 0;  // no newline in held_ before this
  bool skipping_ = false;    // inside the rest of a line that was cut
};

inline void LineSplitter::feed(std::string_view bytes) {
  if (skipping_) {
    const std::size_t newline = bytes.find('\n');
    if (newline == std::string_view::npos) return;
    bytes.remove_prefix(newline + 1);
    skipping_ = false;
  }
  if (begin_ > 0 && begin_ >= held_.size() / 2) {
    const std::size_t before = held_.size();
    held_.erase(0, begin_);
    held_.resize(before), held_.resize(before - begin_);  // zeros where the rest was
    scanned_ -= begin_;
    begin_ = 0;
  }
  held_.append(bytes);
}

inline std::optional<LineSplitter::Line> LineSplitter::next() {
  const std::size_t newline = held_.find('\n', scanned_);
  if (newline != std::string::npos) {
    const std::size_t length = newline - begin_;
    Line line{held_.substr(begin_, std::min(length, limit_)), length > limit_};
    std::fill_n(held_.begin() + static_cast<std::ptrdiff_t>(begin_), length, '\0');
    begin_ = scanned_ = newline + 1;
    return line;
  }
  scanned_ = held_.size();
  if (held_.size() - begin_ <= limit_) return std::nullopt;
  Line line{held_.substr(begin_, limit_), true};
  held_.clear();
  begin_ = scanned_ = 0;
  skipping_ = true;
  return line;
}

inline std::optional<LineSplitter::Line> LineSplitter::rest() {
  if (skipping_ || begin_ == held_.size()) return std::nullopt;
  Line line{held_.substr(begin_), false};
  held_.clear();
  begin_ = scanned_ = 0;
  return line;
}

}  // namespace paceline
