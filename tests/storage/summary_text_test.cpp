#include <gmock/gmock.h>
#include <locale.h>

#include "engine/core/json/json_text.h"
#include "storage/interchange/interop.h"
#include "storage/summary/table_text.h"
#include "tests/storage/two_workers.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;

TEST(SummaryText, JsonHasTheNamesThatScriptsRelyOn) {
  const Json run = Json::parse(summary::summariesToJson({summary::summarise(twoWorkers())}))["runs"][0];
  for (const char* name : {"id",
                           "name",
                           "state",
                           "algorithm",
                           "model",
                           "dataset",
                           "partition",
                           "seed",
                           "config_hash",
                           "rounds",
                           "samples",
                           "wall_s",
                           "throughput_samples_per_s",
                           "traffic_bytes_per_s",
                           "bytes_sent",
                           "bytes_received",
                           "accuracy_last",
                           "accuracy_best",
                           "loss_last",
                           "target_accuracy",
                           "time_to_target_s",
                           "published",
                           "nodes",
                           "curve"})
    EXPECT_TRUE(run.contains(name)) << name;
  for (const char* name :
       {"id", "role", "host", "device", "rounds", "samples", "compute_s", "wait_s", "send_s", "receive_s", "evaluate_s",
        "total_s", "busy_ratio", "local_steps_mean", "staleness_mean", "bytes_sent", "bytes_received"})
    EXPECT_TRUE(run["nodes"][0].contains(name)) << name;
  for (const char* name : {"round", "t_s", "samples", "bytes", "accuracy", "loss"})
    EXPECT_TRUE(run["curve"][0].contains(name)) << name;
  EXPECT_EQ(run["published"]["throughput"], 11);
  EXPECT_EQ(run["published"]["traffic_mb_per_s"], 20);
  EXPECT_DOUBLE_EQ(run["published"]["computing_time_ratio"]["w0"].get<double>(), 0.7);
  EXPECT_EQ(run["time_to_target_s"], 19);
  EXPECT_EQ(run["curve"][1]["samples"], 192);
  EXPECT_EQ(run["config_hash"], "c");
}

TEST(SummaryText, WhatIsNotReachedOrNotKnownIsNull) {
  summary::RunData data = twoWorkers();
  data.run.versions = "";
  const Json run = Json::parse(summary::summariesToJson({summary::summarise(data, {.targetAccuracy = 0.99})}))["runs"][0];
  EXPECT_TRUE(run["time_to_target_s"].is_null());
  EXPECT_TRUE(run["published"]["traffic_mb_per_s"].is_null());
}

TEST(SummaryText, TextThatIsNoUtf8StillMakesADocument) {
  summary::RunData data = twoWorkers();
  data.run.name = "\xff\xfe";
  EXPECT_TRUE(Json::accept(summary::summariesToJson({summary::summarise(data)})));
}

TEST(SummaryText, CsvQuotesAsRfc4180) {
  summary::RunData data = twoWorkers();
  data.run.name = "a, \"b\"\nc";
  const std::string csv = summary::summariesToCsv({summary::summarise(data)});
  EXPECT_TRUE(csv.starts_with("id,name,state,algorithm,")) << csv;
  EXPECT_THAT(
      csv,
      HasSubstr("\r\nr1,\"a, "
                "\"\"b\"\"\nc\",finished,ssgd,lenet,synthetic,iid,3,c,2,2,224,25,8.96,27.6,230,460,0.85,0.85,0.5,0.8,19,0.6"));
  EXPECT_TRUE(csv.ends_with(",11,20,46,92,,,,\r\n")) << csv;  // 230 and 460 bytes in 5 rounds; dense, no consensus
}

