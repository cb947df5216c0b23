// The test runner: paceline-own-home PROGRAM ARGUMENT... runs one test with a home, configuration, data, cache, runtime and temporary folder of its
// own and removes them afterwards. Every process that the test started must have ended with it; those that go on are killed and named, and the test
// fails. Only recorders of stores are asked to end first, as they outlive their clients by design.
#include <dirent.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

extern char** environ;

namespace {

namespace fs = std::filesystem;
using Seconds = std::chrono::duration<double>;

constexpr double kGrace = 10;  // s, for what ends by itself soon after its client: supervisors, forked workers, SSH servers

// Short, because a Unix socket's path has at most 107 bytes.
std::string makeFolder() {
  const char* given = std::getenv("TMPDIR");
  std::string folder = std::string(given != nullptr && std::strlen(given) < 20 ? given : "/tmp") + "/plt-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) {
    std::perror(folder.c_str());
    std::exit(1);
  }
  return folder;
}

void moveInto(const std::string& folder) {
  std::vector<std::string> foreign{"SSH_AUTH_SOCK", "SSH_AGENT_PID", "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"};
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::strncmp(*entry, "PACELINE_", 9) == 0) foreign.emplace_back(*entry, std::strcspn(*entry, "="));
  for (const char* ours : {"PACELINE_KILL_REPEATS", "PACELINE_SOAK_SECONDS", "PACELINE_TEST_SEED", "PACELINE_TORTURE_SEED", "PACELINE_TORTURE_TRIALS", "PACELINE_TORTURE_SECONDS", "PACELINE_TORTURE_TALK"}) std::erase(foreign, ours);  // what a test itself is asked
  for (const std::string& name : foreign) ::unsetenv(name.c_str());
  const char* const places[][2] = {{"HOME", "/home"},           {"XDG_CONFIG_HOME", "/config"}, {"XDG_DATA_HOME", "/data"}, {"XDG_STATE_HOME", "/state"},
                                   {"XDG_CACHE_HOME", "/cache"}, {"XDG_RUNTIME_DIR", "/run"},    {"TMPDIR", "/tmp"}};
  for (const auto& [name, below] : places) {
    ::mkdir((folder + below).c_str(), 0700);
    ::setenv(name, (folder + below).c_str(), 1);
  }
  ::setenv("PACELINE_AGENT_IDLE_S", "0.2", 1);
  ::setenv("PACELINE_SSH_CONFIG", "/dev/null", 1);  // OpenSSH takes the home from the password file
  ::setenv("PACELINE_TEST_FOLDER", folder.c_str(), 1);
}

std::vector<std::string> commandOf(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

// Orphans of the test come to us: we are their subreaper.
std::vector<pid_t> children() {
  const std::string self = std::to_string(::getpid());
  std::ifstream file("/proc/self/task/" + self + "/children");
  return {std::istream_iterator<pid_t>(file), {}};
}

bool isRecorder(const std::vector<std::string>& command) {
  return command.size() > 1 && fs::path(command[0]).filename() == "paceline" && command[1] == "recorder";
}

// True while there are children; waits until one ends or `seconds` are over.
bool waitForOne(double seconds, pid_t wanted, int& status) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  const timespec wait{.tv_sec = static_cast<time_t>(seconds), .tv_nsec = static_cast<long>((seconds - static_cast<double>(static_cast<time_t>(seconds))) * 1e9)};
  ::sigtimedwait(&child, nullptr, &wait);
  int one = 0;
  pid_t pid = 0;
  while ((pid = ::waitpid(-1, &one, WNOHANG)) > 0)
    if (pid == wanted) status = one;
  return pid == 0;
}

// What is left when the test has ended: false when something had to be killed.
bool clearAway() {
  const auto began = std::chrono::steady_clock::now();
  std::set<pid_t> asked, killed;
  int ignored = 0;
  for (bool left = !children().empty(); left; left = waitForOne(0.1, 0, ignored)) {
    const bool late = Seconds(std::chrono::steady_clock::now() - began).count() > kGrace;
    for (const pid_t pid : children()) {
      const std::vector<std::string> command = commandOf(pid);
      if (isRecorder(command) && asked.insert(pid).second) ::kill(pid, SIGTERM);
      if (!late || command.empty() || !killed.insert(pid).second) continue;
      std::fprintf(stderr, "left behind by the test: %d", static_cast<int>(pid));
      for (const std::string& word : command) std::fprintf(stderr, " %s", word.c_str());
      std::fprintf(stderr, "\n");
      ::kill(pid, SIGKILL);
    }
  }
  return killed.empty();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: paceline-own-home PROGRAM ARGUMENT...\n");
    return 2;
  }
  const std::string folder = makeFolder();
  sigset_t child, before;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &child, &before);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t test = ::fork();
  if (test == 0) {
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    moveInto(folder);
    ::execv(argv[1], argv + 1);
    std::perror(argv[1]);
    ::_exit(127);
  }
  int status = 0;
  constexpr int kRuns = -1;  // no status that waitpid gives
  for (status = kRuns; status == kRuns;) waitForOne(60, test, status);
  const bool clean = clearAway();
  std::error_code error;
  fs::remove_all(folder, error);
  if (error) std::fprintf(stderr, "%s cannot be removed: %s\n", folder.c_str(), error.message().c_str());
  if (WIFSIGNALED(status)) {
    ::signal(WTERMSIG(status), SIG_DFL);
    ::raise(WTERMSIG(status));
  }
  return WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : clean ? 0 : 1;
}
