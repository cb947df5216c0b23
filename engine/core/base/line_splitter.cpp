#include "engine/core/base/line_splitter.h"

#include <algorithm>

namespace paceline {

void LineSplitter::feed(std::string_view bytes) {
  if (skipping_) {
    const std::size_t newline = bytes.find('\n');
    if (newline == std::string_view::npos) return;
    bytes.remove_prefix(newline + 1);
    skipping_ = false;
  }
  if (begin_ > 0 && begin_ >= held_.size() / 2) {
    held_.erase(0, begin_);
    scanned_ -= begin_;
    begin_ = 0;
  }
  held_.append(bytes);
}

std::optional<LineSplitter::Line> LineSplitter::next() {
  const std::size_t newline = held_.find('\n', scanned_);
  if (newline != std::string::npos) {
    const std::size_t length = newline - begin_;
    Line line{held_.substr(begin_, std::min(length, limit_)), length > limit_};
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

std::optional<LineSplitter::Line> LineSplitter::rest() {
  if (skipping_ || begin_ == held_.size()) return std::nullopt;
  Line line{held_.substr(begin_), false};
  held_.clear();
  begin_ = scanned_ = 0;
  return line;
}

}  // namespace paceline
