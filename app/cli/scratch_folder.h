// A folder of its own among the system's temporary ones, gone with this value. Main thread.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "engine/core/base/error.h"

namespace paceline::cli {

class ScratchFolder {
 public:
  ScratchFolder() : folder_((std::filesystem::temp_directory_path() / "paceline-XXXXXX").string()) {
    if (::mkdtemp(folder_.data()) == nullptr) throw Error(Errc::kFile, strCat("cannot make folder ", folder_));
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string operator/(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
};

}  // namespace paceline::cli
