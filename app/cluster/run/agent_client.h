// The desktop's side of the supervisor's protocol (agent/README.md), over `paceline-agent attach` on a host. Used by one thread.
// Requests wait for their reply and throw Error{kHost} with the supervisor's sentence; after one, lost() says whether the connection is gone.
// Once a run is followed both sides show that they live; a connection over which nothing came for `leaseSeconds` counts as gone.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/cluster/hosts/host.h"
#include "app/cluster/run/launch_plan.h"
#include "engine/core/base/error.h"
#include "engine/core/record/event.h"

namespace paceline::run {

struct AgentNode {
  std::string id;
  std::int64_t pid = 0;  // 0: has ended
  bool running = false, failed = false;
  std::int64_t lastSeq = 0;
};
struct AgentRun {
  std::string run, host;
  bool active = false, ending = false;
  std::vector<AgentNode> nodes;
};

// Another run is active at the host, and ours shall not go beside it.
struct HostBusy : Error {
  HostBusy(const std::string& why, std::string run) : Error(Errc::kHost, why), by(std::move(run)) {}
  std::string by;
};

struct AgentMessage {
  enum class Kind { kNothing, kEvent, kEnded, kLost };
  Kind kind = Kind::kNothing;
  StampedEvent event;  // kEvent
  std::string text;    // kEnded: the run; kLost: why
};

class AgentClient {
 public:
  // A supervisor of another version that runs there is taken as it is, or replaced by ours: refused while it has active runs.
  enum class Other { kAccept, kReplace };

  // Starts the supervisor when none runs. Throws Error{kHost}.
  AgentClient(hosts::Host& host, const hosts::Installation& installation, Other other = Other::kAccept, double leaseSeconds = 15);

  // `endAloneSeconds`: the supervisor ends the run when nobody has followed it for this long; nullopt: never. Keys in the plan's orders are wiped.
  // `title`: for others who have to wait for it; not `beside` other runs that are active there: throws HostBusy.
  AgentRun launch(const std::string& run, HostLaunch& plan, const std::string& folder, std::optional<double> endAloneSeconds = std::nullopt,
                  const std::string& title = "", bool beside = true);
  void input(const std::string& run, const std::string& node, const std::string& line);
  AgentRun follow(const std::string& run, const std::map<std::string, std::int64_t>& from);  // node -> last number that is known
  bool end(const std::string& run, double graceSeconds, const std::string& why);             // false: it had ended
  std::vector<AgentRun> list();
  void forget(const std::string& run);

  AgentMessage next(double timeoutSeconds);  // of followed runs; never throws
  bool lost() const { return lost_; }
  std::int64_t supervisorPid() const { return hello_.pid; }
  const std::string& version() const { return hello_.version; }

 private:
  struct Hello {
    std::string protocol, version;  // protocol: as JSON
    std::int64_t pid = 0;
  };
  nlohmann::json request(const std::string& what, nlohmann::json members);
  void connect(hosts::Host& host, const std::string& program);
  void replaceOther(hosts::Host& host, const std::string& program);
  std::optional<std::string> readLine(double timeoutSeconds);
  void send(std::string line);
  void askForLease();
  void keepLease();
  std::optional<AgentMessage> messageOf(const std::string& line);

  std::string host_;
  std::unique_ptr<hosts::Process> process_;
  std::deque<AgentMessage> waiting_;  // came while a reply was awaited
  Hello hello_;
  double leaseSeconds_;
  std::int64_t nextId_ = 1;
  double heard_ = 0, nextPing_ = 0;  // steady seconds
  bool leased_ = false, lost_ = false;
};

}  // namespace paceline::run
