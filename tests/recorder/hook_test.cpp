// The user's own program hears of ends.
#include "app/cluster/recorder/hook.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/recorder/recorder_fixture.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

using recorder::Client;
using recorder::Entry;
using recorder::Submission;

class HookOf : public RecorderTest {
 protected:
  ~HookOf() override { ::unsetenv("PACELINE_HOOK"); }

  std::string program(const std::string& script) {
    const std::string path = folder_ + "/hook";
    std::ofstream(path) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  const std::string folder_ = ownFolder();

  static Entry entryOf(store::RunState state, const std::string& reason) { return {.run = "r1", .name = "mine", .suite = "all", .state = state, .text = "w0 is gone", .reason = reason}; }
};

TEST_F(HookOf, EachEndHasItsEvent) {
  using enum store::RunState;
  EXPECT_EQ(recorder::hookEvent(entryOf(kFinished, "rounds")), "finished");
  EXPECT_EQ(recorder::hookEvent(entryOf(kFinished, "accuracy")), "target");
  EXPECT_EQ(recorder::hookEvent(entryOf(kFailed, "failure")), "failed");
  EXPECT_EQ(recorder::hookEvent(entryOf(kStopped, "asked")), "stopped");
  EXPECT_EQ(recorder::hookEvent(entryOf(kStopped, "search")), "");
  EXPECT_EQ(recorder::hookEvent(entryOf(kRunning, "")), "");
}

TEST_F(HookOf, HearsWhatHasEndedAndItsProblemIsSaid) {
  const std::string heard = folder_ + "/heard";
  const std::string good = program("echo \"$1 $2 $3 $PACELINE_STATE $PACELINE_SUITE $PACELINE_STORE $PACELINE_TEXT\" >> " + heard + "\n");
  EXPECT_EQ(notices::callProgram(good, recorder::noticeOf("failed", entryOf(store::RunState::kFailed, "failure"), "s.db"), {}), "");
  EXPECT_EQ(notices::callProgram(good, recorder::noticeOf("suite", entryOf(store::RunState::kFailed, "failure"), "s.db"), {}), "");
  std::ifstream file(heard);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, "failed r1 mine failed all s.db w0 is gone\nsuite all all failed all s.db w0 is gone\n");
  const std::string bad = program("echo no mail >&2\nexit 3\n");
  EXPECT_EQ(notices::callProgram(bad, recorder::noticeOf("failed", entryOf(store::RunState::kFailed, ""), "s.db"), {}), bad + " ended with code 3: no mail");
  std::stop_source leaving;
  leaving.request_stop();
  const std::string slow = program("exec sleep 1000\n");
  EXPECT_EQ(notices::callProgram(slow, recorder::noticeOf("failed", entryOf(store::RunState::kFailed, ""), "s.db"), leaving.get_token()), slow + " was ended with its recorder");
  EXPECT_THAT(notices::callProgram("/nowhere", recorder::noticeOf("failed", entryOf(store::RunState::kFailed, ""), "s.db"), {}), testing::HasSubstr("/nowhere"));
}

TEST_F(HookOf, IsCalledForEachRunAndOnceForTheSuite) {
  const std::string heard = folder_ + "/heard";
  ::setenv("PACELINE_HOOK", program("echo \"$1 $3\" >> " + heard + "\n").c_str(), 1);
  std::vector<RunSpec> specs = {spec(5), spec(5)};
  specs[0].name = "one", specs[1].name = "two", specs[1].seed = 2;
  Submission wanted = submission(specs);
  wanted.suite = "both";
  {
    Client desk = client();
    const std::vector<Entry> entries = desk.submit(wanted);
    for (const Entry& entry : entries) EXPECT_EQ(ended(desk, entry.run).state, store::RunState::kFinished);
  }
  const int lock = ::open((storePath() + ".lock").c_str(), O_RDWR | O_CLOEXEC);
  ::flock(lock, LOCK_EX);  // the recorder leaves when all that it began is done
  ::close(lock);
  std::ifstream file(heard);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  EXPECT_THAT(lines, testing::UnorderedElementsAre("finished one", "finished two", "suite both"));
  EXPECT_EQ(lines.back(), "suite both");
}

TEST_F(HookOf, TheCommandOfTheSettingsHearsOfASuiteOnce) {
  ::setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
  notices::save({.command = "echo \"$1 $3\" >> " + folder_ + "/heard"});
  RunSpec one = spec(5);
  one.name = "one";
  Submission wanted = submission({one});
  wanted.suite = "alone";
  {
    Client desk = client();
    for (const Entry& entry : desk.submit(wanted)) EXPECT_EQ(ended(desk, entry.run).state, store::RunState::kFinished);
  }
  const int lock = ::open((storePath() + ".lock").c_str(), O_RDWR | O_CLOEXEC);
  ::flock(lock, LOCK_EX);  // the recorder leaves when all that it began is done
  ::close(lock);
  ::unsetenv("XDG_CONFIG_HOME");
  std::ifstream file(folder_ + "/heard");
  EXPECT_EQ((std::string{std::istreambuf_iterator<char>(file), {}}), "suite alone\n");
}

}  // namespace
}  // namespace paceline::tests
