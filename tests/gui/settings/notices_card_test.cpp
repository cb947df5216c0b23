// Who hears of ends, on the Settings page: the same file as the terminal's, bad input said beside its field, a trial.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>

#include <cstdlib>

#include "app/cluster/notices/settings.h"
#include "engine/core/json/json_text.h"
#include "tests/cluster/http_server.h"
#include "tests/gui/settings/settings_window.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

struct NoticesCards : SettingsWindow {
  NoticesCards() {
    application();
    ::setenv("XDG_CONFIG_HOME", folder.path("config").c_str(), 1);
  }
  ~NoticesCards() override { ::unsetenv("XDG_CONFIG_HOME"); }
};

TEST_F(NoticesCards, ShowWhatTheTerminalKept) {
  notices::save({.failed = false, .webhook = "https://example.org/hook", .command = "true"});
  open();
  ASSERT_TRUE(waitFor([this] { return find<QLineEdit>("noticeAddress")->text() == "https://example.org/hook"; }));
  EXPECT_EQ(find<QLineEdit>("noticeCommand")->text(), "true");
  EXPECT_TRUE(find<QCheckBox>("noticeTarget")->isChecked());
  EXPECT_FALSE(find<QCheckBox>("noticeFailed")->isChecked());
}

TEST_F(NoticesCards, KeepWhatIsTypedWhereTheTerminalReadsIt) {
  open();
  type("noticeAddress", "https://example.org/hook");
  find<QCheckBox>("noticeSuite")->click();
  const notices::Settings wanted{.suite = false, .webhook = "https://example.org/hook"};
  EXPECT_TRUE(waitFor([&wanted] { return notices::load() == wanted; }));
}

TEST_F(NoticesCards, SayBesideTheFieldWhatIsWrongAndDoNotKeepIt) {
  open();
  type("noticeAddress", "example.org");
  ASSERT_TRUE(waitFor([this] { return !saidAt("noticeAddress").empty(); }));
  EXPECT_EQ(saidAt("noticeAddress"), "A web address begins with https:// or http:// and names a host; \"example.org\" does not.");
  EXPECT_FALSE(find<QPushButton>("tryNotice")->isEnabled());
  type("noticeAddress", "https://example.org");
  type("noticeCommand", "no-such-program-here");
  ASSERT_TRUE(waitFor([this] { return saidAt("noticeAddress").empty() && !saidAt("noticeCommand").empty(); }));
  EXPECT_EQ(saidAt("noticeCommand"), "There is no program \"no-such-program-here\" here.");
  const notices::Settings kept{.webhook = "https://example.org"};
  EXPECT_EQ(notices::load(), kept);
}

TEST_F(NoticesCards, TryNowTellsATrialAndSaysHowItWent) {
  const HttpServer server(std::map<std::string, std::string>{{"hook", "ok"}});
  notices::save({.webhook = server.url() + "/hook"});
  open();
  auto* button = find<QPushButton>("tryNotice");
  ASSERT_TRUE(waitFor([button] { return button->isEnabled(); }));
  button->click();
  const auto* trial = find<QLabel>("noticeTrial");
  ASSERT_TRUE(waitFor([trial] { return trial->text() == "Told; this was a trial."; })) << trial->text().toStdString();
  ASSERT_EQ(server.told().size(), 1U);
  EXPECT_EQ(jsonOrNull(server.told()[0])["event"], "try");
  type("noticeAddress", QString::fromStdString(server.url() + "/elsewhere"));
  ASSERT_TRUE(waitFor([&server] { return notices::load().webhook == server.url() + "/elsewhere"; }));
  ASSERT_TRUE(waitFor([button] { return button->isEnabled(); }));
  button->click();
  EXPECT_TRUE(waitFor([trial] { return trial->text() == "127.0.0.1 was not told: it answers 404 (not found)."; })) << trial->text().toStdString();
}

}  // namespace
}  // namespace paceline::tests
