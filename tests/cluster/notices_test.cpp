// A web address and a command hear of ends.
#include "app/cluster/notices/notice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/core/json/json_text.h"
#include "tests/cluster/http_server.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

using notices::Notice;
using notices::Settings;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Notices : public ::testing::Test {
 protected:
  Notices() { ::setenv("XDG_CONFIG_HOME", folder_.c_str(), 1); }
  ~Notices() override { ::unsetenv("XDG_CONFIG_HOME"); }

  std::string heard() const {
    std::ifstream file(folder_ + "/heard");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static Notice failed() { return {.event = "failed", .run = "r1", .name = "mine", .suite = "all", .state = "failed", .reason = "failure", .text = "w0 is gone", .store = "s.db"}; }
  static std::string refusal(const Settings& settings) {
    try {
      notices::save(settings);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  const std::string folder_ = ownFolder();
};

TEST_F(Notices, SettingsAreKeptForTheirOwnerAlone) {
  EXPECT_EQ(notices::load(), Settings());
  const Settings wanted{.failed = false, .webhook = "https://example.org/hook?key=1", .command = "true \"$1\""};
  notices::save(wanted);
  EXPECT_EQ(notices::load(), wanted);
  struct stat file{};
  ASSERT_EQ(::stat(notices::settingsPath().c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0600U);
}

TEST_F(Notices, ADamagedFileIsNamed) {
  std::filesystem::create_directories(folder_ + "/paceline");
  std::ofstream(notices::settingsPath()) << R"({"paceline_notices": 1, "webhoek": "x"})";
  EXPECT_THAT([] { notices::load(); }, testing::ThrowsMessage<Error>(testing::StartsWith(notices::settingsPath() + ": /webhoek: ")));
}

TEST_F(Notices, WhatIsNoAddressIsSaidInOneSentence) {
  for (const char* good : {"", "https://hooks.example.org/a/b", "http://127.0.0.1:8080/x"}) EXPECT_EQ(notices::webhookProblem(good), "") << good;
  for (const char* bad : {"hooks.example.org", "ftp://example.org/x", "https://", "two words"})
    EXPECT_EQ(notices::webhookProblem(bad), strCat("a web address begins with https:// or http:// and names a host; \"", bad, "\" does not"));
  EXPECT_THAT(refusal({.webhook = "nothing"}), testing::HasSubstr("\"nothing\""));
  EXPECT_FALSE(std::filesystem::exists(notices::settingsPath()));
}

TEST_F(Notices, WhatTheShellCannotCallIsSaidInOneSentence) {
  for (const char* good : {"", "echo \"$1\" > /dev/null", "cd / && true", "X=1 true", "/bin/true"}) EXPECT_EQ(notices::commandProblem(good), "") << good;
  EXPECT_EQ(notices::commandProblem("no-such-program \"$1\""), "there is no program \"no-such-program\" here");
  EXPECT_THAT(notices::commandProblem("echo \"open"), testing::StartsWith("the shell cannot read the command: "));
}

TEST_F(Notices, WhoHearsMustHearOfSomething) {
  EXPECT_EQ(refusal({.target = false, .failed = false, .suite = false}), "");
  EXPECT_EQ(refusal({.target = false, .failed = false, .suite = false, .command = "true"}), "no end is chosen of which the address or the command would hear: target, failed, suite");
}

TEST_F(Notices, AnAddressGetsTheSentenceAndWhatItIsMadeOf) {
  const HttpServer server(std::map<std::string, std::string>{{"hook", "ok"}});
  EXPECT_THAT(notices::tell({.webhook = server.url() + "/hook"}, failed(), {}), IsEmpty());
  ASSERT_EQ(server.told().size(), 1U);
  EXPECT_EQ(jsonOrNull(server.told()[0]),
            (Json{{"text", "Paceline: \"mine\" failed: w0 is gone"}, {"event", "failed"}, {"run", "r1"}, {"name", "mine"}, {"suite", "all"}, {"state", "failed"}, {"reason", "failure"}}));
}

TEST_F(Notices, AnAddressThatRefusesIsToldByItsHostAlone) {
  std::string address;
  {
    const HttpServer server(std::map<std::string, std::string>{});
    address = server.url() + "/secret";
    EXPECT_EQ(notices::callWebhook(address, failed(), {}), "127.0.0.1 was not told: it answers 404 (not found)");
  }
  EXPECT_THAT(notices::callWebhook(address, failed(), {}), testing::AllOf(testing::StartsWith("127.0.0.1 was not told: "), testing::Not(testing::HasSubstr("secret"))));
}

TEST_F(Notices, ACommandHasTheEndInItsArguments) {
  const std::string command = "echo \"$1 $2 $3 $PACELINE_TEXT\" >> " + folder_ + "/heard";
  EXPECT_THAT(notices::tell({.command = command}, failed(), {}), IsEmpty());
  EXPECT_EQ(heard(), "failed r1 mine w0 is gone\n");
  EXPECT_THAT(notices::tell({.command = "echo no mail >&2; exit 3"}, failed(), {}), ElementsAre("the command for notices ended with code 3: no mail"));
}

TEST_F(Notices, OnlyWhatWasChosenIsTold) {
  const Settings settings{.failed = false, .command = "echo \"$1\" >> " + folder_ + "/heard"};
  Notice notice = failed();
  for (const char* event : {"failed", "finished", "stopped", "target", "suite", "try"}) notice.event = event, notices::tell(settings, notice, {});
  EXPECT_EQ(heard(), "target\nsuite\ntry\n");
}

}  // namespace
}  // namespace paceline::tests
