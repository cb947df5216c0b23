// A run small enough to compute every figure of its summary by hand.
#pragma once

#include "tests/storage/samples.h"

namespace paceline::tests {

// w0 evaluates; w1 is quicker at first and ends later. t_s (end of round): w0 10, 20; w1 6, 12, 25. Times begin at 0.
inline summary::RunData twoWorkers(const std::string& algorithm = "ssgd") {
  summary::RunData data;
  data.run = makeRun("r1", "two", store::RunState::kFinished);
  data.run.algorithm = algorithm, data.run.versions = R"({"parameters": 26214400})";  // 100 MiB of floats
  data.run.seed = 3, data.run.configHash = "c", data.run.groupHash = "g";
  data.nodes = {makeWorker("r1", "w1", 1), makeWorker("r1", "w0", 0)};  // not in order of rank
  store::NodeRow server;
  server.run = "r1", server.id = "s0", server.role = "server";
  data.nodes.push_back(server);
  const auto add = [&](const char* node, std::int64_t n, double t, double total, std::int64_t samples, std::int64_t bytes) {
    RoundRecord r;
    r.round = n, r.t = t, r.total = total, r.samples = samples, r.bytesSent = bytes, r.bytesReceived = 2 * bytes;
    r.fetch = 0.1 * total, r.compute = 0.4 * total, r.update = 0.1 * total, r.send = 0.1 * total, r.wait = 0.2 * total;
    r.localSteps = n, r.staleness = 2;
    data.rounds.push_back({.node = node, .seq = n, .record = r});
  };
  add("w0", 1, 10, 10, 64, 100), add("w1", 1, 6, 6, 32, 10), add("w1", 2, 12, 6, 32, 10);
  add("w0", 2, 20, 10, 64, 100), add("w1", 3, 25, 13, 32, 10);
  data.rounds[0].record.evaluate = data.rounds[3].record.evaluate = 1;
  const EvaluationRecord first{.round = 1, .t = 9, .accuracy = 0.5, .loss = 1.5, .samples = 64, .seconds = 1};
  const EvaluationRecord second{.round = 2, .t = 19, .accuracy = 0.85, .loss = 0.5, .samples = 128, .seconds = 1};
  data.evaluations = {{.node = "w0", .seq = 10, .record = first}, {.node = "w0", .seq = 11, .record = second}};
  return data;
}

}  // namespace paceline::tests
