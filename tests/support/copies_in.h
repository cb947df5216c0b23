// How often a text stands in the memory of another process, wherever it may write. Header-only; Linux.
#pragma once

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "engine/core/base/error.h"
#include "engine/core/base/fd.h"

namespace paceline::tests {

inline int copiesIn(pid_t process, const std::string& text) {
  const std::string folder = strCat("/proc/", process);
  std::ifstream maps(folder + "/maps");
  const Fd memory(::open((folder + "/mem").c_str(), O_RDONLY | O_CLOEXEC));
  int copies = 0;
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    char may[5] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, may) != 3 || may[0] != 'r' || may[1] != 'w') continue;
    std::string bytes(end - begin, '\0');
    const ssize_t got = ::pread(memory.get(), bytes.data(), bytes.size(), static_cast<off_t>(begin));
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    for (std::size_t at = bytes.find(text); at != std::string::npos; at = bytes.find(text, at + text.size())) ++copies;
  }
  return copies;
}

}  // namespace paceline::tests
