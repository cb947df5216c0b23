#include "engine/data/formats/readers.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "engine/core/base/error.h"

namespace paceline::formats {

bool isFile(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

ByteFile::ByteFile(const std::string& path) : path_(path) {
  errno = 0;
  file_ = gzopen(path.c_str(), "rb");
  if (file_ == nullptr) throw Error(Errc::kFile, strCat(path, ": cannot be opened: ", std::strerror(errno == 0 ? ENOMEM : errno)));
  gzbuffer(file_, 1 << 18);
}

std::size_t ByteFile::read(std::uint8_t* to, std::size_t wanted) {
  std::size_t got = 0;
  while (got < wanted) {
    const int n = gzread(file_, to + got, static_cast<unsigned>(std::min(wanted - got, std::size_t{1} << 20)));
    if (n <= 0) break;
    got += static_cast<std::size_t>(n);
    total_ += static_cast<std::uint64_t>(n);
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

Bytes readBytes(const std::string& path, std::uint64_t limit) {
  ByteFile file(path);
  Bytes bytes = readGrowing(limit + 1, [&](std::uint8_t* to, std::size_t wanted) { return file.read(to, wanted); });
  if (bytes.size() > limit) throw Error(Errc::kFormat, strCat(path, ": has more than ", limit, " bytes"));
  return bytes;
}

}  // namespace paceline::formats
