#include "app/report/expression.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline::report {
namespace {

constexpr int kMostDepth = 40, kMostDecimals = 12;
constexpr std::size_t kMostBytes = 2000;  // a sum is as deep as it is long: evaluating and freeing it must fit the stack

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameChar(char c) { return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n'; }

// Recursive descent over one text.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Expression whole() {
    if (text_.size() > kMostBytes) fail(strCat("it has ", text_.size(), " characters; ", kMostBytes, " are the most"));
    Expression made{.text = std::string(text_)};
    made.term = sum(0);
    skipSpace();
    if (at_ < text_.size() && text_[at_] == ':') ++at_, made.format = format();
    skipSpace();
    if (at_ < text_.size()) fail(strCat("\"", quotable(text_.substr(at_), 30), "\" is not expected there"));
    return made;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw Error(Errc::kFormat, strCat("{{", quotable(text_), "}}: ", why)); }

  void skipSpace() {
    while (at_ < text_.size() && isSpace(text_[at_])) ++at_;
  }
  bool take(char c) {
    skipSpace();
    const bool is = at_ < text_.size() && text_[at_] == c;
    at_ += is ? 1 : 0;
    return is;
  }
  char takeOf(std::string_view any) {
    for (const char c : any)
      if (take(c)) return c;
    return 0;
  }

  using Made = std::shared_ptr<const Term>;
  static Made joined(char operation, Made left, Made right) { return std::make_shared<const Term>(Term{.operation = operation, .left = std::move(left), .right = std::move(right)}); }

  Made sum(int depth) {
    Made left = product(depth);
    while (const char operation = takeOf("+-")) left = joined(operation, left, product(depth));
    return left;
  }

  Made product(int depth) {
    Made left = factor(depth);
    while (const char operation = takeOf("*/")) left = joined(operation, left, factor(depth));
    return left;
  }

  Made factor(int depth) {
    if (depth > kMostDepth) fail("it is nested too deep");
    if (take('-')) return joined('m', factor(depth + 1), nullptr);
    if (take('(')) {
      Made inner = sum(depth + 1);
      if (!take(')')) fail("a \")\" is missing");
      return inner;
    }
    skipSpace();
    if (at_ == text_.size()) fail(text_.find_first_not_of(" \t\n") == std::string_view::npos ? "a number's name is missing, such as esync.best_accuracy" : "it ends too early");
    if (text_[at_] == '"') return operand(quoted());
    if (isDigit(text_[at_]))
      if (const auto number = constant()) return std::make_shared<const Term>(Term{.constant = *number});
    const std::string name = word();
    if (name.empty()) fail(strCat("\"", quotable(text_.substr(at_), 30), "\" is not expected there"));
    if (at_ < text_.size() && text_[at_] == '.') return operand(name);
    return std::make_shared<const Term>(Term{.word = name});
  }

  // "1.5"; nullopt for "01m8.rounds", which begins with an id.
  std::optional<double> constant() {
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, problem] = std::from_chars(begin, text_.data() + text_.size(), value);
    const auto after = static_cast<std::size_t>(end - text_.data());
    const auto next = [&](std::size_t i) { return i < text_.size() ? text_[i] : ' '; };
    if (problem != std::errc() || isNameChar(next(after)) || next(after) == '.') return std::nullopt;
    at_ = after;
    return value;
  }

  std::string word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && isNameChar(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string quoted() {
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) fail("a quote has no end");
    std::string inner(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return inner;
  }

  Made operand(std::string run) {
    Operand made{.run = std::move(run)};
    if (at_ >= text_.size() || text_[at_] != '.') fail(strCat("behind run \"", quotable(made.run), "\" a number is missing, such as .best_accuracy"));
    ++at_;
    if (at_ < text_.size() && text_[at_] == '/') {
      const std::size_t begin = at_;
      while (at_ < text_.size() && !isSpace(text_[at_]) && text_[at_] != ')') ++at_;
      made.pointer = text_.substr(begin, at_ - begin);
    } else {
      made.number = at_ < text_.size() && text_[at_] == '"' ? quoted() : word();
      if (at_ < text_.size() && text_[at_] == '.') {
        ++at_;
        made.node = std::exchange(made.number, word());
      }
      if (made.number.empty()) fail(strCat("behind \"", quotable(made.run), ".", quotable(made.node), "\" a number is missing, such as best_accuracy"));
    }
    return std::make_shared<const Term>(Term{.operand = std::move(made)});
  }

  Format format() {
    Format made;
    skipSpace();
    const std::size_t begin = at_;
    while (at_ < text_.size() && isDigit(text_[at_])) ++at_;
    if (at_ > begin) {
      int decimals = kMostDecimals + 1;
      std::from_chars(text_.data() + begin, text_.data() + at_, decimals);
      if (decimals > kMostDecimals) fail(strCat("at most ", kMostDecimals, " decimals are written, not ", quotable(text_.substr(begin, at_ - begin), 20)));
      made.decimals = decimals;
    }
    std::string_view unit = text_.substr(at_);
    while (!unit.empty() && isSpace(unit.front())) unit.remove_prefix(1);
    while (!unit.empty() && isSpace(unit.back())) unit.remove_suffix(1);
    at_ = text_.size();
    if (!unit.empty()) made.unit = unit == "none" ? "" : std::string(unit);
    if (!made.decimals && !made.unit) fail("behind \":\" the decimals are missing, such as : 2 or : 1 %");
    return made;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string Operand::text() const { return strCat(run, ".", node, node.empty() ? "" : ".", pointer.empty() ? number : pointer); }

Expression parseExpression(std::string_view text) { return Parser(text).whole(); }

std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words;
  bool open = false, any = false;
  std::string word;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (open && c == '\\' && text.substr(i + 1).starts_with('"')) {
      word += text[++i];
    } else if (c == '"') {
      open = !open, any = true;
    } else if (!open && (isSpace(c) || c == ',')) {
      if (any) words.push_back(std::exchange(word, {}));
      any = false;
    } else {
      word += c, any = true;
    }
  }
  if (open) throw Error(Errc::kFormat, strCat("a quote has no end in \"", quotable(text), "\""));
  if (any) words.push_back(word);
  return words;
}

}  // namespace paceline::report
