#include "tests/cli/program.h"
#include "tests/support/own_folder.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

extern char** environ;

namespace paceline::tests {
namespace {

constexpr auto kGuard = std::chrono::minutes(2);
constexpr auto kPoll = std::chrono::milliseconds(20);

const std::string kProgram = std::string(PACELINE_BIN_DIR) + "/paceline";

std::string textOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> withEnvironment(const std::map<std::string, std::string>& own) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!own.contains(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const auto& [name, value] : own) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

}  // namespace

Started::Started(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
                 const std::string& files)
    : files_(files) {
  std::vector<std::string> words = command, variables = withEnvironment(environment);
  std::vector<char*> argv = pointers(words), envp = pointers(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, (files + ".out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_addopen(&actions, 2, (files + ".err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int code = posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0) throw std::runtime_error("cannot start " + command.front());
}

Started::~Started() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Started::signal(int number) { ::kill(pid_, number); }

Outcome Started::wait() {
  const auto deadline = std::chrono::steady_clock::now() + kGuard;
  int status = 0;
  pid_t done = 0;
  while ((done = ::waitpid(pid_, &status, WNOHANG)) == 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      ADD_FAILURE() << "hangs: " << textOf(files_ + ".err");
      ::kill(pid_, SIGKILL);
    }
    std::this_thread::sleep_for(kPoll);
  }
  pid_ = -1;
  return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          .out = textOf(files_ + ".out"),
          .err = textOf(files_ + ".err")};
}

Desk::Desk() {
  folder_ = tests::ownFolder();
  environment_ = {{"PACELINE_STORE", store()},
                  {"PACELINE_RECORDER_IDLE_S", "0.1"},
                  {"PACELINE_AGENT_DIR", path("agent")},
                  {"PACELINE_BIN", ""},
                  {"PACELINE", kProgram},
                  {"OPENBLAS_NUM_THREADS", "1"}};
}

void Desk::endRecorder() {
  const int lock = ::open((store() + ".lock").c_str(), O_RDWR | O_CLOEXEC);
  if (lock < 0) return;
  if (const pid_t recorder = recorderPid(); recorder > 0 && ::flock(lock, LOCK_EX | LOCK_NB) != 0) ::kill(recorder, SIGTERM);
  ::flock(lock, LOCK_EX);
  ::close(lock);
}

void Desk::forgetStore() {
  endRecorder();
  for (const char* end : {"", "-wal", "-shm", ".lock"}) std::filesystem::remove(store() + end);
}

pid_t Desk::recorderPid() const {
  pid_t pid = 0;
  std::ifstream(store() + ".lock") >> pid;
  return pid;
}

std::unique_ptr<Started> Desk::start(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {kProgram};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return std::make_unique<Started>(command, environment_, path("program" + std::to_string(++started_)));
}

Outcome Desk::paceline(const std::vector<std::string>& arguments) { return start(arguments)->wait(); }

Outcome Desk::shell(const std::string& script) {
  return Started({"/bin/sh", "-c", script}, environment_, path("program" + std::to_string(++started_))).wait();
}

std::string Desk::write(const std::string& name, const std::string& text) {
  std::ofstream(path(name), std::ios::binary) << text;
  return path(name);
}

std::string Desk::writeSpec(const std::string& name, const nlohmann::json& changes) {
  nlohmann::json spec = tinySpec();
  if (!changes.is_null()) spec.merge_patch(changes);
  return write(name, spec.dump(2));
}

nlohmann::json Desk::json(const std::vector<std::string>& arguments, int code) {
  const Outcome outcome = paceline(arguments);
  EXPECT_EQ(outcome.code, code) << outcome.err;
  nlohmann::json document = nlohmann::json::parse(outcome.out, nullptr, false);
  EXPECT_FALSE(document.is_discarded()) << outcome.out;
  return document;
}

std::string Desk::runInState(const std::string& state) {
  const auto deadline = std::chrono::steady_clock::now() + kGuard;
  while (std::chrono::steady_clock::now() < deadline) {
    const Outcome list = paceline({"runs", "--json"});
    const nlohmann::json document = nlohmann::json::parse(list.out, nullptr, false);
    if (!document.is_discarded())
      for (const auto& run : document["runs"])
        if (run["state"] == state) return run["id"];
    std::this_thread::sleep_for(kPoll);
  }
  ADD_FAILURE() << "no run became " << state;
  return "";
}

void Desk::expectRefusal(const std::vector<std::string>& arguments, const std::string& reason) {
  const Outcome outcome = paceline(arguments);
  EXPECT_EQ(outcome.err, "paceline: " + reason + "\n");
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.code, 1);
}

nlohmann::json tinySpec() {
  return nlohmann::json::parse(R"({
    "paceline": 1, "name": "tiny", "seed": 3,
    "algorithm": {"id": "ssgd", "params": {"learning_rate": 0.05}},
    "aggregation": {"id": "server"},
    "model": {"id": "logistic"},
    "dataset": {"id": "synthetic", "params": {"train_count": 400, "test_count": 100}},
    "batch_size": 20,
    "nodes": [{"id": "s0", "role": "server"}, {"id": "w0", "role": "worker"}, {"id": "w1", "role": "worker"}],
    "evaluate": {"every_rounds": 2, "on": "w0"},
    "stop": {"rounds": 6}})");
}

}  // namespace paceline::tests
