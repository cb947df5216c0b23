// Comments in documents: passed over, every other byte where it was.
#include <gtest/gtest.h>

#include "engine/core/json/comments.h"
#include "engine/core/spec/suite.h"

namespace paceline::tests {
namespace {

TEST(Comments, AreBlanksAndTheRestStaysWhereItWas) {
  EXPECT_EQ(withoutComments("{ // a\n \"b\": 1 /* c\r\nd */ }"), "{     \n \"b\": 1     \r\n     }");
  EXPECT_EQ(withoutComments("//"), "  ");
  EXPECT_EQ(withoutComments("/**/1"), "    1");
  EXPECT_EQ(withoutComments("/*/ 1 */2"), "        2");
}

TEST(Comments, AreNoneWithinStrings) {
  for (const char* text : {R"({"a": "http://host/*x*/"})", R"({"a\"//": 1})", R"("\\")", R"("//)", "1 / 2", "/", "", "\"a\\"}) EXPECT_EQ(withoutComments(text), text);
  EXPECT_EQ(withoutComments(R"("\\" // x)"), R"("\\"     )");
}

TEST(Comments, OneWithoutAnEndIsLeftForTheParser) {
  EXPECT_EQ(withoutComments("{} /* x"), "{} /* x");
  const ParsedSpec parsed = parseRunSpec("{\n  /* x");
  ASSERT_FALSE(parsed.findings.empty());
  EXPECT_NE(parsed.findings[0].message.find("line 2"), std::string::npos) << parsed.findings[0].message;
}

TEST(Comments, ADocumentSaysTheSameWithThem) {
  const std::string plain = R"({"paceline": 1, "algorithm": {"id": "ssgd"}, "model": {"id": "mlp"}, "dataset": {"id": "synthetic"}, "nodes": [{"id": "w0", "role": "worker"}]})";
  std::string written = plain;
  written.insert(1, "\n// one\n");
  written += "/* two */";
  EXPECT_EQ(toJsonText(parseRunSpec(written).spec), toJsonText(parseRunSpec(plain).spec));
  EXPECT_EQ(parseRunSpec(written).findings.size(), parseRunSpec(plain).findings.size());
  const ParsedSuite suite = parseSuite("{ // a suite\n \"base\": " + written + ", \"vary\": {\"/seed\": [1, 2]}}");
  EXPECT_TRUE(suite.findings.empty());
  EXPECT_EQ(suite.points.size(), 2U);
  EXPECT_EQ(withOverride(written, "/seed=7"), withOverride(plain, "/seed=7"));
}

}  // namespace
}  // namespace paceline::tests
