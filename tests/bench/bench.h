// One measurement of paceline-bench: a ratio to a limit measured in the same run, or a time. Each bench_*.cpp measures with its own libraries.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace paceline::bench {

struct Result {
  std::string id;
  double value = 0;
  std::string unit = "ratio";
  double target = 0;
  bool higherIsBetter = true;
  std::string note;
  std::vector<std::pair<std::string, double>> inputs;  // what it was measured against, in the same run
};

Result workerLoopVsLibtorch();
Result psRoundVsStream(const std::string& program);
Result serverSumVsTriad();
Result ingestVsSqlite();
Result recordingCost();
Result figurePaint();
Result twoWorkersVsIndependent(const std::string& program);

// Parts that run in processes of their own: paceline-bench --part NAME.
int psNodePart(int node);                       // 0 server, 1 and 2 workers; endpoints on stdin, seconds per round on stdout
int bareLoopPart(double seconds);               // samples/s on stdout

inline double secondsNow() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n == 0 ? 0 : n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

}  // namespace paceline::bench
