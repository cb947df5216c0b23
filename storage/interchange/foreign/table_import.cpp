// A table of numbers (CSV): a row a step with a column a series, or a row a number. Its first row names the columns; the profile says what is what, else their names do.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <span>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "storage/interchange/esync_format.h"
#include "storage/interchange/foreign/foreign_run.h"
#include "storage/interchange/foreign/table_head.h"

namespace fs = std::filesystem;

namespace paceline::interchange {
namespace {

constexpr std::size_t kMostTable = std::size_t{512} << 20;
constexpr std::size_t kTableHead = 65536;
// Names that people give to columns, lower case.
constexpr const char* kSteps[] = {"step", "round", "iteration", "iter", "epoch", "global_step"};
constexpr const char* kTimes[] = {"wall_time", "unix_time", "timestamp", "time_unix"};
constexpr const char* kRuns[] = {"run", "run_id", "run_name", "experiment"};
constexpr const char* kNames[] = {"tag", "metric", "name"};
constexpr const char* kValues[] = {"value"};
constexpr const char* kNothing[] = {"", "-", "na", "n/a", "none", "null"};  // what a cell without a value holds, lower case

// RFC 4180: fields with a separator, a quote or an end of line in them are quoted.
class CsvRows {
 public:
  CsvRows(std::string_view text, char separator) : text_(text), separator_(separator) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  }
  bool next(std::vector<std::string>& fields) {  // empty lines are passed over
    while (!text_.empty() && (text_.front() == '\n' || text_.front() == '\r')) line_ += text_.front() == '\n', text_.remove_prefix(1);
    fields.clear();
    if (text_.empty()) return false;
    std::string field;
    bool quoted = false;
    std::size_t at = 0;
    for (; at < text_.size(); ++at) {
      const char c = text_[at];
      if (quoted) {
        if (c != '"') field += c;
        else if (at + 1 < text_.size() && text_[at + 1] == '"') field += text_[++at];
        else quoted = false;
      } else if (c == '"' && field.empty()) {
        quoted = true;
      } else if (c == separator_) {
        fields.push_back(std::exchange(field, {}));
      } else if (c == '\n' || c == '\r') {
        break;
      } else {
        field += c;
      }
    }
    fields.push_back(std::move(field));
    const std::string_view row = text_.substr(0, at);
    began_ = line_, line_ += std::ranges::count(row, '\n');
    text_.remove_prefix(at);
    return true;
  }
  std::int64_t line() const { return began_ + 1; }  // of the row that was read last

 private:
  std::string_view text_;
  char separator_;
  std::int64_t line_ = 0, began_ = 0;
};

char separatorOf(const std::string& head, const ImportProfile& profile, const std::string& path) {
  if (const std::string* told = profile.find("separator")) {
    if (*told == "tab" || *told == "\\t") return '\t';
    if (told->size() == 1) return told->front();
    throw Error(Errc::kFormat, strCat(path, ": a separator must be one character or \"tab\", it is \"", quotable(*told), "\""));
  }
  const std::string_view first = std::string_view(head).substr(0, head.find('\n'));
  char best = ',';
  for (const char c : {',', ';', '\t'})
    if (std::ranges::count(first, c) > std::ranges::count(first, best)) best = c;
  return best;
}

struct Columns {
  std::vector<std::string> names;
  std::optional<std::size_t> step = {}, time = {}, run = {}, name = {}, value = {};
  bool isSeries(std::size_t i) const { return i != step && i != time && i != run && i != name && i != value; }
};

Columns columnsOf(std::vector<std::string> names, const ImportProfile& profile, const std::string& path) {
  Columns columns{.names = std::move(names)};
  const auto find = [&](const char* role, std::span<const char* const> usual) -> std::optional<std::size_t> {
    const auto named = [&](const auto& is) -> std::optional<std::size_t> {
      const auto found = std::ranges::find_if(columns.names, is);
      if (found == columns.names.end()) return std::nullopt;
      return static_cast<std::size_t>(found - columns.names.begin());
    };
    if (const std::string* told = profile.find(role)) {
      const auto found = named([told](const std::string& name) { return name == *told; });
      if (!found) throw Error(Errc::kFormat, strCat(path, ": has no column \"", quotable(*told), "\" for ", role, "; have ", listed(columns.names)));
      return found;
    }
    for (const char* word : usual)
      if (const auto found = named([word](const std::string& name) { return lowerCase(name) == word; })) return found;
    return std::nullopt;
  };
  columns.step = find("step", kSteps);
  columns.time = find("time", kTimes);
  columns.run = find("run", kRuns);
  if (profile.find("name") != nullptr || profile.find("value") != nullptr) {
    columns.name = find("name", kNames);
    columns.value = find("value", kValues);
    if (!columns.name || !columns.value) throw Error(Errc::kFormat, strCat(path, ": a row a number needs both a column for name and one for value; have ", listed(columns.names)));
  }
  if (!columns.step) throw Error(Errc::kFormat, strCat(path, ": no column is known to be the step; --map step=COLUMN says which: ", listed(columns.names)));
  return columns;
}

class TableReader {
 public:
  TableReader(const std::string& path, Columns columns) : path_(path), columns_(std::move(columns)) {}

