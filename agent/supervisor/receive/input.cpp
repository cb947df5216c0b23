#include "agent/supervisor/receive/input.h"

#include <poll.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "engine/core/base/error.h"
#include "engine/core/record/manifest.h"

namespace paceline::receive {
namespace {

constexpr std::size_t kMaxLine = 16 << 20;  // a manifest of 20 000 files has 3 MB

std::uint32_t littleEndian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  return value;
}

}  // namespace

bool ReceiveInput::fill(double silenceSeconds) {
  pollfd polled{fd_, POLLIN, 0};
  const int ready = ::poll(&polled, 1, static_cast<int>(silenceSeconds * 1000));
  if (ready < 0 && errno == EINTR) return true;
  if (ready == 0) throw Error(Errc::kHost, strCat("nothing has come for ", silenceSeconds, " s"));
  char chunk[128 << 10];
  const ssize_t got = ::read(fd_, chunk, sizeof chunk);
  if (got < 0 && errno != EINTR) throw Error(Errc::kHost, strCat("cannot read what is sent: ", std::strerror(errno)));
  if (got > 0) buffer_.append(chunk, static_cast<std::size_t>(got));
  return got != 0;
}

std::optional<std::string> ReceiveInput::line(double silenceSeconds) {
  for (;;) {
    if (const std::size_t newline = buffer_.find('\n'); newline != std::string::npos) {
      std::string found = buffer_.substr(0, newline);
      buffer_.erase(0, newline + 1);
      return found;
    }
    if (buffer_.size() > kMaxLine) throw Error(Errc::kFormat, strCat("a line of more than ", kMaxLine, " bytes was sent"));
    if (fill(silenceSeconds)) continue;
    if (buffer_.empty()) return std::nullopt;
    throw Error(Errc::kFormat, "what was sent ends within a line");
  }
}

std::string ReceiveInput::bytes(std::size_t count, double silenceSeconds) {
  while (buffer_.size() < count)
    if (!fill(silenceSeconds)) throw Error(Errc::kHost, "the connection ended within a file");
  std::string taken = buffer_.substr(0, count);
  buffer_.erase(0, count);
  return taken;
}

std::string ReceiveInput::frame(std::int64_t limit, double silenceSeconds) {
  const std::string sizes = bytes(8, silenceSeconds);
  const std::size_t raw = littleEndian(sizes), packed = littleEndian(std::string_view(sizes).substr(4));
  if (raw == 0 || raw > static_cast<std::size_t>(kMaxFrameBytes) || packed > ZSTD_compressBound(static_cast<std::size_t>(kMaxFrameBytes)))
    throw Error(Errc::kFormat, strCat("a frame of ", raw, " bytes, ", packed, " packed, is refused; at most ", kMaxFrameBytes, " are allowed"));
  if (static_cast<std::int64_t>(raw) > limit) throw Error(Errc::kFormat, strCat("a frame of ", raw, " bytes is refused; ", limit, " of its file are left"));
  const std::string sent = bytes(packed, silenceSeconds);
  std::string content(raw, '\0');
  const std::size_t got = ZSTD_decompress(content.data(), content.size(), sent.data(), sent.size());
  if (ZSTD_isError(got) != 0 || got != raw) throw Error(Errc::kFormat, "a frame cannot be unpacked");
  return content;
}

}  // namespace paceline::receive
