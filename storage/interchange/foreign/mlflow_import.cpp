// MLflow's stores: a folder EXPERIMENT/RUN with meta.yaml, metrics/, params/ and tags/, or a SQLite file with tables of these names. Deleted runs are left where they are.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <sstream>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "storage/interchange/esync_format.h"
#include "storage/interchange/foreign/foreign_run.h"
#include "storage/store/sqlite.h"

namespace fs = std::filesystem;

namespace paceline::interchange {
namespace {

constexpr std::size_t kMostText = std::size_t{256} << 20;  // bytes of one metric's file
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Its databases have no infinity: the largest number stands for it.
double valueFrom(double value, bool isNan) {
  if (isNan) return std::numeric_limits<double>::quiet_NaN();
  return std::abs(value) >= std::numeric_limits<double>::max() ? std::copysign(kInfinity, value) : value;
}

// Flat YAML as MLflow writes it: "name: value", values quoted at times.
std::map<std::string, std::string> yamlOf(const std::string& text) {
  std::map<std::string, std::string> members;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos || line.front() == ' ' || line.front() == '#') continue;
    std::string value = line.substr(colon + 2);
    if (value.size() >= 2 && (value.front() == '\'' || value.front() == '"') && value.back() == value.front()) value = value.substr(1, value.size() - 2);
    members[line.substr(0, colon)] = value;
  }
  return members;
}

double secondsOf(const std::string& milliseconds) {
  const OrderedJson value = settingFrom(milliseconds);
  return value.is_number() ? value.get<double>() / 1000 : 0;
}

bool isMlflowRun(const std::string& metaFile) {
  if (!metaFile.ends_with("/meta.yaml")) return false;
  const std::string begin = beginningOf(metaFile, 4096);
  return begin.find("run_id:") != std::string::npos || begin.find("run_uuid:") != std::string::npos;
}

void setTag(ForeignRun& run, const std::string& key, const std::string& value) {
  if (key == "mlflow.runName") run.name = value;
  else if (key == "mlflow.note.content") run.notes = value;
  else if (key == "mlflow.parentRunId") run.group = value;
  else if (!key.starts_with("mlflow.")) run.tags.push_back(value.empty() ? key : strCat(key, ":", value));
}

void setStatus(ForeignRun& run, const std::string& status) {  // a word, or its number in RunStatus
  if (status == "FAILED" || status == "4") run.error = "it failed";
  if (status == "KILLED" || status == "5") run.error = "it was killed";
}

// "milliseconds value step", of old versions without the step.
void readMetric(const std::string& file, const std::string& name, ForeignRun& run) {
  std::istringstream lines(textOfFile(file, kMostText));
  ForeignSeries series{.name = name};
  std::int64_t number = 0;
  for (std::string line; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::string milliseconds, value, step;
    words >> milliseconds >> value >> step;
    if (value.empty()) continue;
    const std::optional<double> time = numberFrom(milliseconds), read = numberFrom(value);
    const OrderedJson told = settingFrom(step);
    if (!time || !read) throw Error(Errc::kFormat, strCat(file, ": line ", number + 1, " is no metric of MLflow: ", quotable(line)));
    series.points.push_back({.step = told.is_number_integer() ? told.get<std::int64_t>() : number, .unixTime = *time / 1000, .value = valueFrom(*read, std::isnan(*read))});
  }
  run.series.push_back(std::move(series));
}

ForeignRun readRun(const fs::path& folder) {
  ForeignRun run{.tool = kMlflow.tool, .origin = folder.string(), .name = folder.filename().string()};
  std::map<std::string, std::string> meta = yamlOf(textOfFile((folder / "meta.yaml").string()));
  run.beganUtc = secondsOf(meta["start_time"]), run.endedUtc = secondsOf(meta["end_time"]);
  if (!meta["run_name"].empty()) run.name = meta["run_name"];
  setStatus(run, meta["status"]);
  const auto below = [&folder](const char* kind, const auto& take) {
    const fs::path kindFolder = folder / kind;
    for (const std::string& file : filesBelow(kindFolder.string(), [](const std::string&) { return true; })) take(file, fs::path(file).lexically_relative(kindFolder).string());
  };
  below("params", [&run](const std::string& file, const std::string& name) { run.settings[name] = settingFrom(textOfFile(file)); });
  below("tags", [&run](const std::string& file, const std::string& name) { setTag(run, name, textOfFile(file)); });
  below("metrics", [&run](const std::string& file, const std::string& name) { readMetric(file, name, run); });
  return run;
}

