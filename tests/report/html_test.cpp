// One file of HTML: escaped, whole, nothing from elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/made_store.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string htmlOf(const report::Report& report) {
  return report::toHtml(report, [](const report::Picture& picture) { return strCat("<svg>", picture.figure->title, "</svg>"); });
}

TEST(Html, EscapesWhateverSomebodyWrote) {
  report::Report report{.title = "<b>\"A & B's\"</b>", .author = "<script>", .pieces = {}, .footer = {}, .problems = {}};
  report.pieces.push_back({.kind = report::PieceKind::kParagraph, .words = {{.text = "a < b & c"}, {.text = "x\"y", .live = true, .source = "\"run\".rounds"}, {.text = "l", .link = "https://a.org/?q=1&r=\"2\""}}});
  report.pieces.push_back({.kind = report::PieceKind::kTable, .table = {.header = {"<th>"}, .right = {false}, .rows = {{{.text = "<td>", .bold = true}}}}, .caption = "<caption>"});
  report.pieces.push_back({.kind = report::PieceKind::kCode, .text = "if (a < b) {}\n"});
  report.footer.runs.push_back({.name = "<run>", .id = "1", .configuration = "h", .state = "finished"});
  const std::string html = htmlOf(report);
  EXPECT_THAT(html, HasSubstr("<h1>&lt;b&gt;&quot;A &amp; B&#39;s&quot;&lt;/b&gt;</h1>"));
  EXPECT_THAT(html, HasSubstr("<p>a &lt; b &amp; c<span class=\"live\" title=\"&quot;run&quot;.rounds\">x&quot;y</span><a href=\"https://a.org/?q=1&amp;r=&quot;2&quot;\">l</a></p>"));
  EXPECT_THAT(html, HasSubstr("<td><strong>&lt;td&gt;</strong></td>"));
  EXPECT_THAT(html, HasSubstr("<pre>if (a &lt; b) {}\n</pre>"));
  EXPECT_THAT(html, HasSubstr("<td>&lt;run&gt;</td>"));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
}

TEST(Html, ListsOpenAndClose) {
  ReportStore store;
  const std::string html = htmlOf(store.made("- a\n- b\n\n3. c\n\nend"));
  EXPECT_THAT(html, HasSubstr("<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<ol>\n<li value=\"3\">c</li>\n</ol>\n<p>end</p>"));
}

TEST(Html, HasItsPicturesInside) {
  ReportStore store;
  const std::string html = htmlOf(store.made(strCat(kHead, "{{figure throughput caption=\"How \\\"fast\"}}")));
  EXPECT_THAT(html, HasSubstr("src=\"data:image/svg+xml;base64,PHN2Zz5"));  // "<svg>"
  EXPECT_THAT(html, HasSubstr("<figcaption>How &quot;fast</figcaption>"));
  EXPECT_THAT(html, Not(HasSubstr("src=\"http")));
  EXPECT_THAT(html, Not(HasSubstr("<link")));
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
}

// RFC 4648, 10: its test vectors.
TEST(Html, Base64IsThatOfTheStandard) {
  const std::pair<const char*, const char*> vectors[] = {{"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
  for (const auto& pair : vectors) {
    const char *bytes = pair.first, *code = pair.second;
    report::Report report{.title = "", .author = "", .pieces = {}, .footer = {}, .problems = {}};
    report.pieces.push_back({.kind = report::PieceKind::kPicture, .picture = {.figure = std::make_shared<const Figure>()}});
    EXPECT_THAT(report::toHtml(report, [&](const report::Picture&) { return bytes; }), HasSubstr(strCat("base64,", code, "\"")));
  }
}

TEST(Html, EndsWithWhatMakesItAgain) {
  ReportStore store;
  const std::string html = htmlOf(store.made(strCat(kHead, "{{esync.rounds}}")));
  for (const char* part : {"<code>paceline report waits.report.md -o waits.pdf</code>", "store lab.db", "made 2023-11-14 22:13 UTC", "<td>hash of esync2</td>", "<td class=\"right\">2</td>", "<td>demo ssgd seed 1</td>"}) EXPECT_THAT(html, HasSubstr(part));
}

}  // namespace
}  // namespace paceline::tests
