#include "app/cli/results/documents.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/cli/console.h"
#include "app/figures/parts/groups.h"
#include "app/figures/published.h"
#include "engine/core/json/json_text.h"

namespace paceline::cli {
namespace {

std::string text(const Json& json) { return dumped(json, 2) + "\n"; }

// What lists say of a run: its row less its documents.
struct RowWriter {
  Json& object;
  void operator()(const Field& field, const std::string& value) const {
    if (field.unit != "JSON") object[field.key] = value;
  }
  void operator()(const Field& field, store::RunState value) const { object[field.key] = store::stateName(value); }
  void operator()(const Field& field, double value) const { object[field.key] = utcText(value); }
  template <class Value>
  void operator()(const Field& field, const Value& value) const {
    object[field.key] = value;
  }
};

Json rowJson(const store::RunRow& run) {
  Json object = {{"trashed", run.trashed}};
  store::describeRun(RowWriter{object}, run);
  return object;
}

// Of the rows that share a node and their texts (an edge's peer, a metric's name): how many, and of each number its mean and its last.
struct Group {
  Json texts;
  std::int64_t rows = 0;
  struct Number {
    double sum = 0, last = 0;
    std::int64_t count = 0;
  };
  std::map<std::string, Number> numbers;
};

struct GroupWriter {
  Group& group;
  bool fresh;
  void operator()(const Field& field, const std::string& value) const {
    if (fresh) group.texts[field.key] = value;
  }
  void operator()(const Field& field, double value) const {
    Group::Number& number = group.numbers[std::string(field.key)];
    number.sum += value, number.last = value, ++number.count;
  }
  void operator()(const Field& field, std::int64_t value) const { (*this)(field, static_cast<double>(value)); }
  void operator()(const Field& field, const std::optional<double>& value) const {
    if (value) (*this)(field, *value);
  }
  void operator()(const Field& field, const std::vector<std::int64_t>& value) const { group.texts[field.key] = value; }
};

template <class Record>
Json groupsOf(const std::vector<store::RecordRow<Record>>& rows) {
  std::map<std::string, Group> groups;
  for (const store::RecordRow<Record>& row : rows) {
    std::string key = row.node;
    describe([&]<class Value>(const Field&, const Value& value) {
      if constexpr (std::same_as<Value, std::string>) key += '\n' + value;
    }, row.record);
    Group& group = groups[key];
    if (group.rows == 0) group.texts["node"] = row.node;
    describe(GroupWriter{group, group.rows++ == 0}, row.record);
  }
  Json list = Json::array();
  for (auto& [key, group] : groups) {
    Json& json = list.emplace_back(std::move(group.texts));
    json["rows"] = group.rows;
    for (const auto& [name, number] : group.numbers)
      json[name] = {{"mean", jsonNumber(number.sum / static_cast<double>(number.count))}, {"last", jsonNumber(number.last)}};
  }
  return list;
}

// SSGD of the same seed in the same configuration; where it has only one configuration, that one.
const summary::RunSummary* baseFor(const summary::RunSummary& run, const std::vector<parts::RunGroup>& groups) {
  const auto has = [&run](const parts::RunGroup& group) { return std::ranges::find(group.members, &run) != group.members.end(); };
  const auto own = std::ranges::find_if(groups, has);
  const auto isBase = [](const parts::RunGroup& group) { return group.first().algorithm == "ssgd"; };
  const bool one = std::ranges::count_if(groups, isBase) == 1;
  for (const parts::RunGroup& group : groups) {
    if (!isBase(group) || (!one && (own == groups.end() || group.differs != own->differs))) continue;
    const auto same = std::ranges::find(group.members, run.seed, &summary::RunSummary::seed);
    if (same != group.members.end()) return *same;
  }
  return nullptr;
}

std::string speedUp(const summary::RunSummary& run, const summary::RunSummary* base) {
  if (base == nullptr || !base->timeToTargetSeconds) return "-";
  if (!run.timeToTargetSeconds) return "not reached";
  return *run.timeToTargetSeconds > 0 ? decimals(*base->timeToTargetSeconds / *run.timeToTargetSeconds, 2) : "-";
}

std::string busyRange(const summary::RunSummary& run) {
  std::vector<double> ratios;
  for (const summary::NodeSummary& node : run.nodes)
    if (summary::trains(node) && !std::isnan(node.busyRatio)) ratios.push_back(node.busyRatio);
  if (ratios.empty()) return "-";
  const auto [least, most] = std::ranges::minmax(ratios);
  const std::string low = decimals(least, 2), high = decimals(most, 2);
  return low == high ? low : low + ".." + high;
}

template <class Property>
bool differs(const std::vector<summary::RunSummary>& runs, Property property) {
  return std::ranges::any_of(runs, [&](const summary::RunSummary& run) { return run.*property != runs.front().*property; });
}

std::string bytesPerRound(const summary::RunSummary& run) {
  std::int64_t rounds = 0;
  for (const summary::NodeSummary& node : run.nodes) rounds += node.rounds;
  return rounds == 0 ? "-" : significant(static_cast<double>(run.bytesSent + run.bytesReceived) / static_cast<double>(rounds) / 1e3);
}

std::size_t workersIn(const summary::RunSummary& run) { return static_cast<std::size_t>(std::ranges::count_if(run.nodes, summary::trains)); }

// Mean of the workers' own last accuracies, where their parameters were evaluated one by one; nullopt: they were not.
std::optional<double> ownAccuracy(const summary::RunSummary& run) {
  double sum = 0;
  std::size_t count = 0;
  for (const summary::EvaluationCurve& curve : run.otherCurves) {
    if (curve.points.empty() || std::ranges::find(run.nodes, curve.of, &summary::NodeSummary::id) == run.nodes.end()) continue;
    sum += curve.points.back().accuracy;
    ++count;
  }
  return count > 0 && count == workersIn(run) ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

// What each run is called: its name where all have one of their own, else what differs between them.
std::vector<std::string> calledApart(const std::vector<summary::RunSummary>& runs, const Titles& titles) {
  std::vector<std::string> names;
  for (const summary::RunSummary& run : runs) names.push_back(run.name);
  const std::set<std::string> distinct(names.begin(), names.end());
  if (distinct.size() == runs.size() && !distinct.contains("")) return names;
  FigureOptions options;
  options.groupSeeds = false;
  options.titles = titles;
  for (const parts::RunGroup& group : parts::groupRuns(parts::pointersTo(runs), options)) names[static_cast<std::size_t>(&group.first() - runs.data())] = group.fullLabel;
  return names;
}

std::string markdownRow(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) {
    row += ' ';
    for (const char c : cell) row += c == '|' ? std::string("\\|") : std::string(1, c);  // else it would end the cell
    row += " |";
  }
  return row + '\n';
}

std::string markdownHead(const std::vector<std::string>& titles) { return markdownRow(titles) + markdownRow(std::vector<std::string>(titles.size(), "---")); }

}  // namespace

std::string outcomesDocument(const std::vector<recorder::Entry>& entries) {
  Json runs = Json::array();
  for (const recorder::Entry& entry : entries)
    runs.push_back({{"id", entry.run},
                    {"name", entry.name},
                    {"state", store::stateName(entry.state)},
                    {"error", entry.text},
                    {"reason", entry.reason}});
  return text({{"runs", runs}});
}

std::string runsDocument(const std::vector<store::RunRow>& runs) {
  Json list = Json::array();
  for (const store::RunRow& run : runs) list.push_back(rowJson(run));
  return text({{"runs", list}});
}

std::string showDocument(const summary::RunData& data, const summary::RunSummary& summary) {
  Json notices = Json::array();
  for (const store::NoticeRow& notice : data.notices)
    notices.push_back({{"node", notice.node},
                       {"seq", notice.seq},
                       {"kind", notice.record.kind},
                       {"level", notice.record.level},
                       {"text", notice.record.text},
                       {"reason", notice.record.reason},
                       {"code", notice.record.code}});
  Json recorded = Json::object();
  summary::eachList(data, [&]<class Record>(const std::vector<store::RecordRow<Record>>& rows) {
    if (!Record::kName.kind.empty()) recorded[Record::kName.list] = groupsOf(rows);
  });
  Json document = {{"run", rowJson(data.run)},
                   {"spec", jsonOrNull(data.run.specText)},
                   {"versions", jsonOrNull(data.run.versions)},
                   {"notices", notices},
                   {"recorded", recorded}};
  document["summary"] = jsonOrNull(summary::summariesToJson({summary})).at("runs").at(0);
  return text(document);
}

std::string findingsDocument(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings)
    list.push_back({{"pointer", finding.pointer}, {"message", finding.message}, {"error", finding.error}});
  return text({{"findings", list}});
}

