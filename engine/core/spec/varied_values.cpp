#include "engine/core/spec/varied_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace paceline {
namespace {

constexpr const char* kNumbersWanted = "numbers such as 1, 2, 4 or a range such as 1..8 step 2 or 0.001..1 log 4";
constexpr const char* kNone = "none";  // null: a value that may be absent
constexpr double kLargestWhole = 9e15;  // whole numbers up to here are exact

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> parted(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(by);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class T>
std::optional<T> whole(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return !text.empty() && read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}
std::optional<double> number(std::string_view text) {
  const auto value = whole<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

class Reader {
 public:
  VariedValues read(std::string_view text) {
    for (const std::string_view item : parted(text, ',')) {
      const std::size_t dots = item.find("..");
      if (dots == std::string_view::npos ? !addNumber(item) : !addRange(item, dots)) return std::move(result_);
    }
    return std::move(result_);
  }

 private:
  bool refuse(std::string wanted, std::string_view found) {
    result_ = {.values = {}, .wanted = std::move(wanted), .found = strCat("\"", quotable(std::string(found)), "\"")};
    return false;
  }

  bool add(OrderedJson value, std::string_view item) {
    if (std::ranges::find(result_.values, value) != result_.values.end()) return true;
    if (result_.values.size() == kMostVariedValues) return refuse(strCat("at most ", kMostVariedValues, " values"), item);
    result_.values.push_back(std::move(value));
    return true;
  }

  bool addNumber(std::string_view item) {
    if (item == kNone) return add(nullptr, item);
    if (const auto value = whole<std::uint64_t>(item)) return add(*value, item);
    if (const auto value = whole<std::int64_t>(item)) return add(*value, item);
    const auto value = number(item);
    return value ? add(*value, item) : refuse(kNumbersWanted, item);
  }

  bool addReal(double value, std::string_view item) {
    if (value != std::floor(value) || std::abs(value) > kLargestWhole) return add(value, item);
    return value < 0 ? add(static_cast<std::int64_t>(value), item) : add(static_cast<std::uint64_t>(value), item);
  }

  // FROM..TO, FROM..TO step S, FROM..TO log N
  bool addRange(std::string_view item, std::size_t dots) {
    std::string_view rest = trimmed(item.substr(dots + 2)), by;
    const auto from = number(trimmed(item.substr(0, dots)));
    const std::size_t space = rest.find(' ');
    if (space != std::string_view::npos) by = trimmed(rest.substr(space)), rest = rest.substr(0, space);
    const auto to = number(rest);
    if (!from || !to) return refuse(kNumbersWanted, item);
    if (std::max(std::abs(*from), std::abs(*to)) > kLargestWhole) return refuse("a range between numbers below 9e15", item);
    if (by.starts_with("log ")) return addRatios(*from, *to, trimmed(by.substr(4)), item);
    if (by.starts_with("step ")) {
      const auto step = number(trimmed(by.substr(5)));
      return step ? addSteps(*from, *to, *step, item) : refuse(kNumbersWanted, item);
    }
    if (!by.empty()) return refuse(kNumbersWanted, item);
    if (*from != std::floor(*from) || *to != std::floor(*to)) return refuse("a range with a step (0.1..0.5 step 0.1) or a number of values (0.1..0.5 log 3)", item);
    return addSteps(*from, *to, *from <= *to ? 1 : -1, item);
  }

  bool addSteps(double from, double to, double step, std::string_view item) {
    if (step == 0 || (from != to && (to > from) != (step > 0))) return refuse("a range whose step leads from its start to its end", item);
    const double steps = (to - from) / step + 1e-9;
    if (!(steps < static_cast<double>(kMostVariedValues))) return refuse(strCat("at most ", kMostVariedValues, " values"), item);
    for (int i = 0; i <= static_cast<int>(steps); ++i)
      if (!addReal(roundedTo(from + i * step, 15), item)) return false;
    return true;
  }

  bool addRatios(double from, double to, std::string_view count, std::string_view item) {
    const auto values = whole<int>(count);
    if (!values || *values < 2 || *values > static_cast<int>(kMostVariedValues)) return refuse(strCat("a range with 2 to ", kMostVariedValues, " values"), item);
    if (!(from > 0) || !(to > 0)) return refuse("a range between numbers above 0: its values have equal ratios", item);
    for (int i = 0; i < *values; ++i) {
      const bool end = i == 0 || i == *values - 1;
      const double exact = i == 0 ? from : end ? to : from * std::pow(to / from, static_cast<double>(i) / (*values - 1));
      if (!addReal(end ? exact : roundedTo(exact, 4), item)) return false;
    }
    return true;
  }

  VariedValues result_;
};

}  // namespace

double roundedTo(double value, int digits) {
  if (value == 0) return 0;
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return number(text).value_or(value);
}

VariedValues readNumbers(std::string_view text) { return Reader().read(text); }

VariedValues readTexts(std::string_view text) {
  VariedValues result;
  for (const std::string_view word : parted(text, ',')) {
    const OrderedJson value = std::string(word);
    if (std::ranges::find(result.values, value) == result.values.end()) result.values.push_back(value);
    if (word.empty()) return {.values = {}, .wanted = "words with commas between", .found = strCat("\"", quotable(std::string(text)), "\"")};
    if (result.values.size() > kMostVariedValues) return {.values = {}, .wanted = strCat("at most ", kMostVariedValues, " values"), .found = strCat(parted(text, ',').size())};
  }
  return result;
}

std::string variedText(const OrderedJson& values) {
  std::string text;
  for (const OrderedJson& value : values) text += (text.empty() ? "" : ", ") + (value.is_string() ? value.get<std::string>() : value.is_null() ? kNone : dumped(value));
  return text;
}

}  // namespace paceline
