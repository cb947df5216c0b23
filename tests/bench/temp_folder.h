// A folder below /tmp that goes with its owner.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "engine/core/base/error.h"

namespace paceline::bench {

struct TempFolder {
  TempFolder() {
    char name[] = "/tmp/paceline-bench-XXXXXX";
    if (mkdtemp(name) == nullptr) throw Error(Errc::kFile, "no temporary folder could be made below /tmp");
    path = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  std::string path;
};

}  // namespace paceline::bench