std::string differencesDocument(const std::vector<Difference>& differences) {
  Json list = Json::array();
  for (const Difference& difference : differences) {
    Json& entry = list.emplace_back(Json{{"pointer", difference.pointer}});
    if (difference.values.size() == 2) entry["left"] = jsonOrNull(difference.values[0]), entry["right"] = jsonOrNull(difference.values[1]);
    else
      for (const std::string& value : difference.values) entry["values"].push_back(jsonOrNull(value));
  }
  return text({{"differences", list}});
}

std::string indented(const std::string& json) {
  const Json parsed = jsonOrNull(json);
  return parsed.is_null() ? json : text(parsed);
}

std::string comparisonMarkdown(const std::vector<summary::RunSummary>& runs, const Titles& titles) {
  if (runs.empty()) return "";
  const std::vector<std::string> names = calledApart(runs, titles);
  const std::string target = strCat("s to ", significant(runs.front().targetAccuracy));
  std::vector<std::string> header = {"run", "workers", "rounds", "samples/s", "kB per round", "computing", "accuracy", "best accuracy", target};
  const bool each = std::ranges::any_of(runs, [](const summary::RunSummary& run) { return ownAccuracy(run).has_value(); });
  if (each) header.insert(header.begin() + 6, "each worker's accuracy");
  std::string table = markdownHead(header);
  for (const summary::RunSummary& run : runs) {
    const std::string& name = names[static_cast<std::size_t>(&run - runs.data())];
    std::vector<std::string> row = {run.state == "finished" ? name : strCat(name, " (", run.state, ")"),
                                    std::to_string(workersIn(run)),
                                    std::to_string(run.rounds),
                                    significant(run.throughputSamplesPerSecond),
                                    bytesPerRound(run),
                                    busyRange(run),
                                    run.accuracyLast ? decimals(*run.accuracyLast, 3) : "-",
                                    run.accuracyBest ? decimals(*run.accuracyBest, 3) : "-",
                                    run.timeToTargetSeconds ? significant(*run.timeToTargetSeconds) : "-"};
    const std::optional<double> own = ownAccuracy(run);
    if (each) row.insert(row.begin() + 6, own ? decimals(*own, 3) : "-");
    table += markdownRow(row);
  }
  return table;
}

