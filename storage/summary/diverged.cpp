#include "storage/summary/diverged.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "storage/summary/table_text.h"

namespace paceline::summary {
namespace {

std::string cellOf(double value, bool brief) {
  if (!brief || !std::isfinite(value)) return numberText(value);
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 4).ptr;
  return {digits, end};
}
std::string cellOf(std::int64_t value, bool) { return std::to_string(value); }
std::string cellOf(const std::string& text, bool) { return text; }
std::string cellOf(const std::optional<double>& value, bool brief) { return value ? cellOf(*value, brief) : std::string(); }

std::vector<std::string> cellsOf(const RoundRecord& round, bool brief) {
  std::vector<std::string> cells;
  describe([&](const Field&, const auto& value) { cells.push_back(cellOf(value, brief)); }, round);
  return cells;
}

}  // namespace

std::optional<Divergence> divergenceOf(const store::StoreReader& store, const std::string& run) {
  const std::vector<store::NoticeRow> notices = store.notices(run);
  const auto first = std::ranges::find_if(notices, [](const store::NoticeRow& notice) { return notice.record.reason == kNotFinite; });
  if (first == notices.end()) return std::nullopt;
  return Divergence{.node = first->node, .words = first->record.text, .rounds = store.roundsBefore(run, first->node, first->seq, kRecordsBefore)};
}

RecordTable tableOf(std::span<const store::RoundRow> rounds, bool brief) {
  RecordTable all, table;
  const RoundRecord none;
  describe([&](const Field& field, const auto&) { all.heads.emplace_back(field.key); }, none);
  for (const store::RoundRow& row : rounds) all.rows.push_back(cellsOf(row.record, brief));
  const std::vector<std::string> empty = cellsOf(none, brief);
  table.rows.resize(all.rows.size());
  std::vector<std::size_t> order(all.heads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto loss = std::ranges::find(all.heads, "loss") - all.heads.begin();
  std::rotate(order.begin() + 1, order.begin() + loss, order.begin() + loss + 1);  // behind the round
  for (const std::size_t column : order) {
    if (std::ranges::all_of(all.rows, [&](const std::vector<std::string>& row) { return row[column] == empty[column]; })) continue;
    table.heads.push_back(all.heads[column]);
    for (std::size_t row = 0; row < all.rows.size(); ++row) table.rows[row].push_back(std::move(all.rows[row][column]));
  }
  return table;
}

std::string csvOf(const RecordTable& table) {
  CsvTable csv;
  const auto add = [&csv](const std::vector<std::string>& cells) {
    for (const std::string& cell : cells) csv.cell(std::string_view(cell));
    csv.endRow();
  };
  add(table.heads);
  for (const std::vector<std::string>& row : table.rows) add(row);
  return csv.take();
}

}  // namespace paceline::summary
