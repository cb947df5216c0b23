// An ESync log tree becomes one run per mode folder; ESync.json and its seven siblings (host -> device -> five arrays, one element per round) one run.
// Everything is read and checked first, then stored in one transaction.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "engine/core/json/json_text.h"
#include "storage/interchange/esync_format.h"
#include "storage/interchange/interop.h"
#include "storage/summary/table_text.h"

namespace fs = std::filesystem;

namespace paceline::interchange {
namespace {

// Reads one iter file; every complaint names it and the key.
class IterationFile {
 public:
  IterationFile(const std::string& text, const std::string& file) : file_(file), json_(orderedJsonFrom(text, file)) {
    if (!json_.is_object()) refuse("", "must be one JSON object");
  }
  [[noreturn]] void refuse(const std::string& key, const std::string& what) const {
    throw Error(Errc::kFormat, strCat(file_, ": ", key.empty() ? "" : "\"" + key + "\" ", what));
  }
  const OrderedJson& at(const OrderedJson& object, const char* key, const std::string& path) const {
    const auto found = object.find(key);
    if (found == object.end()) refuse(path, "is missing");
    return *found;
  }
  double seconds(const OrderedJson& value, const std::string& path) const {
    if (!value.is_number())
      refuse(path, strCat("must be a number, got ", value.dump(-1, ' ', true, OrderedJson::error_handler_t::replace).substr(0, 40)));
    const auto number = value.get<double>();
    if (!std::isfinite(number) || number < 0) refuse(path, strCat("must be a number of seconds, got ", summary::numberText(number)));
    return number;
  }
  std::int64_t count(const char* key) const {
    const OrderedJson& value = at(json_, key, key);
    const bool fits = value.is_number_integer() && value.get<double>() >= 0 && value.get<double>() < 9e15;
    if (!fits) refuse(key, "must be a whole number that is not negative");
    return value.get<std::int64_t>();
  }
  double seconds(const char* key) const { return seconds(at(json_, key, key), key); }
  std::optional<double> accuracy() const {
    const auto found = json_.find("accuracy");
    if (found == json_.end()) return std::nullopt;
    if (!found->is_number()) refuse("accuracy", "must be a number");
    return found->get<double>();
  }
  // The entries of "time" in the order of their numbers.
  std::map<std::int64_t, const OrderedJson*> entries() const {
    const OrderedJson& time = at(json_, "time", "time");
    if (!time.is_object() || time.empty()) refuse("time", "must be an object with at least one entry");
    std::map<std::int64_t, const OrderedJson*> entries;
    for (const auto& [key, entry] : time.items()) {
      const bool number =
          !key.empty() && key.size() < 16 && std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
      if (!number) refuse(strCat("time/", key), "must be named by a whole number");
      if (!entry.is_object()) refuse(strCat("time/", key), "must be an object");
      if (!entries.emplace(std::stoll(key), &entry).second) refuse(strCat("time/", key), "is there twice");
    }
    return entries;
  }