std::string groupedMarkdown(const Results& results) {
  if (results.rows.empty()) return "";
  std::vector<std::string> header = {"configuration", "runs"};
  for (const ResultColumn& column : results.columns) header.push_back(column.title);
  std::string table = markdownHead(header);
  for (const ResultRow& row : results.rows) {
    std::vector<std::string> cells = {row.label, std::to_string(row.runs)};
    for (const ResultCell& cell : row.cells) cells.push_back(cell.best ? strCat("**", cell.text, "**") : cell.text);
    table += markdownRow(cells);
  }
  std::vector<std::string> words = results.findings;
  for (const std::string& each : {results.peeking, results.note})
    if (!each.empty()) words.push_back(each);
  for (const std::string& each : words) table += strCat("\n* ", each);
  return words.empty() ? table : table + '\n';
}

std::string publishedTable(const std::vector<summary::RunSummary>& runs, const Titles& titles) {
  const PublishedTable table = numbered(publishedRows(runs, titles));
  if (table.rows.empty()) return "";
  std::string text = tableText({std::begin(kPublishedHeads), std::end(kPublishedHeads)}, table.rows);
  for (const std::string& source : table.sources) text += source + '\n';
  return text;
}

std::string publishedMarkdown(const std::vector<summary::RunSummary>& runs, const Titles& titles) {
  const PublishedTable table = numbered(publishedRows(runs, titles));
  if (table.rows.empty()) return "";
  std::string text = markdownHead({std::begin(kPublishedHeads), std::end(kPublishedHeads)});
  for (const std::vector<std::string>& row : table.rows) text += markdownRow(row);
  for (const std::string& source : table.sources) text += '\n' + source + '\n';
  return text;
}

