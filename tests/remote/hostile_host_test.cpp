// A host whose agent lies, behind a real SSH server: it can spoil what it takes part in, and no other run.
#include <gmock/gmock.h>

#include <fstream>
#include <future>

#include "tests/remote/remote_fixture.h"

namespace paceline::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class HostileHost : public RemoteTest {
 protected:
  void SetUp() override {
    RemoteTest::SetUp();
    if (IsSkipped()) return;
    const std::string shell = (folder_ / "liar").string();
    std::ofstream(shell) << "#!/bin/sh\ncase \"$2\" in *attach*) ;; *) exec /bin/sh \"$@\" ;; esac\n"
                         << "/bin/sh -c \"$2\" | while IFS= read -r line; do printf '%s\\n' \"$line\"; if mv '" << lies() << "' '" << lies() << ".said' 2>/dev/null; then cat '" << lies() << ".said'; fi; done\n";
    fs::permissions(shell, fs::perms::owner_all);
    for (const char* name : {"good", "fair"}) machine(name);
    machine({.name = "bad", .shell = shell});
  }

  // Its supervisor says this once, behind a line of its own.
  std::string lies() const { return (folder_ / "lies").string(); }
  void lie(const std::string& text) const {
    std::ofstream(lies() + ".new") << text;
    fs::rename(lies() + ".new", lies());
  }
  static std::string record(const std::string& run, const std::string& node, std::int64_t seq, const Event& event) {
    return strCat("{\"run\":\"", run, "\",\"node\":\"", node, "\",\"seq\":", seq, ",\"event\":", toLine(event), "}\n");
  }
  static Event failure() { return NoticeRecord{.kind = "exit", .text = "killed by signal 9 (SIGKILL)", .level = "error", .reason = "killed"}; }

  struct Both {
    run::RunOutcome ours, theirs;
  };
  // One run on `good`, one on `fair` and `bad`; once both train, `bad` says what `telling` makes of their ids.
  Both bothWhile(std::int64_t theirRounds, const std::function<std::string(const std::string& ours, const std::string& theirs)>& telling) {
    run::RecordWriter records(storePath());
    std::promise<std::string> ourRun, theirRun;
    const auto start = [&](const RunSpec& document, std::promise<std::string>& id) {
      const auto callbacks = whenRound(5, "w0", [&id](const std::string& run) { id.set_value(run); });
      return run::RunSession({records, callbacks, hosts::bookOpener(book_, *prompts_)}).run(document);
    };
    const RunSpec good = spec({"good"}, 400), shared = spec({"fair", "bad"}, theirRounds);
    auto ours = std::async(std::launch::async, [&] { return start(good, ourRun); });
    auto theirs = std::async(std::launch::async, [&] { return start(shared, theirRun); });
    const std::string id = ourRun.get_future().get();
    lie(telling(id, theirRun.get_future().get()));
    Both both{.ours = ours.get(), .theirs = theirs.get()};
    EXPECT_EQ(both.ours.state, store::RunState::kFinished) << both.ours.error;
    EXPECT_EQ(both.ours.error, "");
    EXPECT_TRUE(fs::exists(lies() + ".said"));
    expectEveryRoundOnce(good, both.ours.run, 400);
    for (const auto& notice : store::StoreReader(storePath()).notices(both.ours.run)) EXPECT_NE(notice.record.reason, "killed") << notice.record.text;
    return both;
  }
};

TEST_F(HostileHost, IsNotBelievedAboutOtherRuns) {
  const Both both = bothWhile(150, [](const std::string& ours, const std::string&) {
    return strCat(record(ours, "w0", 1'000'000, failure()), record(ours, "good", 1'000'000, failure()), "{\"ended\":\"", ours, "\"}\n");
  });
  EXPECT_EQ(both.theirs.state, store::RunState::kFinished) << both.theirs.error;
}

class HostileAboutANode : public HostileHost, public ::testing::WithParamInterface<const char*> {};

TEST_P(HostileAboutANode, EndsTheRunThatItIsIn) {
  const std::string node = GetParam();
  const Both both = bothWhile(100'000, [&](const std::string&, const std::string& theirs) { return record(theirs, node, 1'000'000, failure()); });
  EXPECT_EQ(both.theirs.state, store::RunState::kFailed);
  EXPECT_EQ(both.theirs.error, strCat("bad: its supervisor tells of node \"", node, "\", which is not there"));
  expectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(Remote, HostileAboutANode, ::testing::Values("w0", "s0", "fair", "nobody"), [](const auto& info) { return std::string(info.param); });

class HostileNoise : public HostileHost, public ::testing::WithParamInterface<const char*> {};

// The connection is made again, and nothing is missing.
TEST_P(HostileNoise, CostsNothing) {
  const std::string what = GetParam();
  const std::string noise = what == "no_record" ? "{\"event\":[],\"run\":3,\"node\":\"w1\",\"seq\":-1}" : what == "deep" ? strCat("{\"event\":", std::string(100'000, '[')) : std::string(std::size_t{65} << 20, 'x');
  const Both both = bothWhile(150, [&](const std::string&, const std::string&) { return noise + "\n"; });
  EXPECT_EQ(both.theirs.state, store::RunState::kFinished) << both.theirs.error;
  expectEveryRoundOnce(spec({"fair", "bad"}, 150), both.theirs.run, 150);
}

INSTANTIATE_TEST_SUITE_P(Remote, HostileNoise, ::testing::Values("no_record", "deep", "long"), [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace paceline::tests
