// One test per sentence of the check list.
#include "app/cluster/check/judge.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

using Json = nlohmann::json;

check::CheckNeeds needs() {
  return {.system = "Linux x86_64",
          .paceline = "0.1.0",
          .torch = "1.13.0",
          .programs = {.glibc = "2.34", .glibcxx = "3.4.30", .cxxabi = "1.3.13"},
          .programBytes = 40'000'000,
          .bundleBytes = 220'000'000,
          .bundleProblem = {}};
}

hosts::HostEntry gpu1() {
  hosts::HostEntry entry;
  entry.name = "gpu1";
  entry.address = "10.0.0.5";
  return entry;
}

Json fineProbe() {
  return {{"paceline", "0.1.0"},
          {"os", "Debian GNU/Linux 12"},
          {"libc", "2.36"},
          {"glibcxx", "3.4.30"},
          {"cxxabi", "1.3.13"},
          {"torch_library", "/usr/lib/libtorch_cpu.so.1.13.0"},
          {"torch_version", "1.13.0"},
          {"cache_folder", "/home/a/.cache/paceline"},
          {"cache_free_bytes", 50'000'000'000},
          {"cpus_installed", 64},
          {"cpus_usable", 64},
          {"cpu_model", "AMD EPYC"},
          {"cpu_flags", {"avx2", "aes"}},
          {"memory_total_bytes", 256'000'000'000},
          {"memory_free_bytes", 200'000'000'000},
          {"gpus", Json::array()},
          {"interfaces",
           {{{"name", "lo"}, {"up", true}, {"loopback", true}, {"addresses", {"127.0.0.1"}}},
            {{"name", "eth0"}, {"up", true}, {"loopback", false}, {"addresses", {"10.0.0.5", "fe80::1"}}},
            {{"name", "ib0"}, {"up", false}, {"loopback", false}, {"addresses", {"10.1.0.5"}}}}},
          {"supervisor", nullptr}};
}

check::CheckLine judged(const std::string& id, const Json& probe, const hosts::HostEntry& entry = gpu1(), const check::CheckNeeds& wants = needs()) {
  for (check::CheckLine& line : check::judgeProbe(wants, entry, entry.address, probe.dump()))
    if (line.id == id) return line;
  ADD_FAILURE() << "no line " << id;
  return {};
}

check::CheckLine judgedWith(const std::string& id, const Json& change) {
  Json probe = fineProbe();
  probe.update(change);
  return judged(id, probe);
}

void expectLine(const check::CheckLine& line, check::CheckState state, const std::string& expected, const std::string& found, const std::string& advice) {
  EXPECT_STREQ(check::checkStateName(line.state), check::checkStateName(state));
  EXPECT_EQ(line.expected, expected);
  EXPECT_EQ(line.found, found);
  EXPECT_EQ(line.advice, advice);
}

TEST(HostJudge, AHostThatHasAllIsGoodOnEveryLine) {
  for (const check::CheckLine& line : check::judgeProbe(needs(), gpu1(), "10.0.0.5", fineProbe().dump())) {
    EXPECT_EQ(line.state, check::CheckState::kGood) << line.id << ": " << line.found;
    EXPECT_EQ(line.advice, "") << line.id;
    EXPECT_FALSE(line.expected.empty() || line.found.empty()) << line.id;
  }
  EXPECT_FALSE(check::needsBundle(needs(), fineProbe().dump()));
}

TEST(HostJudge, LibcTooOld) {
  expectLine(judgedWith("libc", {{"libc", "2.31"}, {"os", "Ubuntu 20.04.6 LTS"}}), check::CheckState::kBad, "glibc 2.34 or newer",
             "glibc 2.31 (Ubuntu 20.04.6 LTS)",
             "it is too old for our programs; put a newer system on gpu1, or build Paceline on one as old as it is");
}

TEST(HostJudge, LibcComparesByNumbers) {
  EXPECT_EQ(judgedWith("libc", {{"libc", "2.4"}}).state, check::CheckState::kBad);
  EXPECT_EQ(judgedWith("libc", {{"libc", "2.100"}}).state, check::CheckState::kGood);
}

TEST(HostJudge, MuslIsNoGlibc) {
  expectLine(judgedWith("libc", {{"libc", "musl"}, {"os", "Alpine Linux v3.20"}}), check::CheckState::kBad, "glibc 2.34 or newer",
             "musl (Alpine Linux v3.20)", "our programs need glibc; use a system that has it (as Debian, Ubuntu, Fedora, Rocky)");
}

TEST(HostJudge, AnOldCppLibraryIsReplacedByOurs) {
  const Json old = {{"glibcxx", "3.4.28"}, {"cxxabi", "1.3.12"}};
  expectLine(judgedWith("libstdcxx", old), check::CheckState::kGood, "GLIBCXX_3.4.30 and CXXABI_1.3.13 or newer",
             "GLIBCXX_3.4.28, CXXABI_1.3.12; ours is sent with the libraries", "");
  EXPECT_EQ(judgedWith("libraries", old).state, check::CheckState::kWarning);
}

TEST(HostJudge, LibTorchMissing) {
  expectLine(judgedWith("libraries", {{"torch_library", nullptr}, {"torch_version", nullptr}}), check::CheckState::kWarning, "LibTorch 1.13.0", "none",
             "ours (220 MB) is sent before the first run there; to avoid that, install LibTorch 1.13.0 on gpu1");
}

TEST(HostJudge, LibTorchOfAnotherReleaseIsNotUsed) {
  const check::CheckLine line = judgedWith("libraries", {{"torch_library", "/usr/lib/libtorch_cpu.so"}, {"torch_version", "2.1.0"}});
  EXPECT_EQ(line.state, check::CheckState::kWarning);
  EXPECT_EQ(line.found, "2.1.0, /usr/lib/libtorch_cpu.so");
  EXPECT_EQ(judgedWith("libraries", {{"torch_version", "1.13.1"}}).state, check::CheckState::kGood);
}

TEST(HostJudge, LibTorchMissingAndOursCannotBeSent) {
  check::CheckNeeds wants = needs();
  wants.bundleProblem = "libtorch_cpu.so.1.13 is not on this computer";
  Json probe = fineProbe();
  probe["torch_library"] = nullptr;
  expectLine(judged("libraries", probe, gpu1(), wants), check::CheckState::kBad, "LibTorch 1.13.0", "none",
             "install LibTorch 1.13.0 there; ours cannot be sent: libtorch_cpu.so.1.13 is not on this computer");
}

TEST(HostJudge, TheFolderThatWasGivenHasNoLibTorch) {
  hosts::HostEntry entry = gpu1();
  entry.libraries = "/opt/torch/lib";
  expectLine(judged("libraries", fineProbe(), entry), check::CheckState::kBad, "LibTorch 1.13.0 in /opt/torch/lib", "no libtorch_cpu.so in /opt/torch/lib",
             "name the folder that has libtorch_cpu.so (its lib folder), or none to use the system's or have ours sent");
}

TEST(HostJudge, DiskFull) {
  expectLine(judgedWith("disk", {{"cache_free_bytes", 3'000'000}}), check::CheckState::kBad, "40 MB free for our programs in /home/a/.cache/paceline",
             "3.0 MB free",
             "free some there (paceline hosts clean gpu1 removes old versions and records), or set XDG_CACHE_HOME in this host's env to a folder on "
             "another disk");
}

TEST(HostJudge, TheBundleNeedsRoomToo) {
  const Json change = {{"torch_library", nullptr}, {"cache_free_bytes", 200'000'000}};
  EXPECT_EQ(judgedWith("disk", change).state, check::CheckState::kBad);
  EXPECT_EQ(judgedWith("disk", change).expected, "260 MB free for our programs in /home/a/.cache/paceline");
}

TEST(HostJudge, AQuotaIsNamed) {
  const check::CheckLine line = judgedWith("disk", {{"cache_free_bytes", 3'000'000}, {"cache_quota_free_bytes", 3'000'000}});
  EXPECT_EQ(line.found, "3.0 MB left of the user's quota");
  EXPECT_EQ(line.state, check::CheckState::kBad);
}

TEST(HostJudge, LittleRoomForRecordsIsAWarning) {
  const check::CheckLine line = judgedWith("disk", {{"cache_free_bytes", 500'000'000}});
  EXPECT_EQ(line.state, check::CheckState::kWarning);
  EXPECT_THAT(line.advice, testing::StartsWith("little is left for the records of runs; free some there"));
}

TEST(HostJudge, AHostWithoutHome) {
  expectLine(judgedWith("disk", {{"cache_folder", nullptr}}), check::CheckState::kBad, "40 MB free", "neither HOME nor XDG_CACHE_HOME is set there",
             "set XDG_CACHE_HOME in this host's env to a folder that may be written");
}

TEST(HostJudge, AQuotaOnCpus) {
  expectLine(judgedWith("cpu", {{"cpus_usable", 2}, {"cpu_quota", 1.5}}), check::CheckState::kWarning, "at least 1", "2 of 64, AMD EPYC (avx2, aes)",
             "a control group grants 1.5 CPUs' worth of time; nodes with more threads together only wait");
}

TEST(HostJudge, ACpuWithoutAvx2) {
  expectLine(judgedWith("cpu", {{"cpu_flags", {"aes"}}}), check::CheckState::kWarning, "at least 1", "64, AMD EPYC (aes)",
             "without AVX2 training is several times slower than on other machines");
}

TEST(HostJudge, LittleMemory) {
  expectLine(judgedWith("memory", {{"memory_limit_bytes", 512'000'000}}), check::CheckState::kWarning, "1.0 GB free",
             "512 MB free of 256 GB, a control group allows 512 MB",
             "a worker alone needs some 200 MB before its model; end other programs or use a smaller model");
}

TEST(HostJudge, NoGpuIsGood) { expectLine(judgedWith("gpu", Json::object()), check::CheckState::kGood, "any", "none", ""); }

TEST(HostJudge, GpusAreNamed) {
  const Json gpu = {{"name", "NVIDIA H200"}, {"memory_bytes", 150'000'000'000}};
  expectLine(judgedWith("gpu", {{"gpus", {gpu, gpu}}, {"gpu_driver", "550.54"}}), check::CheckState::kGood, "any",
             "NVIDIA H200 with 150 GB, NVIDIA H200 with 150 GB, driver 550.54", "");
}

TEST(HostJudge, ADriverThatDoesNotAnswerIsSaid) {
  const check::CheckLine line = judgedWith("gpu", {{"problems", {"nvml: nvmlInit_v2 ended with code 18"}}});
  EXPECT_EQ(line.state, check::CheckState::kWarning);
  EXPECT_EQ(line.advice, "the driver does not answer as it should (nvml: nvmlInit_v2 ended with code 18); try nvidia-smi there");
}

TEST(HostJudge, TheDataAddressIsNotOnTheHost) {
  hosts::HostEntry entry = gpu1();
  entry.dataAddress = "10.0.0.6";
  expectLine(judged("interface", fineProbe(), entry), check::CheckState::kBad, "10.0.0.6", "it has eth0 10.0.0.5",
             "choose one of its addresses as its data address");
}

TEST(HostJudge, TheDataInterfaceIsDown) {
  hosts::HostEntry entry = gpu1();
  entry.dataAddress = "10.1.0.5";
  expectLine(judged("interface", fineProbe(), entry), check::CheckState::kBad, "10.1.0.5", "ib0 10.1.0.5 is down",
             "bring it up (ip link set ib0 up), or choose one of its addresses as its data address");
}

TEST(HostJudge, AnAddressTranslatedOnTheWayIsAWarning) {
  hosts::HostEntry entry = gpu1();
  entry.address = "203.0.113.9";
  expectLine(judged("interface", fineProbe(), entry), check::CheckState::kWarning, "an address that the other hosts reach",
             "203.0.113.9 is not its own address; it has eth0 10.0.0.5", "choose one of its addresses as its data address");
}

TEST(HostJudge, AClockAnHourOff) {
  const std::vector<check::ClockSample> samples{{100, 3700.5, 101}, {200, 3800.001, 200.002}, {300, 3901, 302}};
  expectLine(check::judgeClock(check::offsetOf(samples)), check::CheckState::kWarning, "within 1 s of this computer's", "3600.0 s ahead, told within 1.0 ms",
             "runs use differences of times and allow for this offset, so they are right; set the clock all the same (timedatectl set-ntp true)");
  EXPECT_EQ(check::judgeClock({.seconds = -0.0123, .error = 0.0002}).found, "12.3 ms behind, told within 200 us");
  EXPECT_EQ(check::judgeClock({.seconds = -0.0123, .error = 0.0002}).state, check::CheckState::kGood);
}

TEST(HostJudge, TheOffsetIsThatOfTheShortestRoundTrip) {
  const check::ClockOffset offset = check::offsetOf({{0, 9, 10}, {10, 11.5, 11}, {20, 29, 30}});
  EXPECT_DOUBLE_EQ(offset.seconds, 1.0);
  EXPECT_DOUBLE_EQ(offset.error, 0.5);
  EXPECT_EQ(check::offsetOf({}).seconds, 0);
}

TEST(HostJudge, AnAgentOfAnOlderVersionWithRuns) {
  expectLine(judgedWith("agent", {{"supervisor", {{"version", "0.0.9"}, {"active_runs", 2}}}}), check::CheckState::kBad, "version 0.1.0",
             "version 0.1.0, but a supervisor of version 0.0.9 runs, 2 active runs",
             "wait for its runs or stop them with the Paceline that began them; it makes way when it has none");
}

TEST(HostJudge, AnIdleAgentOfAnOlderVersionMakesWay) {
  expectLine(judgedWith("agent", {{"supervisor", {{"version", "0.0.9"}, {"active_runs", 0}}}}), check::CheckState::kGood, "version 0.1.0",
             "version 0.1.0, but a supervisor of version 0.0.9 runs, 0 active runs; it makes way for ours at the next run", "");
}

TEST(HostJudge, AnotherArchitecture) {
  expectLine(check::judgeSystem(needs(), "Linux aarch64"), check::CheckState::kBad, "Linux x86_64", "Linux aarch64",
             "our programs are built for Linux x86_64; use such a machine, or build Paceline on one like this host");
  EXPECT_EQ(check::judgeSystem(needs(), "Linux x86_64").state, check::CheckState::kGood);
}

TEST(HostJudge, AShellThatChangesArguments) {
  expectLine(check::judgeQuoting("a'b", "ab"), check::CheckState::kBad, "every byte of an argument arrives", "byte 0x27 did not arrive as it was sent",
             "the login shell there changes arguments; make /bin/sh or bash the login shell of this user (chsh), or log in as another one");
  EXPECT_EQ(check::judgeQuoting("ab", "abc").found, "1 bytes too many came back");
  EXPECT_EQ(check::judgeQuoting("ab", "").state, check::CheckState::kBad);
  EXPECT_EQ(check::judgeQuoting("ab", "ab").state, check::CheckState::kGood);
}

TEST(HostJudge, AShellThatGreetsIsAWarning) {
  expectLine(check::judgeQuoting("ab", "Welcome!\nab"), check::CheckState::kWarning, "every byte of an argument arrives",
             "all bytes came back, behind 9 that the login shell prints by itself",
             "let ~/.bashrc and the like print only where there is a terminal");
}

TEST(HostJudge, SpeedIsComparedWithThisComputer) {
  check::CheckNeeds wants = needs();
  wants.localSpeed.gflops = 50;
  const auto judged = [&](const std::string& compute) { return check::judgeSpeed(wants, gpu1(), check::speedOf(compute)); };
  expectLine(judged(R"({"gflops_all": 125.4, "threads": 16})"), check::CheckState::kGood, "this computer has 50 GFLOP/s", "125 GFLOP/s with 16 threads, 2.51 times this computer", "");
  for (const char* threads : {"1e300", "-1e300"})  // beyond every integer
    EXPECT_EQ(judged(strCat(R"({"gflops_all": 125.4, "threads": )", threads, "}")).state, check::CheckState::kGood);
  EXPECT_EQ(judged("Killed").state, check::CheckState::kBad);
  EXPECT_EQ(check::speedOf(R"({"gflops_all": -1})").gflops, 0);
  wants.localSpeed.load = "a run was active there";
  expectLine(judged(R"({"gflops_all": 125.4, "threads": 16})"), check::CheckState::kGood, "this computer has at least 50 GFLOP/s", "125 GFLOP/s with 16 threads", "");
}

std::string loadOf(int threads, int cpus, double others, int runs = 0) {
  return check::speedOf(Json{{"gflops_all", 10}, {"threads", threads}, {"cpus", cpus}, {"others_cpus", others}, {"active_runs", runs}}.dump()).load;
}

TEST(HostJudge, OtherWorkDisturbsAMeasurementWhereItTakesCpusFromIt) {
  EXPECT_EQ(loadOf(2, 2, 0.14), "");
  EXPECT_EQ(loadOf(2, 2, 1.02), "other work took 1.0 of its 2 CPUs");
  EXPECT_EQ(loadOf(64, 64, 3), "");    // 5 % of them
  EXPECT_EQ(loadOf(64, 64, 3.4), "other work took 3.4 of its 64 CPUs");
  EXPECT_EQ(loadOf(2, 64, 61), "");    // a quota of two CPUs on a busy machine that has them left
  EXPECT_EQ(loadOf(2, 64, 63.5), "other work took 63.5 of its 64 CPUs");
  EXPECT_EQ(loadOf(4, 4, 0, 1), "a run was active there");
  EXPECT_EQ(loadOf(1, 1, 0.5, 2), "2 runs were active there and other work took 0.5 of its 1 CPU");
  EXPECT_EQ(check::speedOf(R"({"gflops_all": 10, "threads": 4, "cpus": 4, "others_cpus": null})").load, "");
}

TEST(HostJudge, ADisturbedSpeedIsAWarningThatNamesWhatIsKept) {
  const check::Speed now{.gflops = 47, .threads = 2, .load = "other work took 1.0 of its 2 CPUs"};
  const std::string expected = "a number to share work by", advice = "a busy host shows less than it can do; check its speed again when it is quiet";
  expectLine(check::judgeSpeed(needs(), gpu1(), now), check::CheckState::kWarning, expected, "47 GFLOP/s with 2 threads while other work took 1.0 of its 2 CPUs", advice);
  hosts::HostFacts before;
  before.speed = 115, before.speedUtc = "2026-01-02T03:04:05Z";
  expectLine(check::judgeSpeed(needs(), gpu1(), now, &before), check::CheckState::kWarning, expected,
             "47 GFLOP/s with 2 threads while other work took 1.0 of its 2 CPUs; 115 GFLOP/s of 2026-01-02T03:04:05Z are kept", advice);
  before.speedUtc.clear();
  before.speedLoad = "a run was active there";
  EXPECT_TRUE(check::judgeSpeed(needs(), gpu1(), now, &before).found.ends_with("; at least 115 GFLOP/s of an earlier check are kept"));
}

TEST(HostJudge, AnyProbeTextMakesLines) {
  for (const char* text : {"", "null", "[]", "{", "\xff",
                           R"({"libc": 3, "gpus": 7, "interfaces": [null, {"addresses": [1]}, {"addresses": 5}], "supervisor": [], "cpu_flags": "x",
       "problems": [1], "cache_free_bytes": -1e300, "memory_total_bytes": 1e300, "cpus_usable": "many", "gpus": [{"name": 3, "memory_bytes": "x"}], "paceline": "\u0000\n"})"}) {
    const auto lines = check::judgeProbe(needs(), gpu1(), "", text);
    EXPECT_EQ(lines.size(), 9u);
    EXPECT_EQ(lines.back().state, check::CheckState::kBad) << "no agent of ours says that";
  }
}

TEST(HostJudge, AnUnknownCheckIsNamed) {
  try {
    check::plannedCheck("colour");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "check \"colour\" is not known; have reachable, key, authentication, quoting, architecture, libc, libstdcxx, libraries, disk, cpu, "
                 "memory, gpu, "
                 "interface, clock, agent, speed");
  }
}

}  // namespace
}  // namespace paceline::tests
