#include <gmock/gmock.h>

#include <filesystem>

#include "agent/supervisor/probe/probe.h"
#include "engine/core/base/error.h"
#include "tests/probe/agent_program.h"

namespace paceline::tests {
namespace {

class Probe : public AgentTest {};

TEST_F(Probe, SaysWhatThisHostHas) {
  const Json json = jsonLine(*startAgent({"probe"}, {{"XDG_CACHE_HOME", folder_ / "cache"}}));
  EXPECT_EQ(json["problems"], Json::array());
  for (const char* text : {"hostname", "os", "kernel", "arch", "libc", "cpu_model", "agent_folder", "cache_folder", "containment"})
    EXPECT_TRUE(json[text].is_string()) << text;
  for (const char* number :
       {"cpus", "cpus_installed", "cpus_usable", "memory_total_bytes", "memory_free_bytes", "disk_free_bytes", "cache_free_bytes"})
    EXPECT_GT(json[number].get<double>(), 0) << number;
  EXPECT_EQ(json["cache_folder"], strCat((folder_ / "cache").string(), "/paceline"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "cache")) << "looking must not make folders";
  EXPECT_THAT(json["interfaces"], testing::Contains(testing::Truly([](const Json& each) {
                return each["loopback"] == true && std::ranges::count(each["addresses"], Json("127.0.0.1")) == 1;
              })));
  EXPECT_EQ(json["supervisor"], nullptr);
}

TEST_F(Probe, TellsTheVersionOfTheSupervisorThatRunsAndStartsNone) {
  jsonLine(*startAgent({"probe"}));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "agent" / "agent.sock"));
  up();
  EXPECT_EQ(jsonLine(*startAgent({"probe"}))["supervisor"]["version"], PACELINE_VERSION);
}

TEST_F(Probe, AHostWithoutAHomeStillAnswers) {
  const Json json = jsonLine(*startAgent({"probe"}, {{"HOME", ""}, {"XDG_CACHE_HOME", ""}, {"XDG_RUNTIME_DIR", ""}, {"PACELINE_AGENT_DIR", ""}}));
  EXPECT_GT(json["cpus"].get<int>(), 0);
  EXPECT_FALSE(json.contains("cache_folder"));
  EXPECT_THAT(json["problems"], testing::Contains("cache: neither XDG_CACHE_HOME nor HOME is set"));
}

TEST_F(Probe, TheClockAnswersEveryLine) {
  const auto process = startAgent({"clock"});
  process->writeLine("");
  const double first = jsonLine(*process)["monotonic_s"].get<double>();
  process->writeLine("anything");
  EXPECT_GE(jsonLine(*process)["monotonic_s"].get<double>(), first);
  process->closeInput();
  EXPECT_EQ(process->wait().code, 0);
}

TEST_F(Probe, RoomIsMeasuredAtTheNearestFolderThatExists) {
  const probe::DiskFacts disk = probe::diskFacts((folder_ / "not" / "yet").string());
  EXPECT_EQ(disk.folder, folder_.string());
  EXPECT_GT(disk.usable(), 0);
  EXPECT_LE(disk.usable(), disk.totalBytes);
}

}  // namespace
}  // namespace paceline::tests
