// Models in Python: they train as built-in ones do, end with their node, and what cannot be trained is one sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/core/base/error.h"
#include "engine/core/base/fd.h"
#include "engine/core/base/file_text.h"
#include "tests/runtime/own_model.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kPython = "/usr/bin/python3";

bool has(const std::string& module) { return std::system(strCat(kPython, " -c 'import ", module, "' 2>/dev/null").c_str()) == 0; }

Choice python(const std::string& path, const std::string& init = "file", double answer = 60) {
  return {.id = "python", .params = Params({{"path", path}, {"command", std::string(kPython)}, {"init", init}, {"answer_s", answer}})};
}
std::string own(const std::string& name) { return strCat(PACELINE_SOURCE_DIR, "/experiments/own/", name); }

std::vector<Real> trained(const RunSpec& spec) {
  useThreads(1);
  useDeterministicKernels(true);
  const std::shared_ptr<const datasets::Dataset> data = loadDataset(spec);
  return runInSim(spec, [&](const RunSpec& run, int rank) { return makeTorchObjective(run, rank, data); }).parameters[0];
}

// Row by row, as Python has them.
std::vector<Real> inRows(const std::vector<Real>& values, std::span<const Block> blocks) {
  std::vector<Real> rows = values;
  for (const Block& block : blocks) {
    if (!block.channelsLast) continue;
    const auto in = static_cast<std::size_t>(block.shape[1]), area = static_cast<std::size_t>(block.shape[2] * block.shape[3]);
    for (std::size_t i = 0; i < block.size; ++i) {
      const std::size_t out = i / (in * area), channel = i / area % in, place = i % area;
      rows[block.offset + i] = values[block.offset + (out * area + place) * in + channel];
    }
  }
  return rows;
}

double furthest(const std::vector<Real>& a, const std::vector<Real>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(static_cast<double>(a[i]) - b[i]));
  return most;
}

std::unique_ptr<Objective> objectiveOf(const Choice& model) {
  const RunSpec run = runOf("standalone", 1, model, 1);
  return makeTorchObjective(run, 0, loadDataset(run));
}

// A file that speaks with the node by itself: standard library only. `steps` answers a request in `line`.
std::string speaking(const std::string& steps, const std::string& parameters = R"([{"name": "w", "shape": [3], "trainable": true}])") {
  static int count = 0;
  std::string path = (ownFolder() / strCat("model", ++count, ".py")).string();
  std::ofstream(path) << "import json, mmap, os, socket, sys, time\n"
                         "channel, memory = map(int, os.environ['PACELINE_OBJECTIVE'].split(','))\n"
                         "node = socket.socket(fileno=channel)\nlines = node.makefile('rb')\n"
                         "def say(text): node.sendall(text.encode() + b'\\n')\n"
                         "lines.readline(); say('{\"parameters\": "
                      << parameters
                      << "}')\nplaces = json.loads(lines.readline()); shared = mmap.mmap(memory, places['bytes']); say('{}')\n"
                         "for line in lines:\n"
                      << steps;
  return path;
}

// Why a step of this model is refused, without its name.
std::string refused(const Choice& model) {
  try {
    const auto objective = objectiveOf(model);
    std::vector<Real> gradient(objective->parameters().size());
    objective->gradient(gradient);
    objective->evaluate();
  } catch (const Error& error) {
    const std::string text = error.what(), path = model.params.text("path");
    const std::string name = strCat("model command \"", kPython, " ", path.substr(path.rfind('/') + 1), "\" ");
    return text.starts_with(name) ? text.substr(name.size()) : text;
  }
  return "nothing thrown";
}
std::string refused(const std::string& steps, double answer = 60) { return refused(python(speaking(steps), "file", answer)); }

TEST(PythonModel, LogisticRegressionIsTheBuiltInOneAfter200StepsOfSsgdWithTwoWorkers) {
  if (!has("numpy")) GTEST_SKIP() << "python3-numpy is not here";
  const std::vector<Real> mine = trained(runOf("ssgd", 2, python(own("logistic.py"), "xavier"), 200));
  const std::vector<Real> builtIn = trained(runOf("ssgd", 2, {.id = "logistic", .params = Params({{"init", std::string("xavier")}})}, 200));
  ASSERT_EQ(mine.size(), builtIn.size());
  EXPECT_LT(furthest(mine, builtIn), 1e-5);
  EXPECT_GT(furthest(mine, std::vector<Real>(mine.size())), 0.01);
}

TEST(PythonModel, EvaluatesAsTheBuiltInOne) {
  if (!has("numpy")) GTEST_SKIP() << "python3-numpy is not here";
  const auto mine = objectiveOf(python(own("logistic.py"), "xavier")), builtIn = objectiveOf({.id = "logistic", .params = Params({{"init", std::string("xavier")}})});
  const Evaluation a = mine->evaluate(), b = builtIn->evaluate();
  EXPECT_EQ(a.correct, b.correct);
  EXPECT_EQ(a.total, b.total);
  EXPECT_NEAR(a.loss, b.loss, 1e-5);
}

TEST(PythonModel, OfTorchTrainsAsTheBuiltInOne) {
  if (!has("torch")) GTEST_SKIP() << "python3-torch is not here";
  const std::vector<Real> mine = trained(runOf("ssgd", 2, python(own("lenet.py"), "xavier"), 20));
  const Choice lenet = {.id = "lenet", .params = Params({{"init", std::string("xavier")}})};
  const std::vector<Real> builtIn = inRows(trained(runOf("ssgd", 2, lenet, 20)), objectiveOf(lenet)->blocks());
  ASSERT_EQ(mine.size(), 431080U);
  ASSERT_EQ(mine.size(), builtIn.size());
  EXPECT_LT(furthest(mine, builtIn), 1e-4);
}

