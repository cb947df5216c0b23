// The one reader of JSON text: what it refuses, in which words, and that it takes no more than it says.
#include "engine/core/json/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <vector>

#include "engine/core/base/file_text.h"
#include "engine/core/json/integer_at.h"

namespace paceline::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

std::string refusal(const std::string& text, std::size_t maxBytes = kMaxJsonBytes) {
  try {
    (void)jsonFrom(text, "a.json", maxBytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kFormat);
    return error.what();
  }
  return "";
}

TEST(JsonText, ReadsWhatItWrites) {
  const std::string text = R"({"b":[1,-2,0.5,true,null,"ü\n"],"a":{"x":{}}})";
  EXPECT_EQ(dumped(jsonFrom(text, "a.json")), R"({"a":{"x":{}},"b":[1,-2,0.5,true,null,"ü\n"]})");
  EXPECT_EQ(dumped(orderedJsonFrom(text, "a.json")), text);  // in the order of the text
}

TEST(JsonText, SaysWhereAndWhatIsExpected) {
  EXPECT_EQ(refusal("{\"a\": 1,\n \"b\" 2}"), "a.json: is not JSON: line 2, column 6: ':' is expected, not a number");
  EXPECT_EQ(refusal("[1 2]"), "a.json: is not JSON: line 1, column 4: ',' or ']' is expected, not a number");
  EXPECT_EQ(refusal("{\"a\": }"), "a.json: is not JSON: line 1, column 7: a value is expected, not '}'");
  EXPECT_EQ(refusal("[1"), "a.json: is not JSON: line 1, column 3: ',' or ']' is expected, not the end of the text");
  EXPECT_EQ(refusal("1 2"), "a.json: is not JSON: line 1, column 3: nothing more is expected, not a number");
  EXPECT_EQ(refusal("1e999"), "a.json: is not JSON: line 1, column 5: 1e999 is beyond the range of numbers");
  EXPECT_EQ(refusal("tru"), "a.json: is not JSON: line 1, column 4: invalid literal, read: tru");
  EXPECT_EQ(refusal(""), "a.json: is not JSON: line 1, column 1: a value is expected, not the end of the text");
}

// What the parser quotes of the text is the text's, however it reads.
TEST(JsonText, WhatATextSaysOfItselfIsQuoted) {
  EXPECT_EQ(refusal("[\"a - unexpected \x7f; expected b"), "a.json: is not JSON: line 1, column 31: invalid string: missing closing quote, read: pected ?; expected b");
  EXPECT_EQ(refusal("[\"out_of_range"), "a.json: is not JSON: line 1, column 15: invalid string: missing closing quote, read: \"out_of_range");
}

TEST(JsonText, RefusesDepthWithoutMakingIt) {
  EXPECT_EQ(refusal(nested(kMaxJsonDepth)), "");
  EXPECT_EQ(refusal(nested(kMaxJsonDepth + 1)), "a.json: is nested deeper than 64 levels");
  EXPECT_EQ(refusal(std::string(100000, '[')), "a.json: is nested deeper than 64 levels");
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_EQ(refusal(objects), "a.json: is nested deeper than 64 levels");
  EXPECT_TRUE(jsonOrNull(nested(100000)).is_null());
  EXPECT_THROW((void)orderedJsonFrom(nested(100000), "a.json"), Error);
}

TEST(JsonText, RefusesMoreBytesThanItsSourceMayHave) {
  EXPECT_EQ(refusal("[1,2,3]", 7), "");
  EXPECT_EQ(refusal("[1,2,3]", 6), "a.json: has 7 bytes; at most 6 bytes are read");
}

TEST(JsonText, RefusesARepeatedKeyOfAnyObject) {
  EXPECT_EQ(refusal(R"({"b": {"x": [0, {"a": 1, "a": 2}]}})"), "a.json: /b/x/1/a occurs twice");
  std::string many = "{";
  for (int i = 0; i < 1000; ++i) many += strCat("\"k", i, "\": ", i, ", ");
  EXPECT_EQ(orderedJsonFrom(many + "\"z\": 1}", "a.json").size(), 1001u);
  for (const char* again : {"k3", "k999"}) {
    std::vector<Finding> findings;
    EXPECT_FALSE(parseOrderedJson(strCat(many, "\"", again, "\": 1}"), findings));
    EXPECT_THAT(findings, ElementsAre(Finding{strCat("/", again), "occurs twice"}));
  }
}

