#include "app/report/spans.h"

#include <algorithm>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline::report {
namespace {

constexpr std::size_t kMostAddress = 2000;  // of a link

bool isWordChar(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) > 127; }

class SpanReader {
 public:
  SpanReader(const std::string& text, int line, std::vector<Problem>& problems) : text_(text), line_(line), problems_(problems) {}

  std::vector<Span> read() {
    while (at_ < text_.size()) step();
    flush();
    return std::move(spans_);
  }

 private:
  bool sees(std::string_view words) const { return std::string_view(text_).substr(at_).starts_with(words); }
  std::size_t find(std::string_view words, std::size_t from) const { return text_.find(words, from); }
  char before() const { return at_ == 0 ? ' ' : text_[at_ - 1]; }
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : ' '; }

  void flush() {
    if (plain_.empty()) return;
    spans_.push_back({.text = std::exchange(plain_, {}), .bold = bold_, .emphasis = emphasis_, .line = line_});
  }

  void step() {
    const char c = text_[at_];
    if (c == '\n') ++line_, ++at_, plain_ += ' ';
    else if (c == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n' && !isWordChar(text_[at_ + 1])) plain_ += text_[at_ + 1], at_ += 2;
    else if (sees("{{")) live();
    else if (c == '`' && find("`", at_ + 1) != std::string::npos) code();
    else if (sees("**") && (bold_ || find("**", at_ + 2) != std::string::npos)) flush(), bold_ = !bold_, at_ += 2;
    else if ((c == '*' || c == '_') && turns(c)) flush(), emphasis_ = !emphasis_, ++at_;
    else if (c == '[' && link()) return;
    else plain_ += c, ++at_;
  }

  // Emphasis begins before a letter and ends behind one; a_name and 2 * 3 are neither.
  bool turns(char mark) const {
    if (emphasis_) return mark == mark_ && before() != ' ' && before() != '\n' && !(mark == '_' && isWordChar(at(at_ + 1)));
    if (at(at_ + 1) == ' ' || at(at_ + 1) == '\n' || isWordChar(before())) return false;
    const std::size_t end = text_.find(mark, at_ + 1);
    if (end == std::string::npos) return false;
    mark_ = mark;
    return true;
  }

  void code() {
    const std::size_t end = find("`", at_ + 1);
    flush();
    std::string inner = text_.substr(at_ + 1, end - at_ - 1);
    line_ += static_cast<int>(std::ranges::count(inner, '\n'));
    std::ranges::replace(inner, '\n', ' ');
    spans_.push_back({.text = std::move(inner), .bold = bold_, .emphasis = emphasis_, .code = true, .line = line_});
    at_ = end + 1;
  }

  void live() {
    const std::size_t end = open_ ? std::string::npos : find("}}", at_ + 2);
    open_ = end == std::string::npos;
    if (end == std::string::npos) {
      problems_.push_back({line_, strCat("\"", quotable(text_.substr(at_), 30), "\" does not end with }}")});
      plain_ += "{{", at_ += 2;
      return;
    }
    std::string inner = text_.substr(at_ + 2, end - at_ - 2);
    const int first = line_;
    line_ += static_cast<int>(std::ranges::count(inner, '\n'));
    std::ranges::replace(inner, '\n', ' ');
    inner = trimmedEnd(inner.substr(std::min(inner.find_first_not_of(' '), inner.size())));
    flush();
    Span span{.text = strCat("{{", inner, "}}"), .bold = bold_, .emphasis = emphasis_, .line = first};
    try {
      const std::string name = inner.substr(0, inner.find(' '));
      if (name == "figure" || name == "results" || name == "differences" || name == "lanes") throw Error(Errc::kFormat, strCat("{{", name, "}} stands on a line of its own"));
      span.live = parseExpression(inner);
    } catch (const Error& error) {
      problems_.push_back({first, error.what()});
    }
    spans_.push_back(std::move(span));
    at_ = end + 2;
  }

  // false: it is no link, and nothing was read.
  bool link() {
    const std::size_t middle = text_.find_first_of("[]", at_ + 1);
    if (middle == std::string::npos || text_[middle] == '[' || at(middle + 1) != '(') return false;
    const std::size_t length = std::string_view(text_).substr(middle + 2, kMostAddress).find(')'), end = middle + 2 + length;
    if (length == std::string_view::npos) return false;
    std::string words = text_.substr(at_ + 1, middle - at_ - 1), address = text_.substr(middle + 2, end - middle - 2);
    const int first = line_;
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    std::ranges::replace(words, '\n', ' ');
    flush();
    const bool known = std::ranges::any_of(std::initializer_list<const char*>{"https://", "http://", "mailto:"}, [&](const char* begin) { return address.starts_with(begin); }) &&
                       std::ranges::none_of(address, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '<' || c == '>'; });
    if (!known) problems_.push_back({first, strCat("the address of link \"", quotable(words), "\" must begin with https://, http:// or mailto: and have no spaces; it is \"", quotable(address), "\"")});
    spans_.push_back({.text = std::move(words), .bold = bold_, .emphasis = emphasis_, .link = known ? address : std::string(), .line = first});
    at_ = end + 1;
    return true;
  }

  const std::string& text_;
  std::size_t at_ = 0;
  int line_;
  std::vector<Problem>& problems_;
  std::vector<Span> spans_;
  std::string plain_;
  bool bold_ = false, emphasis_ = false;
  bool open_ = false;  // no }} is to come
  mutable char mark_ = '*';  // that the emphasis began with
};

}  // namespace

std::vector<Span> spansOf(const std::string& text, int line, std::vector<Problem>& problems) { return SpanReader(text, line, problems).read(); }

}  // namespace paceline::report
