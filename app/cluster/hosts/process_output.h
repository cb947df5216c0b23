// A command's output so far: its stdout line by line, the end of its stderr. Used by one thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/core/base/line_splitter.h"

namespace paceline::hosts {

class ProcessOutput {
 public:
  explicit ProcessOutput(std::string who) : who_(std::move(who)) {}  // "gpu1: nvidia-smi", for messages

  void takeOut(std::string_view bytes) { lines_.feed(bytes); }
  void takeErrors(std::string_view bytes) {
    errors_.append(bytes);
    if (errors_.size() > 2 * kKeptErrors) errors_.erase(0, errors_.size() - kKeptErrors);
  }
  // nullopt: no whole line is there. What stands behind the last newline is a line once the output has `ended`. Throws Error{kHost}.
  std::optional<std::string> line(bool ended) {
    auto found = lines_.next();
    if (!found && ended) found = lines_.rest();
    if (!found) return std::nullopt;
    if (found->cut) throw Error(Errc::kHost, strCat(who_, " wrote a line of more than ", kMaxLine, " bytes"));
    return std::move(found->text);
  }
  bool empty() const { return lines_.empty(); }
  void dropLines() { lines_ = LineSplitter(kMaxLine); }
  const std::string& errors() const { return errors_; }

 private:
  static constexpr std::size_t kMaxLine = std::size_t{64} << 20;
  static constexpr std::size_t kKeptErrors = 8 << 10;
  std::string who_;
  LineSplitter lines_{kMaxLine};
  std::string errors_;
};

}  // namespace paceline::hosts
