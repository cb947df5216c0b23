// A whole file's bytes, up to a bound: a device or a stray large file ends the reading, not the memory. Any thread.
#pragma once

#include <cerrno>
#include <cstdio>
#include <optional>
#include <string>

#include "engine/core/base/held_files.h"
#include "engine/core/base/text.h"

namespace paceline {

// What is left of a stream. nullopt: it cannot be read to its end; errno says why (EFBIG: it is longer than the bound).
inline std::optional<std::string> restOf(std::FILE* file, std::size_t maxBytes = kMaxTextBytes) {
  std::string text;
  char chunk[1 << 16];
  while (text.size() <= maxBytes) {
    const std::size_t got = std::fread(chunk, 1, sizeof chunk, file);
    if (got == 0) break;
    text.append(chunk, got);
  }
  if (std::ferror(file) != 0) return std::nullopt;
  if (text.size() <= maxBytes) return text;
  errno = EFBIG;
  return std::nullopt;
}

// nullopt: as above; EBUSY: a database that this process has open (held_files.h).
inline std::optional<std::string> fileText(const std::string& path, std::size_t maxBytes = kMaxTextBytes) {
  if (isHeld(path)) {
    errno = EBUSY;
    return std::nullopt;
  }
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) return std::nullopt;
  auto text = restOf(file, maxBytes);
  const int problem = errno;
  std::fclose(file);
  errno = problem;
  return text;
}

}  // namespace paceline
