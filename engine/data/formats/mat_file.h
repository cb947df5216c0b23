// Reader of MATLAB level 5 files (v5 to v7, little-endian), compressed or not: arrays of whole numbers. Pure function, any thread.
// Throws Error{kFile} when the file cannot be read and Error{kFormat} when its bytes are off; each message names file and value.
// Format: "MAT-File Format", The MathWorks.
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <zlib.h>

namespace paceline::formats {

struct MatArray {
  std::vector<std::uint32_t> dimensions;  // the first varies fastest
  std::vector<std::uint8_t> bytes;        // their product; each value was a whole number in 0 .. 255
};

// The arrays of these names. Memory grows with what the file has, not with what it promises.
std::map<std::string, MatArray> readMat(const std::string& path, const std::vector<std::string>& names);

// The bytes of one element of a MATLAB file, plain or inflated. One thread.
// Throws Error{kFile, kFormat} naming the file.
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
