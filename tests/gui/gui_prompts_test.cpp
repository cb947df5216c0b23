#include "app/models/gui_prompts.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

// A window that answers with `secret` and `trust`, and counts how often it was asked.
struct Person {
  explicit Person(GuiPrompts& prompts) {
    QObject::connect(&prompts, &GuiPrompts::asked, &prompts, [this, &prompts](const AskedPrompt& question) {
      ++asked;
      last = question;
      question.aboutKey ? prompts.decide(question.id, trust) : prompts.answer(question.id, secret);
    });
  }
  int asked = 0;
  AskedPrompt last;
  bool trust = false;
  std::optional<std::string> secret = "open sesame";
};

// Runs `work` on a thread as a task does, the window's events here.
template <class Work>
void during(Work work) {
  std::atomic<bool> over = false;
  std::jthread task([&] {
    work();
    over = true;
  });
  EXPECT_TRUE(waitFor([&over] { return over.load(); }));
}

struct Asking : ::testing::Test {
  void SetUp() override { application(); }
  double now = 100;
  GuiPrompts prompts{[this] { return now; }};
};

TEST_F(Asking, AThreadGetsWhatThePersonTypes) {
  Person person(prompts);
  std::optional<std::string> answer;
  during([&] { answer = prompts.forOneTask()->secret("gpu1", "alice@gpu1's password:", false); });
  EXPECT_EQ(answer, "open sesame");
  EXPECT_EQ(person.last.host, "gpu1");
  EXPECT_FALSE(person.last.echo);
}

TEST_F(Asking, ASecretIsAskedOnceForAllTasks) {
  Person person(prompts);
  during([&] { prompts.forOneTask()->secret("gpu1", "password:", false); });
  std::optional<std::string> second;
  during([&] { second = prompts.forOneTask()->secret("gpu1", "password:", false); });
  EXPECT_EQ(second, "open sesame");
  EXPECT_EQ(person.asked, 1);
}

TEST_F(Asking, ASecretThatWasRefusedIsAskedAgain) {
  Person person(prompts);
  std::optional<std::string> second;
  during([&] {
    const auto task = prompts.forOneTask();
    task->secret("gpu1", "password:", false);
    person.secret = "the right one";
    second = task->secret("gpu1", "password:", false);
  });
  EXPECT_EQ(second, "the right one");
  EXPECT_EQ(person.asked, 2);
}

TEST_F(Asking, AConnectionMadeAgainLaterIsGivenTheRememberedSecret) {
  Person person(prompts);
  std::optional<std::string> second;
  during([&] {
    const auto task = prompts.forOneTask();
    task->secret("gpu1", "password:", false);
    now += 60;
    second = task->secret("gpu1", "password:", false);
  });
  EXPECT_EQ(second, "open sesame");
  EXPECT_EQ(person.asked, 1);
}

TEST_F(Asking, AKeyIsTrustedOnlyWhenThePersonSaysSo) {
  Person person(prompts);
  const hosts::HostKeyPrompt key{.host = "gpu1", .address = "10.0.0.1:22", .type = "ssh-ed25519", .fingerprint = "SHA256:abc"};
  bool first = true, second = false;
  during([&] { first = prompts.forOneTask()->acceptKey(key); });
  person.trust = true;
  during([&] { second = prompts.forOneTask()->acceptKey(key); });
  EXPECT_FALSE(first);
  EXPECT_TRUE(second);
  EXPECT_EQ(person.last.key.fingerprint, "SHA256:abc");
}

TEST_F(Asking, AnotherFingerprintIsAnotherQuestion) {
  Person person(prompts);
  person.trust = true;
  hosts::HostKeyPrompt key{.host = "gpu1", .address = "10.0.0.1:22", .type = "ssh-ed25519", .fingerprint = "SHA256:abc"};
  during([&] { prompts.forOneTask()->acceptKey(key); });
  key.fingerprint = "SHA256:def";
  during([&] { prompts.forOneTask()->acceptKey(key); });
  EXPECT_EQ(person.asked, 2);
}

TEST_F(Asking, OneQuestionIsOpenAtATime) {
  std::vector<int> open;
  int most = 0;
  QObject::connect(&prompts, &GuiPrompts::asked, &prompts, [&](const AskedPrompt& question) {
    open.push_back(question.id);
    most = std::max(most, static_cast<int>(open.size()));
    QMetaObject::invokeMethod(
        &prompts,
        [&, id = question.id] {
          std::erase(open, id);
          prompts.answer(id, "x");
        },
        Qt::QueuedConnection);
  });
  during([&] {
    std::vector<std::jthread> tasks;
    for (int i = 0; i < 8; ++i) tasks.emplace_back([&, i] { prompts.forOneTask()->secret("host" + std::to_string(i), "password:", false); });
  });
  EXPECT_EQ(most, 1);
}

TEST_F(Asking, AStoppedTaskGetsNoAnswerAndWithdrawsItsQuestion) {
  std::stop_source stop;
  int withdrawn = 0;
  QObject::connect(&prompts, &GuiPrompts::asked, &prompts, [&stop] { stop.request_stop(); });
  QObject::connect(&prompts, &GuiPrompts::withdrawn, &prompts, [&withdrawn] { ++withdrawn; });
  std::optional<std::string> answer = "nothing yet";
  during([&] { answer = prompts.forOneTask(stop.get_token())->secret("gpu1", "password:", false); });
  EXPECT_EQ(answer, std::nullopt);
  EXPECT_TRUE(waitFor([&withdrawn] { return withdrawn == 1; }));
}

TEST_F(Asking, TheWindowsEndAnswersEveryQuestionWithNo) {
  QObject::connect(&prompts, &GuiPrompts::asked, &prompts, [this] { prompts.close(); });
  std::optional<std::string> first = "nothing yet";
  bool second = true;
  during([&] {
    const auto task = prompts.forOneTask();
    first = task->secret("gpu1", "password:", false);
    second = task->acceptKey({.host = "gpu2", .address = "", .type = "", .fingerprint = ""});
  });
  EXPECT_EQ(first, std::nullopt);
  EXPECT_FALSE(second);
}

}  // namespace
}  // namespace paceline::tests
