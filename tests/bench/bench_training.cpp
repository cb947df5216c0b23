// Training speed of single models over bare LibTorch loops and over the same loop in Python torch, how long a step waits for its data, and two
// workers over two Python processes.
// Every loop is a process of its own, so that thread counts are set before the numeric libraries start.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>

#include "app/cluster/hosts/host.h"
#include "engine/core/base/error.h"
#include "engine/core/spec/suite.h"
#include "engine/core/base/freed_memory.h"
#include "engine/nn/torch_objective.h"
#include "tests/bench/bare_loop.h"
#include "tests/bench/bench.h"
#include "tests/bench/worker_loop.h"

namespace paceline::bench {
namespace {

struct Measured {
  std::string model;
  double seconds;          // of one loop
  int turns;               // pairs of loops
  std::size_t warmRounds;  // left out
  const char* shape;       // what the pictures are, for the note
};

// A step of resnet18_v1 takes seconds on a busy core, one of logistic 0.2 ms.
const std::vector<Measured> kModels = {
    {"logistic", 2, 5, 200, "1x28x28"}, {"lenet", 3, 5, 5, "1x28x28"}, {"resnet18_v1", 12, 3, 2, "1x28x28"}, {"resnet20", 6, 3, 3, "1x28x28"}};

const Measured& measuredOf(const std::string& model) {
  for (const Measured& one : kModels)
    if (one.model == model) return one;
  throw Error(Errc::kUsage, strCat("no such model to measure: ", model));
}

RunSpec specFor(const std::string& model, int threads, double seconds) {
  std::string text = withOverride(kStandalone, "/model/id=" + model);
  text = withOverride(text, strCat("/nodes/0/threads=", threads));
  return specOf(withOverride(text, strCat("/stop/seconds=", seconds)));
}

// What a node's launcher sets beside the kernels, which this process has from main().
std::map<std::string, std::string> environment(int threads) {
  std::map<std::string, std::string> env = {{"OMP_WAIT_POLICY", "passive"}, {"OPENBLAS_THREAD_TIMEOUT", "4"}};
  for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"}) env[name] = std::to_string(threads);
  return env;
}

struct Said {
  std::string line, errors;
};

Said firstLine(const std::vector<std::string>& command, int threads, double timeout) {
  const auto host = hosts::localHost("local", environment(threads));
  const auto process = host->start(command);
  const auto line = process->readLine(timeout);
  process->closeInput();
  return {.line = line.value_or(""), .errors = process->wait().errors};
}

struct Rate {
  double samplesPerSecond = 0, fetchFraction = 0;
};

Rate rateOf(const std::vector<std::string>& command, int threads, double seconds) {
  const Said said = firstLine(command, threads, 20 * seconds + 300);
  std::istringstream in(said.line);
  Rate rate;
  if (!(in >> rate.samplesPerSecond >> rate.fetchFraction)) throw Error(Errc::kData, strCat(command[0], " printed \"", said.line, "\" instead of a rate: ", said.errors));
  return rate;
}

class Loops {
 public:
  Loops(std::string program, std::string model, int threads) : program_(std::move(program)), measured_(measuredOf(model)), threads_(threads) {}

  Rate part(const char* kind) const {
    return rateOf({program_, "--part", "training", kind, measured_.model, std::to_string(threads_), std::to_string(measured_.seconds)}, threads_,
                  measured_.seconds);
  }
  Rate python(const std::string& interpreter) const {
    return rateOf({interpreter, std::string(PACELINE_BENCH_FOLDER) + "/python_loop.py", measured_.model, std::to_string(threads_),
                   std::to_string(measured_.seconds)},
                  threads_, measured_.seconds);
  }
  const Measured& measured() const { return measured_; }
  std::string what() const {
    return strCat(measured_.model, ", ", measured_.shape, ", batch 64, ", threads_, threads_ == 1 ? " thread" : " threads");
  }

