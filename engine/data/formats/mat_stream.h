// The bytes of one element of a MATLAB file, plain or inflated. One thread.
// Throws Error{kFile, kFormat} naming the file.
#pragma once

#include <zlib.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <string>

namespace paceline::formats {

class MatStream {
 public:
  // `size` bytes of `file` from where it stands. It is the caller's, and stands behind what was read.
  MatStream(std::ifstream& file, std::string path, std::uint64_t size, bool compressed);
  ~MatStream();
  MatStream(const MatStream&) = delete;
  MatStream& operator=(const MatStream&) = delete;

  std::size_t read(std::uint8_t* to, std::size_t wanted);  // fewer than wanted only at the end of the element
  void require(std::uint8_t* to, std::size_t wanted, const char* what);  // exactly as many
  void skip(std::uint64_t bytes, const char* what);
  void finish();  // what is left: padding at most; compressed: its checksum is verified

 private:
  std::size_t plain(std::uint8_t* to, std::size_t wanted);
  std::size_t inflated(std::uint8_t* to, std::size_t wanted);

  std::ifstream& file_;
  std::string path_;
  std::uint64_t left_;  // in the file
  bool compressed_, ended_ = false;
  z_stream stream_{};
  std::array<std::uint8_t, 1 << 16> packed_{};
};

}  // namespace paceline::formats
