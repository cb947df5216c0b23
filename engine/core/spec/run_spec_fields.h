// The members of the experiment document, each once: key, help, unit, bounds, what its zero means. The default is a fresh RunSpec's. A member
// that is younger than the document's first form is hashed only where it differs from its default. In the order of findings and of forms.
#pragma once

#include <array>

#include "engine/core/json/describe.h"
#include "engine/core/json/json_text.h"
#include "engine/core/spec/run_spec.h"

namespace paceline {

constexpr std::array<const char*, 3> wordsOf(Role) { return {"worker", "server", "evaluator"}; }
constexpr std::array<const char*, 9> wordsOf(PublishedMeasure) {
  return {"accuracy_last", "accuracy_best", "loss_last", "time_to_target_s", "throughput_samples_per_s", "traffic_mb_per_s", "computing_ratio", "speedup_time", "speedup_throughput"};
}

void describe(auto& visit, Choice& choice) {
  visit(Field{.key = "id", .help = "An entry of the catalogue", .required = choice.id.empty()}, choice.id);
  visit(Field{.key = "params", .help = "Its parameters; what is left out has its default"}, choice.params);
}

void describe(auto& visit, Aggregation& aggregation) {
  visit(Field{.key = "id", .help = "How methods that aggregate add up their workers' vectors"}, aggregation.id);
  visit(Field{.key = "engine", .label = "Engine", .help = "Who carries the aggregation on real hosts; the simulator always takes Paceline's own (\"auto\" is its older name)"}, aggregation.engine);
  visit(Field{.key = "trusted_network", .label = "Trusted network", .help = "Whoever is on the network between the hosts may be trusted: an engine that neither encrypts nor asks who connects may carry the aggregation across it", .hash = InHash::kNever}, aggregation.trustedNetwork);
}

void describe(auto& visit, Emulate& emulate) {
  visit(Field{.key = "slowdown", .label = "Slowdown", .help = "A step takes this many times as long as it does: 1 is the device as it is", .bounds = {.min = 1, .max = 1e6}}, emulate.slowdown);
  visit(Field{.key = "step_s", .label = "Step time", .help = "A step takes this many seconds", .unit = "s", .bounds = {.min = 0, .max = 1e6, .aboveMin = true}, .zero = "as slowdown says"},
        emulate.stepSeconds);
  visit(Field{.key = "jitter", .label = "Jitter", .help = "Each step's time varies by this fraction", .bounds = {.min = 0, .max = 1, .belowMax = true}}, emulate.jitter);
  visit(Field{.key = "bandwidth_mbps", .label = "Bandwidth", .help = "Bandwidth of the node's link in each direction", .unit = "Mbit/s", .bounds = {.min = 0, .max = 1e9, .aboveMin = true}, .zero = "not limited"},
        emulate.bandwidthMbps);
  visit(Field{.key = "latency_ms", .label = "Latency", .help = "Added to every message the node sends", .unit = "ms", .bounds = {.min = 0, .max = 1e6}}, emulate.latencyMs);
  constexpr InHash kYounger = InHash::kUnlessDefault;
  visit(Field{.key = "steps_s", .label = "Step times", .help = "Each step takes one of these, drawn at random; they come before slowdown, step_s and jitter", .unit = "s", .bounds = {.min = 0, .max = 1e6, .aboveMin = true}, .zero = "none: as the step time says", .hash = kYounger}, emulate.steps);
  visit(Field{.key = "fetch_s", .label = "Batch time", .help = "A worker waits this much longer for every batch", .unit = "s", .bounds = {.min = 0, .max = 1e6, .aboveMin = true}, .zero = "no longer than it does", .hash = kYounger}, emulate.fetchSeconds);
  visit(Field{.key = "evaluate_s", .label = "Evaluation time", .help = "An evaluation on this node takes this many seconds", .unit = "s", .bounds = {.min = 0, .max = 1e6, .aboveMin = true}, .zero = "as long as it does; in a simulation no time", .hash = kYounger}, emulate.evaluateSeconds);
  visit(Field{.key = "serve_mbps", .label = "Server rate", .help = "A server handles the values that come at this rate, counted as fp32", .unit = "Mbit/s", .bounds = {.min = 0, .max = 1e9, .aboveMin = true}, .zero = "as fast as it does; in a simulation at once", .hash = kYounger}, emulate.serveMbps);
  visit(Field{.key = "lost_after_rounds", .label = "Lost after", .help = "The worker is gone after so many rounds, as if it had been killed", .unit = "rounds", .bounds = {.min = 1, .max = 1e9}, .zero = "never", .hash = kYounger}, emulate.lostAfterRounds);
}

void describe(auto& visit, NodeSpec& node) {
  visit(Field{.key = "id", .help = "Its name in logs and figures", .required = true}, node.id);
  visit(Field{.key = "role", .label = "Role", .help = "worker: trains; server: holds parameters or, for ESync, the state server; evaluator: only evaluates, so that nobody who trains waits for it"}, node.role);
  visit(Field{.key = "host", .label = "Host", .help = "Where it runs: this computer (local) or a host of the Clusters page"}, node.host);
  visit(Field{.key = "device", .label = "Device", .help = "cpu or a GPU of its host"}, node.device);
  visit(Field{.key = "threads", .label = "Threads", .help = "CPU threads the node may use; a server divides its shards among them", .bounds = atLeast(1)}, node.threads);
  visit(Field{.key = "share", .label = "Share", .help = "Worker: fraction of the training data; server: fraction of the parameters", .bounds = above(0), .zero = "equal parts; all of a role have a share or none"}, node.share);
  visit(Field{.key = "emulate", .help = "A slower device or link that the node pretends to be"}, node.emulate);
}

void describe(auto& visit, Optimizer& optimizer) {
  visit(Field{.key = "id", .label = "Optimizer", .help = "How a step uses a gradient, as in PyTorch. sgd: rate · gradient, or its velocity; adam, adamw: the rate divided by a running root mean square; adagrad: by the root of the sum of all squares", .choices = kOptimizers, .hash = InHash::kUnlessDefault}, optimizer.id);
  visit(Field{.key = "momentum", .label = "Momentum", .help = "Velocity, of sgd: v = momentum · v + gradient; a step is rate · v", .bounds = {.min = 0, .max = 1, .belowMax = true}, .zero = "none"}, optimizer.momentum);
  visit(Field{.key = "nesterov", .label = "Nesterov", .help = "A step is rate · (gradient + momentum · v)"}, optimizer.nesterov);
  visit(Field{.key = "weight_decay", .label = "Weight decay", .help = "Added to every gradient: decay · parameter. Of adamw: each step takes rate · decay of the parameter apart from it", .bounds = {.min = 0, .max = 1e6}, .zero = "none"}, optimizer.weightDecay);
  visit(Field{.key = "decay_all", .label = "Decay all", .help = "Biases and normalisation layers decay too; they are usually left out"}, optimizer.decayAll);
  visit(Field{.key = "clip_norm", .label = "Clip to norm", .help = "A longer gradient is scaled down to this Euclidean norm", .bounds = above(0), .zero = "never"}, optimizer.clipNorm);
  constexpr InHash kYounger = InHash::kUnlessDefault;
  visit(Field{.key = "beta1", .label = "Beta 1", .help = "Of adam and adamw: share of the mean gradient that a step keeps", .bounds = {.min = 0, .max = 1, .belowMax = true}, .hash = kYounger}, optimizer.beta1);
  visit(Field{.key = "beta2", .label = "Beta 2", .help = "Of adam and adamw: share of the mean square that a step keeps", .bounds = {.min = 0, .max = 1, .belowMax = true}, .hash = kYounger}, optimizer.beta2);
  visit(Field{.key = "epsilon", .label = "Epsilon", .help = "Added to the root of the squares", .bounds = above(0), .zero = "1e-8; of adagrad 1e-10", .hash = kYounger}, optimizer.epsilon);
}

void describe(auto& visit, WireFormat& wire) {
  visit(Field{.key = "format", .label = "Wire format", .help = "How gradients and contributions travel. fp32: as they are; fp16: half; int8: a quarter, with a scale for each piece", .choices = kWireFormats}, wire.format);
  visit(Field{.key = "error_feedback", .label = "Error feedback", .help = "What rounding lost is added to the next push"}, wire.errorFeedback);
  visit(Field{.key = "overlap", .label = "Overlap", .help = "Where the method allows it, layers are sent while others are still computed, and the next step begins with the first that are back", .hash = InHash::kUnlessDefault}, wire.overlap);
}

void describe(auto& visit, EvaluatePlan& evaluate) {
  visit(Field{.key = "every_rounds", .label = "Evaluate every", .help = "Rounds between two evaluations on the test set", .unit = "rounds", .bounds = atLeast(0), .zero = "never"}, evaluate.everyRounds);
  visit(Field{.key = "on", .label = "Evaluate on", .help = "The worker whose rounds and time the stop rules mean", .zero = "the first worker"}, evaluate.on);
  visit(Field{.key = "source", .label = "Evaluator's source", .help = "Where the evaluator node gets parameters from", .choices = kEvaluateSources, .hash = InHash::kUnlessDefault}, evaluate.source);
  visit(Field{.key = "validation", .label = "Hold out", .help = "This fraction of the training samples is held out, drawn by the seed: the accuracy on them decides when to stop and which evaluation is the best, and the test set decides nothing", .bounds = {.min = 0, .max = 0.9}, .zero = "none: the test set decides", .hash = InHash::kUnlessDefault}, evaluate.validation);
}

void describe(auto& visit, RecordPlan& records) {
  visit(Field{.key = "norms_every_rounds", .label = "Record norms every", .help = "Rounds between two records of how long gradients and updates are and of the cosine between them", .unit = "rounds", .bounds = atLeast(0), .zero = "never"}, records.normsEveryRounds);
  visit(Field{.key = "per_layer", .label = "Norms of layers", .help = "The same of each layer's weights and biases, too"}, records.perLayer);
  visit(Field{.key = "links_every_rounds", .label = "Record links every", .help = "Rounds between two records of what crossed each link, counted on each level", .unit = "rounds", .bounds = atLeast(0), .zero = "at the run's end"}, records.linksEveryRounds);
}

void describe(auto& visit, StopRules& stop) {
  visit(Field{.key = "rounds", .label = "Rounds to stop after", .help = "Of the worker that evaluates", .unit = "rounds", .bounds = atLeast(1), .zero = "no such rule"}, stop.rounds);
  visit(Field{.key = "seconds", .label = "Seconds to stop after", .help = "Since the first round of the worker that evaluates", .unit = "s", .bounds = above(0), .zero = "no such rule"}, stop.seconds);
  visit(Field{.key = "samples", .label = "Samples to stop after", .help = "Trained by all workers together", .unit = "samples of all workers", .bounds = atLeast(1), .zero = "no such rule"}, stop.samples);
  visit(Field{.key = "accuracy", .label = "Accuracy to stop at", .help = "A fraction, 0 to 1, or what an own model or own numbers have in its place; the first rule that is met ends the run. On what is held out where evaluate.validation holds samples out, else on the test set", .unit = "test accuracy", .bounds = {.min = -1e15, .max = 1e15}, .zero = "no such rule"}, stop.accuracy);
  visit(Field{.key = "patience", .label = "Patience", .help = "Early stopping: so many evaluations in a row were no better than the best before them; counted anew after a resume", .unit = "evaluations", .bounds = atLeast(1), .zero = "no such rule", .hash = InHash::kUnlessDefault}, stop.patience);
}

void describe(auto& visit, PublishedBand& band) {
  visit(Field{.key = "absolute", .label = "Band", .help = "So far from the value, in its unit", .bounds = {.min = 0, .max = 1e15}, .zero = "no such band", .brief = true}, band.absolute);
  visit(Field{.key = "relative", .label = "Relative band", .help = "So far from the value, as a fraction of it", .bounds = {.min = 0, .max = 1e6}, .zero = "no such band", .brief = true}, band.relative);
}

void describe(auto& visit, PublishedValue& value) {
  visit(Field{.key = "measure", .help = "What was measured. Speed-ups: by time to the target, or by throughput", .required = true}, value.measure);
  visit(Field{.key = "value", .label = "Published value", .help = "Accuracies and computing ratios as fractions, speed-ups as factors", .bounds = {.min = -1e15, .max = 1e15}, .required = true}, value.value);
  visit(Field{.key = "band", .help = "How far a value of ours may be from it to be called the same", .brief = true}, value.band);
  visit(Field{.key = "formula", .label = "Formula", .help = "measured: as Paceline measures it; script: as ESync's drawer.py computes it, of throughput, traffic and computing ratio", .choices = kPublishedFormulas, .brief = true}, value.formula);
  visit(Field{.key = "algorithm", .label = "Algorithm", .help = "It holds for runs of this algorithm", .zero = "for any", .brief = true}, value.algorithm);
  visit(Field{.key = "workers", .label = "Workers", .help = "It holds for runs of so many workers", .bounds = atLeast(1), .zero = "any number", .brief = true}, value.workers);
  visit(Field{.key = "where", .help = "It holds for runs whose documents have these values: {\"/batch_size\": 64}", .brief = true}, value.where);
  visit(Field{.key = "node", .label = "Node", .help = "Of a computing ratio: the worker", .zero = "the mean over the workers", .brief = true}, value.node);
  visit(Field{.key = "target", .label = "Target", .help = "Of a time and of a speed-up by time: the accuracy that is reached", .bounds = {.min = 0, .max = 1, .aboveMin = true}, .brief = true}, value.target);
  visit(Field{.key = "over", .label = "Over", .help = "Of a speed-up: the algorithm that has 1", .brief = true}, value.over);
  visit(Field{.key = "source", .label = "Source", .help = "The paper, and its table or figure", .zero = "as the section says", .brief = true}, value.source);
  visit(Field{.key = "differs", .label = "Differs", .help = "How the published setting differs from the run's", .zero = "as the section says", .brief = true}, value.differs);
}

void describe(auto& visit, Published& published) {
  visit(Field{.key = "source", .label = "Source", .help = "The paper, and its table or figure", .brief = true}, published.source);
  visit(Field{.key = "differs", .label = "Differs", .help = "How the published setting differs from the document's", .zero = "it does not", .brief = true}, published.differs);
  visit(Field{.key = "values", .label = "Published values", .help = "What it reports, each with the runs that it holds for"}, published.values);
}

void describe(auto& visit, RunSpec& spec) {
  constexpr InHash kLabel = InHash::kNever, kYounger = InHash::kUnlessDefault;
  FormVersion<1> version;
  visit(Field{.key = "paceline", .help = "Version of the document's form"}, version);
  visit(Field{.key = "name", .label = "Name", .help = "Title of the run", .zero = "its algorithm and model", .hash = kLabel}, spec.name);
  visit(Field{.key = "seed", .label = "Seed", .help = "Of everything random; runs that differ only in it form a group"}, spec.seed);
  visit(Field{.key = "notes", .label = "Notes", .help = "What its author wants to remember", .hash = kLabel}, spec.notes);
  visit(Field{.key = "tags", .label = "Tags", .help = "Words to find the run by", .hash = kLabel}, spec.tags);
  visit(Field{.key = "algorithm", .label = "Algorithm", .help = "The training method", .required = true}, spec.algorithm);
  visit(Field{.key = "aggregation", .label = "Aggregation", .help = "Of methods that aggregate"}, spec.aggregation);
  visit(Field{.key = "model", .label = "Model", .help = "The network", .required = true}, spec.model);
  visit(Field{.key = "dataset", .label = "Data set", .help = "What it learns", .required = true}, spec.dataset);
  visit(Field{.key = "batch_size", .label = "Batch size", .help = "Samples in a mini-batch of one worker", .unit = "samples", .bounds = atLeast(1)}, spec.batchSize);
  visit(Field{.key = "partition", .label = "Partition", .help = "Which worker trains on which samples"}, spec.partition);
  visit(Field{.key = "learning_rate_schedule", .label = "Rate schedule", .help = "How the method's rates change with the samples that are trained"}, spec.learningRateSchedule);
  visit(Field{.key = "optimizer", .help = "What is done to every gradient before the method sees it, and how a step uses it", .hash = kYounger}, spec.optimizer);
  visit(Field{.key = "wire", .help = "How dense pushes travel", .hash = kYounger}, spec.wire);
  visit(Field{.key = "groups", .label = "Groups", .help = "Lists of workers' ids, of methods with groups; every worker is in one", .bounds = atLeast(1)}, spec.groups);
  visit(Field{.key = "topology", .label = "Topology", .help = "Who exchanges with whom in decentralised methods; edges: the document's own list", .hash = kYounger}, spec.topology);
  visit(Field{.key = "edges", .label = "Edges", .help = "Pairs of workers that exchange: [\"w0\", \"w1\", {\"every\": 8, \"offset\": 0}]"}, spec.edges);
  visit(Field{.key = "nodes", .label = "Nodes", .help = "The processes of the run; workers have ranks in this order"}, spec.nodes);
  visit(Field{.key = "evaluate", .help = "When and where the model is evaluated"}, spec.evaluate);
  visit(Field{.key = "learn", .label = "Learn", .help = "No: a simulation of times and bytes alone, in which nobody computes and vectors have sizes but no values; there is no loss and no accuracy", .hash = kYounger}, spec.learn);
  Section checkpoint{[&](auto& members) {
    members(Field{.key = "every_rounds", .label = "Checkpoint every", .help = "Rounds between two checkpoints, from which the run can be resumed", .unit = "rounds", .bounds = atLeast(0), .zero = "never"}, spec.checkpointEveryRounds);
    members(Field{.key = "resumes", .label = "Goes on by itself", .help = "A run that has lost a node it cannot do without goes on from its newest checkpoint by itself, as a new run, so often; one that has none yet begins again", .bounds = {.min = 0, .max = 1000}, .zero = "never: it stays failed", .hash = InHash::kNever}, spec.checkpointResumes);
    members(Field{.key = "weights", .label = "Keep weights", .help = "Whether the hosts keep the weights of the best and the last evaluation, and of checkpoints, for paceline export", .hash = InHash::kNever}, spec.keepWeights);
  }};
  visit(Field{.key = "checkpoint", .help = "What is kept of a run in progress"}, checkpoint);
  visit(Field{.key = "records", .help = "What is recorded beside rounds and evaluations; it changes no result", .hash = kLabel}, spec.records);
  visit(Field{.key = "stop", .help = "The run ends with the first rule that is met; at least one is needed"}, spec.stop);
  visit(Field{.key = "protection", .label = "Protection", .help = "Of the data between nodes. auto: none on one host, else the faster of the next two that all hosts have. aes_gcm: needs AES instructions; a node's key that is stolen while the run lasts opens what was recorded of its traffic, too. curve: slower, with forward secrecy: connections have keys of their own, and a stolen key opens nothing recorded. plain: none, on one host only", .choices = kProtections, .hash = kLabel}, spec.protection);
  Section lostDesktop{[&](auto& members) {
    members(Field{.key = "stop_after_s", .label = "Seconds without a desktop", .help = "The run's hosts end it when nobody has followed it for so long", .unit = "s", .bounds = above(0), .zero = "never"}, spec.stopWithoutDesktopSeconds);
  }};
  visit(Field{.key = "lost_desktop", .help = "What happens when nobody follows the run", .hash = kLabel}, lostDesktop);
  visit(Field{.key = "node_silent_s", .label = "Seconds of silence", .help = "A node that shows no sign of life for so long is ended by its host: the run fails, or goes on without it where its method can", .unit = "s", .bounds = {.min = 0, .max = 1e9}, .zero = "never", .hash = kYounger}, spec.nodeSilentSeconds);
  visit(Field{.key = "lost_data", .label = "Data of a lost worker", .help = "left: nobody trains on its samples. divided: each of the others trains on its part of them, too, from its next epoch on and until it takes part again", .choices = kLostData, .hash = kYounger}, spec.lostData);
  visit(Field{.key = "worker_restarts", .label = "Restarts of a worker", .help = "Where the run goes on without a worker that is killed, ended for its silence or cut off from the others, its host starts it again, so often: it takes part again with the parameters of the worker that decides when the run ends", .bounds = {.min = 0, .max = 1000}, .zero = "never: the run goes on without it", .hash = kLabel}, spec.workerRestarts);
  visit(Field{.key = "server_restarts", .label = "Restarts of a server", .help = "A server that is killed, or ended for its silence, is started again by its host where it was, so often; the run goes on", .bounds = {.min = 0, .max = 1000}, .zero = "never: the run fails", .hash = kLabel}, spec.serverRestarts);
  visit(Field{.key = "published", .help = "What a paper reports for this experiment; figures and tables show it beside what was measured", .brief = true, .hash = kLabel}, spec.published);
}

// RunSpec as a JSON value, and the forms of its parts that are no plain objects, for the files of engine/core. Private to engine/core.
class Fields;

inline const NodeSpec& nodeOf(const RunSpec& spec, int index) { return spec.nodes[static_cast<std::size_t>(index)]; }

Json toJson(const RunSpec& spec);                 // every default written out
ParsedSpec readRunSpec(const Json& document);     // structure, types, bounds; "$schema" is allowed and means nothing
void fillDefaults(RunSpec& spec);                 // those that follow from other members: name, evaluate.on

bool readJson(const Json& json, const std::string& at, std::vector<Finding>& findings, ParamValue& into);
Json toJson(const Params& params);  // an object of texts, numbers, true and false
bool readJson(const Json& json, const std::string& at, std::vector<Finding>& findings, Params& into);
Json toJson(const Edge& edge);  // ["a", "b", {"every": n, "offset": n}]
bool readJson(const Json& json, const std::string& at, std::vector<Finding>& findings, Edge& into);

// What the members of a section must be to each other.
void crossCheck(Fields& at, const Choice& choice);
void crossCheck(Fields& at, const NodeSpec& node);
void crossCheck(Fields& at, const Optimizer& optimizer);
void crossCheck(Fields& at, const PublishedBand& band);
void crossCheck(Fields& at, const PublishedValue& value);
void crossCheck(Fields& at, const Published& published);
void crossCheck(Fields& at, const RunSpec& spec);

}  // namespace paceline
