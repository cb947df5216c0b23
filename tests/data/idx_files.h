// IDX files for the tests, in a folder of their own that goes away with the object.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/own_folder.h"

namespace paceline::tests {

class TempFolder {
 public:
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = tests::ownFolder();
};

using Bytes = std::vector<std::uint8_t>;

inline Bytes idxBytes(const std::vector<std::uint32_t>& dimensions, const Bytes& content) {
  Bytes bytes{0, 0, 8, static_cast<std::uint8_t>(dimensions.size())};
  for (const std::uint32_t d : dimensions)
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(d >> shift));
  bytes.insert(bytes.end(), content.begin(), content.end());
  return bytes;
}

inline void writePlain(const std::string& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

inline void writeGzip(const std::string& path, const Bytes& bytes) {
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
}

inline Bytes readAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

// Pseudo-random bytes: they compress badly, so that a cut file is really cut.
inline Bytes somePixels(std::uint32_t count, std::uint32_t side = 28) {
  Bytes pixels(std::size_t{count} * side * side);
  std::uint32_t state = 1;
  for (std::uint8_t& pixel : pixels) pixel = static_cast<std::uint8_t>((state = state * 1664525U + 1013904223U) >> 24);
  return pixels;
}

}  // namespace paceline::tests
