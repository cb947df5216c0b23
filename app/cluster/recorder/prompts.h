// CredentialPrompts of hosts that are being connected to. They wait for a client that can answer; answers stay in memory, for further connections to
// the same host, and are overwritten at the end. Any thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "app/cluster/hosts/host.h"
#include "app/cluster/recorder/client.h"

namespace paceline::recorder {

class Prompts {
 public:
  // `tell`: Question or QuestionGone; called on the thread that asks.
  explicit Prompts(std::function<void(const Notice&)> tell) : tell_(std::move(tell)) {}
  ~Prompts();

  void setAnswerers(int clients) { answerers_ = clients; }  // how many that can answer are there
  // For one entry. `doing`: why a host makes it wait. `asked`: a question, as a sentence, and whether it is open; empty: questions do not wait for
  // a client that can answer. `stop` gives waiting up. Not after this object.
  using Asked = std::function<void(const std::string& sentence, bool open)>;
  std::unique_ptr<hosts::CredentialPrompts> forEntry(std::stop_token stop, std::function<void(const std::string&)> doing = {}, Asked asked = {});
  void answer(std::int64_t question, const std::optional<std::string>& text);
  std::vector<Question> open() const;

 private:
  friend class EntryPrompts;
  struct Remembered {
    std::string text;
    std::map<std::thread::id, double> given;  // when, so that an answer that was refused is not given again at once
  };
  using Place = std::pair<std::string, std::string>;  // host, prompt
  std::optional<std::string> ask(Question question, bool remember, const std::stop_token& stop, const Asked& asked);
  std::optional<std::string> remembered(const Place& place);

  std::function<void(const Notice&)> tell_;
  std::atomic<int> answerers_ = 0;
  mutable std::mutex mutex_;  // guards what is below
  std::condition_variable_any changed_;
  std::int64_t next_ = 1;
  std::map<std::int64_t, Question> open_;
  std::map<std::int64_t, std::optional<std::string>> answered_;
  std::map<Place, Remembered> remembered_;
};

}  // namespace paceline::recorder
