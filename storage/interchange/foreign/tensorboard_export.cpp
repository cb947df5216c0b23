#include "storage/interchange/foreign/tensorboard_export.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <map>

#include "engine/core/base/disk.h"
#include "engine/core/base/replace_file.h"
#include "engine/core/json/json_text.h"
#include "storage/interchange/esync_format.h"
#include "storage/interchange/foreign/event_file.h"

namespace fs = std::filesystem;

namespace paceline::interchange {
namespace {

constexpr std::int64_t kSlices = 20;  // of the rounds, for histograms

// Members of the document with values of one line each: "/algorithm/params/momentum".
void flattened(const OrderedJson& value, const std::string& pointer, OrderedJson& into) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) flattened(member, strCat(pointer, pointer.empty() ? "" : "/", key), into);
  } else if (!value.is_array() && !value.is_null()) {
    into[pointer] = value;
  }
}

OrderedJson settingsOf(const store::RunRow& run) {
  OrderedJson settings = OrderedJson::object();
  std::vector<Finding> ignored;
  const OrderedJson document = parseOrderedJson(run.specText, ignored).value_or(OrderedJson::object());
  for (const char* part : {"algorithm", "model", "dataset", "partition", "seed", "batch_size", "optimizer", "learning_rate_schedule", "aggregation", "wire", "topology"})
    if (const auto found = document.find(part); found != document.end()) flattened(*found, part, settings);
  return settings;
}

class Exporter {
 public:
  explicit Exporter(const summary::RunData& data) : data_(data), began_(data.run.startedUtc > 0 ? data.run.startedUtc : data.run.createdUtc) {}

  std::vector<EventFile> files() {
    std::vector<EventFile> files{{.folder = "", .bytes = whole()}};
    for (const store::NodeRow& node : data_.nodes)
      if (node.role == "worker")
        if (std::string bytes = ofWorker(node.id); !bytes.empty()) files.push_back({.folder = folderName(node.id), .bytes = std::move(bytes)});
    return files;
  }

 private:
  double at(double t) const { return began_ + (std::isfinite(t) ? t : 0); }

  std::string whole() {
    EventFileWriter file(began_);
    const double end = data_.run.endedUtc > 0 ? data_.run.endedUtc : began_;
    file.hparams(settingsOf(data_.run), {"evaluation/accuracy", "evaluation/loss"}, data_.run.groupHash.empty() ? data_.run.id : data_.run.groupHash, began_, end, data_.run.state == store::RunState::kFailed);
    for (const store::EvaluationRow& row : data_.evaluations) {
      const std::string of = row.record.of.empty() || row.record.of == row.node ? "" : "/" + row.record.of;
      file.scalar(at(row.record.t), row.record.round, strCat("evaluation/accuracy", of), row.record.accuracy);
      file.scalar(at(row.record.t), row.record.round, strCat("evaluation/loss", of), row.record.loss);
    }
    staleness(file);
    return file.take();
  }

  void staleness(EventFileWriter& file) const {
    std::int64_t last = 0;
    for (const store::RoundRow& row : data_.rounds) last = std::max(last, row.record.round);
    const std::int64_t slice = std::max<std::int64_t>(1, (last + kSlices - 1) / kSlices);
    std::map<std::int64_t, std::map<double, double>> counts;  // slice -> staleness -> rounds
    std::map<std::int64_t, double> ends;
    bool any = false;
    for (const store::RoundRow& row : data_.rounds) {
      const std::int64_t place = (std::max<std::int64_t>(1, row.record.round) - 1) / slice;
      ++counts[place][row.record.staleness];
      ends[place] = std::max(ends[place], at(row.record.t));
      any = any || row.record.staleness > 0;
    }
    for (const auto& [place, of] : counts)
      if (any) file.histogram(ends[place], std::min(last, (place + 1) * slice), "staleness", of);
  }

  std::string ofWorker(const std::string& worker) const {
    EventFileWriter file(began_);
    bool any = false;
    for (const store::RoundRow& row : data_.rounds) {
      if (row.node != worker) continue;
      any = true;
      const RoundRecord& round = row.record;
      const auto put = [&](const char* tag, double value) { file.scalar(at(round.t), round.round, tag, value); };
      put("train/loss", round.loss), put("train/learning_rate", round.learningRate), put("train/staleness", round.staleness);
      put("round/samples", static_cast<double>(round.samples)), put("round/local_steps", static_cast<double>(round.localSteps));
      put("time/total_s", round.total), put("time/fetch_s", round.fetch), put("time/compute_s", round.compute), put("time/update_s", round.update), put("time/send_s", round.send), put("time/wait_s", round.wait),
          put("time/receive_s", round.receive), put("time/evaluate_s", round.evaluate);
      put("traffic/bytes_sent", static_cast<double>(round.bytesSent)), put("traffic/bytes_received", static_cast<double>(round.bytesReceived));
    }
    for (const store::MetricRow& row : data_.metrics)
      if (row.node == worker && row.record.round > 0) any = true, file.scalar(at(row.record.t), row.record.round, strCat("metric/", row.record.name), row.record.value);
    return any ? file.take() : "";
  }

  const summary::RunData& data_;
  double began_;  // Unix s
};

}  // namespace

std::vector<EventFile> eventFilesOf(const summary::RunData& data) { return Exporter(data).files(); }

std::string exportEventFiles(const summary::RunData& data, const std::string& folder) {
  const fs::path base = fs::path(folder) / folderName(data.run.name.empty() ? data.run.id : strCat(data.run.name, "-", data.run.id.substr(data.run.id.size() - std::min<std::size_t>(6, data.run.id.size()))));
  for (const EventFile& file : eventFilesOf(data)) {
    const fs::path place = file.folder.empty() ? base : base / file.folder;
    if (disk::makeFolders(place.string()) != 0) disk::refuse("cannot write " + place.string(), errno);
    // As TensorBoard looks for them: "tfevents" in the name, in front of it the seconds by which it orders files.
    replaceFile((place / strCat("events.out.tfevents.", static_cast<std::int64_t>(data.run.createdUtc), ".", data.run.id)).string(), file.bytes);
  }
  return base.string();
}

}  // namespace paceline::interchange