 private:
  std::string program_;
  Measured measured_;
  int threads_;
};

bool known(const std::string& model) {
  const std::vector<ModelEntry> catalog = modelCatalog();
  return findEntry(catalog, model) != nullptr;
}

Result vsLibtorch(const std::string& id, const Loops& loops) {
  std::vector<double> ratios, ours, bare;
  for (int turn = 0; turn < loops.measured().turns; ++turn) {  // in turn: the machine drifts
    ours.push_back(loops.part("worker").samplesPerSecond);
    bare.push_back(loops.part("libtorch").samplesPerSecond);
    ratios.push_back(ours.back() / bare.back());
  }
  return {.id = id, .value = median(ratios), .target = 0.98,
          .note = strCat(loops.what(), ": samples/s of the whole worker loop over a bare LibTorch loop, median of ", ratios.size(), " pairs"),
          .inputs = {{"worker_samples_per_s", median(ours)}, {"libtorch_samples_per_s", median(bare)}, {"lowest_ratio", std::ranges::min(ratios)}, {"highest_ratio", std::ranges::max(ratios)}}};
}

std::string interpreter() {
  const char* given = std::getenv("PACELINE_PYTHON");
  return given != nullptr && *given != '\0' ? given : "python3";
}

std::string pythonTorchVersion() {
  const std::string python = interpreter();
  const std::string version = firstLine({python, "-c", "import torch; print(torch.__version__)"}, 1, 300).line;
  if (version.empty()) throw Lacking(strCat("python3-torch is not installed: \"", python, "\" has no torch; PACELINE_PYTHON names an interpreter that has"));
  return version;
}

Result vsPython(const std::string& id, const Loops& loops) {
  const std::string version = pythonTorchVersion();
  std::vector<double> ratios, ours, theirs;
  for (int turn = 0; turn < loops.measured().turns; ++turn) {
    ours.push_back(loops.part("worker").samplesPerSecond);
    theirs.push_back(loops.python(interpreter()).samplesPerSecond);
    ratios.push_back(ours.back() / theirs.back());
  }
  return {.id = id, .value = median(ratios), .target = 1.0,
          .note = strCat(loops.what(), ": samples/s of the whole worker loop on LibTorch ", torchVersion(), " over the same loop in Python on torch ", version,
                         ", channels last and with the same memory settings, median of ", ratios.size(), " pairs"),
          .inputs = {{"worker_samples_per_s", median(ours)}, {"python_samples_per_s", median(theirs)}}};
}

// The same network from a TorchScript file: the same bits, so only the time differs.
Result scriptedVsBuiltIn(const std::string& id, const Loops& loops) {
  std::vector<double> ratios, scripted, builtIn;
  for (int turn = 0; turn < 4 * loops.measured().turns; ++turn) {  // three hundredths are asked for, and pairs on a shared machine differ by a fifth
    scripted.push_back(loops.part("scripted").samplesPerSecond);
    builtIn.push_back(loops.part("worker").samplesPerSecond);
    ratios.push_back(scripted.back() / builtIn.back());
  }
  return {.id = id, .value = median(ratios), .target = 0.97,
          .note = strCat(loops.what(), ": samples/s of the worker loop with the network from a TorchScript file over the built-in one, median of ", ratios.size(), " pairs"),
          .inputs = {{"scripted_samples_per_s", median(scripted)}, {"built_in_samples_per_s", median(builtIn)}, {"lowest_ratio", std::ranges::min(ratios)}, {"highest_ratio", std::ranges::max(ratios)}}};
}

Result loaderWait(const std::string& id, const Loops& loops) {
  std::vector<double> waits, rates;
  for (int turn = 0; turn < loops.measured().turns; ++turn) {
    const Rate rate = loops.part("worker");
    waits.push_back(rate.fetchFraction);
    rates.push_back(rate.samplesPerSecond);
  }
  return {.id = id, .value = median(waits), .target = 0.01, .higherIsBetter = false,
          .note = loops.what() + ": the training thread's time that goes into getting its batch",
          .inputs = {{"worker_samples_per_s", median(rates)}}};
}

struct Peers {
  const char* id;
  const char* model;
  double ourSeconds, theirSeconds;
};
constexpr Peers kPeers[] = {{"peer_share_lenet", "lenet", 12, 8}, {"peer_share_resnet18", "resnet18_v1", 24, 16}};

Result peerShare(const Peers& peers) {
  const std::string version = pythonTorchVersion();
  const RunSpec spec = specOf(withOverride(withOverride(withOverride(kTwoWorkers, "/algorithm/id=ssgd"), strCat("/model/id=", peers.model)),
                                           strCat("/stop/seconds=", peers.ourSeconds)));
  std::vector<double> shares, ours, theirs;
  for (int turn = 0; turn < 3; ++turn) {
    ours.push_back(realRunSamplesPerSecond(spec));
    const Said said = firstLine({std::string(PACELINE_BENCH_FOLDER) + "/peers/python_peers", peers.model, strCat(peers.theirSeconds), strCat(ours.back())}, 1,
                                20 * peers.theirSeconds + 300);
    std::istringstream in(said.line);
    double sum = 0, share = 0;
    if (!(in >> sum >> share)) throw Error(Errc::kData, strCat("two Python processes printed \"", said.line, "\" instead of rates: ", said.errors));
    theirs.push_back(sum), shares.push_back(share);
  }
  return {.id = peers.id, .value = median(shares), .target = 1.0,
          .note = strCat("ssgd, ", peers.model, ", 1x28x28, batch 64, one thread a process: samples/s of two workers and a server over the sum of two Python processes on torch ", version,
                         " that train at the same time, median of ", shares.size(), " pairs"),
          .inputs = {{"two_workers_samples_per_s", median(ours)}, {"two_python_processes_samples_per_s", median(theirs)},
                     {"lowest_share", std::ranges::min(shares)}, {"highest_share", std::ranges::max(shares)}}};
}

}  // namespace

int trainingPart(const std::string& kind, const std::string& model, int threads, double seconds) {
  keepFreedMemory();
  useThreads(threads);
  RunSpec spec = specFor(model, threads, seconds);
  std::string script;
  if (kind == "scripted") script = scriptedLenet(), spec.model = {.id = "script", .params = Params(std::map<std::string, ParamValue>{{"path", script}, {"init", std::string("xavier")}})};
  const auto data = loadDataset(spec);
  if (kind == "libtorch") {
    std::cout << bareLoopSamplesPerSecond(spec, data, seconds) << " 0" << std::endl;
  } else {
    const LoopRate rate = workerLoop(spec, data, measuredOf(model).warmRounds);
    std::cout << rate.samplesPerSecond << " " << rate.fetchFraction << std::endl;
  }
  if (!script.empty()) std::filesystem::remove_all(std::filesystem::path(script).parent_path());
  return 0;
}

std::vector<Named> trainingSpeeds(const std::string& program) {
  std::vector<Named> rows;
  for (const Measured& one : kModels) {
    if (!known(one.model)) continue;
    for (const int threads : {1, 2}) {
      const std::string suffix = strCat("_", one.model, "_", threads);
      rows.push_back({"libtorch_ratio" + suffix, [=] { return vsLibtorch("libtorch_ratio" + suffix, Loops(program, one.model, threads)); }});
      rows.push_back({"python_ratio" + suffix, [=] { return vsPython("python_ratio" + suffix, Loops(program, one.model, threads)); }});
    }
  }
  if (known("lenet")) rows.push_back({"scripted_lenet", [=] { return scriptedVsBuiltIn("scripted_lenet", Loops(program, "lenet", 1)); }});
  for (const char* model : {"lenet", "resnet18_v1"})
    rows.push_back({strCat("loader_wait_", model), [=] { return loaderWait(strCat("loader_wait_", model), Loops(program, model, 1)); }});
  for (const Peers& peers : kPeers)
    if (known(peers.model)) rows.push_back({peers.id, [&peers] { return peerShare(peers); }});
  return rows;
}

}  // namespace paceline::bench
