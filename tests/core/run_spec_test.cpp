#include "engine/core/spec/run_spec.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "engine/core/spec/suite.h"
#include "tests/core/sample.h"

namespace paceline::tests {
namespace {

// Any spec that the document can express, with awkward numbers and texts.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : rng_(seed) {}

  RunSpec spec() {
    RunSpec spec;
    spec.name = "run " + text();
    spec.seed = rng_.next();
    spec.notes = text();
    for (std::uint64_t i = rng_.below(3); i > 0; --i) spec.tags.push_back(text());
    spec.algorithm = choice();
    spec.aggregation = {.id = "agg" + text(), .engine = text()};
    spec.model = choice();
    spec.dataset = choice();
    spec.batchSize = 1 + static_cast<int>(rng_.below(2147483647));
    spec.partition = choice();
    spec.learningRateSchedule = choice();
    addNodes(spec);
    for (std::uint64_t i = rng_.below(3); i > 0; --i) spec.groups.push_back({text(), text()});
    for (std::uint64_t i = rng_.below(3); i > 0; --i) {
      const int every = 1 + static_cast<int>(rng_.below(100));
      spec.edges.push_back({text(), text(), every, static_cast<int>(rng_.below(static_cast<std::uint64_t>(every)))});
    }
    spec.evaluate.everyRounds = static_cast<int>(rng_.below(100));
    spec.checkpointEveryRounds = static_cast<int>(rng_.below(100));
    spec.stop.rounds = 1 + static_cast<std::int64_t>(rng_.below(1ULL << 62));
    if (rng_.below(2) == 0) spec.stop.seconds = positive();
    if (rng_.below(2) == 0) spec.stop.samples = 1 + static_cast<std::int64_t>(rng_.below(1000));
    if (rng_.below(2) == 0) spec.stop.accuracy = 1 - rng_.uniform();
    return spec;
  }

 private:
  double positive() { return std::ldexp(1 + rng_.uniform(), static_cast<int>(rng_.below(1000)) - 500); }
  std::string text() {
    static const std::vector<std::string> kPieces = {"a", "\"", "\\", "/", "~", "\n", "\t", "ü", "漢", "\x01", " ", "null", "💡", "{"};
    std::string made;
    for (std::uint64_t i = rng_.below(6); i > 0; --i) made += kPieces[rng_.below(kPieces.size())];
    return made;
  }
  Choice choice() {
    Choice made{.id = "id" + text(), .params = {}};
    for (std::uint64_t i = rng_.below(4); i > 0; --i) {
      switch (rng_.below(4)) {
        case 0: made.params.set(text(), rng_.below(2) == 0); break;
        case 1: made.params.set(text(), static_cast<std::int64_t>(rng_.next())); break;
        case 2: made.params.set(text(), rng_.below(2) == 0 ? positive() : -static_cast<double>(rng_.below(10))); break;
        default: made.params.set(text(), text());
      }
    }
    return made;
  }
  void addNodes(RunSpec& spec) {
    const std::uint64_t workers = 1 + rng_.below(4);
    const bool shares = rng_.below(2) == 0;
    for (std::uint64_t i = 0; i < workers + 2; ++i) {
      NodeSpec node{.id = strCat("n", i), .role = i < 2 ? Role::kServer : Role::kWorker, .host = text(), .device = text()};
      node.threads = 1 + static_cast<int>(rng_.below(64));
      if (shares && i >= 2) node.share = 1.0 / static_cast<double>(workers);
      node.emulate = {.slowdown = 1 + rng_.uniform(), .stepSeconds = {}, .jitter = rng_.uniform(), .bandwidthMbps = {}, .latencyMs = rng_.uniform()};
      if (rng_.below(2) == 0) node.emulate.stepSeconds = 1e6 * (1 - rng_.uniform());
      if (rng_.below(2) == 0) node.emulate.bandwidthMbps = 1e9 * (1 - rng_.uniform());
      spec.nodes.push_back(node);
    }
    spec.evaluate.on = spec.nodes[2 + rng_.below(workers)].id;
  }

