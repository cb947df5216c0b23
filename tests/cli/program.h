// The program `paceline` as a stranger uses it: a fresh folder, its own store and its own supervisor, which ends itself soon
// after the test.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/types.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace paceline::tests {

struct Outcome {
  int code = -1;  // 128 + signal
  std::string out, err;
};

// A started program; its output goes to files, so that it never blocks. Killed when this goes away.
class Started {
 public:
  Started(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
          const std::string& files);
  ~Started();
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;
  void signal(int number);
  Outcome wait();  // fails the test and kills it after two minutes
  pid_t pid() const { return pid_; }

 private:
  std::string files_;
  pid_t pid_ = -1;
};

class Desk : public ::testing::Test {
 protected:
  Desk();

  Outcome paceline(const std::vector<std::string>& arguments);
  Outcome shell(const std::string& script);  // $PACELINE is the program
  std::unique_ptr<Started> start(const std::vector<std::string>& arguments);

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text);                 // returns the path
  std::string writeSpec(const std::string& name, const nlohmann::json& changes = {});  // tinySpec() with a merge patch
  std::string store() const { return path("store.db"); }
  nlohmann::json json(const std::vector<std::string>& arguments, int code = 0);  // the one document on stdout

  pid_t recorderPid() const;  // of the store; 0: none
  void forgetStore();         // the next command makes a new one

  // Waits until the store has a run in this state; its id.
  std::string runInState(const std::string& state);

  // Fails with exactly this line on stderr, nothing on stdout, exit 1.
  void expectRefusal(const std::vector<std::string>& arguments, const std::string& reason);

  std::map<std::string, std::string> environment_;

 private:
  void endRecorder();

  std::string folder_;
  int started_ = 0;
};

nlohmann::json tinySpec();  // two workers and a server, logistic on synthetic data, 6 rounds

}  // namespace paceline::tests
