// What a record's describe() names is in its line, its table, its CSV and its bundle: for every type of record, those to come included.
#include <algorithm>
#include <map>

#include "engine/core/json/json_text.h"
#include "storage/interchange/interop.h"
#include "storage/store/rows.h"
#include "storage/store/schema.h"
#include "tests/storage/samples.h"

namespace paceline::tests {
namespace {

// Every member differs from its default and from the others.
struct Filler {
  int n = 1;
  void operator()(const Field&, double& value) { value = 0.5 + n++; }
  void operator()(const Field&, std::int64_t& value) { value = n++; }
  void operator()(const Field&, std::optional<double>& value) { value = 0.25 + n++; }
  void operator()(const Field&, std::string& value) { value = strCat("text ", n++); }
  void operator()(const Field&, std::vector<std::int64_t>& value) { value = {n++, 7}; }
};
template <class Record>
Record filled() {
  Record record;
  describe(Filler{}, record);
  return record;
}

template <class T>
std::map<std::string, store::Column> described(std::map<std::string, store::Column> all = {}) {
  for (const store::Column& column : store::columnsOf<T>()) all.emplace(column.name, column);
  return all;
}

std::map<std::string, store::Column> columnsInStore(store::Database& database, std::string_view table) {
  std::map<std::string, store::Column> all;
  store::Statement query = database.statement("SELECT name, type, \"notnull\" FROM pragma_table_info(?1)");
  query.bind(table);
  while (query.step()) {
    const auto name = query.next<std::string>(), type = query.next<std::string>();
    const char* known = type == "REAL" ? "REAL" : type == "INTEGER" ? "INTEGER" : type == "TEXT" ? "TEXT" : "?";
    all.emplace(name, store::Column{name, known, query.next<bool>()});
  }
  return all;
}

template <class T>
void expectColumns(store::Database& database, std::string_view table, std::map<std::string, store::Column> others) {
  others.emplace("key", store::Column{"key", "INTEGER", false});
  const std::map<std::string, store::Column> wanted = described<T>(std::move(others)), found = columnsInStore(database, table);
  EXPECT_TRUE(wanted == found) << table;
  for (const auto& [name, column] : wanted) EXPECT_TRUE(found.contains(name)) << table << " has no column " << name;
  for (const auto& [name, column] : found) EXPECT_TRUE(wanted.contains(name)) << table << "." << name << " is not described";
}

TEST(Described, EveryTableHasTheDescribedColumnsAndNoOthers) {
  const TempFolder folder{};
  { const store::StoreWriter made(folder / "a.db"); }
  store::Database database(folder / "a.db", store::Database::Mode::kRead);
  eachRecordType([&]<class Record>() {
    expectColumns<Record>(database, Record::kName.table, {{"node", {"node", "INTEGER"}}, {"seq", {"seq", "INTEGER"}}});
  });
  expectColumns<store::RunRow>(database, "run", {});
  expectColumns<store::NodeRow>(database, "node", {{"run", {"run", "INTEGER"}}, {"declared", {"declared", "INTEGER"}}});
}

TEST(Described, EveryFieldSaysWhatItIsAndSinceWhen) {
  eachRecordType([]<class Record>() {
    const Record fresh{};
    describe([](const Field& field, const auto&) {
      EXPECT_FALSE(field.help.empty()) << Record::kName.list << "/" << field.key;
      EXPECT_LE(field.since, store::latestVersion()) << Record::kName.list << "/" << field.key;
    }, fresh);
    EXPECT_LE(Record::kName.since, store::latestVersion()) << Record::kName.list;
  });
}

TEST(Described, EveryFieldComesBackFromLineStoreAndBundle) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  store::StoreWriter writer(folder / "a.db"), other(folder / "b.db");
  std::int64_t seq = 0;
  eachRecordType([&]<class Record>() {
    EXPECT_EQ(parseEvent(toLine(filled<Record>())), Event(filled<Record>())) << Record::kName.list;
    writer.append(std::vector<StampedEvent>{{"r1", "w0", ++seq, filled<Record>()}});
  });
  const store::StoreReader reader(folder / "a.db"), copy(folder / "b.db");
  const summary::RunData data = summary::loadRun(reader, reader.find("r1").value());
  writeText(folder / "run.json", interchange::runToJson(data));
  interchange::importPath(other, folder / "run.json");
  eachRecordType([&]<class Record>() {
    for (const store::StoreReader* store : {&reader, &copy}) {
      const auto rows = store->records<Record>("r1");
      ASSERT_EQ(rows.size(), 1U) << Record::kName.list;
      EXPECT_EQ(rows[0].record, filled<Record>()) << Record::kName.list;
    }
    const std::string csv = interchange::recordsToCsv(data, Record::kName.list);
    std::string header = "run,node,seq";
    for (const store::Column& column : store::columnsOf<Record>()) header += "," + column.name;
    EXPECT_TRUE(csv.starts_with(header + "\r\nr1,w0,")) << csv;
    EXPECT_EQ(std::ranges::count(csv, '\n'), 2) << csv;
  });
  int lists = 0;
  summary::eachList(data, [&](const auto& rows) { lists += static_cast<int>(rows.size()); });
  EXPECT_EQ(lists, seq);  // loadRun and eachList know every type
}

TEST(Described, AFieldThatCameLaterIsTheDefaultWhereALineLacksIt) {
  Json line = Json::parse(toLine(filled<EvaluationRecord>()));
  line.erase("consensus"), line.erase("of");
  const auto record = std::get<EvaluationRecord>(parseEvent(line.dump()));
  EXPECT_EQ(record.of, "");
  EXPECT_EQ(record.consensus, std::nullopt);
}

TEST(Described, AListThatNobodyHasIsRefusedByName) {
  EXPECT_NE(messageOf(Errc::kUsage, [] { interchange::recordsToCsv(summary::RunData{}, "power"); }).find("have rounds, evaluations"), std::string::npos);
}

}  // namespace
}  // namespace paceline::tests
