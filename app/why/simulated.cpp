#include "app/why/simulated.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

#include "app/cluster/hosts/host.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/replace_file.h"

namespace paceline::why {
namespace {

constexpr double kPatience = 60;  // s, of a question

// The catalogue in a file for as long as somebody simulates with it, by what it depends on: model and data set.
class Catalogues {
 public:
  explicit Catalogues(std::stop_token stop) : stop_(std::move(stop)) {}
  ~Catalogues() {
    std::error_code gone;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, gone);
  }

  std::string fileFor(const RunSpec& spec) {
    RunSpec asked;
    asked.model = spec.model, asked.dataset = spec.dataset;
    const std::string key = toJsonText(asked);
    const auto [found, isNew] = files_.try_emplace(key);
    if (!isNew) return found->second;
    const std::string text = worker::workerAnswer(hosts::localProgram("paceline-worker"), {"describe", "-"}, kPatience, stop_, toJsonText(spec));
    if (folder_.empty()) {
      std::string name = (std::filesystem::temp_directory_path() / "paceline-why-XXXXXX").string();
      if (mkdtemp(name.data()) == nullptr) throw Error(Errc::kFile, strCat("cannot make a folder in ", std::filesystem::temp_directory_path().string()));
      folder_ = name;
    }
    found->second = strCat(folder_, "/catalogue-", files_.size(), ".json");
    replaceFile(found->second, text, 0600);
    return found->second;
  }

 private:
  std::stop_token stop_;
  std::string folder_;
  std::map<std::string, std::string> files_;
};

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

}  // namespace

Simulator localSimulator(std::stop_token stop) {
  const auto catalogues = std::make_shared<Catalogues>(stop);
  return [catalogues, stop](const RunSpec& spec) {
    const std::string catalogue = catalogues->fileFor(spec);
    return roundsIn(worker::workerAnswer(hosts::localProgram("paceline-server"), {"simulate", "-", catalogue}, kPatience, stop, toJsonText(spec)));
  };
}

Answer whyOf(const store::StoreReader& store, const store::RunRow& row, std::stop_token stop) {
  Answer answer{.run = explained(summary::loadRun(store, row)), .diagnosis = {}};
  answer.diagnosis = diagnose(answer.run);
  predict(answer.diagnosis, answer.run, localSimulator(std::move(stop)));
  return answer;
}

}  // namespace paceline::why
