#include "tests/deploy/deploy_support.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace paceline::tests {

std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace paceline::tests
