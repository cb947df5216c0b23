// Cuts a byte stream into lines. A line longer than the limit is cut there and its rest skipped. One thread; never fails.
#pragma once

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

}  // namespace paceline
