// The window's connection to the recorder: what hosts ask while it is lost and made again.
#include "app/models/recorder_link.h"

#include <gtest/gtest.h>

#include "tests/gui/fake_recorder.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

using Answer = FakeRecorder::Answer;

// A link that is connected, and the questions that the person sees.
struct Linked : ::testing::Test {
  void SetUp() override {
    QObject::connect(&prompts, &GuiPrompts::asked, &prompts, [this](const AskedPrompt& question) { asked.push_back(question); });
    QObject::connect(&prompts, &GuiPrompts::withdrawn, &prompts, [this](int id) { withdrawn.push_back(id); });
    settle();
    recorder.ask(password);
    ASSERT_TRUE(waitFor([this] { return asked.size() == 1; }));
  }
  // Connects the link where it is not; whatever else it has to say has been said then.
  void settle() {
    bool answered = false;
    link.ask([](recorder::Client& client) { client.queue(); }, [&answered] { answered = true; });
    EXPECT_TRUE(waitFor([&answered] { return answered; }));
  }

  QApplication& application = tests::application();
  const recorder::Question password{.id = 1, .host = "gpu1", .kind = "secret", .text = "password of gpu1:"};
  TempFolder folder;
  FakeRecorder recorder{folder.path("store.db")};
  std::vector<AskedPrompt> asked;
  std::vector<int> withdrawn;
  GuiPrompts prompts;
  RecorderLink link{QString::fromStdString(folder.path("store.db")), prompts};
};

TEST_F(Linked, ALostConnectionTakesItsQuestionBackAndTheNextAsksItOnce) {
  recorder.restart(password);
  ASSERT_TRUE(waitFor([this] { return asked.size() == 2; }));
  EXPECT_EQ(withdrawn, std::vector<int>{asked[0].id});
  EXPECT_EQ(asked[1].prompt, "password of gpu1:");
  prompts.answer(asked[0].id, "too late");
  prompts.answer(asked[1].id, "open sesame");
  ASSERT_TRUE(waitFor([this] { return !recorder.answers().empty(); }));
  settle();
  EXPECT_EQ(recorder.answers(), (std::vector<Answer>{{1, "open sesame"}}));
  EXPECT_EQ(asked.size(), 2u);
}

TEST_F(Linked, AnAnswerToALostConnectionIsNoneToTheNextOnesQuestionOfThatNumber) {
  recorder.restart({.id = 1, .host = "gpu2", .kind = "secret", .text = "password of gpu2:"});
  ASSERT_TRUE(recorder.waitForHellos(2));  // the loss is known, but this thread has not heard of it
  prompts.answer(asked[0].id, "of gpu1");
  ASSERT_TRUE(waitFor([this] { return asked.size() == 2; }));
  prompts.answer(asked[1].id, "of gpu2");
  ASSERT_TRUE(waitFor([this] { return !recorder.answers().empty(); }));
  settle();
  EXPECT_EQ(recorder.answers(), (std::vector<Answer>{{1, "of gpu2"}}));
}

}  // namespace
}  // namespace paceline::tests