  void row(const std::vector<std::string>& fields, std::int64_t line) {
    if (fields.size() != columns_.names.size()) throw Error(Errc::kFormat, strCat(path_, ": line ", line, " has ", fields.size(), " fields, the first row ", columns_.names.size()));
    const OrderedJson step = settingFrom(fields[*columns_.step]);
    const bool whole = step.is_number_integer() || (step.is_number() && std::abs(step.get<double>()) < 9e15 && step.get<double>() == static_cast<double>(static_cast<std::int64_t>(step.get<double>())));
    if (!whole) throw Error(Errc::kFormat, strCat(path_, ": line ", line, ", column \"", quotable(columns_.names[*columns_.step]), "\": must be a whole number, it is \"", quotable(fields[*columns_.step]), "\""));
    const OrderedJson time = columns_.time ? settingFrom(fields[*columns_.time]) : OrderedJson();
    const ForeignPoint point{.step = step.get<std::int64_t>(), .unixTime = time.is_number() ? time.get<double>() : std::numeric_limits<double>::quiet_NaN()};
    ForeignRun& run = runOf(columns_.run ? fields[*columns_.run] : "");
    if (columns_.name) return add(run, fields[*columns_.name], fields[*columns_.value], point, line);
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (columns_.isSeries(i)) add(run, columns_.names[i], fields[i], point, line);
  }
  std::vector<ForeignRun> take() {
    for (ForeignRun& run : runs_) {
      for (const ForeignSeries& series : run.series)
        if (const auto text = texts_.find(series.name); text != texts_.end()) throw Error(Errc::kFormat, strCat(path_, ": line ", text->second.line, ", column \"", quotable(series.name), "\": must be a number as in its other lines, it is \"", quotable(text->second.value), "\""));
      for (const auto& [name, text] : texts_) run.remarks.push_back(strCat("Column \"", quotable(name), "\" has no number in it and is left out."));
    }
    return std::move(runs_);
  }

 private:
  struct Text {
    std::int64_t line;
    std::string value;
  };

  ForeignRun& runOf(const std::string& name) {
    const auto [place, fresh] = places_.try_emplace(name, runs_.size());
    if (fresh) runs_.push_back({.tool = kTable.tool, .origin = name.empty() ? path_ : strCat(path_, "#", name), .name = name.empty() ? fs::path(path_).stem().string() : name});
    return runs_[place->second];
  }
  void add(ForeignRun& run, const std::string& name, const std::string& text, ForeignPoint point, std::int64_t line) {
    if (std::ranges::find(kNothing, lowerCase(text)) != std::end(kNothing)) return;
    const std::optional<double> value = numberFrom(text);
    if (!value) {
      texts_.try_emplace(name, Text{.line = line, .value = text});
      return;
    }
    point.value = *value;
    run.seriesNamed(name).points.push_back(point);
  }

  const std::string& path_;
  Columns columns_;
  std::vector<ForeignRun> runs_;
  std::map<std::string, std::size_t> places_;
  std::map<std::string, Text> texts_;  // by the name of a series: its first value that is no number
};

bool isStep(const std::string& name) { return std::ranges::find(kSteps, lowerCase(name)) != std::end(kSteps); }

// Text of one line at least whose separators are as many in the second line.
bool knowsTable(const std::string& path, Told told) {
  const std::string head = beginningOf(path, kTableHead);
  if (head.empty() || head.find('\0') != std::string::npos || head.front() == '{' || head.front() == '[') return false;
  CsvRows rows(head, separatorOf(head, {}, path));
  std::vector<std::string> first, second;
  return rows.next(first) && rows.next(second) && (told == Told::kImport || std::ranges::any_of(first, isStep)) && first.size() > 1 && first.size() == second.size() &&
         std::ranges::any_of(second, [](const std::string& field) { return settingFrom(field).is_number(); }) && std::ranges::none_of(first, [](const std::string& name) { return settingFrom(name).is_number(); });
}

std::vector<ForeignRun> readTable(const std::string& given, const ImportProfile& profile) {
  const std::string path = fs::canonical(given).string(), text = textOfFile(path, kMostTable);
  CsvRows rows(text, separatorOf(text, profile, path));
  std::vector<std::string> fields;
  if (!rows.next(fields)) throw Error(Errc::kFormat, strCat(path, ": is empty"));
  TableReader reader(path, columnsOf(fields, profile, path));
  while (rows.next(fields)) reader.row(fields, rows.line());
  std::vector<ForeignRun> runs = reader.take();
  if (runs.empty()) throw Error(Errc::kFormat, strCat(path, ": has no row below its names"));
  return runs;
}

}  // namespace

TableHead tableHead(const std::string& path, const ImportProfile& profile, std::size_t rows) try {
  TableHead head;
  if (!knowsTable(path, Told::kImport)) return head;
  const std::string text = beginningOf(path, kTableHead);
  CsvRows all(text, separatorOf(text, profile, path));
  all.next(head.names);
  for (std::vector<std::string> fields; head.rows.size() < rows && all.next(fields) && fields.size() == head.names.size();) head.rows.push_back(fields);
  head.stepKnown = std::ranges::any_of(head.names, isStep);
  return head;
} catch (const Error&) {
  return {};
}

constinit const ForeignFormat kTable = {.tool = "CSV", .what = "a table of numbers (CSV)", .knows = knowsTable, .read = readTable};

}  // namespace paceline::interchange
