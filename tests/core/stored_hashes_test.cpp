// Stored runs are found by their hashes: those of the documents that come with Paceline, and of one document varied in every section, are the
// ones that the program of November 2026 computed (fixtures/hashes.txt: configuration, group, document). A document that is new or changed
// on purpose gets its line from this test's message.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "engine/core/spec/suite.h"
#include "tests/core/sample.h"

namespace paceline::tests {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return std::move(text).str();
}

std::string lineOf(const std::string& name, const std::string& document) {
  const ParsedSpec parsed = parseRunSpec(document);
  for (const Finding& finding : parsed.findings) ADD_FAILURE() << name << ": " << finding.pointer << ": " << finding.message;
  return strCat(configHash(parsed.spec), " ", groupHash(parsed.spec), " ", name, "\n");
}

std::string ownDocuments() {
  std::string lines;
  for (const char* folder : {"experiments", "resources/presets"}) {
    std::set<fs::path> paths;
    for (const auto& file : fs::directory_iterator(fs::path(PACELINE_SOURCE_DIR) / folder))
      if (file.path().extension() == ".json") paths.insert(file.path());
    for (const fs::path& path : paths)
      for (const SuitePoint& point : parseSuite(contentOf(path)).points)
        lines += lineOf(strCat(folder, "/", path.filename().string(), ": ", point.name), point.text);
  }
  return lines;
}

// Every section once away from its default, and once written out at it.
std::string variations() {
  std::string lines = lineOf("smallest", sample::kSmallest) + lineOf("document", sample::kDocument);
  for (const char* assignment :
       {"/seed=8", "/name=other", "/notes=n", "/tags=[]", "/algorithm/params={}", "/algorithm/params/global_lr=1", "/aggregation/id=ring",
        "/aggregation/engine=gloo", "/aggregation/engine=paceline", "/model/params/width=1.5", "/dataset/params/path=/data", "/batch_size=33",
        "/partition/id=iid", "/groups=[]", "/edges=[]", "/edges/1=[\"w1\", \"w2\", {\"every\": 1}]", "/topology/id=ring", "/topology/id=edges",
        "/topology/params/every=4", "/nodes/1/role=worker", "/nodes/1/host=far", "/nodes/1/device=cuda:0", "/nodes/1/threads=2.0",
        "/nodes/1/emulate/jitter=0", "/nodes/1/emulate={}", "/nodes/2/emulate/latency_ms=0.5", "/optimizer/momentum=0.9", "/optimizer/momentum=0",
        "/optimizer={\"momentum\": 0.9, \"nesterov\": true}", "/optimizer/weight_decay=0.0005", "/optimizer/decay_all=false",
        "/optimizer/clip_norm=5", "/optimizer/clip_norm=null", "/wire/format=fp16", "/wire/format=fp32", "/wire/error_feedback=false",
        "/learning_rate_schedule/id=step", "/evaluate/every_rounds=0", "/evaluate/on=w0", "/evaluate/source=server", "/evaluate/source=auto",
        "/checkpoint/every_rounds=0", "/stop/rounds=null", "/stop/seconds=0.5", "/stop/samples=10000", "/stop/accuracy=1", "/protection=curve",
        "/lost_desktop/stop_after_s=60", "/node_silent_s=300", "/optimizer/id=sgd", "/optimizer/id=adamw", "/optimizer/beta1=0.8", "/optimizer/epsilon=1e-6", "/records={\"norms_every_rounds\": 5, \"per_layer\": true}"})
    lines += lineOf(assignment, withOverride(sample::kDocument, assignment));
  return lines;
}

TEST(StoredHashes, AreTodaysForEveryDocument) {
  const std::string stored = contentOf(fs::path(PACELINE_SOURCE_DIR) / "tests/core/fixtures/hashes.txt");
  EXPECT_GT(std::count(stored.begin(), stored.end(), '\n'), 100);
  EXPECT_EQ(ownDocuments() + variations(), stored);
}

}  // namespace
}  // namespace paceline::tests