 private:
  std::string file_;
  OrderedJson json_;
};

void addPhases(const IterationFile& file, std::int64_t number, const OrderedJson& entry, RoundRecord& round) {
  const auto phase = [&](const char* name) {
    return entry.contains(name) ? file.seconds(entry[name], strCat("time/", number, "/", name)) : 0.0;
  };
  round.fetch += phase("get_batch");
  round.compute += phase("forward and backward");
  round.update += phase("local update");
  round.query += phase("check ready");
  round.evaluate += phase("evaluation");
}

// "global update" if it is there, else "global aggregate", which then must be.
double aggregateOf(const IterationFile& file, std::int64_t number, const OrderedJson& entry) {
  const char* name = entry.contains("global update") ? "global update" : "global aggregate";
  const std::string path = strCat("time/", number, "/", name);
  return file.seconds(file.at(entry, name, path), path);
}

// Error{kFormat} naming `file` and the key. `n` is the number in the file's name: the round, as summary.py takes it.
EsyncIteration parseEsyncIteration(const std::string& text, const std::string& file, std::int64_t n, bool esync) {
  const IterationFile source(text, file);
  EsyncIteration iteration;
  RoundRecord& round = iteration.round;
  static_cast<void>(source.count("num_iters"));  // must be there; the name's number counts, as for summary.py
  const std::map<std::int64_t, const OrderedJson*> entries = source.entries();
  round.round = n;
  for (const auto& [number, entry] : entries) addPhases(source, number, *entry, round);
  round.wait = aggregateOf(source, entries.rbegin()->first, *entries.rbegin()->second);
  round.samples = source.count("num_samples");
  round.t = source.seconds("total_time");
  round.localSteps = static_cast<std::int64_t>(entries.size()) - (esync ? 1 : 0);
  round.loss = std::numeric_limits<double>::quiet_NaN();  // never logged: not known, which is not 0
  iteration.accuracy = source.accuracy();
  return iteration;
}

// ESync calls resnet18-v1 what is resnet18_v1 here.
std::string modelOfNetwork(std::string network) {
  std::replace(network.begin(), network.end(), '-', '_');
  return network;
}

std::string esyncModeList() {
  std::string list;
  for (const EsyncMode& mode : esyncModes()) list += strCat(list.empty() ? "" : ", ", mode.folder);
  return list + ", each also with -niid";
}

// A run put together in memory, then stored as a whole.
struct EsyncRun {
  EsyncRun(const EsyncModeName& mode, const std::string& network, const std::string& source, const std::string& from) {
    row.id = store::newRunId();
    const std::string folder = strCat(mode.mode->folder, mode.nonIid ? "-niid" : "");
    row.name = network.empty() ? folder : strCat(network, " ", folder);
    row.state = store::RunState::kImported;
    row.algorithm = mode.mode->algorithm;
    row.model = modelOfNetwork(network);
    row.partition = mode.nonIid ? "by_class" : "contiguous";  // what ESync calls i.i.d. is contiguous blocks
    row.createdUtc = unixNow();
    row.source = source;
    row.notes = strCat("Imported from ", from, ".");
  }
  bool isEsync() const { return row.algorithm == "esync"; }
  std::string addNode(const std::string& host, const std::string& device) {  // its id, "host/device"
    nodes.push_back({.run = row.id, .id = strCat(host, "/", device), .role = "worker", .host = host, .device = device, .rank = static_cast<int>(nodes.size())});
    before = 0, seq = 0, samples = 0;
    return nodes.back().id;
  }
  // The next round of the newest node; `accuracy` is evaluated within it.
  void addRound(RoundRecord round, const std::optional<double>& accuracy) {
    const std::string& node = nodes.back().id;
    round.total = std::max(0.0, round.t - before);
    before = round.t;
    samples += round.samples;
    if (accuracy)
      events.push_back({.run = row.id, .node = node, .seq = ++seq,
                        .event = EvaluationRecord{.round = round.round, .t = std::max(0.0, round.t - round.evaluate), .accuracy = *accuracy,
                                                  .loss = std::numeric_limits<double>::quiet_NaN(), .samples = samples, .seconds = round.evaluate}});
    events.push_back({.run = row.id, .node = node, .seq = ++seq, .event = round});
  }

  store::RunRow row;
  std::vector<store::NodeRow> nodes;
  std::vector<StampedEvent> events;
  double before = 0;                   // of the newest node: end of its last round
  std::int64_t seq = 0, samples = 0;   // its last number, trained by it so far
};

std::vector<std::string> stored(store::StoreWriter& store, const std::vector<EsyncRun>& runs) {
  std::vector<std::string> ids;
  store.together([&] {
    for (const EsyncRun& run : runs) {
      store.createRun(run.row, run.nodes);
      store.append(run.events);
      ids.push_back(run.row.id);
    }
  });
  return ids;
}

bool isIterationFile(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.starts_with("iter-") && name.ends_with(".txt");
}

std::vector<fs::path> subfolders(const fs::path& folder) {  // "gpu2" before "gpu10"
  std::vector<fs::path> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.is_directory()) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end(), [](const fs::path& a, const fs::path& b) { return ::strverscmp(a.c_str(), b.c_str()) < 0; });
  return folders;
}

// Folders with host/device/iter-*.txt below them, at `root` or deeper.
std::set<fs::path> modeFolders(const fs::path& root) {
  std::set<fs::path> modes;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (!isIterationFile(entry.path()) || !entry.is_regular_file()) continue;
    const fs::path mode = entry.path().parent_path().parent_path().parent_path();
    const fs::path inside = mode.lexically_relative(root);
    if (!inside.empty() && *inside.begin() != "..") modes.insert(mode);
  }
  return modes;
}

