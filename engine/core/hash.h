// Checksums: SHA-256 (FIPS 180-4) for content, CRC-32 (IEEE 802.3) for spool records.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paceline {

std::string sha256Hex(std::string_view bytes);
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

}  // namespace paceline
