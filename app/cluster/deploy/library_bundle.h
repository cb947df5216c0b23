// The libraries that our programs need besides the C library, for hosts that have no LibTorch. Lean: a library of which no symbol is used is
// replaced by an empty one of the same name, and what only such libraries need is left out. Any thread; made once, then kept.
// Throws Error{kHost, kFile, kFormat}.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cluster/deploy/files.h"
#include "app/cluster/deploy/elf.h"

namespace paceline::deploy {

std::shared_ptr<const FileSet> libraryBundle();  // of paceline-worker and paceline-server as localProgram finds them
ElfNeeds bundleNeeds();                          // of a host's C library, when it gets programs and bundle

// Parts, for tests.
struct LeanSet {
  std::vector<std::string> kept;      // sonames whose libraries are used
  std::vector<std::string> replaced;  // sonames that only have to exist
  std::vector<std::string> closure;   // all that the loader would load, without the C library
};
LeanSet leanSetOf(const std::string& program);

}  // namespace paceline::deploy
