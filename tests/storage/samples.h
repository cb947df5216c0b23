// Temporary folders and ready-made rows for the tests of storage.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "engine/core/base/error.h"
#include "storage/store/store.h"
#include "storage/summary/summary.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {

class TempFolder {
 public:
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = tests::ownFolder();
};

inline std::string readText(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void writeText(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

inline store::RunRow makeRun(const std::string& id, const std::string& name, store::RunState state = store::RunState::kRunning) {
  store::RunRow run;
  run.id = id, run.name = name, run.state = state;
  run.algorithm = "ssgd", run.model = "lenet", run.dataset = "synthetic", run.partition = "iid";
  return run;
}

inline store::NodeRow makeWorker(const std::string& run, const std::string& id, int rank) {
  store::NodeRow node;
  node.run = run, node.id = id, node.role = "worker", node.host = "local", node.device = "cpu", node.rank = rank;
  return node;
}

// Every field differs from every other and from its default.
inline RoundRecord makeRound(std::int64_t n) {
  const auto x = static_cast<double>(n);
  RoundRecord r;
  r.round = n, r.t = 10 * x;
  r.fetch = 0.01 * x, r.compute = 0.02 * x, r.update = 0.03 * x, r.send = 0.04 * x, r.wait = 0.05 * x, r.receive = 0.06 * x;
  r.query = 0.07 * x, r.evaluate = 0.08 * x, r.total = 9.5 * x;
  r.localSteps = n + 1, r.samples = n + 2, r.bytesSent = n + 3, r.bytesReceived = n + 4, r.messagesSent = n + 5;
  r.messagesReceived = n + 6, r.staleness = 0.09 * x, r.loss = 0.11 * x, r.learningRate = 0.12 * x, r.kept = 0.13 * x;
  return r;
}

inline StampedEvent roundEvent(const std::string& run, const std::string& node, std::int64_t seq) {
  return {.run = run, .node = node, .seq = seq, .event = makeRound(seq)};
}

// The message of the Error that `work` throws; also checks its code.
template <class Work>
std::string messageOf(Errc code, Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.code()), static_cast<int>(code)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

// A store with one run "r1" and workers w0, w1.
inline void makeStoreWithRun(const std::string& path) {
  store::StoreWriter writer(path);
  writer.createRun(makeRun("r1", "first"), std::vector{makeWorker("r1", "w0", 0), makeWorker("r1", "w1", 1)});
}

}  // namespace paceline::tests
