// TensorBoard's logs: a folder with event files is a run, whichever of its files its numbers are in.
#include <algorithm>
#include <filesystem>
#include <map>

#include "engine/core/base/error.h"
#include "storage/interchange/foreign/event_file.h"
#include "storage/interchange/foreign/foreign_run.h"

namespace fs = std::filesystem;

namespace paceline::interchange {
namespace {

bool isEventFile(const std::string& path) { return EventFileReader::begins(beginningOf(path, 128)); }

// As TensorBoard: where a session begins anew at a step, what was there from that step on is superseded.
void supersede(ForeignRun& run, std::int64_t step) {
  for (ForeignSeries& series : run.series) std::erase_if(series.points, [step](const ForeignPoint& point) { return point.step >= step; });
}

void readEventFile(const std::string& path, ForeignRun& run) {
  EventFileReader file(path);
  std::map<std::string, std::size_t> places;  // of series
  for (std::size_t i = 0; i < run.series.size(); ++i) places[run.series[i].name] = i;
  while (const std::optional<FileEvent> event = file.next()) {
    if (event->restarts) supersede(run, event->step);
    for (const EventScalar& scalar : event->scalars) {
      const auto [place, fresh] = places.try_emplace(scalar.tag, run.series.size());
      if (fresh) run.series.push_back({.name = scalar.tag});
      run.series[place->second].points.push_back({.step = event->step, .unixTime = event->unixTime, .value = scalar.value});
    }
    if (!event->hparams) continue;
    for (const auto& [name, setting] : event->hparams->settings.items()) run.settings[name] = setting;
    if (!event->hparams->group.empty()) run.group = event->hparams->group;
    if (event->hparams->startUtc > 0) run.beganUtc = event->hparams->startUtc;
    if (event->hparams->endUtc) run.endedUtc = *event->hparams->endUtc;
    if (event->hparams->failed) run.error = "its session ended in a failure";
  }
  if (!file.broken().empty()) run.remarks.push_back(strCat(fs::path(path).filename().string(), ": ", file.broken(), "."));
}

bool knowsEvents(const std::string& path, Told /*told*/) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return isEventFile(path);
  return !filesBelow(path, isEventFile).empty();
}

std::vector<ForeignRun> readEvents(const std::string& path, const ImportProfile& /*profile*/) {
  const fs::path root = fs::canonical(path);
  std::map<std::string, std::vector<std::string>> folders;  // with their files, in order
  if (fs::is_directory(root)) for (const std::string& file : filesBelow(root.string(), isEventFile)) folders[fs::path(file).parent_path().string()].push_back(file);
  else folders[root.string()] = {root.string()};
  std::vector<ForeignRun> runs;
  for (const auto& [folder, files] : folders) {
    const std::string below = fs::path(folder).lexically_relative(root.parent_path()).string();
    ForeignRun& run = runs.emplace_back(ForeignRun{.tool = kTensorBoard.tool, .origin = folder, .name = below});
    for (const std::string& file : files) readEventFile(file, run);
    std::erase_if(run.series, [](const ForeignSeries& series) { return series.points.empty(); });
  }
  // A folder above its runs' folders holds settings alone at times: no run, where it has no number.
  std::erase_if(runs, [&runs](const ForeignRun& run) { return run.series.empty() && runs.size() > 1 && run.settings.empty(); });
  return runs;
}

}  // namespace

constinit const ForeignFormat kTensorBoard = {.tool = "TensorBoard", .what = "TensorBoard's event files", .knows = knowsEvents, .read = readEvents};

}  // namespace paceline::interchange
