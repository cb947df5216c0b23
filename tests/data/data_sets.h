// What the tests of data sets share.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <map>

#include "engine/core/base/error.h"
#include "engine/data/datasets/dataset.h"
#include "tests/data/idx_files.h"

namespace paceline::tests {

inline Params paramsFor(const datasets::DatasetDef& def, const std::map<std::string, ParamValue>& given) {
  std::vector<Finding> findings;
  Params params = completeParams(def.params, Params(given), "/dataset/params", findings);
  EXPECT_TRUE(findings.empty());
  return params;
}

inline std::string hostName() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  return name;
}

// What `call` throws, with the folder's name cut out.
inline std::string refusal(const TempFolder& folder, const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    std::string text = error.what();
    for (std::size_t at = text.find(folder.path()); at != std::string::npos; at = text.find(folder.path())) text.erase(at, folder.path().size());
    return text;
  }
  return "nothing thrown";
}

// Every way to break a file: `tries` times cut, or with some bytes changed. `read` may throw Error and nothing else.
inline void breakAndRead(const std::string& path, const Bytes& whole, int tries, const std::function<void()>& read) {
  std::uint32_t state = 12345;
  const auto draw = [&](std::size_t below) { return static_cast<std::size_t>((state = state * 1664525U + 1013904223U) >> 8) % below; };
  int refused = 0;
  for (int i = 0; i < tries; ++i) {
    Bytes broken = whole;
    if (draw(4) == 0) broken.resize(draw(broken.size()));
    for (std::size_t changes = draw(4) + (broken.size() == whole.size() ? 1 : 0); changes > 0 && !broken.empty(); --changes)
      broken[draw(draw(2) == 0 ? std::min<std::size_t>(broken.size(), 256) : broken.size())] = static_cast<std::uint8_t>(draw(256));
    writePlain(path, broken);
    try {
      read();
    } catch (const Error& error) {
      ++refused;
      EXPECT_THAT(error.what(), ::testing::HasSubstr(path));
    }
  }
  EXPECT_GT(refused, tries / 10);
}

}  // namespace paceline::tests
