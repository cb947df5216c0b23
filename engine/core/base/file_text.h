// A whole file's bytes. Any thread.
#pragma once

#include <cerrno>
#include <cstdio>
#include <optional>
#include <string>

namespace paceline {

// nullopt: it cannot be read to its end; errno says why.
inline std::optional<std::string> fileText(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) return std::nullopt;
  std::string text;
  char chunk[1 << 16];
  while (const std::size_t got = std::fread(chunk, 1, sizeof chunk, file)) text.append(chunk, got);
  const int problem = std::ferror(file) != 0 ? errno : 0;
  std::fclose(file);
  if (problem == 0) return text;
  errno = problem;
  return std::nullopt;
}

}  // namespace paceline
