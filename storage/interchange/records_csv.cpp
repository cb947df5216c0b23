// Records as CSV, full resolution: run, node, seq and what their type describes.
#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "storage/interchange/interop.h"
#include "storage/summary/table_text.h"

namespace paceline::interchange {
namespace {

template <class Record>
std::string csvOf(const std::string& run, const std::vector<store::RecordRow<Record>>& rows) {
  summary::CsvTable table;
  table.cell("run").cell("node").cell("seq");
  const Record fresh{};
  describe([&](const Field& field, const auto&) { table.cell(field.key); }, fresh);
  table.endRow();
  for (const store::RecordRow<Record>& row : rows) {
    table.cell(run).cell(row.node).cell(row.seq);
    describe([&]<class Value>(const Field&, const Value& value) {
      if constexpr (std::same_as<Value, std::vector<std::int64_t>>) table.cell(dumped(Json(value)));
      else table.cell(value);
    }, row.record);
    table.endRow();
  }
  return table.text();
}

}  // namespace

std::vector<std::string> recordLists() {
  std::vector<std::string> names;
  eachRecordType([&]<class Record>() { names.emplace_back(Record::kName.list); });
  return names;
}

std::string recordsToCsv(const summary::RunData& data, std::string_view list) {
  std::optional<std::string> text;
  summary::eachList(data, [&]<class Record>(const std::vector<store::RecordRow<Record>>& rows) {
    if (Record::kName.list == list) text = csvOf(data.run.id, rows);
  });
  if (!text) throw Error(Errc::kUsage, strCat("\"", list, "\" is no list of records; have ", listed(recordLists())));
  return *text;
}

}  // namespace paceline::interchange
