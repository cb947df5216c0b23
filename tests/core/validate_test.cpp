#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/core/base/error.h"
#include "engine/core/spec/suite.h"
#include "tests/core/sample.h"

namespace paceline::tests {
namespace {

using testing::ElementsAre;

ParsedSpec checked(std::string text, const std::vector<std::string>& assignments = {}, const Catalog& catalog = sample::catalog()) {
  for (const std::string& assignment : assignments) text = withOverride(text, assignment);
  const ParsedSpec parsed = parseRunSpec(text);
  EXPECT_TRUE(parsed.findings.empty()) << parsed.findings[0].pointer << ": " << parsed.findings[0].message;
  return validate(parsed.spec, catalog);
}
std::vector<Finding> small(const std::vector<std::string>& assignments) { return checked(sample::kSmallest, assignments).findings; }
std::vector<Finding> full(const std::vector<std::string>& assignments) { return checked(sample::kDocument, assignments).findings; }

const std::string kPeers = R"(/nodes=[{"id": "w0"}, {"id": "w1"}, {"id": "w2"}])";

TEST(Validate, AcceptsAndCompletes) {
  const ParsedSpec result = checked(sample::kSmallest);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(result.spec.algorithm.params.real("lr"), 0.1);
  EXPECT_TRUE(full({}).empty());
}

TEST(Validate, UnknownIdsListTheKnownOnes) {
  EXPECT_THAT(small({"/algorithm/id=esnc"}),
              ElementsAre(Finding{"/algorithm/id", "algorithm \"esnc\" is not known; have asgd, d_sgd, esync, ssgd, standalone"}));
  EXPECT_THAT(small({"/model/id=vgg"}), ElementsAre(Finding{"/model/id", "model \"vgg\" is not known; have lenet, logistic"}));
  EXPECT_THAT(small({"/dataset/id=mnst"}),
              ElementsAre(Finding{"/dataset/id", "data set \"mnst\" is not known; have cifar10, fashion_mnist, synthetic"}));
  EXPECT_THAT(small({"/partition/id=by_klass"}), ElementsAre(Finding{"/partition/id", "partition \"by_klass\" is not known; have by_class, iid"}));
  EXPECT_THAT(small({"/aggregation/id=rng"}), ElementsAre(Finding{"/aggregation/id", "aggregation \"rng\" is not known; have ring, server"}));
  EXPECT_THAT(small({"/learning_rate_schedule/id=step"}),
              ElementsAre(Finding{"/learning_rate_schedule/id", "learning-rate schedule \"step\" is not known; have constant"}));
  EXPECT_THAT(small({"/aggregation/engine=gloo"}),
              ElementsAre(Finding{"/aggregation/engine", "engine \"gloo\" is not known for aggregation \"server\"; have paceline"}));
}

TEST(Validate, WithoutLearningNothingNeedsValues) {
  EXPECT_TRUE(small({"/learn=false"}).empty());
  Catalog catalog = sample::catalog();
  catalog.algorithms[1].trafficByValue = true;
  const std::vector<std::string> asgd = {"/algorithm/id=asgd"};
  EXPECT_TRUE(checked(sample::kSmallest, asgd, catalog).findings.empty());
  EXPECT_THAT(checked(sample::kSmallest, {"/learn=false", asgd[0]}, catalog).findings,
              ElementsAre(Finding{"/learn", "algorithm \"asgd\" sends what its values say: without learning nobody knows how much."}));
  EXPECT_THAT(small({"/learn=false", "/stop/accuracy=0.9"}), ElementsAre(Finding{"/stop/accuracy", "Without learning there is no accuracy to stop at."}));
  EXPECT_THAT(small({"/learn=false", R"(/checkpoint={"every_rounds": 5})"}), ElementsAre(Finding{"/checkpoint/every_rounds", "Without learning there is nothing to keep."}));
  EXPECT_THAT(small({"/learn=false", R"(/nodes=[{"id": "s0", "role": "server"}, {"id": "w0"}, {"id": "e0", "role": "evaluator"}])"}),
              ElementsAre(Finding{"/nodes/2", "Without learning evaluator \"e0\" has nothing to evaluate."}));
}

// A metric or R^2 in an accuracy's place is any number; correct / total is none below 0 or above 1.
TEST(Validate, AnAccuracyToStopAtIsAFractionUnlessModelOrDataAreSomebodysOwn) {
  EXPECT_THAT(small({"/stop/accuracy=1.01"}), ElementsAre(Finding{"/stop/accuracy", "Accuracy to stop at must be at most 1; it is 1.01."}));
  EXPECT_THAT(small({"/stop/accuracy=0"}), ElementsAre(Finding{"/stop/accuracy", "Accuracy to stop at must be above 0; it is 0."}));
  EXPECT_THAT(small({"/stop/accuracy=-0.25"}), ElementsAre(Finding{"/stop/accuracy", "Accuracy to stop at must be above 0; it is -0.25."}));
  Catalog catalog = sample::catalog();
  for (CatalogEntry& model : catalog.models) model.params.push_back({.name = "path", .type = ParamType::kText, .fallback = std::string("own.pt"), .file = true, .code = true});
  EXPECT_TRUE(checked(sample::kSmallest, {"/stop/accuracy=-0.25"}, catalog).findings.empty());
}

TEST(Validate, HalfPrecisionNeedsAGpu) {
  Catalog catalog = sample::catalog();
  for (CatalogEntry& model : catalog.models) model.params.push_back({.name = "precision", .type = ParamType::kChoice, .fallback = std::string("fp32"), .choices = {"fp32", "bf16", "fp16"}});
  const std::string half = R"(/model/params={"precision": "fp16"})";
  EXPECT_THAT(checked(sample::kSmallest, {half}, catalog).findings, ElementsAre(Finding{"/model/params/precision", "fp16 needs a GPU, and worker \"w0\" computes on cpu; bf16 works there."}));
  EXPECT_TRUE(checked(sample::kSmallest, {R"(/model/params={"precision": "bf16"})"}, catalog).findings.empty());
}

// Documents from before the member keep their hashes; a run without learning is no run of the same configuration.
TEST(Validate, WithoutLearningIsAnotherConfiguration) {
  RunSpec spec = parseRunSpec(sample::kSmallest).spec;
  const std::string learns = configHash(spec), group = groupHash(spec);
  spec.learn = false;
  EXPECT_NE(configHash(spec), learns);
  EXPECT_NE(groupHash(spec), group);
  EXPECT_FALSE(parseRunSpec(toJsonText(spec)).spec.learn);
}

TEST(Validate, HostsAndDevices) {
  EXPECT_THAT(small({"/nodes/1/host=gpu7"}), ElementsAre(Finding{"/nodes/1/host", "host \"gpu7\" is not known; have local"}));
  EXPECT_THAT(small({"/nodes/1/device=cuda:0"}), ElementsAre(Finding{"/nodes/1/device", "device \"cuda:0\" is not on this host; have cpu"}));
  RunSpec remote = parseRunSpec(sample::kSmallest).spec;
  remote.nodes[1].host = "gpu7";
  remote.nodes[1].device = "cuda:0";
  EXPECT_TRUE(validate(remote, sample::catalog(), {"local", "gpu7"}).findings.empty());
}

TEST(Validate, ANodeHasNotTheNameOfAHostOfItsRun) {
  EXPECT_THAT(small({"/nodes/1/id=local"}), ElementsAre(Finding{"/nodes/1/id", "\"local\" is the name of a host of this run; give the node another."}));
  RunSpec spec = parseRunSpec(sample::kSmallest).spec;
  spec.nodes[0].id = "gpu7";
  EXPECT_TRUE(validate(spec, sample::catalog(), {"local", "gpu7"}).findings.empty());  // nothing of it runs there
  spec.nodes[1].host = "gpu7";
  EXPECT_THAT(validate(spec, sample::catalog(), {"local", "gpu7"}).findings,
              ElementsAre(Finding{"/nodes/0/id", "\"gpu7\" is the name of a host of this run; give the node another."}));
}

TEST(Validate, ManyUnknownNamesAreNotEachToldWithAllThatAreKnown) {
  RunSpec spec = parseRunSpec(sample::kSmallest).spec;
  for (int i = 0; i < 200; ++i) spec.nodes.push_back({.id = strCat("worker-", i)});
  for (int i = 0; i < 20000; ++i) spec.edges.push_back({.a = strCat("x", i), .b = "y"});
  const std::vector<Finding> findings = validate(spec, sample::catalog()).findings;
  EXPECT_EQ(findings.size(), kMaxFindings + 1);
  for (const Finding& finding : findings) EXPECT_LT(finding.message.size(), 1500u);
  EXPECT_THAT(findings, testing::Contains(testing::Field(&Finding::message, testing::MatchesRegex("worker \"x0\" is not known; have .* and [0-9]+ more"))));
}

TEST(Validate, ForeignEnginesStayOnOneHostAndPastNothing) {
  Catalog catalog = sample::catalog();
  for (AggregationEntry& entry : catalog.aggregations) entry.engines = {"gloo"};
  RunSpec spec = parseRunSpec(sample::kSmallest).spec;
  spec.aggregation.engine = "gloo";
  EXPECT_TRUE(validate(spec, catalog).findings.empty());
  spec.wire.format = "fp16";
  spec.nodes[1].emulate.bandwidthMbps = 100;
  spec.nodes[1].host = "gpu7";
  EXPECT_THAT(validate(spec, catalog, {"local", "gpu7"}).findings,
              testing::UnorderedElementsAre(
                  Finding{"/aggregation/engine",
                          "engine \"gloo\" neither encrypts nor asks who connects, and this run has local, gpu7. Use paceline, or say \"trusted_network\": true where whoever is on the network "
                          "between them may be trusted."},
                  Finding{"/wire/format", "engine \"gloo\" sends fp32 only; the wire format is fp16."},
                  Finding{"/nodes/1/emulate", strCat("engine \"gloo\" does not go over the emulated link of \"", spec.nodes[1].id, "\"")}));
  spec.wire.format = "fp32";
  spec.nodes[1].emulate = {};
  spec.aggregation.trustedNetwork = true;
  EXPECT_TRUE(validate(spec, catalog, {"local", "gpu7"}).findings.empty());
}

TEST(Validate, PlainDataStaysOnOneHost) {
  RunSpec spec = parseRunSpec(sample::kSmallest).spec;
  spec.protection = "plain";
  EXPECT_TRUE(validate(spec, sample::catalog()).findings.empty());
  spec.nodes[1].host = "gpu7";
  EXPECT_THAT(validate(spec, sample::catalog(), {"local", "gpu7"}).findings,
              ElementsAre(Finding{"/protection", "\"plain\" is only for runs on one host; this one has local, gpu7. Use auto."}));
}

TEST(Validate, ParametersOfEveryChoice) {
  EXPECT_THAT(small({"/algorithm/params/lr=2"}), ElementsAre(Finding{"/algorithm/params/lr", "Lr must be at most 1; it is 2."}));
  EXPECT_THAT(small({"/algorithm/params/momentum=2"}), ElementsAre(Finding{"/algorithm/params/momentum", "unknown parameter; have lr"}));
  for (const char* choice : {"/model", "/dataset", "/partition", "/learning_rate_schedule"}) {
    const std::string place = std::string(choice) + "/params/x";
    EXPECT_THAT(small({place + "=1"}), ElementsAre(Finding{place, "unknown parameter; it takes none"}));
  }
}

TEST(Validate, WhoNeedsAServer) {
  EXPECT_THAT(small({kPeers}), ElementsAre(Finding{"/nodes", "aggregation \"server\" needs a node with the role server; there is none"}));
  EXPECT_TRUE(small({kPeers, "/aggregation/id=ring"}).empty());
  EXPECT_THAT(small({kPeers, "/algorithm/id=asgd"}), ElementsAre(Finding{"/nodes", "algorithm \"asgd\" needs a node with the role server; there is none"}));
  EXPECT_THAT(small({kPeers, "/algorithm/id=esync", "/aggregation/id=ring"}),
              ElementsAre(Finding{"/nodes", "algorithm \"esync\" needs a node with the role server; there is none"}));
}

TEST(Validate, AnIdleServerIsAWarning) {
  const std::vector<Finding> idle = {{"/nodes/0", "server \"s0\" has nothing to do in this run", false}};
  EXPECT_EQ(small({"/aggregation/id=ring"}), idle);
  EXPECT_EQ(small({"/algorithm/id=d_sgd", "/topology/id=ring"}), idle);
  EXPECT_TRUE(small({"/algorithm/id=esync", "/aggregation/id=ring"}).empty());
  EXPECT_FALSE(hasErrors(idle));
}

// A method whose groups may come from the document or be formed at the start.
TEST(Validate, AGroupedMethodNeedsGroupsAndNoMoreThanItHasWorkers) {
  Catalog catalog = sample::catalog();
  AlgorithmEntry grouping;
  grouping.id = "grouped";
  grouping.groups = true;
  grouping.needsGroups = {.param = "groups_from", .values = {"document"}};
  grouping.params = {choiceParam("groups_from", "document", {"document", "speed"}, ""),
                     limited(integerParam("group_count", 0, 0, 100, ""), Limit::kWorkers)};
  catalog.algorithms.push_back(grouping);
  const auto of = [&](std::vector<std::string> assignments) {
    assignments.push_back("/algorithm={\"id\": \"grouped\", \"params\": {\"groups_from\": \"document\"}}");
    std::rotate(assignments.begin(), assignments.end() - 1, assignments.end());
    return checked(sample::kSmallest, assignments, catalog).findings;
  };
  EXPECT_THAT(of({}), ElementsAre(Finding{"/groups", "algorithm \"grouped\" with groups_from \"document\" needs groups; name all workers here"}));
  EXPECT_TRUE(of({"/algorithm/params/groups_from=speed"}).empty());
  EXPECT_TRUE(of({R"(/groups=[["w0", "w1"]])"}).empty());
  EXPECT_THAT(of({"/algorithm/params/groups_from=speed", "/algorithm/params/group_count=3"}),
              ElementsAre(Finding{"/algorithm/params/group_count", "Group count must be at most 2, the number of workers; it is 3."}));
}

TEST(Validate, AnAggregationThatNobodyUsesIsAWarning) {
  const std::vector<Finding> unused = {{"/aggregation/id", "algorithm \"asgd\" does not aggregate: \"ring\" has no effect", false}};
  EXPECT_EQ(small({"/algorithm/id=asgd", "/aggregation/id=ring"}), unused);
  EXPECT_TRUE(small({"/algorithm/id=asgd", "/aggregation/id=server"}).empty());
}

TEST(Validate, AModelWithBatchNormalisationNeedsABatch) {
  Catalog catalog = sample::catalog();
  catalog.models[0].minimumBatch = 2;
  EXPECT_THAT(checked(sample::kSmallest, {"/batch_size=1"}, catalog).findings,
              ElementsAre(Finding{"/batch_size", "model \"logistic\" normalises over the batch and needs 2 samples; the batch size is 1."}));
  EXPECT_TRUE(checked(sample::kSmallest, {"/batch_size=2"}, catalog).findings.empty());
}

TEST(Validate, LoaderThreadsThatAreNotUsedAreAWarning) {
  Catalog catalog = sample::catalog();
  catalog.datasets[0].params = {integerParam("resize", 0, 0, 512, ""), choiceParam("augment", "none", {"none", "flip"}, ""),
                                integerParam("loader_threads", 1, 0, 64, "")};
  const auto of = [&](const char* assignment) {
    return checked(sample::kSmallest, {"/dataset/params/loader_threads=3", assignment}, catalog).findings;
  };
  EXPECT_THAT(of("/seed=1"), ElementsAre(Finding{"/dataset/params/loader_threads",
                                                 "Loader threads have no effect: the worker itself prepares pictures in memory that are only scaled.", false}));
  for (const char* work : {"/dataset/params/augment=flip", "/dataset/params/resize=32", "/dataset/params/loader_threads=0"})
    EXPECT_TRUE(of(work).empty()) << work;
  catalog.datasets[0].inFiles = true;
  EXPECT_TRUE(of("/seed=1").empty());
}

TEST(Validate, StandaloneHasOneWorker) {
  EXPECT_THAT(small({"/algorithm/id=standalone", kPeers}), ElementsAre(Finding{"/nodes", "algorithm \"standalone\" runs on one worker; there are 3."}));
  EXPECT_TRUE(small({"/algorithm/id=standalone", R"(/nodes=[{"id": "w0"}])"}).empty());
}

TEST(Validate, TheModelTakesTheShapeOfTheDataSet) {
  EXPECT_THAT(full({"/dataset/id=cifar10"}),
              ElementsAre(Finding{"/model/id", "model \"lenet\" takes 1x28x28, 1x32x32; data set \"cifar10\" has 3x32x32"}));
  EXPECT_TRUE(small({"/dataset/id=cifar10"}).empty());  // logistic takes any shape
}

TEST(Validate, AMissingDataSetIsAWarning) {
  Catalog catalog = sample::catalog();
  for (DatasetEntry& dataset : catalog.datasets) dataset.location = "";
  EXPECT_THAT(checked(sample::kSmallest, {"/dataset/id=cifar10"}, catalog).findings,
              ElementsAre(Finding{"/dataset/id", "data set \"cifar10\" is not on this computer; set /dataset/params/path", false}));
  for (DatasetEntry& dataset : catalog.datasets) dataset.downloads = dataset.id == "cifar10";
  EXPECT_THAT(checked(sample::kSmallest, {"/dataset/id=cifar10"}, catalog).findings,
              ElementsAre(Finding{"/dataset/id", "data set \"cifar10\" is not on this computer; get it with paceline data download cifar10 or set /dataset/params/path", false}));
  EXPECT_THAT(checked(sample::kSmallest, {}, catalog).findings,
              ElementsAre(Finding{"/dataset/id", "data set \"synthetic\" is not on this computer", false}));
  EXPECT_TRUE(checked(sample::kSmallest, {"/dataset/id=cifar10", "/dataset/params/path=/data"}, catalog).findings.empty());
}

TEST(Validate, EveryWorkerGetsASample) {
  EXPECT_THAT(small({"/nodes/1/share=0.9995", "/nodes/2/share=0.0005"}),
              ElementsAre(Finding{"/nodes/2", "worker \"w1\" would get none of the 1000 samples of \"synthetic\""}));
}

TEST(Validate, GroupsHoldEveryWorkerOnce) {
  EXPECT_THAT(full({R"(/groups=[["w0", "w1"]])"}), ElementsAre(Finding{"/groups", "worker \"w2\" is in no group"}));
  EXPECT_THAT(full({R"(/groups=[["w0", "w1"], ["w2", "w0"]])"}), ElementsAre(Finding{"/groups/1/1", "worker \"w0\" is in a group already"}));
  EXPECT_THAT(full({R"(/groups=[["w0", "w1"], ["w2", "w9"]])"}),
              ElementsAre(Finding{"/groups/1/1", "worker \"w9\" is not known; have w0, w1, w2"}));
  EXPECT_THAT(full({R"(/groups=[["w0", "w1"], ["w2", "s0"]])"}),
              ElementsAre(Finding{"/groups/1/1", "\"s0\" is a server; only workers belong here"}));
}

TEST(Validate, EdgesJoinWorkers) {
  EXPECT_THAT(full({R"(/edges=[["w0", "w9"]])"}), ElementsAre(Finding{"/edges/0/1", "worker \"w9\" is not known; have w0, w1, w2"}));
  EXPECT_THAT(full({R"(/edges=[["s0", "w1"]])"}), ElementsAre(Finding{"/edges/0/0", "\"s0\" is a server; only workers belong here"}));
  EXPECT_THAT(full({R"(/edges=[["w1", "w1"]])"}), ElementsAre(Finding{"/edges/0", "joins worker \"w1\" with itself"}));
  EXPECT_TRUE(full({R"(/edges=[["w0", "w1"], ["w1", "w2"], ["w1", "w0"]])"}).empty());  // once from either end
  EXPECT_THAT(full({R"(/edges=[["w0", "w1"], ["w1", "w2"], ["w0", "w1", {"every": 3}]])"}),
              ElementsAre(Finding{"/edges/2", "\"w0\" and \"w1\" are joined already; once from either end is allowed"}));
}

TEST(Validate, ADecentralisedGraphIsConnected) {
  const std::string method = "/algorithm/id=d_sgd";
  EXPECT_THAT(small({method, kPeers}),
              ElementsAre(Finding{"/edges", "algorithm \"d_sgd\" needs edges between its workers, or a topology that makes them"}));
  EXPECT_TRUE(small({method, R"(/nodes=[{"id": "w0"}])"}).empty());
  EXPECT_TRUE(small({method, kPeers, "/topology/id=ring"}).empty());
  EXPECT_TRUE(small({method, kPeers, R"(/edges=[["w2", "w1"], ["w1", "w0"]])"}).empty());
  EXPECT_THAT(small({method, kPeers, R"(/edges=[["w0", "w1"]])"}), ElementsAre(Finding{"/edges", "no path of edges joins worker \"w2\" with \"w0\""}));
  EXPECT_TRUE(small({kPeers, "/aggregation/id=ring", R"(/edges=[["w0", "w1"]])"}).empty());  // not used by this method
}

TEST(Validate, PathsOfOneWayEdgesLeadFromEachWorkerToEach) {
  Catalog catalog = sample::catalog();
  catalog.algorithms[3].oneWay = true;
  const auto found = [&](std::vector<std::string> assignments) {
    assignments.insert(assignments.end(), {"/algorithm/id=d_sgd", kPeers});
    return checked(sample::kSmallest, assignments, catalog).findings;
  };
  const std::string start = "Algorithm \"d_sgd\" sends from an edge's first worker to its second, and no path of such edges leads from ";
  EXPECT_THAT(found({R"(/edges=[["w0", "w1"], ["w1", "w2"]])"}),
              ElementsAre(Finding{"/edges", start + "\"w1\" to \"w0\"."}, Finding{"/edges", start + "\"w2\" to \"w0\"."}));
  EXPECT_THAT(found({R"(/edges=[["w1", "w0"], ["w0", "w2"], ["w2", "w0"]])"}), ElementsAre(Finding{"/edges", start + "\"w0\" to \"w1\"."}));
  EXPECT_THAT(found({R"(/edges=[["w0", "w1"]])"}), ElementsAre(Finding{"/edges", "no path of edges joins worker \"w2\" with \"w0\""}));
  EXPECT_TRUE(found({R"(/edges=[["w0", "w1"], ["w1", "w2"], ["w2", "w0"]])"}).empty());
  EXPECT_TRUE(found({"/topology/id=ring"}).empty());
}

TEST(Validate, ATopologyFitsTheWorkers) {
  const std::string method = "/algorithm/id=d_sgd";
  EXPECT_THAT(small({method, kPeers, "/topology/id=torus", "/topology/params/rows=2"}),
              ElementsAre(Finding{"/topology/params", "Rows must divide the number of workers, which is 3; it is 2."}));
  EXPECT_THAT(small({method, kPeers, "/topology/id=ring", "/topology/params/every=0"}),
              ElementsAre(Finding{"/topology/params/every", "Exchange every must be at least 1; it is 0."}));
  EXPECT_THAT(small({method, kPeers, "/topology/id=moebius"}),
              ElementsAre(Finding{"/topology/id", "topology \"moebius\" is not known; have complete, double_ring, edges, exponential, random, ring, star, torus"}));
  EXPECT_THAT(small({method, kPeers, "/topology/id=ring", R"(/edges=[["w0", "w1"]])"})[0].pointer, "/edges");
}

TEST(Validate, AStepSizeDividesByNothingThatIsNotPositive) {
  Catalog catalog = sample::catalog();
  catalog.algorithms[3].params = {choiceParam("step_size", "common", {"paper", "published", "common"}, "Whose.")};
  catalog.algorithms[3].needsLongEdges = {.param = "step_size", .values = {"paper", "common"}};
  const auto found = [&](std::vector<std::string> assignments) {
    assignments.insert(assignments.end(), {"/algorithm/id=d_sgd", kPeers});
    return checked(sample::kSmallest, assignments, catalog).findings;
  };
  EXPECT_TRUE(found({"/topology/id=ring", "/topology/params/every=2"}).empty());
  EXPECT_THAT(found({"/topology/id=ring", "/topology/params/every=1"}),
              ElementsAre(Finding{"/topology/params/every", "Every must be at least 2 with step_size \"common\", which divides by every - 1; it is 1."}));
  EXPECT_TRUE(found({"/topology/id=ring", "/topology/params/every=1", "/algorithm/params/step_size=published"}).empty());
  EXPECT_THAT(found({R"(/edges=[["w0", "w1", {"every": 4}], ["w1", "w2"]])"}),
              ElementsAre(Finding{"/edges/1", "Every must be at least 2 with step_size \"common\", which divides by every - 1; it is 1."}));
}

TEST(Validate, AnOptimizerMustFitItsMethod) {
  Catalog catalog = sample::catalog();
  catalog.algorithms[4].needsSgd = {.param = "variant", .values = {"mxnet"}};
  const auto found = [&](const std::vector<std::string>& assignments) { return checked(sample::kSmallest, assignments, catalog).findings; };
  EXPECT_TRUE(found({"/optimizer/id=adamw", "/optimizer/weight_decay=0.1"}).empty());
  EXPECT_THAT(found({"/algorithm/id=asgd", "/optimizer/id=adamw"}),
              ElementsAre(Finding{"/optimizer/id", "algorithm \"asgd\" takes its steps at servers, which do not know what decays; the optimizer is adamw. adam has its decay in the gradient."}));
  EXPECT_TRUE(found({"/algorithm/id=asgd", "/optimizer/id=adam"}).empty());
  EXPECT_TRUE(found({"/algorithm/id=esync", "/optimizer/id=adagrad"}).empty());
  EXPECT_THAT(found({"/algorithm/id=esync", "/algorithm/params/variant=mxnet", "/optimizer/id=adagrad"}),
              ElementsAre(Finding{"/optimizer/id", "algorithm \"esync\" with variant \"mxnet\" takes the steps of its paper, which sgd makes; the optimizer is adagrad."}));
  catalog.algorithms[2].adaptive = false;
  EXPECT_THAT(found({"/optimizer/id=adam"}), ElementsAre(Finding{"/optimizer/id", "algorithm \"ssgd\" takes the steps of its paper, which sgd makes; the optimizer is adam."}));
}

// A document that sets a younger parameter to its default is the one that does not name it.
TEST(Validate, AYoungerParameterIsNotInTheHashAtItsDefault) {
  Catalog catalog = sample::catalog();
  const auto hash = [&](const std::vector<std::string>& assignments) { return configHash(checked(sample::kSmallest, assignments, catalog).spec); };
  const std::string before = hash({});
  catalog.algorithms[2].params.push_back(younger(realParam("pull", 0, 0, std::nullopt, "How strong.")));
  EXPECT_EQ(hash({}), before);
  EXPECT_EQ(hash({"/algorithm/params/pull=0"}), before);
  EXPECT_NE(hash({"/algorithm/params/pull=0.5"}), before);
}

TEST(Validate, AnAccuracyGoalNeedsEvaluations) {
  EXPECT_THAT(small({"/evaluate/every_rounds=0", "/stop/accuracy=0.5"}),
              ElementsAre(Finding{"/stop/accuracy", "needs evaluations, but evaluate.every_rounds is 0", false}));
  EXPECT_THAT(small({"/evaluate/every_rounds=0", R"(/stop={"accuracy": 0.5})"}),
              ElementsAre(Finding{"/stop/accuracy", "needs evaluations, but evaluate.every_rounds is 0: the run would never end"}));
}

TEST(Validate, ServersMayEmulateASlowLink) { EXPECT_TRUE(small({"/nodes/0/emulate/bandwidth_mbps=10"}).empty()); }

TEST(Validate, ChecksTheStructureOfSpecsThatCameFromAForm) {
  RunSpec spec = parseRunSpec(sample::kSmallest).spec;
  spec.batchSize = 0;
  spec.stop = {};
  spec.nodes[2].id = "w0";
  spec.algorithm.id = "";
  EXPECT_THAT(validate(spec, sample::catalog()).findings,
              ElementsAre(Finding{"/algorithm/id", "must not be empty"}, Finding{"/batch_size", "Batch size must be at least 1; it is 0."},
                          Finding{"/nodes/2/id", "\"w0\" is the id of another node already"},
                          Finding{"/stop", "needs at least one of rounds, seconds, samples, accuracy"}));
}

}  // namespace
}  // namespace paceline::tests
