#include "tests/fuzz/targets.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "engine/core/base/error.h"

namespace paceline::fuzz {

std::vector<Target> targets() {
  std::vector<Target> all;
  for (const std::span<const Target> part : {coreTargets(), commTargets(), dataTargets(), desktopTargets(), agentTargets()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

void feed(const Target& target, Input input) {
  try {
    target.run(input);
  } catch (const Error& error) {
    PACELINE_CHECK(*error.what() != '\0', "an error without a sentence");
  }
}

Folder::Folder() : path_((std::filesystem::temp_directory_path() / "paceline-fuzz-XXXXXX").string()) {
  PACELINE_CHECK(::mkdtemp(path_.data()) != nullptr, "a folder");
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

InputFile::InputFile(Input input) : fd_(::memfd_create("input", MFD_CLOEXEC)), path_(strCat("/proc/self/fd/", fd_)) {
  PACELINE_CHECK(fd_ >= 0 && ::write(fd_, input.data(), input.size()) == static_cast<ssize_t>(input.size()), "a file in memory");
}

InputFile::~InputFile() { ::close(fd_); }

}  // namespace paceline::fuzz
