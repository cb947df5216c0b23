#include "engine/data/formats/mat_stream.h"

#include <algorithm>

#include "engine/core/base/error.h"

namespace paceline::formats {

MatStream::MatStream(std::ifstream& file, std::string path, std::uint64_t size, bool compressed)
    : file_(file), path_(std::move(path)), left_(size), compressed_(compressed) {
  if (compressed_) PACELINE_CHECK(inflateInit(&stream_) == Z_OK, "inflateInit");
}

MatStream::~MatStream() {
  if (compressed_) inflateEnd(&stream_);
}

std::size_t MatStream::plain(std::uint8_t* to, std::size_t wanted) {
  const std::size_t asked = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, left_));
  file_.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(asked));
  const auto got = static_cast<std::size_t>(file_.gcount());
  if (got < asked) throw Error(Errc::kFormat, strCat(path_, ": is truncated: ", left_ - got, " bytes are missing at the end of an element"));
  left_ -= got;
  return got;
}

std::size_t MatStream::inflated(std::uint8_t* to, std::size_t wanted) {
  stream_.next_out = to;
  stream_.avail_out = static_cast<uInt>(wanted);
  while (stream_.avail_out > 0 && !ended_) {
    if (stream_.avail_in == 0) {
      stream_.next_in = packed_.data();
      stream_.avail_in = static_cast<uInt>(plain(packed_.data(), packed_.size()));
      if (stream_.avail_in == 0) throw Error(Errc::kFormat, strCat(path_, ": a compressed element ends inside its stream"));
    }
    const int code = inflate(&stream_, Z_NO_FLUSH);
    if (code == Z_STREAM_END)
      ended_ = true;
    else if (code != Z_OK)
      throw Error(Errc::kFormat, strCat(path_, ": a compressed element is damaged: ", stream_.msg == nullptr ? zError(code) : stream_.msg));
  }
  return wanted - stream_.avail_out;
}

std::size_t MatStream::read(std::uint8_t* to, std::size_t wanted) { return compressed_ ? inflated(to, wanted) : plain(to, wanted); }

void MatStream::require(std::uint8_t* to, std::size_t wanted, const char* what) {
  std::size_t got = 0;
  constexpr std::size_t kStep = std::size_t{1} << 24;
  while (got < wanted) {
    const std::size_t now = read(to + got, std::min(kStep, wanted - got));
    if (now == 0) throw Error(Errc::kFormat, strCat(path_, ": an array ends inside its ", what, ", ", wanted - got, " bytes early"));
    got += now;
  }
}

void MatStream::skip(std::uint64_t bytes, const char* what) {
  std::array<std::uint8_t, 4096> unused;
  for (; bytes > 0; bytes -= std::min<std::uint64_t>(bytes, unused.size()))
    require(unused.data(), static_cast<std::size_t>(std::min<std::uint64_t>(bytes, unused.size())), what);
}

void MatStream::finish() {
  std::array<std::uint8_t, 9> rest;  // elements are padded to 8 bytes
  if (read(rest.data(), rest.size()) == rest.size()) throw Error(Errc::kFormat, strCat(path_, ": bytes follow the values of an array"));
  if (compressed_ && !ended_) throw Error(Errc::kFormat, strCat(path_, ": a compressed element ends inside its stream"));
}

}  // namespace paceline::formats
