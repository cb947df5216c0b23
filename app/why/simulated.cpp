#include "app/why/simulated.h"

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>

#include "app/cluster/hosts/host.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/replace_file.h"

namespace paceline::why {

constexpr double kPatience = 60;  // s, of a question

// The catalogue in a file for as long as somebody simulates with it, by what it depends on: model and data set. Any thread.
class Catalogues {
 public:
  ~Catalogues() {
    std::error_code gone;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, gone);
  }

  std::string fileFor(const RunSpec& spec, const std::stop_token& stop) {
    RunSpec asked;
    asked.model = spec.model, asked.dataset = spec.dataset;
    const std::string key = toJsonText(asked);
    const std::lock_guard lock(mutex_);
    if (const auto found = files_.find(key); found != files_.end()) return found->second;
    const std::string text = worker::workerAnswer(hosts::localProgram("paceline-worker"), {"describe", "-"}, kPatience, stop, toJsonText(spec));
    if (folder_.empty()) {
      std::string name = (std::filesystem::temp_directory_path() / "paceline-why-XXXXXX").string();
      if (mkdtemp(name.data()) == nullptr) throw Error(Errc::kFile, strCat("cannot make a folder in ", std::filesystem::temp_directory_path().string()));
      folder_ = name;
    }
    const std::string file = strCat(folder_, "/catalogue-", files_.size(), ".json");
    replaceFile(file, text, 0600);
    return files_[key] = file;
  }

 private:
  std::mutex mutex_;  // guards all below
  std::string folder_;
  std::map<std::string, std::string> files_;
};

namespace {

constexpr std::size_t kCounted = 100;  // rows of a worker that its rounds are counted by

std::vector<store::RoundRow> roundsIn(const std::string& lines) {
  std::vector<store::RoundRow> rounds;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    const Json json = jsonOrNull(std::string_view(lines).substr(at, end - at));
    at = end + 1;
    if (!json.is_object() || json.value("kind", "") != "round") continue;
    rounds.push_back({.node = json.value("node", ""), .record = std::get<RoundRecord>(readEvent(json))});
  }
  return rounds;
}

constexpr double kEver = std::numeric_limits<double>::infinity();
constexpr std::size_t kAll = std::numeric_limits<std::int64_t>::max();

// When the newest rounds began, so many of all workers together; 0: there are no more.
double beginOfNewest(const store::StoreReader& store, const summary::RunData& data, std::size_t most) {
  std::size_t rounds = 0;
  double end = 0;
  for (const store::NodeRow& node : data.nodes) {
    const std::optional<double> last = store.lastRoundEnd(data.run.id, node.id);
    if (!last) continue;
    end = std::max(end, *last);
    for (const store::RoundRow& some : store.roundSpans(data.run.id, node.id, 0, kEver, kCounted)) rounds += static_cast<std::size_t>(some.merged);
  }
  return rounds <= most ? 0 : end * (1 - static_cast<double>(most) / static_cast<double>(rounds));
}

}  // namespace

LocalSimulators::LocalSimulators() : catalogues_(std::make_shared<Catalogues>()) {}
LocalSimulators::~LocalSimulators() = default;

Simulator LocalSimulators::with(std::stop_token stop) {
  return [catalogues = catalogues_, stop = std::move(stop)](const RunSpec& spec) {
    const std::string catalogue = catalogues->fileFor(spec, stop);
    return roundsIn(worker::workerAnswer(hosts::localProgram("paceline-server"), {"simulate", "-", catalogue}, kPatience, stop, toJsonText(spec)));
  };
}

Catalog LocalSimulators::catalogueOf(const RunSpec& spec, std::stop_token stop) { return parseCatalog(fileText(catalogues_->fileFor(spec, stop)).value_or("")); }

Simulator localSimulator(std::stop_token stop) { return LocalSimulators().with(std::move(stop)); }

Explained readRun(const store::StoreReader& store, const store::RunRow& row, std::size_t most) {
  summary::RunData data;
  data.run = row, data.nodes = store.nodes(row.id);
  data.evaluations = store.evaluations(row.id);
  const double from = beginOfNewest(store, data, most);
  for (const store::NodeRow& node : data.nodes) {
    const std::string& id = node.id;
    std::vector<store::RoundRow> rounds = store.roundSpans(row.id, id, from, kEver, kAll);
    if (from > 0) std::erase_if(rounds, [from](const store::RoundRow& round) { return round.record.t - round.record.total < from; });
    data.rounds.insert(data.rounds.end(), std::make_move_iterator(rounds.begin()), std::make_move_iterator(rounds.end()));
    const std::vector<store::BusyRow> busy = store.busy(row.id, id, from > 0 ? store.busyBefore(row.id, id, from) : 0, kAll);
    data.busy.insert(data.busy.end(), busy.begin(), busy.end());
  }
  std::erase_if(data.evaluations, [from](const store::EvaluationRow& evaluation) { return evaluation.record.t < from; });
  Explained run = explained(std::move(data));
  run.from = from;
  return run;
}

Answer whyOf(const store::StoreReader& store, const store::RunRow& row, std::stop_token stop) {
  Answer answer{.run = readRun(store, row), .diagnosis = {}};
  answer.diagnosis = diagnose(answer.run);
  predict(answer.diagnosis, answer.run, localSimulator(std::move(stop)));
  return answer;
}

}  // namespace paceline::why
