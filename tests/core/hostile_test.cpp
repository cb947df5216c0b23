// Documents from strangers: whatever is thrown at the readers, they answer with findings (or Error{kFormat}), never anything else.
#include <gtest/gtest.h>

#include "engine/core/record/control.h"
#include "engine/core/base/error.h"
#include "engine/core/record/event.h"
#include "engine/core/json/json_text.h"
#include "engine/core/base/rng.h"
#include "engine/core/spec/suite.h"
#include "tests/core/sample.h"

namespace paceline::tests {
namespace {

std::string mutated(std::string text, Rng& rng) {
  static const std::vector<std::string> kPieces = {"null", "true", "-1", "1e308", "18446744073709551615", "-9223372036854775809", "{}", "[]",
                                                   "\"\"", "[[[", "\xff", "\"\\ud800\"", ",", ":", "}", "]", "\"", "0.1", std::string(1, '\0')};
  for (std::uint64_t i = 1 + rng.below(3); i > 0; --i) {
    const std::size_t at = rng.below(text.size() + 1);
    switch (rng.below(4)) {
      case 0: text.insert(at, kPieces[rng.below(kPieces.size())]); break;
      case 1: text.erase(at, 1 + rng.below(5)); break;
      case 2: text.resize(at); break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(rng.below(256));
    }
    if (text.empty()) text.push_back('x');
  }
  return text;
}

// Another value in one place of the document: still JSON, but of the wrong type.
void replaceSomewhere(Json& value, Rng& rng) {
  static const std::vector<Json> kValues = {nullptr, true, -1, 0, 1e300, 18446744073709551615ULL, "", "text", Json::array(), Json::object(),
                                            Json::array({1, "a", nullptr}), Json::object({{"id", 3}})};
  if (value.is_structured() && !value.empty() && rng.below(5) != 0) {
    auto member = value.begin();
    std::advance(member, static_cast<std::ptrdiff_t>(rng.below(value.size())));
    return replaceSomewhere(*member, rng);
  }
  value = kValues[rng.below(kValues.size())];
}

// Messages can be shown and sent on: they are valid UTF-8 and one line.
void expectPresentable(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    EXPECT_NO_THROW(Json(finding.message).dump()) << finding.pointer;
    EXPECT_FALSE(finding.message.empty());
    EXPECT_EQ(finding.message.find('\n'), std::string::npos);
    EXPECT_LT(finding.message.size(), 1000u);
  }
}

template <class Read>
void onlyFormatErrors(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kFormat);
    EXPECT_NO_THROW(Json(error.what()).dump());
  }
}

TEST(Hostile, BrokenTextsMakeFindings) {
  Rng rng(2024);
  for (int i = 0; i < 5000; ++i) {
    const std::string text = mutated(sample::kDocument, rng);
    ParsedSpec parsed;
    ASSERT_NO_THROW(parsed = parseRunSpec(text)) << text;
    expectPresentable(parsed.findings);
    if (parsed.findings.empty()) {
      ASSERT_EQ(parseRunSpec(toJsonText(parsed.spec)).spec, parsed.spec) << text;
    }
  }
}

TEST(Hostile, WrongTypesEverywhereMakeFindings) {
  Rng rng(7);
  const Json document = Json::parse(sample::kDocument);
  const Catalog catalog = sample::catalog();
  for (int i = 0; i < 3000; ++i) {
    Json changed = document;
    for (std::uint64_t k = 1 + rng.below(3); k > 0; --k) replaceSomewhere(changed, rng);
    const std::string text = changed.dump();
    ParsedSpec parsed, validated;
    ASSERT_NO_THROW(parsed = parseRunSpec(text)) << text;
    ASSERT_NO_THROW(validated = validate(parsed.spec, catalog)) << text;
    expectPresentable(parsed.findings);
    expectPresentable(validated.findings);
    for (const Finding& finding : parsed.findings) {
      EXPECT_NO_THROW(Json::json_pointer(finding.pointer)) << finding.pointer;
    }
  }
}

TEST(Hostile, SuitesMakeFindings) {
  Rng rng(9);
  const std::string suite = "{\"base\": " + sample::kSmallest + R"(, "vary": {"/algorithm/id": ["ssgd", "asgd"],
                            "rates": [{"name": "fast", "set": {"/batch_size": 3}}], "/seed": [1, 2]}})";
  const Json document = Json::parse(suite);
  for (int i = 0; i < 2000; ++i) {
    Json changed = document;
    replaceSomewhere(changed, rng);
    for (const std::string& text : {mutated(suite, rng), changed.dump()}) {
      ParsedSuite parsed;
      ASSERT_NO_THROW(parsed = parseSuite(text)) << text;
      expectPresentable(parsed.findings);
    }
  }
}

TEST(Hostile, LinesAndCataloguesMakeFormatErrors) {
  Rng rng(11);
  const std::string event = toLine(RoundRecord{.round = 1, .kept = 0.5});
  const std::string notice = toLine(NoticeRecord{.kind = "log", .text = "text"});
  const std::string control = toLine(Prepare{.run = "r", .spec = parseRunSpec(sample::kSmallest).spec});
  const std::string catalog = toJsonText(sample::catalog());
  for (int i = 0; i < 2000; ++i) {
    onlyFormatErrors([&] { parseEvent(mutated(event, rng)); });
    onlyFormatErrors([&] { parseEvent(mutated(notice, rng)); });
    onlyFormatErrors([&] { parseControl(mutated(control, rng)); });
    onlyFormatErrors([&] { parseCatalog(mutated(catalog, rng)); });
    Json changed = Json::parse(catalog);
    replaceSomewhere(changed, rng);
    onlyFormatErrors([&] { parseCatalog(changed.dump()); });
  }
}

TEST(Hostile, QuotationsAreOneValidLine) {
  EXPECT_EQ(quotable("a\nb\xff\xc3"), "a?b??");
  EXPECT_EQ(quotable("ü漢💡"), "ü漢💡");
  EXPECT_EQ(quotable("\xed\xa0\x80\xc0\x80\xf5"), "??????");  // surrogate, overlong, too large
  EXPECT_EQ(quotable(std::string(70, 'x')), std::string(60, 'x') + "...");
  EXPECT_EQ(quotable(std::string(59, 'x') + "ü"), std::string(59, 'x') + "...");
}

}  // namespace
}  // namespace paceline::tests
