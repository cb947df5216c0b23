#include "app/report/document.h"

#include <algorithm>
#include <charconv>
#include <cctype>
#include <utility>

#include "app/report/spans.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline::report {
namespace {

constexpr const char* kCommands[] = {"figure", "results", "differences", "lanes"};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return trimmedEnd(text).size() == text.size() ? text : text.substr(0, trimmedEnd(text).size());
}

std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string line(text.substr(0, end));
    std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');  // a tab, a carriage return
    lines.push_back(trimmedEnd(line));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

// "80 %" and "0.8".
double shareFrom(std::string_view text) {
  double value = -1;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view rest = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  if (rest == "%") value /= 100;
  if (problem != std::errc() || !(rest.empty() || rest == "%") || !(value > 0 && value <= 1)) throw Error(Errc::kFormat, strCat("target must be an accuracy such as 80 % or 0.8; it is \"", quotable(text), "\""));
  return value;
}

// "run esync: 01m8, 01m9": what stands behind "run" is `name`.
NamedRuns namedRuns(std::string_view name, std::string_view value, int line) {
  const bool letters = std::ranges::all_of(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
  if (name.empty() || !letters) throw Error(Errc::kFormat, strCat("a name for runs has letters, digits and _ only; it is \"", quotable(name), "\""));
  NamedRuns made{.name = std::string(name), .words = {}, .line = line};
  // A run's name may have spaces: commas alone separate.
  std::string word;
  bool open = false;
  const auto finish = [&] {
    if (const std::string_view inner = trimmed(word); !inner.empty()) made.words.emplace_back(inner);
    word.clear();
  };
  for (const char c : value) {
    if (c == '"') open = !open;
    else if (c == ',' && !open) finish();
    else word += c;
  }
  finish();
  if (open) throw Error(Errc::kFormat, strCat("a quote has no end in \"", quotable(value), "\""));
  if (made.words.empty()) throw Error(Errc::kFormat, strCat("run ", quotable(name), " names no run; write its id, the beginning of it, or its name"));
  return made;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : lines_(linesOf(text)) {}

  Document read() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      std::string mended = quotable(lines_[i], lines_[i].size());
      if (mended != lines_[i]) problem(static_cast<int>(i) + 1, strCat("it is no UTF-8: \"", quotable(lines_[i]), "\"")), lines_[i] = std::move(mended);
    }
    if (!lines_.empty() && lines_[0] == "---") head();
    while (at_ < lines_.size()) block();
    return std::move(made_);
  }

 private:
  int line() const { return static_cast<int>(at_) + 1; }
  void problem(int line, std::string sentence) { made_.problems.push_back({line, std::move(sentence)}); }

  void head() {
    const bool ends = std::find(lines_.begin() + 1, lines_.end(), "---") != lines_.end();
    if (!ends) problem(1, "the head that begins with --- does not end with ---");
    for (at_ = 1; at_ < lines_.size() && lines_[at_] != "---" && (ends || !lines_[at_].empty()); ++at_) {
      try {
        headLine(trimmed(lines_[at_]));
      } catch (const Error& error) {
        problem(line(), error.what());
      }
    }
    at_ = std::min(at_ + 1, lines_.size());
  }

  void headLine(std::string_view text) {
    if (text.empty() || text.front() == '#') return;
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) throw Error(Errc::kFormat, strCat("a line of the head is \"name: value\"; it is \"", quotable(text), "\""));
    const std::string_view key = trimmed(text.substr(0, colon)), value = trimmed(text.substr(colon + 1));
    if (key == "title") made_.title = value;
    else if (key == "author") made_.author = value;
    else if (key == "target") made_.target = shareFrom(value);
    else if (key.starts_with("run ")) addRuns(namedRuns(trimmed(key.substr(4)), value, line()));
    else throw Error(Errc::kFormat, strCat("\"", quotable(key), "\" is not known in the head; have title, author, target, run NAME"));
  }

  void addRuns(NamedRuns runs) {
    if (std::ranges::find(made_.runs, runs.name, &NamedRuns::name) != made_.runs.end()) throw Error(Errc::kFormat, strCat("run ", runs.name, " is there twice"));
    made_.runs.push_back(std::move(runs));
  }

  static int headingLevel(const std::string& text) {
    const std::size_t marks = text.find_first_not_of('#');
    return marks != std::string::npos && marks > 0 && marks <= 4 && text[marks] == ' ' ? static_cast<int>(marks) : 0;
  }

  // How many characters "- " or "12. " takes; 0: it is no item.
  static std::size_t itemMark(const std::string& text, int& number) {
    number = 0;
    if (text.starts_with("- ") || text.starts_with("* ")) return 2;
    std::size_t digits = 0;
    while (digits < text.size() && digits < 4 && text[digits] >= '0' && text[digits] <= '9') number = number * 10 + text[digits++] - '0';
    return digits > 0 && text.substr(digits).starts_with(". ") ? digits + 2 : 0;
  }

  bool beginsBlock(const std::string& text) const {
    int number = 0;
    return text.empty() || headingLevel(text) > 0 || itemMark(text, number) > 0 || text.starts_with("```") || isCommand(text);
  }

  static bool isCommand(const std::string& text) {
    const std::string_view inner = trimmed(text);
    if (!inner.starts_with("{{") || !inner.ends_with("}}") || inner.find("}}") != inner.size() - 2) return false;
    const std::string_view words = trimmed(inner.substr(2, inner.size() - 4));
    return std::ranges::any_of(kCommands, [&](std::string_view name) { return words.starts_with(name) && (words.size() == name.size() || words[name.size()] == ' '); });
  }

  void block() {
    const std::string& text = lines_[at_];
    int number = 0;
    if (text.empty()) ++at_;
    else if (text.starts_with("```")) code();
    else if (isCommand(text)) command();
    else if (const int level = headingLevel(text)) spansInto(BlockKind::kHeading, level, text.substr(static_cast<std::size_t>(level) + 1), false);
    else if (const std::size_t mark = itemMark(text, number)) spansInto(number > 0 ? BlockKind::kNumbered : BlockKind::kBullet, number, text.substr(mark), true);
    else spansInto(BlockKind::kParagraph, 0, text, true);
  }

  // Lines that follow and begin nothing else belong to it where it `goesOn`.
  void spansInto(BlockKind kind, int level, std::string text, bool goesOn) {
    const int first = line();
    ++at_;
    while (goesOn && at_ < lines_.size() && !beginsBlock(lines_[at_])) text += '\n' + lines_[at_++];
    Block& made = made_.blocks.emplace_back(Block{.kind = kind, .line = first, .level = level});
    made.spans = spansOf(text, first, made_.problems);
  }

  void code() {
    const int first = line();
    std::string text;
    for (++at_; at_ < lines_.size() && !lines_[at_].starts_with("```"); ++at_) text += lines_[at_] + '\n';
    if (at_ == lines_.size()) problem(first, "the lines of code that begin with ``` do not end with ```");
    ++at_;
    made_.blocks.push_back({.kind = BlockKind::kCode, .line = first, .code = std::move(text)});
  }

  void command() {
    const std::string_view text = trimmed(lines_[at_]);
    Command made{.text = std::string(trimmed(text.substr(2, text.size() - 4)))};
    try {
      for (const std::string& word : wordsOf(made.text)) {
        const std::size_t equals = word.find('=');
        if (made.name.empty()) made.name = word;
        else if (equals == std::string::npos || equals == 0) made.words.push_back(word);
        else if (!made.options.emplace(word.substr(0, equals), word.substr(equals + 1)).second) throw Error(Errc::kFormat, strCat("option ", quotable(word.substr(0, equals)), " is there twice"));
      }
      made_.blocks.push_back({.kind = BlockKind::kCommand, .line = line(), .command = std::move(made)});
    } catch (const Error& error) {
      problem(line(), error.what());
    }
    ++at_;
  }

  std::vector<std::string> lines_;
  std::size_t at_ = 0;
  Document made_;
};

}  // namespace

std::string Problem::text() const { return strCat("line ", line, ": ", sentence); }

Document parse(std::string_view text) {
  if (text.size() > kMaxReportBytes) {
    Document refused;
    refused.problems.push_back({1, strCat("a report has at most ", bytesText(kMaxReportBytes), "; this one has ", bytesText(static_cast<std::int64_t>(text.size())))});
    return refused;
  }
  return Reader(text).read();
}

}  // namespace paceline::report
