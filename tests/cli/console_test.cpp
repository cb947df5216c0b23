#include "app/cli/console.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <sstream>

namespace paceline::tests {
namespace {

TEST(Table, PutsNumbersToTheRight) {
  EXPECT_EQ(cli::tableText({"name", "rounds"}, {{"esync ± 1", "5"}, {"ssgd", "1200"}}),
            "name       rounds\n"
            "esync ± 1       5\n"
            "ssgd         1200\n");
}

TEST(Table, TakesIdsAndDatesForTexts) {
  EXPECT_EQ(cli::tableText({"id", "created"}, {{"01m7z", "2026-01-01T00:00:00Z"}}), "id     created\n01m7z  2026-01-01T00:00:00Z\n");
}

TEST(Table, LeavesTextsLeft) { EXPECT_EQ(cli::tableText({"a", "b"}, {{"x", "y1"}, {"long", "z"}}), "a     b\nx     y1\nlong  z\n"); }

TEST(Table, CellsAreOnePrintableLineEach) {
  EXPECT_EQ(cli::tableText({"name", "state"}, {{"\x1b[31mred\nline", "é\xc2\x9b\xff"}}), "name           state\n?[31mred?line  é???\n");
}

// Writes the parts one after the other, as messages are made.
std::string filtered(const std::vector<std::string>& parts) {
  std::stringbuf to;
  const auto filter = cli::withoutControls(to);
  std::ostream out(filter.get());
  for (const std::string& part : parts) out << part;
  return to.str();
}

TEST(Terminal, GetsNoControlCharacters) {
  EXPECT_EQ(filtered({"a\tb\n"}), "a\tb\n");
  EXPECT_EQ(filtered({"\x1b]0;title\x07", "\r\x7f\b."}), "?]0;title???" "?.");
  EXPECT_EQ(filtered({"é漢💡", "\xc2\x9b" "31m"}), "é漢💡?31m");
  EXPECT_EQ(filtered({"\xc2", "\xa9 \xc2", "\x9b"}), "© ?");  // a character may come in two parts
}

TEST(Duration, ReadsAsAPersonSaysIt) {
  EXPECT_EQ(cli::durationText(0.0234), "0.023 s");
  EXPECT_EQ(cli::durationText(2.44), "2.4 s");
  EXPECT_EQ(cli::durationText(59.96), "1:00");
  EXPECT_EQ(cli::durationText(80), "1:20");
  EXPECT_EQ(cli::durationText(3599.6), "1:00:00");
  EXPECT_EQ(cli::durationText(7390), "2:03:10");
  EXPECT_EQ(cli::durationText(NAN), "?");
}

TEST(Numbers, KeepThreeDigits) {
  EXPECT_EQ(cli::significant(812.4), "812");
  EXPECT_EQ(cli::significant(12.34), "12.3");
  EXPECT_EQ(cli::significant(0.01234), "0.0123");
  EXPECT_EQ(cli::significant(123456), "123456");
  EXPECT_EQ(cli::decimals(0.8125, 3), "0.812");
}

TEST(Utc, IsIso8601) {
  EXPECT_EQ(utcText(1740830400.7), "2025-03-01T12:00:00Z");
  EXPECT_EQ(utcText(0), "");
}

}  // namespace
}  // namespace paceline::tests
