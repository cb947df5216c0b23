#include "agent/supervisor/probe/probe.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "engine/core/base/error.h"
#include "tests/probe/agent_program.h"

namespace paceline::tests {
namespace {

namespace fs = std::filesystem;

// The probe of a host whose NVML behaves as `habit` says and whose nvidia-smi is this script; "": it has none.
class Gpu : public AgentTest {
 protected:
  Json probe(const std::string& habit, const std::string& smi = "") {
    const fs::path bin = folder_ / "bin";
    fs::create_directories(bin);
    if (!smi.empty()) {
      std::ofstream(bin / "nvidia-smi") << "#!/bin/sh\n" << smi;
      fs::permissions(bin / "nvidia-smi", fs::perms::owner_all);
    }
    const auto process = startAgent(
        {"probe"},
        {{"LD_LIBRARY_PATH", habit == "none" ? "" : PACELINE_FAKE_NVML}, {"FAKE_NVML", habit}, {"PATH", strCat(bin.string(), ":/usr/bin:/bin")}});
    return jsonLine(*process);
  }
};

constexpr const char* kTwoLines =
    "echo '0, NVIDIA A100-SXM4-80GB, GPU-aa, 81920, 80000, 535.104.05'\n"
    "echo '1, NVIDIA GB10, GPU-bb, [N/A], [N/A], 535.104.05'\n";

TEST_F(Gpu, NvmlTellsNameMemoryAndDriver) {
  const Json json = probe("good");
  EXPECT_EQ(json["gpu_source"], "nvml");
  EXPECT_EQ(json["gpu_driver"], "550.54.15");
  ASSERT_EQ(json["gpus"].size(), 2u);
  const Json second = {{"index", 1}, {"name", "NVIDIA Fake 100"}, {"uuid", "GPU-1"}, {"memory_bytes", 80LL << 30}, {"memory_free_bytes", 79LL << 30}};
  EXPECT_EQ(json["gpus"][1], second);
}

TEST_F(Gpu, OneThatFellOffTheBusIsLeftOut) {
  const Json json = probe("one_lost");
  ASSERT_EQ(json["gpus"].size(), 1u);
  EXPECT_EQ(json["gpus"][0]["index"], 1);
}

TEST_F(Gpu, NvidiaSmiAnswersWhereNvmlCannot) {
  const Json json = probe("no_driver", kTwoLines);
  EXPECT_EQ(json["gpu_source"], "nvidia-smi");
  EXPECT_EQ(json["gpu_driver"], "535.104.05");
  ASSERT_EQ(json["gpus"].size(), 2u);
  EXPECT_EQ(json["gpus"][0]["memory_bytes"], 81920LL << 20);
  EXPECT_EQ(json["gpus"][1]["name"], "NVIDIA GB10");
  EXPECT_EQ(json["gpus"][1]["memory_bytes"], 0);
  EXPECT_THAT(json["problems"], testing::Contains("nvml: nvmlInit_v2 ended with code 9"));
}

TEST_F(Gpu, ADriverThatBringsTheProcessDownCostsTheProbeNothingElse) {
  const Json json = probe("crash");
  EXPECT_EQ(json["gpus"], Json::array());
  EXPECT_EQ(json["arch"].get<std::string>().empty(), false);
}

TEST_F(Gpu, NoneIsNoProblem) {
  const Json json = probe("none", "echo 'No devices were found'\nexit 6\n");
  EXPECT_EQ(json["gpus"], Json::array());
  EXPECT_EQ(json["gpu_source"], "none");
  EXPECT_EQ(json["problems"], Json::array());
}

TEST_F(Gpu, TheKernelsFilesNameThemWhenNothingElseDoes) {
  const fs::path card = folder_ / "nvidia/gpus/0000:01:00.0";
  fs::create_directories(card);
  std::ofstream(card / "information") << "Model: \t\t NVIDIA H200\nIRQ:   64\nGPU UUID: \t GPU-cc\n";
  const Json json = Json::parse(probe::gpusFromProc((folder_ / "nvidia").string()));
  EXPECT_EQ(json["source"], "proc");
  EXPECT_EQ(json["gpus"][0]["name"], "NVIDIA H200");
  EXPECT_EQ(json["gpus"][0]["uuid"], "GPU-cc");
  EXPECT_EQ(Json::parse(probe::gpusFromProc("/no/such"))["source"], "none");
}

}  // namespace
}  // namespace paceline::tests