TEST(SummaryText, NumbersDoNotFollowTheLocale) {
  ::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(summary::numberText(0.5), "0.5");
  EXPECT_EQ(summary::fixedText(1234.5678, 2), "1234.57");
  ::setlocale(LC_ALL, "C");
  EXPECT_EQ(summary::numberText(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(summary::fixedText(0.125, 2), "0.12");  // exact ties go to even, as in Python
  EXPECT_EQ(summary::rounded(2.675, 2), 2.67);      // 2.675 is a little less
}

TEST(SummaryText, JsonHasEveryPhaseOfANodesTime) {
  summary::RunData data = twoWorkers();
  data.rounds[0].record.query = 0.25;
  const Json node = Json::parse(summary::summariesToJson({summary::summarise(data)}))["runs"][0]["nodes"][0];
  EXPECT_DOUBLE_EQ(node["fetch_s"], 2);
  EXPECT_DOUBLE_EQ(node["update_s"], 2);
  EXPECT_DOUBLE_EQ(node["query_s"], 0.25);
}

TEST(SummaryText, RoundsCsvKeepsFullResolution) {
  summary::RunData data = twoWorkers();
  data.rounds.resize(1);
  data.rounds[0].record.loss = std::numeric_limits<double>::quiet_NaN();
  data.rounds[0].record.learningRate = 0.1 + 0.2;
  const std::string csv = interchange::recordsToCsv(data, "rounds");
  EXPECT_TRUE(csv.starts_with("run,node,seq,round,t_s,fetch_s,")) << csv;
  EXPECT_THAT(csv, HasSubstr("\r\nr1,w0,1,1,10,1,4,1,1,2,0,0,1,10,1,64,100,200,0,0,2,NaN,0.30000000000000004,,,,,\r\n"));
}

TEST(SummaryText, JsonTellsEvaluatorsCurvesAndEdges) {
  summary::RunData data = twoWorkers();
  data.nodes.push_back({.run = "r1", .id = "e0", .role = "evaluator", .host = "local", .device = "cpu"});
  data.evaluations.push_back({.node = "e0", .seq = 1, .record = {.round = 2, .t = 20, .accuracy = 0.7, .loss = 1, .samples = 0, .seconds = 3, .of = "mean", .consensus = 0.5}});
  data.edges.push_back({.node = "w0", .seq = 99, .record = {.round = 2, .t = 20, .peer = "w1", .exchanges = 3, .age = 1.5, .bytesSent = 10, .bytesReceived = 20, .lost = 0}});
  const Json run = Json::parse(summary::summariesToJson({summary::summarise(data)}))["runs"][0];
  EXPECT_EQ(run["nodes"][2]["role"], "evaluator");
  EXPECT_EQ(run["nodes"][2]["evaluate_s"], 3);
  EXPECT_EQ(run["published"]["computing_time_ratio"].size(), 2U);
  EXPECT_EQ(run["curve_of"], "mean");
  EXPECT_EQ(run["curve"][0]["consensus"], 0.5);
  EXPECT_EQ(run["consensus_last"], 0.5);
  EXPECT_EQ(run["other_curves"][0]["by"], "w0");
  EXPECT_EQ(run["other_curves"][0]["curve"].size(), 2U);
  EXPECT_EQ(run["nodes"][0]["staleness_rounds"], Json::parse("[[2,2]]"));
  EXPECT_EQ(run["edges"][0]["age_mean"], 1.5);
  EXPECT_THAT(summary::summariesToCsv({summary::summarise(data)}), HasSubstr(",c,2,2,224,25,"));  // two workers
}

TEST(SummaryText, EdgesCsvHasEveryRecord) {
  summary::RunData data = twoWorkers();
  EXPECT_EQ(interchange::recordsToCsv(data, "edges"), "run,node,seq,round,t_s,peer,exchanges,age,bytes_sent,bytes_received,lost\r\n");
  data.edges.push_back({.node = "w0", .seq = 9, .record = {.round = 2, .t = 20.5, .peer = "w1", .exchanges = 3, .age = 1.5, .bytesSent = 10, .bytesReceived = 20, .lost = 1}});
  EXPECT_THAT(interchange::recordsToCsv(data, "edges"), HasSubstr("\r\nr1,w0,9,2,20.5,w1,3,1.5,10,20,1\r\n"));
}

}  // namespace
}  // namespace paceline::tests
