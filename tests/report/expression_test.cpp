// Expressions: what is understood, and what is refused with its words.
#include "app/report/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/report/numbers.h"
#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

using report::parseExpression;

// Every operand is the length of its number's name.
std::string valueOf(const std::string& text) {
  const auto operand = [](const report::Operand& o) { return report::Value{.number = static_cast<double>(o.number.size())}; };
  const auto word = [](const std::string&) { return report::Value{.text = "a word"}; };
  const report::Expression expression = parseExpression(text);
  return report::textOf(report::evaluated(expression, {.operand = operand, .word = word}), expression.format);
}

std::string refusal(const std::string& text) {
  try {
    return "no refusal: " + valueOf(text);
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Expression, CalculatesAsSchoolDoes) {
  EXPECT_EQ(valueOf("1 + 2 * 3"), "7.00");
  EXPECT_EQ(valueOf("(1 + 2) * 3 : 0"), "9");
  EXPECT_EQ(valueOf("8 / 4 / 2 : 1"), "1.0");
  EXPECT_EQ(valueOf("2 - -3 : 0"), "5");
  EXPECT_EQ(valueOf("a.abcd / b.ab : 3"), "2.000");
  EXPECT_EQ(valueOf("0.5 : 1 %"), "50.0 %");
  EXPECT_EQ(valueOf("90 / 60 : 1 min"), "1.5 min");
  EXPECT_EQ(valueOf("1 / 0"), "not defined");
  EXPECT_EQ(valueOf("1e3 : 0"), "1000");
}

TEST(Expression, RunsAreNamesIdsAndQuotedNames) {
  EXPECT_EQ(parseExpression("01m8qh.rounds").term->operand->run, "01m8qh");
  EXPECT_EQ(parseExpression("1e6.rounds").term->operand->run, "1e6");
  EXPECT_EQ(parseExpression("20250101000000000003.rounds").term->operand->run, "20250101000000000003");
  EXPECT_EQ(parseExpression("\"demo ssgd, seed 1\".rounds").term->operand->run, "demo ssgd, seed 1");
  const report::Operand node = *parseExpression("a.w0.wait").term->operand;
  EXPECT_EQ(node.node, "w0");
  EXPECT_EQ(node.number, "wait");
  EXPECT_EQ(parseExpression("a./nodes/0/emulate/slowdown : 1").term->operand->pointer, "/nodes/0/emulate/slowdown");
  EXPECT_EQ(parseExpression("target").term->word, "target");
}

TEST(Expression, RefusesWithItsWords) {
  EXPECT_EQ(refusal(""), "{{}}: a number's name is missing, such as esync.best_accuracy");
  EXPECT_EQ(refusal("a.x +"), "{{a.x +}}: it ends too early");
  EXPECT_EQ(refusal("(a.x"), "{{(a.x}}: a \")\" is missing");
  EXPECT_EQ(refusal("a.x b.y"), "{{a.x b.y}}: \"b.y\" is not expected there");
  EXPECT_EQ(refusal("a."), "{{a.}}: behind \"a.\" a number is missing, such as best_accuracy");
  EXPECT_EQ(refusal("\"a b\""), "{{\"a b\"}}: behind run \"a b\" a number is missing, such as .best_accuracy");
  EXPECT_EQ(refusal("\"a b.x"), "{{\"a b.x}}: a quote has no end");
  EXPECT_EQ(refusal("a.x : "), "{{a.x : }}: behind \":\" the decimals are missing, such as : 2 or : 1 %");
  EXPECT_EQ(refusal("a.x : 99"), "{{a.x : 99}}: at most 12 decimals are written, not 99");
  EXPECT_EQ(refusal("; rm"), "{{; rm}}: \"; rm\" is not expected there");
  EXPECT_EQ(refusal("word + 1"), "{{word + 1}}: \"a word\" is no number");
  EXPECT_THAT(refusal(std::string(500, '(') + "1"), ::testing::EndsWith("it is nested too deep"));
  EXPECT_THAT(refusal(std::string(500, '-') + "1"), ::testing::EndsWith("it is nested too deep"));
  std::string sum = "1";
  for (int i = 0; i < 400'000; ++i) sum += "+1";  // as deep as it is long
  EXPECT_THAT(refusal(sum), ::testing::EndsWith("it has 800001 characters; 2000 are the most"));
}

}  // namespace
}  // namespace paceline::tests
