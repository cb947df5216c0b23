// A fresh folder in what the test runner gave this test (tests/support/own_home.cpp), which removes it with all in it. Header-only.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace paceline::tests {

inline std::filesystem::path ownFolder() {
  static int made = 0;
  const char* given = std::getenv("PACELINE_TEST_FOLDER");
  if (given == nullptr) throw std::runtime_error("run this test by ctest, or as tests/paceline-own-home tests/PROGRAM in the build folder");
  const std::filesystem::path folder = std::filesystem::path(given) / std::to_string(++made);
  std::filesystem::create_directory(folder);
  return folder;
}

}  // namespace paceline::tests
