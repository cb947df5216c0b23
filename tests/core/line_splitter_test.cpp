#include "engine/core/base/line_splitter.h"

#include <gtest/gtest.h>

#include <vector>

namespace paceline::tests {
namespace {

std::vector<std::string> linesOf(LineSplitter& splitter) {
  std::vector<std::string> lines;
  while (const auto line = splitter.next()) lines.push_back(line->text + (line->cut ? "|cut" : ""));
  return lines;
}

TEST(LineSplitter, JoinsWhatArrivesInPieces) {
  for (std::size_t piece = 1; piece <= 12; ++piece) {
    const std::string text = "ab\n\ncdef\nrest";
    LineSplitter splitter(4);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < text.size(); i += piece) {
      splitter.feed(std::string_view(text).substr(i, piece));
      for (const auto& line : linesOf(splitter)) lines.push_back(line);
    }
    EXPECT_EQ(lines, (std::vector<std::string>{"ab", "", "cdef"}));
    EXPECT_EQ(splitter.rest()->text, "rest");
    EXPECT_FALSE(splitter.rest());
  }
}

TEST(LineSplitter, CutsALongLineAndSkipsItsRest) {
  for (std::size_t piece = 1; piece <= 20; ++piece) {
    const std::string text = "0123456789\nok\n";
    LineSplitter splitter(4);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < text.size(); i += piece) {
      splitter.feed(std::string_view(text).substr(i, piece));
      for (const auto& line : linesOf(splitter)) lines.push_back(line);
    }
    EXPECT_EQ(lines, (std::vector<std::string>{"0123|cut", "ok"})) << piece;
    EXPECT_FALSE(splitter.rest());
  }
}

}  // namespace
}  // namespace paceline::tests