std::vector<ForeignRun> readFolder(const fs::path& root) {
  std::vector<ForeignRun> runs;
  for (const std::string& meta : filesBelow(root.string(), isMlflowRun)) {
    const fs::path folder = fs::path(meta).parent_path();
    const std::map<std::string, std::string> members = yamlOf(textOfFile(meta));
    const auto stage = members.find("lifecycle_stage");
    if ((stage == members.end() || stage->second != "deleted") && folder.string().find("/.trash/") == std::string::npos) runs.push_back(readRun(folder));
  }
  return runs;
}

std::vector<ForeignRun> readDatabase(const std::string& path) {
  store::Database database(path, store::Database::Mode::kRead);
  std::vector<ForeignRun> runs;
  store::Statement rows = database.statement("SELECT run_uuid, coalesce(name, ''), coalesce(status, ''), coalesce(start_time, 0) / 1000.0, coalesce(end_time, 0) / 1000.0 FROM runs WHERE lifecycle_stage IS NOT 'deleted' ORDER BY start_time, run_uuid");
  while (rows.step()) {
    std::string id, status;
    ForeignRun& run = runs.emplace_back(ForeignRun{.tool = kMlflow.tool, .origin = "", .name = ""});
    rows.readNext(id, run.name, status, run.beganUtc, run.endedUtc);
    run.origin = strCat(path, "#", id);
    if (run.name.empty()) run.name = id;
    setStatus(run, status);
    store::Statement params = database.statement("SELECT key, value FROM params WHERE run_uuid = ?1 ORDER BY key");
    for (params.bind(id); params.step();) {
      const auto key = params.next<std::string>();
      run.settings[key] = settingFrom(params.next<std::string>());
    }
    store::Statement tags = database.statement("SELECT key, coalesce(value, '') FROM tags WHERE run_uuid = ?1 ORDER BY key");
    for (tags.bind(id); tags.step();) {
      const auto key = tags.next<std::string>();
      setTag(run, key, tags.next<std::string>());
    }
    store::Statement metrics = database.statement("SELECT key, step, timestamp / 1000.0, CAST(value AS REAL), is_nan FROM metrics WHERE run_uuid = ?1 ORDER BY key, step, timestamp");
    for (metrics.bind(id); metrics.step();) {
      std::string key;
      ForeignPoint point;
      bool isNan = false;
      metrics.readNext(key, point.step, point.unixTime, point.value, isNan);
      point.value = valueFrom(point.value, isNan);
      if (run.series.empty() || run.series.back().name != key) run.series.push_back({.name = key});
      run.series.back().points.push_back(point);
    }
  }
  return runs;
}

bool isDatabase(const std::string& path) {
  if (!beginningOf(path, 16).starts_with("SQLite format 3")) return false;
  try {
    store::Database database(path, store::Database::Mode::kRead);
    return database.number("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('experiments', 'runs', 'metrics', 'params', 'tags')") == 5;
  } catch (const Error&) {
    return false;  // damaged: nothing that is known
  }
}

bool knowsMlflow(const std::string& path, Told /*told*/) {
  std::error_code error;
  return fs::is_directory(path, error) ? !filesBelow(path, isMlflowRun).empty() : isDatabase(path);
}

std::vector<ForeignRun> readMlflow(const std::string& path, const ImportProfile& /*profile*/) {
  const fs::path root = fs::canonical(path);
  return fs::is_directory(root) ? readFolder(root) : readDatabase(root.string());
}

}  // namespace

constinit const ForeignFormat kMlflow = {.tool = "MLflow", .what = "MLflow's runs", .knows = knowsMlflow, .read = readMlflow};

}  // namespace paceline::interchange