  Rng rng_;
};

TEST(RunSpec, ReadsEveryKeyOfTheDocument) {
  const ParsedSpec parsed = parseRunSpec(sample::kDocument);
  EXPECT_TRUE(parsed.findings.empty()) << parsed.findings[0].pointer << ": " << parsed.findings[0].message;
  const RunSpec& spec = parsed.spec;
  EXPECT_EQ(spec.name, "esync on two clouds");
  EXPECT_EQ(spec.seed, 7u);
  EXPECT_EQ(spec.tags, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(spec.algorithm.id, "esync");
  EXPECT_EQ(spec.algorithm.params.values(), (std::map<std::string, ParamValue>{{"adaptive", true},
                                                                               {"epsilon", std::int64_t{2}},
                                                                               {"global_lr", 1.0},
                                                                               {"local_lr", 0.032},
                                                                               {"variant", std::string("paper")}}));
  EXPECT_EQ(spec.batchSize, 32);
  EXPECT_EQ(spec.partition.id, "by_class");
  EXPECT_EQ(spec.groups, (std::vector<std::vector<std::string>>{{"w0", "w1"}, {"w2"}}));
  EXPECT_EQ(spec.edges, (std::vector<Edge>{{"w0", "w1", 8, 4}, {"w1", "w2", 1, 0}}));
  ASSERT_EQ(spec.nodes.size(), 4u);
  EXPECT_EQ(spec.nodes[0], (NodeSpec{.id = "s0", .role = Role::kServer}));
  const Emulate slow{.slowdown = 3, .stepSeconds = {}, .jitter = 0.25, .bandwidthMbps = 100, .latencyMs = 5};
  EXPECT_EQ(spec.nodes[1], (NodeSpec{.id = "w0", .threads = 2, .share = 0.5, .emulate = slow}));
  EXPECT_EQ(spec.nodes[3].emulate.stepSeconds, 0.03);
  EXPECT_EQ(spec.evaluate, (EvaluatePlan{.everyRounds = 2, .on = "w1"}));
  EXPECT_EQ(spec.checkpointEveryRounds, 3);
  EXPECT_EQ(spec.stop, (StopRules{.rounds = 500, .seconds = 3600, .samples = {}, .accuracy = 0.9}));
}

TEST(RunSpec, FillsInWhatIsLeftOut) {
  const ParsedSpec parsed = parseRunSpec(sample::kSmallest);
  EXPECT_TRUE(parsed.findings.empty());
  EXPECT_EQ(parsed.spec.name, "ssgd logistic");
  EXPECT_EQ(parsed.spec.evaluate, (EvaluatePlan{.everyRounds = 1, .on = "w0"}));
  EXPECT_EQ(parsed.spec.batchSize, 64);
  EXPECT_EQ(parsed.spec.seed, 1u);
  EXPECT_EQ(parsed.spec.partition.id, "iid");
  EXPECT_EQ(parsed.spec.learningRateSchedule.id, "constant");
  EXPECT_EQ(parsed.spec.aggregation, Aggregation{});
}

TEST(RunSpec, KnowsRanksAndNodes) {
  const RunSpec spec = parseRunSpec(sample::kDocument).spec;
  EXPECT_EQ(spec.workers(), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(spec.servers(), (std::vector<int>{0}));
  EXPECT_EQ(spec.evaluatorNode(), 2);
  EXPECT_EQ(spec.nodeIndex("w2"), 3);
  EXPECT_EQ(spec.nodeIndex("w9"), -1);
  RunSpec other = spec;
  other.evaluate.on = "s0";
  EXPECT_EQ(other.evaluatorNode(), -1);
  other.evaluate.on = "";
  EXPECT_EQ(other.evaluatorNode(), 1);
}

TEST(RunSpec, SurvivesItsTextForAnySpec) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const RunSpec spec = Generator(seed).spec();
    const std::string text = toJsonText(spec);
    const ParsedSpec back = parseRunSpec(text);
    ASSERT_TRUE(back.findings.empty()) << seed << " " << back.findings[0].pointer << ": " << back.findings[0].message;
    ASSERT_EQ(back.spec, spec) << text;
    ASSERT_EQ(toJsonText(back.spec), text);
    ASSERT_EQ(parseRunSpec(toJsonText(spec, 2)).spec, spec);
    ASSERT_EQ(configHash(back.spec), configHash(spec));
  }
}

TEST(RunSpec, TextWritesOutEveryDefault) {
  const std::string text = toJsonText(parseRunSpec(sample::kSmallest).spec);
  for (const char* part : {R"("paceline":1)", R"("batch_size":64)", R"("evaluate":{"every_rounds":1,"on":"w0","source":"auto","validation":0.0})", R"("seed":1)",
                           R"("checkpoint":{"every_rounds":0,"resumes":3,"weights":true})", R"("worker_restarts":3)", R"("lost_data":"left")", R"("partition":{"id":"iid","params":{}})", R"("groups":[])", R"("edges":[])",
                           R"("learning_rate_schedule":{"id":"constant","params":{}})", R"("aggregation":{"engine":"auto","id":"server","trusted_network":false})",
                           R"("stop":{"accuracy":null,"patience":null,"rounds":5,"samples":null,"seconds":null})",
                           R"("emulate":{"bandwidth_mbps":null,"evaluate_s":null,"fetch_s":null,"jitter":0.0,"latency_ms":0.0,"lost_after_rounds":null,"serve_mbps":null,"slowdown":1.0,"step_s":null,"steps_s":[]})"})
    EXPECT_THAT(text, testing::HasSubstr(part));
}

TEST(ConfigHash, KnowsAPatienceThatIsNotTheUsualOne) {
  const RunSpec spec = parseRunSpec(sample::kDocument).spec;
  RunSpec patient = spec;
  patient.nodeSilentSeconds = 3600;
  EXPECT_NE(configHash(patient), configHash(spec));
  patient.nodeSilentSeconds = 300;
  EXPECT_EQ(configHash(patient), configHash(spec));
  EXPECT_EQ(parseRunSpec(withOverride(sample::kDocument, "/node_silent_s=0")).spec.nodeSilentSeconds, 0);
  EXPECT_TRUE(hasErrors(parseRunSpec(withOverride(sample::kDocument, "/node_silent_s=-1")).findings));
}

TEST(ConfigHash, IgnoresLabelsOnly) {
  const RunSpec spec = parseRunSpec(sample::kDocument).spec;
  RunSpec labelled = spec;
  labelled.name = "other";
  labelled.notes = "n";
  labelled.tags = {"t"};
  EXPECT_EQ(configHash(labelled), configHash(spec));
  EXPECT_EQ(configHash(spec).size(), 64u);
  RunSpec seeded = spec;
  seeded.seed = 8;
  EXPECT_NE(configHash(seeded), configHash(spec));
  EXPECT_EQ(groupHash(seeded), groupHash(spec));
  RunSpec other = spec;
  other.nodes[1].emulate.latencyMs = 6;
  EXPECT_NE(configHash(other), configHash(spec));
  EXPECT_NE(groupHash(other), groupHash(spec));
}

TEST(ConfigHash, DoesNotDependOnHowItIsWritten) {
  RunSpec spec = parseRunSpec(sample::kDocument).spec;
  const std::string hash = configHash(spec);
  spec.algorithm.params.set("global_lr", std::int64_t{1});  // 1 instead of 1.0
  EXPECT_EQ(configHash(spec), hash);
  const RunSpec shortForm = parseRunSpec(sample::kSmallest).spec;
  EXPECT_EQ(configHash(parseRunSpec(toJsonText(shortForm, 4)).spec), configHash(shortForm));
}

TEST(ConfigHash, NeverChanges) {  // stored runs are found by it; values: Python, json.dumps(sort_keys=True) of the canonical document
  EXPECT_EQ(configHash(parseRunSpec(sample::kSmallest).spec), "b9599b89afe1657501175e881d46862302a5a292a9d27f3f769e52feafa75f48");
  EXPECT_EQ(groupHash(parseRunSpec(sample::kSmallest).spec), "d8893b3ec675ecd316d77a499db6d3289e53ef541ae5edfd93714050f6c00afc");
}

}  // namespace
}  // namespace paceline::tests