TEST(PythonModel, ThatCannotBeTrainedIsOneSentence) {
  const std::string good = "  say('{\"loss\": 1, \"size\": 3, \"correct\": 1, \"total\": 64}')\n";
  EXPECT_EQ(refused("  print('a line of its own')\n" + good), "nothing thrown");  // goes to the log
  EXPECT_EQ(refused("  raise ValueError('no weather today')\n"), "ended with exit code 1: ValueError: no weather today");
  EXPECT_EQ(refused("  os.kill(os.getpid(), 11)\n"), "was ended by signal 11");
  EXPECT_EQ(refused("  while True: time.sleep(1)\n", 1), "has not answered for 1 s");
  EXPECT_EQ(refused("  node.shutdown(socket.SHUT_RDWR); time.sleep(60)\n"), "has closed its channel and goes on");
  EXPECT_EQ(refused("  say('hello')\n"), "answers hello, which is no JSON object");
  EXPECT_EQ(refused("  say('{\"loss\": 1, \"size\": 4}')\n"), "gives a gradient of 4 numbers; it began with 3 parameters");
  EXPECT_EQ(refused("  say('{\"loss\": \"low\", \"size\": 3}')\n"), "gives a loss that is no finite number");
  EXPECT_EQ(refused("  say('{\"error\": \"KeyError: x\"}')\n"), "says: KeyError: x");
  EXPECT_EQ(refused(python(speaking(good, "[]"))), "names no parameters");
  EXPECT_EQ(refused(python(speaking(good, R"([{"name": "w", "shape": [-3], "trainable": true}])"))), "gives parameter w a shape that cannot be");
  Choice half = python(speaking(good));
  half.params.set("precision", std::string("bf16"));
  EXPECT_EQ(refused(half), "/model/params/precision: a model in Python computes in what its file says, not in bf16");
  Choice none = python(speaking(good));
  none.params.set("command", std::string("/nowhere/python"));
  EXPECT_THAT(refused(none), HasSubstr("cannot be started: No such file or directory"));
}

// As of a built-in model: the run tells it, and goes on.
TEST(PythonModel, MayDiverge) {
  const auto objective = objectiveOf(python(speaking("  import struct; shared[places['gradient']:places['gradient'] + 4] = struct.pack('f', float('nan'))\n"
                                                     "  say('{\"loss\": null, \"size\": 3, \"correct\": 1, \"total\": 64}')\n")));
  std::vector<Real> gradient(3);
  EXPECT_TRUE(std::isnan(objective->gradient(gradient).loss));
  EXPECT_TRUE(std::isnan(gradient[0]));
  const Evaluation evaluation = objective->evaluate();
  EXPECT_TRUE(std::isnan(evaluation.loss));
  EXPECT_EQ(evaluation.correct, 1U);
}

// In the order in which the file names them, which is no JSON object's.
TEST(PythonModel, TheFirstMetricStandsForTheAccuracy) {
  const auto evaluated = [](const std::string& more) {
    return objectiveOf(python(speaking("  say('{\"loss\": 1, \"metrics\": [{\"name\": \"z\", \"value\": 4}, {\"name\": \"a\", \"value\": null}]" + more + "}')\n")))->evaluate();
  };
  const Evaluation evaluation = evaluated("");
  ASSERT_EQ(evaluation.metrics.size(), 2U);
  EXPECT_EQ(evaluation.metrics[0], (NamedNumber{"z", 4}));
  EXPECT_TRUE(std::isnan(evaluation.metrics[1].value));
  EXPECT_EQ(evaluation.accuracy(), 4);
  EXPECT_EQ(evaluated(", \"lower_is_better\": true").accuracy(), -4);
  EXPECT_EQ(refused("  say('{\"loss\": 1, \"size\": 3, \"metrics\": {\"a\": 1}}')\n"), "gives metrics that are no list of names and values");
}

TEST(PythonModel, ItsFileSaysWhetherLowerIsBetter) {
  if (!has("numpy")) GTEST_SKIP() << "python3-numpy is not here";
  const std::string path = (ownFolder() / "lower.py").string();
  std::ofstream(path) << "import numpy\nfrom paceline_objective import serve\n"
                         "serve({'w': numpy.zeros(3)}, lambda v, x, y: (1, {'w': v['w']}), lambda v, x, y: {'loss': 1, 'metrics': {'z': 4, 'a': 1}}, higher_is_better=False)\n";
  EXPECT_EQ(objectiveOf(python(path))->evaluate().accuracy(), -4);
}

// A node that is killed can end nothing itself. The model's process is told by the pipe that it holds: closed when it has ended.
TEST(PythonModel, EndsWithItsNodeHoweverThatEnds) {
  const std::string fifo = (ownFolder() / "alive").string();
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const std::string path = speaking(strCat("  alive = open('", fifo, "', 'w'); alive.write('x'); alive.flush()\n  while True: pass\n"));
  const pid_t node = forked();
  if (node == 0) {
    ::setpgid(0, 0);
    try {
      const auto objective = objectiveOf(python(path));
      std::vector<Real> gradient(objective->parameters().size());
      objective->gradient(gradient);
    } catch (...) {
    }
    ::_exit(1);
  }
  ::setpgid(node, node);
  const Fd alive(::open(fifo.c_str(), O_RDONLY | O_CLOEXEC));
  char byte = 0;
  ASSERT_EQ(::read(alive.get(), &byte, 1), 1);  // it computes, and will not end by itself
  ::kill(-node, SIGKILL);
  EXPECT_TRUE(WIFSIGNALED(waitedFor(node)));
  EXPECT_EQ(::read(alive.get(), &byte, 1), 0);
}

}  // namespace
}  // namespace paceline::tests
