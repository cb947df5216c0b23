// A password and a passphrase that were typed are found nowhere afterwards: not in the store, its WAL, spools, logs, arguments or environments.
#include <atomic>
#include <fstream>

#include "app/cluster/hosts/local_process.h"
#include "engine/core/base/error.h"
#include "tests/remote/remote_fixture.h"

namespace paceline::tests {
namespace {

const std::string kPassword = "canary-password-7f3a91", kPassphrase = "canary-passphrase-c05d2e";

class Typist final : public hosts::CredentialPrompts {
 public:
  std::optional<std::string> secret(const std::string&, const std::string& prompt, bool) override {
    ++asked;
    return prompt.find("assphrase") != std::string::npos ? kPassphrase : kPassword;
  }
  bool acceptKey(const hosts::HostKeyPrompt&) override { return false; }
  std::atomic<int> asked = 0;
};

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void expectNoSecret(const std::string& text, const std::string& where) {
  for (const std::string& secret : {kPassword, kPassphrase}) EXPECT_EQ(text.find(secret), std::string::npos) << secret << " is in " << where;
}

void expectNoSecretBelow(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, std::filesystem::directory_options::skip_permission_denied))
    if (entry.is_regular_file() && entry.file_size() < (64 << 20)) expectNoSecret(contents(entry.path()), entry.path());
}

int expectNoSecretInProcesses() {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string pid = entry.path().filename();
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string arguments = contents(entry.path() / "cmdline");
    // The test server itself was told the password it shall ask for.
    if (arguments.find("paceline-test-sshd") != std::string::npos) continue;
    seen += arguments.find("paceline-worker") != std::string::npos;
    expectNoSecret(arguments, strCat("the arguments of ", pid));
    expectNoSecret(contents(entry.path() / "environ"), strCat("the environment of ", pid));
  }
  return seen;
}

TEST_F(RemoteTest, NoSecretIsLeftAnywhere) {
  auto typist = std::make_unique<Typist>();
  Typist& typed = *typist;
  prompts_ = std::move(typist);
  machine({.name = "one", .methods = "publickey,password", .password = kPassword});
  TestSshd& one = *machines_.back();
  ASSERT_EQ(hosts::LocalProcess({"ssh-keygen", "-q", "-p", "-P", "", "-N", kPassphrase, "-f", (one.folder() / "id_ed25519").string()}).wait().code, 0);
  machine({.name = "two", .password = kPassword});
  hosts::HostEntry two = machines_.back()->entry();
  two.identity = "";
  book_.put(two);
  int workers = 0;
  const RunSpec spec = this->spec({"one", "two"}, 30);
  const run::RunOutcome outcome = run(spec, whenRound(5, "w0", [&](const std::string&) {
    workers = expectNoSecretInProcesses();
    expectNoSecretBelow(folder_);
  }));
  ASSERT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_GT(workers, 0) << "the processes were looked at while the run was on";
  EXPECT_GE(typed.asked, 3) << "a passphrase and two passwords were asked for";
  expectNoSecretBelow(folder_);
  for (const auto& machine : machines_) {
    expectNoSecretBelow(machine->home());
    expectNoSecret(machine->log(), "the log of sshd");
  }
}

}  // namespace
}  // namespace paceline::tests
