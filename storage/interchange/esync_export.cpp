// Our rounds in ESync's layout, and the arrays that its summary.py would make of those files.
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include "engine/core/base/disk.h"
#include "engine/core/base/fd.h"
#include "engine/core/json/json_text.h"
#include "storage/interchange/esync_format.h"
#include "storage/interchange/interop.h"
#include "storage/summary/summary_curves.h"
#include "storage/summary/table_text.h"

namespace fs = std::filesystem;

namespace paceline::interchange {
namespace {

struct Device {
  std::string host, device;                           // as folder names
  std::map<std::int64_t, EsyncIteration> iterations;  // by round
};

constexpr std::int64_t kMaxSteps = 1'000'000;  // of one round: more is a broken record, not an experiment

const EsyncMode& modeOf(const summary::RunData& data) {
  for (const EsyncMode& mode : esyncModes())
    if (data.run.algorithm == mode.algorithm) return mode;
  throw Error(Errc::kUnsupported, strCat("run ", data.run.id, ": \"", data.run.algorithm,
                                         "\" has no place in an ESync log tree; esync, ssgd, asgd and dc_asgd have"));
}

// ESync calls resnet18-v1 what is resnet18_v1 here.
std::string networkOfModel(std::string model) {
  std::replace(model.begin(), model.end(), '_', '-');
  return model;
}

// json.dump() of Python: ", " and ": ", keys in the order given.
class PythonObject {
 public:
  PythonObject& member(std::string_view key, std::string_view value) {
    text_ += strCat(text_.empty() ? "" : ", ", "\"", key, "\": ", value);
    return *this;
  }
  PythonObject& seconds(std::string_view key, double value) {
    return member(key, Json(std::isfinite(value) ? summary::rounded(value, 4) : 0.0).dump());
  }
  std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

PythonObject stepEntry(const RoundRecord& round, std::int64_t entries, std::int64_t steps, bool esync) {
  PythonObject entry;
  const auto share = [&](double sum) { return sum / static_cast<double>(steps); };
  if (esync) entry.seconds("check ready", round.query / static_cast<double>(entries));
  entry.seconds("get_batch", share(round.fetch)).seconds("forward and backward", share(round.compute));
  if (esync) entry.seconds("local update", share(round.update));
  return entry;
}

// Entries of "time" in the text of a round.
std::int64_t esyncEntryCount(const RoundRecord& round, bool esync) {
  const std::int64_t steps = std::max<std::int64_t>(round.localSteps, esync ? 0 : 1);
  if (steps > kMaxSteps) throw Error(Errc::kFormat, strCat("round ", round.round, ": ", steps, " local steps cannot be right"));
  return steps + (esync ? 1 : 0);
}

// The text of iter-N.txt: one line, the original's keys in their order. A round's sums are spread evenly over its local steps and
// rounded to 4 decimals, as the original rounds each measurement.
std::string esyncIterationText(const EsyncIteration& iteration, bool esync) {
  const RoundRecord& round = iteration.round;
  const std::int64_t entries = esyncEntryCount(round, esync), steps = entries - (esync ? 1 : 0);
  PythonObject time;
  for (std::int64_t i = 0; i < entries; ++i) {
    PythonObject entry = i < steps ? stepEntry(round, entries, steps, esync) : PythonObject();
    if (i + 1 == entries) {
      if (esync) entry.seconds("check ready", round.query / static_cast<double>(entries));
      entry.seconds(esync ? "global update" : "global aggregate", summary::publishedAggregate(round));
      if (iteration.accuracy || round.evaluate > 0) entry.seconds("evaluation", round.evaluate);
    }
    time.member(std::to_string(i), entry.text());
  }
  PythonObject file;
  file.member("num_iters", std::to_string(round.round)).member("time", time.text());
  file.member("num_samples", std::to_string(round.samples));
  file.member("total_time", Json(std::isfinite(round.t) ? round.t : 0.0).dump());
  const bool told = iteration.accuracy && std::isfinite(*iteration.accuracy) && *iteration.accuracy != 0;
  if (told) file.member("accuracy", Json(*iteration.accuracy).dump());
  return file.text();
}

// ESync's names: "cuda:1" is gpu1.
std::string deviceFolder(const std::string& device) {
  return folderName(device.starts_with("cuda:") ? "gpu" + device.substr(5) : device.empty() ? "cpu" : device);
}

// Every worker gets a folder of its own: where two share host and device, the worker's id is added.
std::vector<Device> foldersOf(const std::vector<store::NodeRow>& workers) {
  std::map<std::pair<std::string, std::string>, int> users;
  const auto folders = [](const store::NodeRow& node) {
    return std::pair(folderName(node.host.empty() ? "local" : node.host), deviceFolder(node.device));
  };
  for (const store::NodeRow& node : workers) ++users[folders(node)];
  std::vector<Device> devices;
  std::set<std::pair<std::string, std::string>> taken;
  for (const store::NodeRow& node : workers) {
    auto [host, device] = folders(node);
    if (users[{host, device}] > 1) device = folderName(strCat(device, "-", node.id));
    std::string unique = device;
    for (int n = 2; !taken.emplace(host, unique).second; ++n) unique = strCat(device, "-", n);
    devices.push_back({.host = host, .device = unique, .iterations = {}});
  }
  return devices;
}

std::vector<store::NodeRow> workersOf(const summary::RunData& data) {  // by rank
  std::vector<store::NodeRow> workers;
  std::ranges::copy_if(data.nodes, std::back_inserter(workers), [](const store::NodeRow& node) { return node.role == "worker"; });
  std::ranges::stable_sort(workers, {}, &store::NodeRow::rank);
  return workers;
}

// The six that summary.py names, in the order in which they are given: whoever evaluates, the others, the slow ones last. drawer.py looks for the accuracies of esync and
// async on gpu0 of cloud3, for those of sync and dcasgd on its gpu1.
std::vector<Device> originalFoldersOf(const summary::RunData& data, const std::vector<store::NodeRow>& workers) {
  const bool first = data.run.algorithm == "esync" || data.run.algorithm == "asgd";
  const std::vector<std::pair<const char*, const char*>> places = {{"cloud3", first ? "gpu0" : "gpu1"}, {"cloud3", first ? "gpu1" : "gpu0"}, {"cloud1", "gpu0"}, {"cloud1", "gpu1"}, {"cloud3", "cpu"}, {"cloud1", "cpu"}};
  if (workers.size() > places.size()) throw Error(Errc::kUnsupported, strCat("run ", data.run.id, ": has ", workers.size(), " workers; ESync's summary.py reads six"));
  std::map<std::string, std::int64_t> evaluations;
  std::map<std::string, double> computed, steps;
  for (const store::EvaluationRow& row : data.evaluations) ++evaluations[row.node];
  for (const store::RoundRow& row : data.rounds) computed[row.node] += row.record.compute, steps[row.node] += static_cast<double>(row.record.localSteps);
  std::vector<std::size_t> order(workers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto of = [&](std::size_t i) {
    const std::string& id = workers[i].id;
    return std::pair(-evaluations[id], steps[id] > 0 ? computed[id] / steps[id] : 0);
  };
  std::ranges::stable_sort(order, [&of](std::size_t a, std::size_t b) { return of(a) < of(b); });
  std::vector<Device> devices(workers.size());
  for (std::size_t i = 0; i < order.size(); ++i) devices[order[i]] = {.host = places[i].first, .device = places[i].second, .iterations = {}};
  return devices;
}

std::vector<Device> devicesOf(const summary::RunData& data, EsyncFolders folders = EsyncFolders::kOwn) {
  const std::vector<store::NodeRow> workers = workersOf(data);
  std::vector<Device> devices = folders == EsyncFolders::kOwn ? foldersOf(workers) : originalFoldersOf(data, workers);
  std::map<std::string, Device*> byNode;
  for (std::size_t i = 0; i < workers.size(); ++i) byNode[workers[i].id] = &devices[i];
  for (const store::RoundRow& row : data.rounds)
    if (const auto found = byNode.find(row.node); found != byNode.end())
      found->second->iterations[row.record.round].round = row.record;
  for (const store::EvaluationRow& row : data.evaluations) {
    const auto found = byNode.find(row.node);
    if (found == byNode.end()) continue;
    const auto iteration = found->second->iterations.find(row.record.round);
    if (iteration != found->second->iterations.end()) iteration->second.accuracy = row.record.accuracy;
  }
  return devices;
}

[[noreturn]] void refuse(const fs::path& path) { disk::refuse("cannot write " + path.string(), errno); }

// One file among many: it goes to the disk with all the others.
void writeFile(const fs::path& path, const std::string& text) {
  Fd file(disk::open(path.string(), O_WRONLY | O_CREAT | O_EXCL, 0666));
  if (!file || !disk::writeAll(file.get(), text) || disk::close(file.release()) != 0) refuse(path);
}

void writeDevice(const fs::path& folder, const Device& device, bool esync) {
  if (disk::makeFolders(folder.string()) != 0) refuse(folder);
  for (const auto& [round, iteration] : device.iterations)
    writeFile(folder / strCat("iter-", round, ".txt"), esyncIterationText(iteration, esync));
}

// The tree in a folder of its own, on the disk; it has no place yet.
void writeTree(const fs::path& fresh, const summary::RunData& data, EsyncFolders folders) {
  if (disk::makeFolders(fresh.string()) != 0) refuse(fresh);
  for (const Device& device : devicesOf(data, folders))
    if (!device.iterations.empty()) writeDevice(fresh / device.host / device.device, device, data.run.algorithm == "esync");
  const Fd folder(disk::open(fresh.string(), O_RDONLY | O_DIRECTORY));
  if (!folder || disk::syncFileSystem(folder.get()) != 0) refuse(fresh);
}

// The five arrays, as text of Python's json.dump.
class Arrays {
 public:
  void add(const store::RunRow& run, const EsyncIteration& iteration) {
    const RoundRecord& round = iteration.round;
    if (iteration.accuracy && summary::publishedAccuracy(run, *iteration.accuracy))
      append(accuracy_, Json(summary::rounded(*iteration.accuracy, 3)).dump());
    append(samples_, std::to_string(round.samples));
    append(selfIters_, std::to_string(esyncEntryCount(round, run.algorithm == "esync")));
    append(elapsed_, summary::fixedText(std::isfinite(round.t) ? summary::publishedElapsed(round.t) : 0, 0));
    const double aggregate = summary::publishedAggregate(round);
    append(aggregate_, Json(std::isfinite(aggregate) ? aggregate : 0.0).dump());
  }
  std::string text() const {
    return strCat("{\"accuracy_list\": [", accuracy_, "], \"num_samples_list\": [", samples_, "], \"self_iters_list\": [",
                  selfIters_, "], \"elapsed_time_list\": [", elapsed_, "], \"aggregate_time_list\": [", aggregate_, "]}");
  }

 private:
  static void append(std::string& list, const std::string& element) { list += (list.empty() ? "" : ", ") + element; }
  std::string accuracy_, samples_, selfIters_, elapsed_, aggregate_;
};

}  // namespace

std::string folderName(std::string name) {
  for (char& c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
    if (!plain) c = '_';
  }
  if (name.empty() || name[0] == '.') name = "_" + name;
  return name.substr(0, 120);
}

std::string exportEsyncTree(const summary::RunData& data, const std::string& folder, EsyncFolders folders, std::string* told) {
  const EsyncMode& mode = modeOf(data);
  const std::string modeFolder = strCat(mode.folder, data.run.partition == "by_class" ? "-niid" : "");
  const std::string network = folderName(networkOfModel(data.run.model.empty() ? "model" : data.run.model));
  const fs::path base = fs::path(folder) / network / modeFolder, fresh = base.parent_path() / strCat(".", modeFolder, ".new");
  std::error_code ignored;
  if (fs::exists(base, ignored) && !fs::is_empty(base, ignored))
    throw Error(Errc::kFile, strCat(base.string(), ": exists already; old and new iterations would mix. Give another folder"));
  const bool left = fs::remove_all(fresh, ignored) > 0 && !ignored;  // by an export that was killed
  try {
    writeTree(fresh, data, folders);
    if (disk::rename(fresh.string(), base.string()) != 0) refuse(base);
  } catch (const Error&) {
    fs::remove_all(fresh, ignored);
    throw;
  }
  if (disk::syncFolder(base.parent_path().string()) != 0)
    disk::refuse(strCat(base.string(), " is written, but may not survive a power cut: cannot sync the folder above it"), errno);
  if (told != nullptr) {
    const std::vector<store::NodeRow> workers = workersOf(data);
    const std::vector<Device> devices = devicesOf(data, folders);
    for (std::size_t i = 0; i < workers.size(); ++i) *told += strCat(workers[i].id, " is ", devices[i].host, "/", devices[i].device, "\n");
  }
  return left ? strCat("removed ", fresh.string(), ", left by an export that did not end") : "";
}

std::string esyncSummaryJson(const summary::RunData& data) {
  static_cast<void>(modeOf(data));                          // refuses what ESync has no place for
  std::vector<std::pair<std::string, PythonObject>> hosts;  // with their devices, in the order of the workers
  for (const Device& device : devicesOf(data)) {
    Arrays arrays;
    std::int64_t next = 1;  // summary.py stops at the first number that is missing
    for (const auto& [round, iteration] : device.iterations) {
      if (round != next++) break;
      arrays.add(data.run, iteration);
    }
    auto host = std::ranges::find(hosts, device.host, [](const auto& entry) { return entry.first; });
    if (host == hosts.end()) host = hosts.emplace(hosts.end(), device.host, PythonObject());
    host->second.member(device.device, arrays.text());
  }
  PythonObject all;
  for (const auto& [host, devices] : hosts) all.member(host, devices.text());
  return all.text();
}

}  // namespace paceline::interchange
