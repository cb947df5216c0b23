// A private supervisor for a test: its own folder, ended with everything it started when the test is over.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "agent/supervisor/supervise/up.h"
#include "agent/supervisor/fd.h"

namespace paceline::tests {

using Json = nlohmann::json;

constexpr double kGuardSeconds = 60;  // against hanging only

bool waitForEnd(pid_t pid, double seconds = kGuardSeconds);  // of any process; true at once when there is none
int runProgram(const std::vector<std::string>& command);      // exit code
std::string outputOf(const std::vector<std::string>& command);  // its stdout
std::string fakeNode();
pid_t supervisorIn(const std::filesystem::path& folder);  // by its pid file; 0: none

// `paceline-agent attach`, or another of its commands, with a desktop at its other end. Has said its first line. Ended with the object.
class Bridge {
 public:
  explicit Bridge(const std::string& command = "attach", const std::string& program = "");  // "": the paceline-agent
  ~Bridge();
  void send(const Json& request);
  std::string nextLine();  // "": the end
  pid_t pid() const { return pid_; }
  void kill();

 private:
  pid_t pid_ = 0;
  Fd in_, out_;
};

// One connection to the supervisor.
class Desktop {
 public:
  explicit Desktop(const std::string& socket);
  void send(const Json& request);
  void sendText(const std::string& line);
  Json next();                     // the next line of any kind; fails the test at its end
  Json ask(Json request);          // the reply; events that come before it wait in events
  std::vector<Json> followToEnd(const std::string& run, const Json& from = Json::object());  // events up to "ended"
  Json nextEvent();
  pid_t supervisor() const { return hello_["hello"]["pid"].get<pid_t>(); }
  const Json& hello() const { return hello_["hello"]; }
  bool closedByPeer();

 private:
  Fd socket_;
  std::string buffer_;
  std::deque<Json> events_;
  Json hello_;
};

class AgentTest : public ::testing::Test {
 protected:
  AgentTest();
  ~AgentTest() override;
  void up();
  Desktop desktop();
  Json launch(Desktop& desktop, const std::string& run, const std::vector<std::vector<std::string>>& nodes, const Json& policy = Json::object());

  std::filesystem::path folder_;
};

std::vector<Json> ofKind(const std::vector<Json>& events, const std::string& kind);
Json exitOf(const std::vector<Json>& events, const std::string& node);  // its exit event; null: none

}  // namespace paceline::tests