void readDevice(const fs::path& folder, const std::string& node, EsyncRun& run) {
  for (std::int64_t n = 1;; ++n) {  // summary.py stops at the first number that is missing
    const fs::path file = folder / strCat("iter-", n, ".txt");
    if (!fs::exists(file)) break;
    const EsyncIteration iteration = parseEsyncIteration(textOfFile(file.string()), file.string(), n, run.isEsync());
    run.addRound(iteration.round, iteration.accuracy);
  }
  if (run.seq == 0) throw Error(Errc::kFormat, strCat(folder.string(), ": has no iter-1.txt"));
  const auto files = std::count_if(fs::directory_iterator(folder), fs::directory_iterator(),
                                   [](const fs::directory_entry& entry) { return isIterationFile(entry.path()); });
  const auto read = std::get<RoundRecord>(run.events.back().event).round;
  if (files > read)
    run.row.notes +=
        strCat("\n", node, ": iter-", read + 1, ".txt is missing; ", files - read, " later files left out, as summary.py does.");
}

EsyncRun readMode(const fs::path& folder) {
  const std::string modeName = folder.filename().string(), network = folder.parent_path().filename().string();
  const std::optional<EsyncModeName> mode = esyncModeOfFolder(modeName);
  if (!mode)
    throw Error(Errc::kFormat, strCat(folder.string(), ": \"", modeName, "\" is no mode of ESync; have ", esyncModeList()));
  EsyncRun run(*mode, network, "esync tree", folder.string());
  for (const fs::path& host : subfolders(folder)) {
    const std::vector<fs::path> devices = subfolders(host);
    if (devices.empty()) throw Error(Errc::kFormat, strCat(host.string(), ": has no device folder"));
    for (const fs::path& device : devices)
      readDevice(device, run.addNode(host.filename().string(), device.filename().string()), run);
  }
  return run;
}

std::vector<EsyncRun> readTree(const fs::path& root) {
  std::vector<EsyncRun> runs;
  for (const fs::path& mode : modeFolders(root)) runs.push_back(readMode(mode));
  if (runs.empty())
    throw Error(
        Errc::kFormat,
        strCat(root.string(), ": no ESync log tree in it (network/mode/host/device/iter-1.txt, at the mode folder or above)"));
  return runs;
}

struct DeviceArrays {
  std::vector<double> accuracy, samples, selfIters, elapsed, aggregate;
};

class SummaryFile {  // the first device of the file is the drawer's first device: in the order of its keys
 public:
  explicit SummaryFile(const std::string& path) : path_(path), json_(orderedJsonFrom(textOfFile(path), path)) { requireObject(json_, ""); }
  [[noreturn]] void refuse(const std::string& key, const std::string& what) const {
    throw Error(Errc::kFormat, strCat(path_, ": ", key.empty() ? "it" : key, " ", what));
  }
  void requireObject(const OrderedJson& value, const std::string& key) const {
    if (!value.is_object() || value.empty()) refuse(key, "must be an object that is not empty");
  }
  DeviceArrays device(const OrderedJson& object, const std::string& key) const {
    requireObject(object, key);
    DeviceArrays arrays{.accuracy = array(object, key, "accuracy_list"),
                        .samples = array(object, key, "num_samples_list"),
                        .selfIters = array(object, key, "self_iters_list"),
                        .elapsed = array(object, key, "elapsed_time_list"),
                        .aggregate = array(object, key, "aggregate_time_list")};
    const std::size_t rounds = arrays.samples.size();
    if (rounds == 0) refuse(key + "/num_samples_list", "is empty");
    const auto same = [&](const std::vector<double>& list, const char* name) {
      if (list.size() != rounds)
        refuse(strCat(key, "/", name), strCat("has ", list.size(), " elements, num_samples_list ", rounds));
    };
    same(arrays.selfIters, "self_iters_list"), same(arrays.elapsed, "elapsed_time_list"),
        same(arrays.aggregate, "aggregate_time_list");
    if (arrays.accuracy.size() > rounds)
      refuse(key + "/accuracy_list", strCat("has more elements than there are rounds (", rounds, ")"));
    return arrays;
  }
  const OrderedJson& json() const { return json_; }

