// A report as a person writes it: a head, Markdown, and in double braces what is read from the store: {{esync.best_accuracy}}, {{figure accuracy}}. Parsing needs no
// store. Values; any thread. What is wrong becomes a problem with its line, and the rest stays.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/report/expression.h"

namespace paceline::report {

inline constexpr std::size_t kMaxReportBytes = std::size_t{1} << 20;

struct Problem {
  int line = 0;  // from 1
  std::string sentence;
  std::string text() const;  // "line 7: run \"esnc\" is not known"
  bool operator==(const Problem&) const = default;
};

struct Span {  // of a paragraph: what looks alike
  std::string text{};
  bool bold = false, emphasis = false, code = false;
  std::string link{};
  Expression live{};  // where it has a text: what is read instead of `text`
  int line = 0;
};

enum class BlockKind { kHeading, kParagraph, kBullet, kNumbered, kCode, kCommand };

struct Command {  // {{figure accuracy esync ssgd x=rounds}}
  std::string name{};                              // figure, results, differences, lanes
  std::vector<std::string> words{};                // behind it
  std::map<std::string, std::string> options{};
  std::string text{};                              // as written, without the braces
};

struct Block {
  BlockKind kind = BlockKind::kParagraph;
  int line = 0;
  int level = 0;              // of a heading 1 to 4, of a numbered item its number
  std::vector<Span> spans{};
  std::string code{};         // of kCode
  Command command{};
};

struct NamedRuns {  // "run esync: 01m8, 01m9" of the head
  std::string name;
  std::vector<std::string> words;
  int line = 0;
};

struct Document {
  std::string title{}, author{};
  double target = 0.8;  // accuracy
  std::vector<NamedRuns> runs{};
  std::vector<Block> blocks{};
  std::vector<Problem> problems{};
};

Document parse(std::string_view text);
// What can be written, as Markdown; for people. `say` has each heading, paragraph and item of it: in another language, say.
std::string syntaxHelp(const std::function<std::string(const std::string&)>& say = {});
std::vector<std::string> syntaxTexts();  // that it is asked for

}  // namespace paceline::report
