// Bytes as text (RFC 4648, base64 with padding), for channels that carry lines. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace paceline {

inline constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

inline std::string toBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const auto byte = [&](std::size_t i) { return at + i < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) : 0U; };
    const std::uint32_t three = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (std::size_t i = 0; i < 4; ++i) text += at + i > bytes.size() ? '=' : kBase64[three >> (18 - 6 * i) & 63];
  }
  return text;
}

// nullopt: not that form.
inline std::optional<std::string> fromBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  static const std::array<int, 256> values = [] {
    std::array<int, 256> all{};
    all.fill(-1);
    for (std::size_t i = 0; i < kBase64.size(); ++i) all[static_cast<unsigned char>(kBase64[i])] = static_cast<int>(i);
    return all;
  }();
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    const std::string_view four = text.substr(at, 4);
    const std::size_t padding = at + 4 < text.size() ? 0 : four.ends_with("==") ? 2 : four.ends_with('=') ? 1 : 0;
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 4 - padding; ++i) {
      const int value = values[static_cast<unsigned char>(four[i])];
      if (value < 0) return std::nullopt;
      three |= static_cast<std::uint32_t>(value) << (18 - 6 * i);
    }
    for (std::size_t i = 0; i < 3 - padding; ++i) bytes += static_cast<char>(three >> (16 - 8 * i) & 255);
  }
  return bytes;
}

}  // namespace paceline
