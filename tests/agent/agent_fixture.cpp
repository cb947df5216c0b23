#include "tests/agent/agent_fixture.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

#include "engine/core/base/error.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {

bool waitForEnd(pid_t pid, double seconds) {
  const Fd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!process) return true;
  pollfd polled{process.get(), POLLIN, 0};
  return ::poll(&polled, 1, static_cast<int>(seconds * 1000)) == 1;
}

pid_t supervisorIn(const std::filesystem::path& folder) {
  pid_t pid = 0;
  std::ifstream(folder / "agent.pid") >> pid;
  return pid;
}

int runProgram(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

namespace {

// The program with pipes at its stdin and stdout: its pid and our ends.
pid_t startWithPipes(const std::vector<std::string>& command, Fd& in, Fd& out) {
  int down[2], up[2];
  if (::pipe2(down, O_CLOEXEC) != 0 || ::pipe2(up, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(down[0], 0), ::dup2(up[1], 1);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(down[0]), ::close(up[1]);
  in = Fd(down[1]), out = Fd(up[0]);
  return child;
}

}  // namespace

std::string outputOf(const std::vector<std::string>& command) {
  Fd in, out;
  const pid_t child = startWithPipes(command, in, out);
  std::string text;
  char chunk[4096];
  for (ssize_t got; (got = ::read(out.get(), chunk, sizeof chunk)) > 0;) text.append(chunk, static_cast<std::size_t>(got));
  ::waitpid(child, nullptr, 0);
  return text;
}

Bridge::Bridge(const std::string& command, const std::string& program) {
  pid_ = startWithPipes({program.empty() ? PACELINE_BIN_DIR "/paceline-agent" : program, command}, in_, out_);
  nextLine();
}

Bridge::~Bridge() { kill(); }

void Bridge::kill() {
  if (pid_ == 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = 0;
}

void Bridge::send(const Json& request) {
  const std::string line = request.dump() + "\n";
  if (::write(in_.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) throw std::runtime_error("the bridge takes nothing");
}

std::string Bridge::nextLine() {
  std::string line;
  char c = 0;
  while (::read(out_.get(), &c, 1) == 1 && c != '\n') line += c;
  return c == '\n' ? line : "";
}

std::string fakeNode() { return PACELINE_TEST_DIR "/paceline-fake-node"; }

Desktop::Desktop(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  if (::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error(strCat("no supervisor at ", path));
  hello_ = next();
}

void Desktop::sendText(const std::string& line) {
  const std::string bytes = line + "\n";
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::send(socket_.get(), bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (n <= 0) throw std::runtime_error("the supervisor closed the connection");
    done += static_cast<std::size_t>(n);
  }
}

void Desktop::send(const Json& request) { sendText(request.dump()); }

Json Desktop::next() {
  for (;;) {
    const std::size_t newline = buffer_.find('\n');
    if (newline != std::string::npos) {
      const Json json = Json::parse(buffer_.substr(0, newline));
      buffer_.erase(0, newline + 1);
      return json;
    }
    pollfd polled{socket_.get(), POLLIN, 0};
    if (::poll(&polled, 1, static_cast<int>(kGuardSeconds * 1000)) != 1) throw std::runtime_error("the supervisor says nothing");
    char chunk[64 << 10];
    const ssize_t got = ::recv(socket_.get(), chunk, sizeof chunk, 0);
    if (got <= 0) throw std::runtime_error("the supervisor closed the connection");
    buffer_.append(chunk, static_cast<std::size_t>(got));
  }
}

bool Desktop::closedByPeer() {
  try {
    for (;;) next();
  } catch (const std::runtime_error& error) {
    return std::string(error.what()).find("closed") != std::string::npos;
  }
}

Json Desktop::ask(Json request) {
  static int id = 0;
  request["id"] = ++id;
  send(request);
  for (;;) {
    Json reply = next();
    if (reply.contains("id") && reply["id"] == id) return reply;
    events_.push_back(std::move(reply));
  }
}

Json Desktop::nextEvent() {
  if (events_.empty()) return next();
  Json event = std::move(events_.front());
  events_.pop_front();
  return event;
}

std::vector<Json> Desktop::followToEnd(const std::string& run, const Json& from) {
  const Json reply = ask({{"request", "follow"}, {"run", run}, {"from", from}});
  EXPECT_TRUE(reply["ok"]) << reply;
  std::vector<Json> events;
  for (;;) {
    Json event = nextEvent();
    if (event.contains("ended")) return events;
    events.push_back(std::move(event));
  }
}

AgentTest::AgentTest() {
  folder_ = tests::ownFolder();
  ::setenv("PACELINE_AGENT_DIR", (folder_ / "agent").c_str(), 1);
  ::setenv("PACELINE_AGENT_IDLE_S", "60", 1);
}

AgentTest::~AgentTest() {
  if (const pid_t pid = supervisorIn(folder_ / "agent"); pid > 0) {
    ::kill(pid, SIGKILL);  // its nodes die with it
    waitForEnd(pid);
  }
  for (const char* disk : {"store", "config"}) ::umount2((folder_ / disk).c_str(), MNT_DETACH);  // of tests in which one runs full
}

void AgentTest::up() { ASSERT_EQ(runProgram({PACELINE_BIN_DIR "/paceline-agent", "up"}), 0); }

Desktop AgentTest::desktop() {
  up();
  return Desktop((folder_ / "agent" / "agent.sock").string());
}

Json AgentTest::launch(Desktop& desktop, const std::string& run, const std::vector<std::vector<std::string>>& nodes, const Json& policy) {
  Json list = Json::array();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::vector<std::string> command{fakeNode(), "do"};
    command.insert(command.end(), nodes[i].begin(), nodes[i].end());
    list.push_back({{"id", strCat("n", i)}, {"command", command}, {"env", {{"FAKE_VALUE", "set by the desktop"}}}});
  }
  return desktop.ask({{"request", "launch"}, {"run", run}, {"nodes", list}, {"policy", policy}});
}

std::vector<Json> ofKind(const std::vector<Json>& events, const std::string& kind) {
  std::vector<Json> found;
  for (const Json& event : events)
    if (event.contains("event") && event["event"]["kind"] == kind) found.push_back(event);
  return found;
}

Json exitOf(const std::vector<Json>& events, const std::string& node) {
  for (const Json& event : ofKind(events, "exit"))
    if (event["node"] == node) return event["event"];
  return nullptr;
}

}  // namespace paceline::tests