TEST(JsonText, WhatIsNoJsonIsNullForThoseWhoPassItOver) {
  for (const char* text : {"", "Welcome to gpu1!", "{\"a\":", "[1]]"}) EXPECT_TRUE(jsonOrNull(text).is_null()) << text;
  EXPECT_EQ(jsonOrNull("[1]").size(), 1u);
}

TEST(JsonText, ReasonsHaveNoTags) {
  try {
    (void)Json("text").get<int>();
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_EQ(reasonOf(error), "type must be number, but is string");
  }
  EXPECT_EQ(reasonOf(Error(Errc::kFile, "[x] stays")), "[x] stays");
}

// What readJsonParts() says of a file with this text, of whose lists every object is taken.
std::string partsRefusal(const std::string& text, std::size_t maxBytes) {
  const std::string path = strCat(testing::TempDir(), "parts-", ::getpid());
  std::ofstream(path) << text;
  const JsonParts parts{.element = [](const OrderedJson&, const std::string&, OrderedJson&&) { return true; }, .document = [](const OrderedJson&) {}};
  std::vector<Finding> findings;
  const bool whole = readJsonParts(path, parts, findings, maxBytes);
  std::filesystem::remove(path);
  EXPECT_EQ(whole, findings.empty());
  return whole ? "" : findings.front().message;
}

std::string many(std::size_t count, const std::string& item) {
  std::string items = item;
  for (std::size_t i = 1; i < count; ++i) items += "," + item;
  return items;
}

TEST(JsonParts, KeepNoMoreThanTheirBoundWhateverItIsMadeOf) {
  const std::string tooMuch = "has more than 1.0 kB beside its lists of records";
  EXPECT_EQ(partsRefusal("{\"rounds\": [" + many(2000, "{\"node\": \"w0\"}") + "]}", 1000), "");
  for (const char* item : {"1", "\"x\"", "[]", "[{}]"}) EXPECT_EQ(partsRefusal("{\"x\": [" + many(2000, item) + "]}", 1000), tooMuch) << item;
  std::string members;
  for (int i = 0; i < 200; ++i) members += strCat("\"", i, "\": {}, ");
  EXPECT_EQ(partsRefusal("{" + members + "\"end\": 1}", 1000), tooMuch);
}

// None of these texts ends: they are refused while they are read.
TEST(JsonParts, ATextIsReadNoFurtherThanTheirBound) {
  const std::string tooMuch = "has more than 1.0 kB beside its lists of records", longText(5000, 'x');
  for (const std::string& text : {"{\"" + longText, "{\"x\": \"" + longText, "{\"x\": 1" + std::string(5000, '0'), "{\"rounds\": [{\"node\": \"" + longText})
    EXPECT_EQ(partsRefusal(text, 1000), tooMuch) << text.substr(0, 20);
  EXPECT_THAT(partsRefusal("{\"x\": \"" + std::string(500, 'x'), 1000), testing::StartsWith("is not JSON: line 1, column "));
}

TEST(FileText, EndsAtItsBound) {
  const std::string path = strCat(testing::TempDir(), "five-", ::getpid());
  std::ofstream(path) << "12345";
  EXPECT_EQ(fileText(path, 5), "12345");
  EXPECT_EQ(fileText(path, 4), std::nullopt);
  EXPECT_EQ(errno, EFBIG);
  std::filesystem::remove(path);
  EXPECT_EQ(fileText("/dev/zero", 1 << 20), std::nullopt);
  EXPECT_EQ(errno, EFBIG);
}

TEST(JsonText, OnlyWholeNumbersWithRoomAreIntegersOfOtherPrograms) {
  const auto refusal = [](const char* text) {
    try {
      return strCat("took ", integerAt(jsonFrom(text, "a line"), "pid"));
    } catch (const Json::exception& error) {
      return reasonOf(error);
    }
  };
  EXPECT_EQ(refusal(R"({"pid": -7})"), "took -7");
  for (const char* number : {"1.5", "7.0", "1e3", "1233333333333333333333"}) EXPECT_EQ(refusal(strCat(R"({"pid": )", number, "}").c_str()), "pid must be an integer, but is number");
  EXPECT_EQ(refusal(R"({"pid": "7"})"), "pid must be an integer, but is string");
  EXPECT_EQ(refusal("{}"), "key 'pid' not found");
}

}  // namespace
}  // namespace paceline::tests
