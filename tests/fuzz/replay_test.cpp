// Every input that is kept, and some that are made of it by chance (the same on every machine), through its target.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "engine/core/base/file_text.h"
#include "engine/core/base/rng.h"
#include "tests/fuzz/targets.h"

namespace paceline::fuzz {
namespace {

constexpr std::size_t kMutants = 200;  // of each input

std::vector<std::filesystem::path> corpusOf(std::string_view target) {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path folder = std::filesystem::path(PACELINE_SOURCE_DIR) / "tests/fuzz/corpus" / target;
  if (!std::filesystem::exists(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

Input inputOf(const std::string& text) { return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}; }

// One to four bytes replaced, doubled, removed, or everything behind a place cut off.
std::string mutant(std::string text, Rng& rng) {
  for (std::uint64_t changes = 1 + rng.below(4); changes > 0 && !text.empty(); --changes) {
    const auto at = static_cast<std::size_t>(rng.below(text.size()));
    switch (rng.below(4)) {
      case 0: text[at] = static_cast<char>(rng.below(256)); break;
      case 1: text.insert(at, text.substr(at, rng.below(32))); break;
      case 2: text.erase(at, rng.below(16) + 1); break;
      default: text.resize(at);
    }
  }
  return text;
}

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, IsTakenOrRefusedInASentence) {
  const std::vector<std::filesystem::path> files = corpusOf(GetParam().name);
  ASSERT_FALSE(files.empty()) << "no corpus for " << GetParam().name;
  for (const std::filesystem::path& file : files) {
    SCOPED_TRACE(file.filename().string());
    const std::string text = fileText(file.string()).value();
    feed(GetParam(), inputOf(text));
    Rng rng(file.filename().string().size());
    for (std::size_t i = 0; i < kMutants; ++i) {
      const std::string changed = mutant(text, rng);
      feed(GetParam(), inputOf(changed));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, testing::ValuesIn(targets()), [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace paceline::fuzz
