// The user's SSH agent as one session shall see it: the wanted keys first, or those alone. An agent with many keys else uses up the attempts that a
// server allows before the right key comes. A thread of its own passes requests on until the object ends.
#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace paceline::ssh {

class AgentFilter {
 public:
  enum class Show { kWanted, kOthers, kAll };  // kAll: the wanted ones first

  AgentFilter(const std::string& agentSocket, const std::vector<std::string>& wanted);  // public keys, base64
  ~AgentFilter();
  AgentFilter(const AgentFilter&) = delete;
  AgentFilter& operator=(const AgentFilter&) = delete;

  int releaseSocket();  // for libssh, which closes it; -1: the agent cannot be reached
  void show(Show which) { show_ = which; }
  int offered() const { return offered_; }  // keys shown last

 private:
  void serve();
  std::string filtered(const std::string& answer);

  std::vector<std::string> wanted_;
  int ours_ = -1, theirs_ = -1, agent_ = -1;
  std::atomic<Show> show_ = Show::kAll;
  std::atomic<int> offered_ = 0;
  std::jthread thread_;
};

}  // namespace paceline::ssh
