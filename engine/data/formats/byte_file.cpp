#include "engine/data/formats/byte_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "engine/core/base/error.h"

namespace paceline::formats {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

}  // namespace

ByteFile::ByteFile(const std::string& path) : path_(path) {
  errno = 0;
  file_ = gzopen(path.c_str(), "rb");
  if (file_ == nullptr) throw Error(Errc::kFile, strCat(path, ": cannot be opened: ", std::strerror(errno == 0 ? ENOMEM : errno)));
  gzbuffer(file_, 1 << 18);
}

std::size_t ByteFile::read(std::uint8_t* to, std::size_t wanted) {
  std::size_t got = 0;
  while (got < wanted) {
    const int n = gzread(file_, to + got, static_cast<unsigned>(std::min(wanted - got, kChunk)));
    if (n > 0) got += static_cast<std::size_t>(n);
    total_ += n > 0 ? static_cast<std::uint64_t>(n) : 0;
    if (n <= 0) break;
  }
  if (got < wanted) checkStream();
  return got;
}

void ByteFile::checkStream() const {
  int code = Z_OK;
  const char* text = gzerror(file_, &code);
  if (code == Z_OK || code == Z_STREAM_END) return;
  if (code == Z_BUF_ERROR)
    throw Error(Errc::kFormat, strCat(path_, ": the gzip stream is truncated: it ends after ", total_, " bytes of content"));
  if (code == Z_ERRNO) throw Error(Errc::kFile, strCat(path_, ": cannot be read: ", std::strerror(errno)));
  const std::string_view reason = text;  // zlib writes "path: reason"
  const std::size_t colon = reason.rfind(": ");
  throw Error(Errc::kFormat, strCat(path_, ": the gzip stream is damaged: ", colon == std::string_view::npos ? reason : reason.substr(colon + 2)));
}

std::vector<std::uint8_t> readBytes(const std::string& path, std::uint64_t limit) {
  ByteFile file(path);
  std::vector<std::uint8_t> bytes;
  for (;;) {
    const std::size_t before = bytes.size(), wanted = std::max(kChunk, before);
    bytes.resize(before + wanted);
    const std::size_t got = file.read(bytes.data() + before, wanted);
    bytes.resize(before + got);
    if (bytes.size() > limit) throw Error(Errc::kFormat, strCat(path, ": has more than ", limit, " bytes"));
    if (got < wanted) return bytes;
  }
}

}  // namespace paceline::formats
