// Slurm's host lists, as in `scontrol show hostnames`: commas outside brackets separate, brackets hold numbers and ranges with their zeros.
#include <charconv>

#include "app/cluster/interop/host_import.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline::interop {
namespace {

constexpr std::size_t kMaxDigits = 9;

[[noreturn]] void refuse(const std::string& why) { throw Error(Errc::kFormat, why); }

std::vector<std::string_view> splitOutsideBrackets(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
    if (depth < 0 || depth > 1) refuse(strCat("\"", quotable(text), "\" has unbalanced brackets"));
    if (text[i] != ',' || depth > 0) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  if (depth != 0) refuse(strCat("\"", quotable(text), "\" has unbalanced brackets"));
  parts.push_back(text.substr(begin));
  return parts;
}

std::size_t numberOf(std::string_view digits, std::string_view range) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || digits.size() > kMaxDigits || error != std::errc() || end != digits.data() + digits.size())
    refuse(strCat("range \"", quotable(range), "\" is no number or pair of numbers"));
  return number;
}

// "001-003" -> 001 002 003
void appendRange(std::string_view range, std::vector<std::string>& out) {
  const std::size_t dash = range.find('-');
  const std::string_view first = range.substr(0, dash);
  const std::size_t from = numberOf(first, range);
  const std::size_t to = dash == std::string_view::npos ? from : numberOf(range.substr(dash + 1), range);
  if (to < from) refuse(strCat("range \"", quotable(range), "\" goes down"));
  if (to - from >= kMaxHosts || out.size() + (to - from) >= kMaxHosts) refuse(strCat("range \"", quotable(range), "\" makes more than ", kMaxHosts, " hosts"));
  for (std::size_t n = from; n <= to; ++n) {
    const std::string number = std::to_string(n);
    out.push_back(std::string(first.size() > number.size() ? first.size() - number.size() : 0, '0') + number);
  }
}

std::vector<std::string> numbersIn(std::string_view list) {
  std::vector<std::string> numbers;
  for (;;) {
    const std::size_t comma = list.find(',');
    appendRange(list.substr(0, comma), numbers);
    if (comma == std::string_view::npos) return numbers;
    list.remove_prefix(comma + 1);
  }
}

std::vector<std::string> expandOne(std::string_view pattern) {
  std::vector<std::string> names = {""};
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('[');
    for (std::string& name : names) name += pattern.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = pattern.find(']', open);  // there, see splitOutsideBrackets
    const std::vector<std::string> numbers = numbersIn(pattern.substr(open + 1, close - open - 1));
    if (names.size() * numbers.size() > kMaxHosts) refuse(strCat("\"", quotable(pattern), "\" makes more than ", kMaxHosts, " hosts"));
    std::vector<std::string> longer;
    for (const std::string& name : names)
      for (const std::string& number : numbers) longer.push_back(name + number);
    names = std::move(longer);
    pattern.remove_prefix(close + 1);
  }
  return names;
}

}  // namespace

std::vector<std::string> expandHostRanges(std::string_view text) {
  std::vector<std::string> names;
  for (const std::string_view pattern : splitOutsideBrackets(text)) {
    if (pattern.empty()) refuse(strCat("\"", quotable(text), "\" has an empty name between commas"));
    for (std::string& name : expandOne(pattern)) names.push_back(std::move(name));
    if (names.size() > kMaxHosts) refuse(strCat("\"", quotable(text), "\" makes more than ", kMaxHosts, " hosts"));
  }
  return names;
}

}  // namespace paceline::interop
