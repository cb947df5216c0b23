// The desktop's side of the supervisor's protocol (agent/README.md), over `paceline-agent attach` on a host. Used by one thread.
// Requests wait for their reply and throw Error{kHost} with the supervisor's sentence; after one, lost() says whether the connection is gone.
// Once a run is followed both sides show that they live; a connection over which nothing came for `leaseSeconds` counts as gone.
#pragma once

#include <deque>
#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "app/cluster/hosts/access.h"
#include "app/cluster/run/launch_plan.h"
#include "engine/core/record/event.h"

namespace paceline::run {

struct AgentNode {
  std::string id;
  std::int64_t pid = 0;  // 0: has ended
  std::int64_t lastSeq = 0;
};
struct AgentRun {
  std::string run, host;
  bool active = false, ending = false;  // ending: its nodes were asked to end
  std::vector<AgentNode> nodes;
};

// What a host has to say, from its opening to its end: the one message between a host and a run.
struct HostMessage {
  enum class Kind {
    kProgress,   // text: while it is opened
    kReady,      // opened; site
    kBusy,       // text: the run that is active there; it is asked again until that one has ended
    kLaunched,   // the nodes have their first order, or were at work already (there), and are followed
    kStarted,    // the nodes have their start order
    kEvent,      // event
    kEnded,      // text: the run. Every node there has ended and all is read
    kLost,       // text: why it cannot be reached now; again with every newer reason
    kBack,       // reached again
    kAgain,      // text: a mark. What follows was asked for again
    kGone,       // text: it is reached, but its supervisor does not know the run
    kGivenUp,    // text: it was not reached for LinkTimes::giveUpSeconds
    kRefused,    // text: opening, launching or following failed, or it lies; nothing more comes of it
    kForgotten,  // nothing of the run is left there, or it could not be told
  };
  Kind kind = Kind::kProgress;
  std::string host{}, text{};
  StampedEvent event{};
  AgentRun there{};
  HostSite site{};
  std::string version{};  // kLaunched: of the supervisor
  std::size_t bytes = 0;  // that it came in
};

// Another run is active at the host, and ours shall not go beside it.
struct HostBusy : Error {
  HostBusy(const std::string& why, std::string run) : Error(Errc::kHost, why), by(std::move(run)) {}
  std::string by;
};

// `why` of ending nodes that were not told to start, because their run begins again: nobody asked to stop it.
constexpr const char* kBeginsAgain = "begins_again";
constexpr double kStopGraceSeconds = 15;  // of nodes that are asked to end

class AgentClient {
 public:
  // A supervisor of another version that runs there is taken as it is, or replaced by ours: refused while it has active runs.
  enum class Other { kAccept, kReplace };

  // Starts the supervisor when none runs. Throws Error{kHost}.
  AgentClient(hosts::Host& host, const hosts::Installation& installation, Other other = Other::kAccept, double leaseSeconds = 15);

  void launch(const std::string& run, HostLaunch& launch);  // wipes the keys in its orders; throws HostBusy
  void input(const std::string& run, const std::vector<std::string>& nodes, const std::string& line);  // the same line for each
  AgentRun follow(const std::string& run, const std::map<std::string, std::int64_t>& from);  // node -> last number that is known
  bool end(const std::string& run, double graceSeconds, const std::string& why);             // false: it had ended
  std::vector<AgentRun> list();
  std::optional<AgentRun> find(const std::string& run);
  void forget(const std::string& run);

  std::optional<HostMessage> next(double timeoutSeconds);  // kEvent or kEnded of followed runs; throws when the connection is lost
  bool lost() const { return lost_; }
  const std::string& version() const { return version_; }

 private:
  nlohmann::json request(const std::string& what, nlohmann::json members);
  std::int64_t ask(const std::string& what, nlohmann::json request);
  std::int64_t askInput(const std::string& run, const std::string& node, const std::string& line);
  nlohmann::json answerTo(std::int64_t id);
  void connect(hosts::Host& host, const std::string& program);
  void replaceOther(hosts::Host& host, const std::string& program);
  bool isOurs() const;
  std::optional<std::string> readLine(double timeoutSeconds);
  std::optional<nlohmann::json> read(double timeoutSeconds);
  void send(std::string line);
  void askForLease();
  void keepLease();
  void compareClocks(double sent, const nlohmann::json& answer);
  void tellClock();
  [[noreturn]] void lose(const std::string& why);
  [[noreturn]] void misunderstood();
  template <class Ask>
  auto understood(const Ask& ask) -> decltype(ask());

  std::string host_, protocol_, version_;  // protocol_: as JSON
  std::unique_ptr<hosts::Process> process_;
  std::deque<HostMessage> waiting_;  // came while a reply was awaited
  std::size_t waitingBytes_ = 0;
  double leaseSeconds_;
  std::int64_t nextId_ = 1;
  double heard_ = 0, nextPing_ = 0;  // steady seconds
  // The supervisor's clock less ours, from the ping of the last few that took least: its answer was made somewhere in between.
  struct ClockOffset {
    double seconds = 0, error = 0;
  };
  std::optional<ClockOffset> offset_;
  std::string followed_;  // the run that records it; "": none yet
  std::int64_t pingId_ = 0;
  double pingSent_ = 0;   // a date
  int pingsUntilTold_ = 0;
  bool leased_ = false, lost_ = false;
};

// Asks the supervisors of `hosts` (those of the run's nodes) to stop a run without being its recorder; true when it was running on one.
// Throws Error{kHost} when a host cannot be reached; the others have been asked then.
bool stopRun(const std::string& run, const hosts::HostOpener& opener = hosts::localOpener(), const std::vector<std::string>& hosts = {"local"});

// Deletes what the nodes of an ended run saved on these hosts. What could not be deleted, one sentence a host.
std::vector<std::string> dropCheckpoints(const std::string& run, const hosts::HostOpener& opener, const std::vector<std::string>& hosts);

}  // namespace paceline::run
