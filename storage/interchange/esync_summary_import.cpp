// ESync.json and its seven siblings: host -> device -> five arrays, one element per round.
#include <cmath>
#include <filesystem>

#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "storage/interchange/esync_import.h"
#include "storage/interchange/interop.h"

namespace fs = std::filesystem;

namespace paceline::interchange {
namespace {

using Ordered = nlohmann::ordered_json;  // the first device of the file is the drawer's first device

struct DeviceArrays {
  std::vector<double> accuracy, samples, selfIters, elapsed, aggregate;
};

class SummaryFile {
 public:
  explicit SummaryFile(const std::string& path) : path_(path) {
    try {
      json_ = Ordered::parse(textOfFile(path));
    } catch (const Ordered::parse_error& error) {
      throw Error(Errc::kFormat, strCat(path, ": is not JSON: it breaks off or goes wrong at byte ", error.byte));
    }
    requireObject(json_, "");
  }
  [[noreturn]] void refuse(const std::string& key, const std::string& what) const {
    throw Error(Errc::kFormat, strCat(path_, ": ", key.empty() ? "it" : key, " ", what));
  }
  void requireObject(const Ordered& value, const std::string& key) const {
    if (!value.is_object() || value.empty()) refuse(key, "must be an object that is not empty");
  }
  DeviceArrays device(const Ordered& object, const std::string& key) const {
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
  const Ordered& json() const { return json_; }

 private:
  std::vector<double> array(const Ordered& object, const std::string& key, const char* name) const {
    const std::string path = strCat(key, "/", name);
    const auto found = object.find(name);
    if (found == object.end()) refuse(path, "is missing");
    if (!found->is_array()) refuse(path, "must be an array");
    std::vector<double> values;
    for (const Ordered& element : *found) {
      const double value = element.is_number() ? element.get<double>() : -1;
      if (!(value >= 0) || value > 9e15) refuse(strCat(path, "/", values.size()), "must be a number that is not negative");
      values.push_back(value);
    }
    return values;
  }
  std::string path_;
  Ordered json_;
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
  std::int64_t seq = 0;
  std::size_t evaluated = 0;
  double before = 0;
  for (std::size_t i = 0; i < rounds; ++i) {
    RoundRecord round;
    round.round = static_cast<std::int64_t>(i + 1);
    round.t = arrays.elapsed[i];
    round.total = std::max(0.0, round.t - before);
    before = round.t;
    round.samples = std::llrint(arrays.samples[i]);
    round.localSteps = std::max<std::int64_t>(0, std::llrint(arrays.selfIters[i]) - (run.isEsync() ? 1 : 0));
    round.wait = arrays.aggregate[i];
    round.loss = std::numeric_limits<double>::quiet_NaN();
    run.samplesOf[node] += round.samples;
    if ((i + 1) % interval == 0 && evaluated < arrays.accuracy.size())
      run.addAccuracy(node, ++seq, round, arrays.accuracy[evaluated++]);
    run.events.push_back({.run = run.row.id, .node = node, .seq = ++seq, .event = round});
  }
  if (!arrays.accuracy.empty() && arrays.accuracy.size() != rounds)
    run.row.notes +=
        strCat("\n", node, ": ", arrays.accuracy.size(), " accuracies for ", rounds, " rounds; the file does not say of which: ",
               interval > 1 ? strCat("every ", interval, "th assumed.") : "the first ones assumed.");
}

}  // namespace

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
  return storeEsyncRuns(store, {run}).front();
}

}  // namespace paceline::interchange
