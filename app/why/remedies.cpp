// What to change in the document of a run for each cause of its time.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/why/why.h"

namespace paceline::why {
namespace {

constexpr int kMostTimes = 8;    // as large a batch, as many local steps
constexpr int kEvenedSteps = 4;  // times as many local steps: what differs by chance is half as much of their time

std::string freeId(const RunSpec& spec, const std::string& prefix) {
  for (int number = 0;; ++number)
    if (std::string id = strCat(prefix, number); spec.nodeIndex(id) < 0) return id;
}

const NodeSpec& nodeNamed(const RunSpec& spec, const std::string& id) { return spec.nodes.at(static_cast<std::size_t>(spec.nodeIndex(id))); }

std::optional<Remedy> evaluator(const Cause& cause, const Explained& run) {
  if (!run.spec.evaluators().empty() || cause.nodes.empty()) return std::nullopt;
  const std::string worker = cause.nodes.front();
  return Remedy{.words = strCat(cause.nodes.size() == 1 ? "move it" : "move them", " to an evaluator"),
                .change = [worker](RunSpec& spec) {
                  NodeSpec node;
                  node.id = freeId(spec, "e"), node.role = Role::kEvaluator;
                  const NodeSpec& from = nodeNamed(spec, worker);
                  node.host = from.host, node.device = from.device, node.threads = from.threads;
                  node.emulate.evaluateSeconds = from.emulate.evaluateSeconds;
                  spec.nodes.push_back(std::move(node));
                  spec.evaluate.source = "auto";
                }};
}

// What every method calls the rate of a step.
std::optional<double> rateOf(const Params& params) {
  for (const char* name : {"learning_rate", "local_lr"})
    if (params.has(name)) return params.real(name);
  return std::nullopt;
}

std::int64_t localStepsOf(const RunSpec& spec) { return spec.algorithm.id == "local_sgd" ? spec.algorithm.params.integer("local_steps") : 1; }

// Local SGD instead of the document's method.
void averageEvery(RunSpec& spec, std::int64_t steps) {
  const std::optional<double> rate = rateOf(spec.algorithm.params);
  spec.algorithm = {.id = "local_sgd", .params = {}};
  if (rate) spec.algorithm.params.set("learning_rate", *rate);
  spec.algorithm.params.set("local_steps", steps);
}

Remedy esync() {
  return {.words = "let the others take more steps meanwhile (ESync)", .change = [](RunSpec& spec) {
            Choice method{.id = "esync", .params = {}};
            if (const std::optional<double> rate = rateOf(spec.algorithm.params)) method.params.set("local_lr", *rate);
            spec.algorithm = std::move(method);
            spec.groups.clear();
            if (!spec.servers().empty()) return;
            NodeSpec server;
            server.id = freeId(spec, "s"), server.role = Role::kServer, server.host = spec.nodes.front().host;
            spec.nodes.push_back(std::move(server));
          }};
}

// Over several steps the times of all come closer to their means, where now one and now another is slow.
Remedy evened(const Explained& run) {
  const std::int64_t steps = localStepsOf(run.spec) * kEvenedSteps;
  return {.words = strCat("let slow and fast steps even out over ", steps, " local steps (Local SGD)"), .change = [steps](RunSpec& spec) { averageEvery(spec, steps); }};
}

std::optional<Remedy> forStraggler(const Cause& cause, const Explained& run) {
  static constexpr std::array kBarrier = {"ssgd", "local_sgd"};
  const bool known = std::ranges::find(kBarrier, run.spec.algorithm.id) != kBarrier.end() && run.spec.workers().size() > 1;
  if (cause.nodes.size() > 1) return known ? std::optional(evened(run)) : Remedy{.words = "let workers wait for each other less often"};
  return known ? esync() : Remedy{.words = strCat("give ", cause.nodes.front(), " a faster device or less work")};
}

// So often as much computing between two exchanges that it takes as long as one: 2, 4 or 8 times.
int timesAsMuch(const Cause& cause, double computing) {
  const double times = std::clamp(std::ceil(cause.share / std::max(computing, 0.01)), 2.0, static_cast<double>(kMostTimes));
  return static_cast<int>(std::exp2(std::ceil(std::log2(times))));
}

// Where the document says how long a step takes, it does so for any batch.
Remedy largerBatch(const Cause& cause, const Explained& run, double computing) {
  const int factor = timesAsMuch(cause, computing);
  const RunSpec original = run.spec;
  const auto change = [factor](RunSpec& spec) { spec.batchSize *= factor; };
  return {.words = strCat("take batches of ", run.spec.batchSize * factor), .change = change, .calibrated = [=](RunSpec& spec) {
            change(spec);
            for (NodeSpec& node : spec.nodes) {
              const int before = original.nodeIndex(node.id);
              const bool said = before >= 0 && (original.nodes[static_cast<std::size_t>(before)].emulate.stepSeconds || !original.nodes[static_cast<std::size_t>(before)].emulate.steps.empty());
              if (!said) for (double& step : node.emulate.steps) step *= factor;
            }
          }};
}

// Answers travel as fp32 whatever a push does, so where they come back beside it a smaller push gains nothing: what helps any link is to exchange less often. Between two
// averagings of local SGD the batch stays what it is; other methods exchange once a batch.
Remedy forLink(const Cause& cause, const Explained& run) {
  const double computing = std::max(0.0, 1 - cause.share);
  const Choice& method = run.spec.algorithm;
  if (method.id != "ssgd" && method.id != "local_sgd") {
    Remedy remedy = largerBatch(cause, run, computing);
    remedy.words = "exchange less often: " + remedy.words;
    return remedy;
  }
  const std::int64_t steps = localStepsOf(run.spec) * timesAsMuch(cause, computing);
  return {.words = strCat("exchange less often: ", steps, " local steps (Local SGD)"), .change = [steps](RunSpec& spec) { averageEvery(spec, steps); }};
}

Remedy oneMoreServer(const Cause& cause) {
  return {.words = "add a server", .change = [server = cause.nodes.front()](RunSpec& spec) {
            NodeSpec node = nodeNamed(spec, server);
            node.id = freeId(spec, "s");
            const auto at = spec.nodes.begin() + spec.nodeIndex(server) + 1;
            spec.nodes.insert(at, std::move(node));
            for (NodeSpec& each : spec.nodes)
              if (each.role == Role::kServer) each.share.reset();
          }};
}

// A document says how batches are made only where it emulates it.
Remedy fasterInput(const Cause& cause, const Explained& run) {
  const auto without = [nodes = cause.nodes](RunSpec& spec) {
    for (NodeSpec& node : spec.nodes)
      if (nodes.empty() || std::ranges::find(nodes, node.id) != nodes.end()) node.emulate.fetchSeconds.reset();
  };
  const bool emulated = std::ranges::any_of(run.spec.nodes, [](const NodeSpec& node) { return node.emulate.fetchSeconds.has_value(); });
  if (emulated) return {.words = "take the emulated wait for batches away", .change = without};
  return {.words = "keep its data in memory or on a faster disk", .calibrated = without};
}

}  // namespace

std::optional<Remedy> remedyFor(const Cause& cause, const Explained& run) {
  switch (cause.kind) {
    case Kind::kEvaluation: return evaluator(cause, run);
    case Kind::kStraggler: return forStraggler(cause, run);
    case Kind::kInput: return fasterInput(cause, run);
    case Kind::kServer: return oneMoreServer(cause);
    case Kind::kLink: return forLink(cause, run);
    case Kind::kBatch: return largerBatch(cause, run, std::max(0.0, 1 - cause.share));
    case Kind::kStaleness:
      if (run.spec.algorithm.id != "asgd") return Remedy{.words = "bound how far workers may be apart (SSP)"};
      return Remedy{.words = "weigh old gradients (DC-ASGD)", .change = [](RunSpec& spec) {
                      Choice method{.id = "dc_asgd", .params = {}};
                      if (const std::optional<double> rate = rateOf(spec.algorithm.params)) method.params.set("learning_rate", *rate);
                      spec.algorithm = std::move(method);
                    }};
  }
  return std::nullopt;
}

}  // namespace paceline::why