 private:
  std::vector<double> array(const OrderedJson& object, const std::string& key, const char* name) const {
    const std::string path = strCat(key, "/", name);
    const auto found = object.find(name);
    if (found == object.end()) refuse(path, "is missing");
    if (!found->is_array()) refuse(path, "must be an array");
    std::vector<double> values;
    for (const OrderedJson& element : *found) {
      const double value = element.is_number() ? element.get<double>() : -1;
      if (!(value >= 0) || value > 9e15) refuse(strCat(path, "/", values.size()), "must be a number that is not negative");
      values.push_back(value);
    }
    return values;
  }
  std::string path_;
  OrderedJson json_;
};

// accuracy_list does not say its rounds. One per round if the lengths agree, else every e-th where exactly that explains the
// length, else the first ones.
std::size_t evaluationInterval(std::size_t accuracies, std::size_t rounds) {
  if (accuracies == 0 || accuracies == rounds) return 1;
  const std::size_t interval = rounds / accuracies;
  return rounds / interval == accuracies ? interval : 1;
}

void addDevice(EsyncRun& run, const std::string& node, const DeviceArrays& arrays) {
  const std::size_t rounds = arrays.samples.size(), interval = evaluationInterval(arrays.accuracy.size(), rounds);
  std::size_t evaluated = 0;
  for (std::size_t i = 0; i < rounds; ++i) {
    RoundRecord round;
    round.round = static_cast<std::int64_t>(i + 1);
    round.t = arrays.elapsed[i];
    round.samples = std::llrint(arrays.samples[i]);
    round.localSteps = std::max<std::int64_t>(0, std::llrint(arrays.selfIters[i]) - (run.isEsync() ? 1 : 0));
    round.wait = arrays.aggregate[i];
    round.loss = std::numeric_limits<double>::quiet_NaN();
    const bool evaluates = (i + 1) % interval == 0 && evaluated < arrays.accuracy.size();
    run.addRound(round, evaluates ? std::optional(arrays.accuracy[evaluated++]) : std::nullopt);
  }
  if (!arrays.accuracy.empty() && arrays.accuracy.size() != rounds)
    run.row.notes +=
        strCat("\n", node, ": ", arrays.accuracy.size(), " accuracies for ", rounds, " rounds; the file does not say of which: ",
               interval > 1 ? strCat("every ", interval, "th assumed.") : "the first ones assumed.");
}

}  // namespace

std::vector<std::string> importEsyncTree(store::StoreWriter& store, const std::string& folder) {
  try {
    const fs::path root = fs::canonical(folder);  // so that "." has a name
    if (!fs::is_directory(root)) throw Error(Errc::kFile, strCat(folder, ": is not a folder"));
    return stored(store, readTree(root));
  } catch (const fs::filesystem_error& error) {
    throw Error(Errc::kFile, strCat(error.path1().string(), ": ", error.code().message()));
  }
}

std::string importEsyncSummary(store::StoreWriter& store, const std::string& file) {
  std::error_code error;
  const fs::path path = fs::canonical(file, error);
  if (error) throw Error(Errc::kFile, strCat(file, ": ", error.message()));
  const std::optional<EsyncModeName> mode = esyncModeOfSummary(path.filename().string());
  if (!mode)
    throw Error(
        Errc::kFormat,
        strCat(file, ": is not named as an ESync summary (ESync.json, Sync.json, Async.json, DCASGD.json, or -Non-IID.json)"));
  const SummaryFile source(file);
  const bool inTree = esyncModeOfFolder(path.parent_path().filename().string()).has_value();  // network/mode/ESync.json
  const std::string network = inTree ? path.parent_path().parent_path().filename().string() : "";
  EsyncRun run(*mode, network, "esync summary", path.string());
  for (const auto& [host, devices] : source.json().items()) {
    source.requireObject(devices, host);
    for (const auto& [device, arrays] : devices.items())
      addDevice(run, run.addNode(host, device), source.device(arrays, strCat(host, "/", device)));
  }
  return stored(store, {run}).front();
}

}  // namespace paceline::interchange
