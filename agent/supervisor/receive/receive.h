// `paceline-agent receive`: puts what the desktop sends in its place. Requests and answers are lines of JSON on stdin and stdout (agent/README.md).
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

namespace paceline::receive {

// To the end of the input. An error is told to the desktop as a line and ends it with exit code 1. Never throws for bad input.
int receive(int input, std::ostream& answers);

// The desktop's upload on stdin: lines of JSON, and between them the frames of files. One thread. Throws Error{kFormat} for what is too
// long or cut, Error{kHost} when nothing comes for too long.
class ReceiveInput {
 public:
  explicit ReceiveInput(int fd) : fd_(fd) {}
  std::optional<std::string> line(double silenceSeconds);    // nullopt: the end
  std::string bytes(std::size_t count, double silenceSeconds);
  // One frame: raw size and packed size (32 bits each, little-endian), then that many bytes of zstd. Its raw bytes, at most `limit` of them.
  std::string frame(std::int64_t limit, double silenceSeconds);

 private:
  bool fill(double silenceSeconds);  // false: the end
  int fd_;
  std::string buffer_;
};

}  // namespace paceline::receive
