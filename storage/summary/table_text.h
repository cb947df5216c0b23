// Numbers and cells as text, the same in every locale. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace paceline::summary {

std::string numberText(double value);  // shortest that reads back the same; "NaN", "Infinity", "-Infinity"
std::string fixedText(double value, int decimals);
std::string deeper(const std::string& json);  // an indented document as it stands two levels deeper, on a line of its own
double rounded(double value, int decimals);  // Python's round(): to nearest of the exact value, ties to even

class CsvTable {  // RFC 4180: CRLF, fields quoted where they must be
 public:
  CsvTable& cell(std::string_view text);
  CsvTable& cell(double value) { return cell(numberText(value)); }
  CsvTable& cell(std::int64_t value) { return cell(std::to_string(value)); }
  CsvTable& cell(std::uint64_t value) { return cell(std::to_string(value)); }
  CsvTable& cell(const std::optional<double>& value) { return value ? cell(*value) : cell(std::string_view()); }
  void endRow();
  const std::string& text() const { return text_; }
  std::string take() { return std::exchange(text_, {}); }  // whole rows, so far

 private:
  std::string text_;
  bool rowBegan_ = false;
};

}  // namespace paceline::summary
