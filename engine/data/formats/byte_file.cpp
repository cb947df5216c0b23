#include "engine/data/formats/readers.h"

#include <archive.h>
#include <archive_entry.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
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

// Tar: libarchive reads the format only. The gzip stream below it is zlib's (ByteFile), because libarchive's filter skips its checksum.
namespace {

struct Source {
  explicit Source(const std::string& path) : file(path) {}
  ByteFile file;
  std::array<std::uint8_t, 1 << 16> block{};
  std::exception_ptr failure = nullptr;  // of a read: exceptions do not cross libarchive's C
};

la_ssize_t readBlock(archive* from, void* client, const void** bytes) {
  auto& source = *static_cast<Source*>(client);
  *bytes = source.block.data();
  try {
    return static_cast<la_ssize_t>(source.file.read(source.block.data(), source.block.size()));
  } catch (...) {
    source.failure = std::current_exception();
    archive_set_error(from, EIO, "the file below cannot be read");
    return -1;
  }
}

class TarFile {
 public:
  explicit TarFile(const std::string& path) : path_(path), source_(path), archive_(archive_read_new(), &archive_read_free) {
    PACELINE_CHECK(archive_ != nullptr, "archive_read_new");
    archive_read_support_format_tar(archive_.get());
    check(archive_read_open(archive_.get(), &source_, nullptr, readBlock, nullptr));
  }

  // The next member; false at the end.
  bool next() {
    const int code = archive_read_next_header(archive_.get(), &entry_);
    if (code == ARCHIVE_EOF) return false;
    check(code);
    return true;
  }

  // The last part of its name when it is a regular file, else "".
  std::string name() const {
    const char* path = archive_entry_filetype(entry_) == AE_IFREG ? archive_entry_pathname(entry_) : nullptr;
    const std::string_view text = path == nullptr ? "" : path;
    return std::string(text.substr(text.rfind('/') + 1));  // npos + 1 == 0
  }

  Bytes content(std::uint64_t limit) {
    Bytes bytes = readGrowing(limit + 1, [&](std::uint8_t* to, std::size_t wanted) {
      const la_ssize_t got = archive_read_data(archive_.get(), to, wanted);
      if (got < 0) check(static_cast<int>(got));
      return static_cast<std::size_t>(std::max<la_ssize_t>(got, 0));
    });
    if (bytes.size() > limit) throw Error(Errc::kFormat, strCat(path_, ": ", name(), " in it has more than ", limit, " bytes"));
    return bytes;
  }

  void drain() {  // what follows the last member, for the checksum of the gzip stream
    while (source_.file.read(source_.block.data(), source_.block.size()) > 0) continue;
  }

 private:
  void check(int code) {
    if (source_.failure) std::rethrow_exception(source_.failure);
    if (code == ARCHIVE_OK || code == ARCHIVE_WARN) return;
    const char* why = archive_error_string(archive_.get());
    throw Error(Errc::kFormat, strCat(path_, ": is no whole tar archive: ", why == nullptr ? "it cannot be read" : why));
  }

  std::string path_;
  Source source_;
  std::unique_ptr<archive, int (*)(archive*)> archive_;
  archive_entry* entry_ = nullptr;  // libarchive's, until the next one
};

}  // namespace

std::map<std::string, Bytes> readTar(const std::string& path, const std::vector<std::string>& names, std::uint64_t limit) {
  TarFile tar(path);
  std::map<std::string, Bytes> members;
  while (tar.next()) {
    const std::string name = tar.name();
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    if (members.contains(name)) throw Error(Errc::kFormat, strCat(path, ": has ", name, " twice"));
    members[name] = tar.content(limit);
  }
  tar.drain();
  return members;
}

}  // namespace paceline::formats
