// Credential prompts of background tasks, put to the person at the window: a task waits on its own thread until the window answers, the task is
// stopped or the window closes. One question is open at a time. Secrets stay in memory for the session and are overwritten at the end.
// GUI thread; forOneTask() and its result: any thread, not after this object.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include <QObject>

#include "app/cluster/hosts/host.h"

namespace paceline {

struct AskedPrompt {
  int id = 0;
  bool aboutKey = false;
  hosts::HostKeyPrompt key{};           // aboutKey
  std::string host{}, prompt{};    // a secret of that host
  bool echo = false;               // the answer may be seen
};

class GuiPrompts : public QObject {
  Q_OBJECT
 public:
  using Clock = std::function<double()>;  // seconds; for tests
  explicit GuiPrompts(Clock now = {}, QObject* parent = nullptr);
  ~GuiPrompts() override;

  // For one connection or run. A remembered answer is given once; the same question soon after means it was refused: the person is asked.
  // `given`: when an answer was handed out, for tasks that go on from each other, one at a time.
  using Given = std::map<std::pair<std::string, std::string>, double>;
  std::unique_ptr<hosts::CredentialPrompts> forOneTask(std::stop_token stop = {}, Given* given = nullptr);

  void answer(int id, std::optional<std::string> secret);  // nullopt: no answer
  void decide(int id, bool accepted);
  void close();  // open and later prompts get no answer

 signals:
  void asked(const AskedPrompt& question);
  void withdrawn(int id);  // its task was stopped
  void waits(const QString& host, const QString& why);  // a host makes its task wait: a scheduler's queue

 private:
  friend class TaskPrompts;
  struct Answer {
    bool accepted = false;
    std::optional<std::string> secret{};
  };
  using Known = std::function<std::optional<Answer>()>;  // called with mutex_ held
  std::optional<Answer> ask(AskedPrompt question, const std::stop_token& stop, const Known& known);
  void settle(int id, Answer answer);

  Clock now_;
  std::mutex mutex_;  // guards all below
  std::condition_variable_any changed_;
  bool closed_ = false;
  int next_ = 1, open_ = 0;  // open_: id of the open question, 0: none
  std::optional<Answer> answer_;
  std::map<std::pair<std::string, std::string>, std::string> secrets_;  // (host, prompt)
  std::set<std::string> keys_;                                          // accepted: host, address, type, fingerprint
};

}  // namespace paceline
