// One host of one run, on a thread of its own: opens the host, keeps the connection to its supervisor, makes it again when it breaks and goes on
// behind the last number it has seen, so that every event comes once. All that happens comes out of one queue, which the links of a run share.
// The methods post work and return at once; destroying a link ends its thread, not the run. Never throws: what goes wrong is a message.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/cluster/run/agent_client.h"
#include "app/cluster/run/link_times.h"
#include "app/cluster/hosts/access.h"

namespace paceline::run {

struct LinkMessage {
  enum class Kind {
    kProgress,   // text, fraction: while it is opened
    kReady,      // opened; site
    kLaunched,   // the nodes have their first order and are followed
    kBusy,       // text: the run that is active there; it is asked again until that one has ended
    kFollowing,  // there
    kStarted,    // the nodes have their start order
    kEvent,      // event
    kEnded,      // every node there has ended and all is read
    kLost,       // text: why it cannot be reached now; again with every newer reason
    kBack,       // reached again
    kGone,       // text: it is reached, but its supervisor does not know the run
    kGivenUp,    // text: it was not reached for LinkTimes::giveUpSeconds
    kRefused,    // text: opening, launching or starting failed; nothing more comes of it
    kForgotten,  // nothing of the run is left there, or it could not be told
  };
  Kind kind = Kind::kProgress;
  std::string host, text{};
  double fraction = 0;
  StampedEvent event{};
  AgentRun there{};
  HostSite site{};
  std::string version{};  // kLaunched, kFollowing: of the supervisor
};

// Many writers, one reader. A writer waits while it is full, so a slow reader holds the links, not the memory.
class LinkQueue {
 public:
  void push(LinkMessage message, const std::stop_token& stop);
  std::optional<LinkMessage> pop(double timeoutSeconds);

 private:
  static constexpr std::size_t kMost = 20'000;
  std::mutex mutex_;  // guards messages_
  std::condition_variable_any changed_;
  std::deque<LinkMessage> messages_;
};

class AgentLink {
 public:
  AgentLink(std::string host, std::string run, hosts::HostOpener opener, hosts::HostNeeds needs, LinkTimes times, LinkQueue& out);
  ~AgentLink();

  struct Launch {
    HostLaunch plan;
    std::string folder;                                     // working folder of the nodes
    std::optional<double> endAloneSeconds;                  // of the run when no desktop follows it
    std::string title{};                                    // of the run, for others who wait for it
    bool beside = true;                                     // other runs may be active there
    std::function<bool(const std::string& run)> isRecorded;  // it has ended and is in our store: its spool is of no use any more
  };
  void launch(Launch launch);
  void follow(std::map<std::string, std::int64_t> from);  // node -> last number that is known
  void start(std::vector<std::string> nodes, std::string order);
  void end(double graceSeconds, std::string why);
  void forget();

 private:
  enum class Step { kBegin, kOrder, kForget };  // what becomes of work whose connection breaks: refused, done again, dropped
  struct Work {
    Step step;
    std::function<void()> act;
  };
  void post(Step step, std::function<void()> act);
  void loop(const std::stop_token& stop);
  bool open(const std::stop_token& stop);
  std::optional<Work> takeWork(const std::stop_token& stop);
  void perform(Work work, const std::stop_token& stop);
  void read(const std::stop_token& stop);
  void recover(std::string why, const std::stop_token& stop);
  void connect(AgentClient::Other other);
  void launchNow(const std::shared_ptr<Launch>& launch);
  void launchLater(const std::shared_ptr<Launch>& launch, const std::string& busy);
  void clearAway(const AgentRun& left);
  void refuseSecondName(const AgentRun& there) const;
  void say(LinkMessage::Kind kind, const std::stop_token& stop, std::string text = "");
  hosts::HostNeeds needsFor(const std::stop_token& stop) const;

  const std::string host_, run_;
  const hosts::HostOpener opener_;
  const hosts::HostNeeds needs_;
  const LinkTimes times_;
  LinkQueue& out_;
  hosts::ReadyHost ready_;                     // this and the next five: the thread's own
  std::unique_ptr<AgentClient> agent_;  // uses ready_
  std::map<std::string, std::int64_t> known_;
  bool following_ = false, waiting_ = false, given_ = false;  // waiting_: for its turn there; given_: up
  double pauseSeconds_ = 0;  // before the next attempt to reach it; back to the first when something new was heard
  double newsAt_ = 0;        // steady seconds at which something new was heard
  std::mutex mutex_;         // guards work_
  std::condition_variable_any changed_;
  std::deque<Work> work_;
  std::jthread thread_;
};

}  // namespace paceline::run
