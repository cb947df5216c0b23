// Checksums: SHA-256 (FIPS 180-4) for content, CRC-32 (IEEE 802.3) for spool records.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace paceline {

// SHA-256 of bytes that come in pieces. hex() ends it.
class Sha256 {
 public:
  void add(std::string_view bytes);
  std::string hex();

 private:
  std::array<std::uint32_t, 8> digest_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<char, 64> block_{};  // what is not hashed yet: the first total_ % 64
  std::uint64_t total_ = 0;
};

std::string sha256Hex(std::string_view bytes);
std::string sha256OfFile(const std::string& path);  // throws Error{kFile}: path and reason
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

}  // namespace paceline