std::vector<summary::CsvColumn> publishedColumns(const std::vector<summary::RunSummary>& runs, const Titles& titles) {
  std::vector<summary::CsvColumn> columns;
  const auto cell = [&](const std::string& title, const std::string& run) -> std::string& {
    auto column = std::ranges::find(columns, title, &summary::CsvColumn::title);
    if (column == columns.end()) column = columns.insert(column, {.title = title, .cells = std::vector<std::string>(runs.size())});
    return column->cells.at(static_cast<std::size_t>(std::ranges::find(runs, run, &summary::RunSummary::id) - runs.begin()));
  };
  for (const PublishedRow& row : publishedRows(runs, titles))
    for (const std::string& run : row.ids) cell("published " + row.quantity, run) = row.publishedText, cell("ours " + row.quantity, run) = row.oursText, cell("inside " + row.quantity, run) = row.insideText;
  return columns;
}

std::string comparisonTable(const std::vector<summary::RunSummary>& runs, const Titles& titles) {
  if (runs.empty()) return "";
  std::set<std::pair<std::string, std::uint64_t>> shown;
  for (const summary::RunSummary& run : runs) shown.emplace(run.algorithm, run.seed);
  const bool needName = shown.size() < runs.size(), needSeed = differs(runs, &summary::RunSummary::seed);
  std::vector<std::string> header = {"algorithm"};
  if (needSeed) header.emplace_back("seed");
  if (needName) header.emplace_back("name");
  const std::vector<std::string> names = needName ? calledApart(runs, titles) : std::vector<std::string>();
  const std::string target = strCat("s to ", significant(runs.front().targetAccuracy));
  for (const char* title :
       {"state", "rounds", "samples/s", "traffic MB/s", "computing", "best accuracy", target.c_str(), "speed-up vs SSGD"})
    header.emplace_back(title);
  const std::vector<parts::RunGroup> groups = parts::groupRuns(parts::pointersTo(runs), {});
  const bool mixed = !std::ranges::all_of(runs, summary::isSimulated);
  std::vector<std::vector<std::string>> rows;
  for (const summary::RunSummary& run : runs) {
    std::vector<std::string> row = {displayName(run.algorithm)};
    if (needSeed) row.push_back(std::to_string(run.seed));
    if (needName) row.push_back(names[static_cast<std::size_t>(&run - runs.data())]);
    row.push_back(mixed && summary::isSimulated(run) ? run.state + ", simulated" : run.state);
    row.push_back(std::to_string(run.rounds));
    row.push_back(significant(run.throughputSamplesPerSecond));
    row.push_back(significant(run.trafficBytesPerSecond / 1e6));
    row.push_back(busyRange(run));
    row.push_back(run.accuracyBest ? decimals(*run.accuracyBest, 3) : "-");
    row.push_back(run.timeToTargetSeconds ? significant(*run.timeToTargetSeconds) : "not reached");
    row.push_back(speedUp(run, baseFor(run, groups)));
    rows.push_back(std::move(row));
  }
  return tableText(header, rows);
}

}  // namespace paceline::cli
