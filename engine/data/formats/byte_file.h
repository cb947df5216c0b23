// A file's bytes from front to back; gzip is unpacked, told apart by content, and its checksum verified. One thread.
// Throws Error{kFile} when it cannot be read and Error{kFormat} when the gzip stream is off; each message names the file.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

namespace paceline::formats {

class ByteFile {
 public:
  explicit ByteFile(const std::string& path);
  ~ByteFile() { gzclose_r(file_); }
  ByteFile(const ByteFile&) = delete;
  ByteFile& operator=(const ByteFile&) = delete;

  std::size_t read(std::uint8_t* to, std::size_t wanted);  // as many as there are, at most `wanted`; fewer only at the end

 private:
  void checkStream() const;

  std::string path_;
  gzFile file_ = nullptr;
  std::uint64_t total_ = 0;
};

// All of a file. Memory grows with what is really there. Throws Error{kFormat} when that is more than `limit` bytes.
std::vector<std::uint8_t> readBytes(const std::string& path, std::uint64_t limit);

}  // namespace paceline::formats
