// A store with runs whose numbers are known: two workers, a round and an evaluation a second.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/report/resolve.h"
#include "engine/core/base/error.h"
#include "storage/store/store.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {

struct MadeRun {
  std::string id, algorithm;
  std::uint64_t seed = 1;
  int rounds = 10;
  double slower = 1;  // accuracy after round n: 1 - 0.5 * slower / n
  std::string name{};
};

inline std::string documentOf(const MadeRun& run) {
  return strCat(R"({"paceline":1,"name":")", run.name.empty() ? run.id : run.name, R"(","seed":)", run.seed, R"(,"batch_size":64,"algorithm":{"id":")", run.algorithm, R"("},"model":{"id":"lenet"},"stop":{"rounds":)", run.rounds, "}}");
}

inline void storeRun(const std::string& path, const MadeRun& run) {
  store::StoreWriter writer(path);
  store::RunRow row{.id = run.id, .name = run.name.empty() ? run.id : run.name, .state = store::RunState::kRunning, .error = {}, .reason = {}, .specText = documentOf(run), .algorithm = run.algorithm, .model = "lenet",
                    .dataset = "fashion_mnist", .partition = "iid", .seed = run.seed, .configHash = strCat("hash of ", run.id), .groupHash = strCat("group of ", run.algorithm), .tags = {}, .notes = {}, .createdUtc = 1.7e9,
                    .startedUtc = 1.7e9 + 1, .endedUtc = 1.7e9 + 1 + run.rounds, .source = {}, .trashed = false, .versions = {}};
  std::vector<store::NodeRow> nodes;
  for (int w = 0; w < 2; ++w) nodes.push_back({.run = run.id, .id = strCat("w", w), .role = "worker", .host = "local", .device = "cpu", .rank = w});
  writer.createRun(row, nodes);
  std::vector<StampedEvent> events;
  std::int64_t seq[2] = {0, 0};
  for (int round = 1; round <= run.rounds; ++round)
    for (int w = 0; w < 2; ++w) {
      const std::string node = strCat("w", w);
      RoundRecord record;
      record.round = round, record.t = round, record.compute = w == 0 ? 0.7 : 0.5, record.wait = w == 0 ? 0.3 : 0.5, record.total = 1, record.localSteps = 1, record.samples = 64, record.bytesSent = record.bytesReceived = 500'000;
      record.loss = 1.0 / round;
      events.push_back({run.id, node, ++seq[w], record});
      if (w == 0) events.push_back({run.id, node, ++seq[w], EvaluationRecord{.round = round, .t = static_cast<double>(round), .accuracy = 1 - 0.5 * run.slower / round, .loss = 1.0 / round, .samples = 64 * round, .seconds = 0}});
    }
  writer.append(events);
  writer.setState(run.id, store::RunState::kFinished, "", "rounds");
}

// A folder with a store of esync-1, esync-2 (seeds) and ssgd-1, which reaches less.
class ReportStore {
 public:
  ReportStore() {
    storeRun(path(), {.id = "esync1", .algorithm = "esync", .seed = 1});
    storeRun(path(), {.id = "esync2", .algorithm = "esync", .seed = 2, .slower = 1.2});
    storeRun(path(), {.id = "ssgd1", .algorithm = "ssgd", .seed = 1, .slower = 4, .name = "demo ssgd seed 1"});
  }
  std::string path() const { return (folder_ / "lab.db").string(); }

  report::Report made(const std::string& text, const report::Making& making = {.file = "waits.report.md", .output = "waits.pdf", .madeUtc = 1.7e9, .store = {}}) {
    return report::resolved(report::parse(text), records_, titles_, making);
  }
  summary::RunSummary summaryOf(const std::string& id, double target = 0.8) const {
    const store::StoreReader reader(path());
    return summary::summaryOf(reader, *reader.find(id), summary::Details::all(), {.targetAccuracy = target});
  }

 private:
  std::filesystem::path folder_ = ownFolder();
  Titles titles_ = {{"lenet", "LeNet"}};
  report::Records records_{path()};
};

inline constexpr const char* kHead = "---\ntitle: Who waits\ntarget: 80 %\nrun esync: esync1, esync2\nrun ssgd: demo ssgd seed 1\n---\n";

// The text of all words of a piece.
inline std::string textOf(const report::Piece& piece) {
  std::string text;
  for (const report::Word& word : piece.words) text += word.text;
  return text;
}

}  // namespace paceline::tests
