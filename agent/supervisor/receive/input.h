// The desktop's upload on stdin: lines of JSON, and between them the frames of files. One thread. Throws Error{kFormat} for what is too
// long or cut, Error{kHost} when nothing comes for too long.
#pragma once

#include <optional>
#include <string>

namespace paceline::receive {

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
