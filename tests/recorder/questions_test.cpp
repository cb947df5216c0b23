// What hosts ask while a run is begun: who is asked, what the entry says meanwhile, where the answers go and where not.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "app/cluster/recorder/protocol.h"
#include "app/cluster/recorder/reach.h"
#include "engine/core/base/error.h"
#include "tests/recorder/recorder_fixture.h"

namespace paceline::tests {
namespace {

using recorder::Client;
using recorder::Entry;
using recorder::Question;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSecret = "correct horse battery staple";

class Questions : public RecorderTest {
 protected:
  // Host a asks for its key and for a password; b asks nothing.
  std::unique_ptr<Serving> asking() {
    return serve([this](const std::string&, hosts::CredentialPrompts& prompts) -> hosts::HostOpener {
      return [this, &prompts](const std::string& name, const hosts::HostNeeds& needs) {
        if (name == "a") {
          if (!prompts.acceptKey({.host = "a", .address = "10.0.0.5", .type = "ssh-ed25519", .fingerprint = "SHA256:abc"}))
            throw Error(Errc::kHost, "a: its key was not accepted");
          const auto given = prompts.secret("a", "Password:", false);
          if (!given) throw Error(Errc::kHost, "a: no password was given");
          reached_.push_back(*given);
        }
        if (name == "b" && needs.onProgress) needs.onProgress("sending 1 of 2 files");
        return opener()(name, needs);
      };
    });
  }

  // The next one of them that this client is told.
  template <class Kind>
  static Kind next(Client& client) {
    for (int waited = 0; waited < kGuardSeconds;) {
      const auto notice = client.next(1);
      if (!notice) ++waited;
      else if (const auto* found = std::get_if<Kind>(&*notice)) return *found;
    }
    ADD_FAILURE() << "not told";
    return {};
  }

  static Entry saying(Client& client, const std::string& run, const std::string& text) {
    return awaited(client, run, [&text](const Entry& entry) { return entry.text == text; });
  }

  std::vector<std::string> reached_;  // answers that came to the opener of a
};

TEST_F(Questions, WaitForAClientThatCanAnswerAndTheEntrySaysSo) {
  const auto serving = asking();
  Client deaf = client();
  const std::string run = deaf.submit(submission({FleetTest::spec(5)}))[0].run;
  saying(deaf, run, "a: its key must be accepted by a person");

  Client person = client({.answers = true});
  person.queue();
  const Question key = next<Question>(person);
  EXPECT_EQ(key.host, "a");
  EXPECT_EQ(key.kind, "host_key");
  EXPECT_EQ(key.text, "10.0.0.5\nssh-ed25519\nSHA256:abc");
  person.answer(key.id, "yes");
  EXPECT_EQ(next<recorder::QuestionGone>(person).id, key.id);

  saying(deaf, run, "a: a person must answer \"Password:\"");
  const Question password = next<Question>(person);
  EXPECT_EQ(password.kind, "secret");
  EXPECT_EQ(password.text, "Password:");
  EXPECT_TRUE(reached_.empty());
  person.answer(password.id, kSecret);
  const Entry last = ended(deaf, run);
  EXPECT_EQ(last.state, store::RunState::kFinished) << last.text;
  EXPECT_THAT(reached_, ElementsAre(kSecret));
}

TEST_F(Questions, ThatGetNoAnswerEndTheRunWithTheHostsSentence) {
  const auto serving = asking();
  Client person = client({.answers = true});
  for (const auto& answer : {std::optional<std::string>("no"), std::optional<std::string>()}) {
    const std::string run = person.submit(submission({FleetTest::spec(5)}))[0].run;
    person.answer(next<Question>(person).id, answer);
    const Entry last = ended(person, run);
    EXPECT_EQ(last.state, store::RunState::kFailed);
    EXPECT_EQ(last.text, "a: its key was not accepted");
  }
}

TEST_F(Questions, ThatNobodyAnswersGoWithTheirRun) {
  const auto serving = asking();
  Client person = client({.answers = true});
  const std::string run = person.submit(submission({FleetTest::spec(5)}))[0].run;
  const Question key = next<Question>(person);
  person.stop(run);
  EXPECT_EQ(next<recorder::QuestionGone>(person).id, key.id);
  EXPECT_EQ(ended(person, run).state, store::RunState::kStopped);
}

TEST_F(Questions, SecretsReachNoOtherClientAndNoFile) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();  // of a recorder process its log
  std::string deafHeard, otherHeard;
  {
    const auto serving = asking();
    // What they are sent, as bytes.
    recorder::Channel deaf(recorder::connectTo(storePath()).value()), other(recorder::connectTo(storePath()).value());
    deaf.send(toLine(recorder::ourHello(false)));
    other.send(toLine(recorder::ourHello(true)));
    EXPECT_TRUE(recorder::helloOf(nextLine(deaf)));
    EXPECT_TRUE(recorder::helloOf(nextLine(other)));
    Client person = client({.answers = true});
    const std::string run = person.submit(submission({FleetTest::spec(5)}))[0].run;
    person.answer(next<Question>(person).id, "yes");
    person.answer(next<Question>(person).id, kSecret);
    EXPECT_EQ(ended(person, run).state, store::RunState::kFinished);
    const auto hear = [](recorder::Channel& channel, std::string& heard) {
      for (std::string line; (line = nextLine(channel)).find(R"("ended":true)") == std::string::npos && channel.open();) heard += line + "\n";
    };
    hear(deaf, deafHeard);
    hear(other, otherHeard);
  }
  EXPECT_THAT(reached_, ElementsAre(kSecret));
  EXPECT_THAT(deafHeard, Not(HasSubstr("question")));
  EXPECT_THAT(deafHeard, Not(HasSubstr("gone")));
  EXPECT_THAT(otherHeard, HasSubstr(R"("text":"Password:")"));
  EXPECT_THAT(otherHeard, HasSubstr("gone"));
  EXPECT_THAT(deafHeard + otherHeard, Not(HasSubstr(kSecret)));
  EXPECT_THAT(::testing::internal::GetCapturedStdout() + ::testing::internal::GetCapturedStderr(), Not(HasSubstr(kSecret)));
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.parent_path(), std::filesystem::directory_options::skip_permission_denied)) {
    if (!entry.is_regular_file()) continue;
    std::stringstream all;
    all << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    EXPECT_THAT(all.str(), Not(HasSubstr(kSecret))) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace paceline::tests
