// A recorder without a store, for tests of who talks to one: its queue is empty, it asks what the test lets it ask and keeps the answers. It has
// the store's socket for as long as it lives. Any thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/cluster/recorder/protocol.h"
#include "app/cluster/recorder/reach.h"

namespace paceline::tests {

class FakeRecorder {
 public:
  using Answer = std::pair<std::int64_t, std::optional<std::string>>;  // to the question of that id

  explicit FakeRecorder(const std::string& storePath);

  void ask(const recorder::Question& question);      // every client that is there
  void restart(const recorder::Question& question);  // every connection ends; whoever comes then is asked this at its hello
  bool waitForHellos(int hellos);                    // blocks; false: they do not come within a minute
  int hellos();                                      // of all clients so far
  std::vector<Answer> answers();
  std::vector<recorder::Submission> submissions();

 private:
  void post(std::function<void()> act);
  void serve(const std::stop_token& stop);
  void take(recorder::Channel& client, const std::string& line);

  recorder::Listener listener_;
  Fd wake_;
  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::vector<std::function<void()>> mail_;  // done by thread_
  std::list<recorder::Channel> clients_;     // used by thread_ only
  std::optional<recorder::Question> atHello_;
  int hellos_ = 0;
  std::vector<Answer> answers_;
  std::vector<recorder::Submission> submissions_;
  std::jthread thread_;
};

}  // namespace paceline::tests
