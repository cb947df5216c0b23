// One measurement of paceline-bench: a ratio to a limit measured in the same run, or a time. Each bench_*.cpp measures with its own libraries.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/base/error.h"

namespace paceline::bench {

struct Result {
  std::string id;
  double value = std::numeric_limits<double>::quiet_NaN();  // of none there is no verdict
  std::string unit = "ratio";
  double target = 0;
  bool higherIsBetter = true;
  std::string note;
  std::vector<std::pair<std::string, double>> inputs;  // what it was measured against, in the same run
  std::string absent{};  // why it could not be measured; "": it was
};

// This host has not what the row needs: no failure.
struct Lacking : Error {
  explicit Lacking(const std::string& what) : Error(Errc::kHost, what) {}
};

struct Named {
  std::string id;
  std::function<Result()> measure;
  std::vector<std::string> tags{};
};
inline const std::vector<std::string> kQuick{"quick"};  // rows that take under a minute together

std::vector<Named> trainingSpeeds(const std::string& program);  // models over LibTorch and Python torch, waiting for data, two workers over Python processes
std::vector<Named> overlaps(const std::string& program);        // rounds over what computing and the busiest link need
std::vector<Named> pictureLoading();  // images/s of a folder of JPEGs by loader threads

Result workerLoopVsLibtorch();
Result psRoundVsStream(const std::string& program);
Result psRoundVsSockets(const std::string& program);
Result curveVsPlain(const std::string& program);
Result aesGcmVsPlain(const std::string& program);
Result aesGcmVsCurve(const std::string& program);
Result ipcVsTcp(const std::string& program);
Result shmVsTcp(const std::string& program);
Result serverSumVsTriad();
Result aggregationVsGloo(const std::string& program);
Result aggregationVsC10d(const std::string& program);  // throws Lacking
Result simulatorIterations();
Result selectionExact();
Result selectionSampled();
Result sparseCodecRate();
Result sparseIndexBytes();
Result sparseBytes();
Result ingestVsSqlite();
Result recordingCost();
std::vector<Named> bigStore(const std::string& program);  // a summary and a figure of many long runs
Result figurePaint();
Result parallelBrush();
Result galleryPaint();
Result runsFilter();
Result guiSoak();  // five minutes
Result predictionAfterEdit();
std::vector<Named> timelines();  // lanes of many long workers: opened, and zoomed
Result twoWorkersVsIndependent(const std::string& program);
Result serverJournalCost();
Result startOnEightHosts();
Result linkMeasured(const std::string& agent);
Result start16Local();
Result start64Local();
Result workerIdleMb();

// Parts that run in processes of their own: paceline-bench --part NAME.
int psNodePart(int node);                       // 0 server, 1 and 2 workers; orders on stdin, endpoint and seconds per round on stdout
int socketNodePart(const std::string& port);    // "server", or the port of the one to connect to; port or seconds per round on stdout
int aggregationNodePart(int node);              // workers 0 .. n-1, server n; orders on stdin, endpoint and seconds on stdout
int bareLoopPart(double seconds);               // samples/s on stdout
// kind: worker or libtorch. Samples/s and the fraction of the time that the worker waited for data, on stdout.
int trainingPart(const std::string& kind, const std::string& model, int threads, double seconds);

inline double secondsNow() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n == 0 ? std::numeric_limits<double>::quiet_NaN() : n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

}  // namespace paceline::bench
