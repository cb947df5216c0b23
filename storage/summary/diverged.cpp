#include "storage/summary/diverged.h"

#include <algorithm>

#include "storage/summary/table_text.h"

namespace paceline::summary {
namespace {

std::string cellOf(double value) { return numberText(value); }
std::string cellOf(std::int64_t value) { return std::to_string(value); }
std::string cellOf(const std::string& text) { return text; }
std::string cellOf(const std::optional<double>& value) { return value ? numberText(*value) : std::string(); }

std::vector<std::string> cellsOf(const RoundRecord& round) {
  std::vector<std::string> cells;
  describe([&](const Field&, const auto& value) { cells.push_back(cellOf(value)); }, round);
  return cells;
}

}  // namespace

std::optional<Divergence> divergenceOf(const store::StoreReader& store, const std::string& run) {
  const std::vector<store::NoticeRow> notices = store.notices(run);
  const auto first = std::ranges::find_if(notices, [](const store::NoticeRow& notice) { return notice.record.reason == kNotFinite; });
  if (first == notices.end()) return std::nullopt;
  return Divergence{.node = first->node, .words = first->record.text, .rounds = store.roundsBefore(run, first->node, first->seq, kRecordsBefore)};
}

RecordTable tableOf(std::span<const store::RoundRow> rounds) {
  RecordTable all, table;
  const RoundRecord none;
  describe([&](const Field& field, const auto&) { all.heads.emplace_back(field.key); }, none);
  for (const store::RoundRow& row : rounds) all.rows.push_back(cellsOf(row.record));
  const std::vector<std::string> empty = cellsOf(none);
  table.rows.resize(all.rows.size());
  for (std::size_t column = 0; column < all.heads.size(); ++column) {
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
