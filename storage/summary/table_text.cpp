#include "storage/summary/table_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace paceline::summary {
namespace {

std::string notFinite(double value) { return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity"; }

}  // namespace

std::string numberText(double value) {
  if (!std::isfinite(value)) return notFinite(value);
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

std::string fixedText(double value, int decimals) {
  if (!std::isfinite(value)) return notFinite(value);
  std::array<char, 400> buffer;  // the largest double has 309 digits before the point
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals).ptr;
  return {buffer.data(), end};
}

double rounded(double value, int decimals) {
  if (!std::isfinite(value)) return value;
  const std::string text = fixedText(value, decimals);
  double result = value;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

std::string deeper(const std::string& json) {  // no text in it has a line of its own
  constexpr std::string_view kLine = "\n    ";
  std::string text;
  text.reserve(json.size() + json.size() / 4);
  for (std::size_t begin = 0; begin != std::string::npos;) {
    const std::size_t end = json.find('\n', begin);
    text.append(kLine).append(json, begin, end - begin);
    begin = end == std::string::npos ? end : end + 1;
  }
  return text;
}

CsvTable& CsvTable::cell(std::string_view text) {
  if (rowBegan_) text_ += ',';
  rowBegan_ = true;
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    text_ += text;
    return *this;
  }
  text_ += '"';
  for (const char c : text) {
    if (c == '"') text_ += '"';
    text_ += c;
  }
  text_ += '"';
  return *this;
}

void CsvTable::endRow() {
  text_ += "\r\n";
  rowBegan_ = false;
}

}  // namespace paceline::summary
