#include "app/cluster/run/agent_client.h"

#include <algorithm>
#include <future>

#include "app/cluster/hosts/host.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/secret.h"
#include "engine/core/json/integer_at.h"
#include "engine/core/json/json_text.h"
#include "engine/core/record/dates.h"

namespace paceline::run {
namespace {

constexpr double kReplySeconds = 60;
constexpr std::size_t kMostWaitingBytes = std::size_t{256} << 20;  // of records that came while an answer was awaited
constexpr int kFirstPings = 3;    // compare the clocks when a run is first followed
constexpr int kPingsATelling = 10;
constexpr const char* kOurProtocol = "1";

struct LostConnection : Error {
  explicit LostConnection(const std::string& why) : Error(Errc::kHost, why) {}
};

AgentRun runFrom(const Json& json) {
  AgentRun run{.run = json.at("run"), .host = json.at("host"), .active = json.at("active"), .ending = json.at("ending"), .nodes = {}};
  for (const Json& node : json.at("nodes")) run.nodes.push_back({.id = node.at("id"), .pid = integerAt(node, "pid"), .lastSeq = integerAt(node, "last_seq")});
  return run;
}

std::string describeEnd(const hosts::ProcessEnd& end) {
  const std::string said = trimmedEnd(end.errors);
  return said.empty() ? strCat("paceline-agent ended with exit code ", end.code) : said;
}

}  // namespace

AgentClient::AgentClient(hosts::Host& host, const hosts::Installation& installation, Other other, double leaseSeconds)
    : host_(host.name()), leaseSeconds_(leaseSeconds) {
  const std::string program = installation.program("paceline-agent");
  connect(host, program);
  if (!isOurs() && other == Other::kReplace) replaceOther(host, program);
  if (protocol_ != kOurProtocol)
    throw Error(Errc::kHost, strCat(host_, ": the supervisor of Paceline ", version_, " there speaks protocol ", protocol_, ", this is ", PACELINE_VERSION,
                                    " with protocol ", kOurProtocol));
}

bool AgentClient::isOurs() const { return protocol_ == kOurProtocol && version_ == PACELINE_VERSION; }

void AgentClient::connect(hosts::Host& host, const std::string& program) {
  process_ = host.start({program, "attach"});
  const auto line = readLine(kReplySeconds);
  if (!line) {
    const std::string why = process_->ended() ? describeEnd(process_->wait()) : "it does not answer";
    throw Error(Errc::kHost, strCat(host_, ": cannot reach the supervisor: ", why));
  }
  const Json greeting = jsonOrNull(*line);
  const auto hello = greeting.is_object() ? greeting.find("hello") : greeting.end();
  if (hello == greeting.end() || !hello->is_object())
    throw Error(Errc::kHost, strCat(host_, ": paceline-agent said \"", quotable(*line), "\", which is no greeting"));
  const Json version = hello->value("version", Json());
  protocol_ = dumped(hello->value("protocol", Json()));
  version_ = version.is_string() ? quotable(version.get<std::string>()) : "unknown";
}

// An idle supervisor of another version makes room for ours. What it runs is not touched.
void AgentClient::replaceOther(hosts::Host& host, const std::string& program) {
  const std::string theirs = version_;
  const std::vector<AgentRun> runs = list();
  if (const auto active = std::ranges::count_if(runs, &AgentRun::active); active > 0)
    throw Error(Errc::kHost, strCat(host_, ": the supervisor there is Paceline ", theirs, " and has ", active, active == 1 ? " active run" : " active runs",
                                    ", this is ", PACELINE_VERSION, "; wait until ", active == 1 ? "it has" : "they have", " ended or stop ",
                                    active == 1 ? "it" : "them", ", then start again"));
  request("shutdown", Json::object());
  for (const double began = steadySeconds(); steadySeconds() - began < kReplySeconds && !process_->ended();) process_->readLine(1);
  connect(host, program);
  if (!isOurs())
    throw Error(Errc::kHost, strCat(host_, ": the supervisor of Paceline ", theirs, " there does not make room for that of ", PACELINE_VERSION,
                                    "; end it with paceline-agent shutdown there"));
}

void AgentClient::lose(const std::string& why) {
  lost_ = true;
  throw LostConnection(why);
}

std::optional<std::string> AgentClient::readLine(double timeoutSeconds) {
  try {
    auto line = process_->readLine(timeoutSeconds);
    if (line) heard_ = steadySeconds();
    return line;
  } catch (const Error& error) {
    lose(error.what());
  }
}

void AgentClient::send(std::string line) {
  try {
    process_->write(line += '\n');
  } catch (const Error& error) {
    lose(error.what());
  }
  wipe(line);
}

// What comes next: a reply, or a message, which waits.
std::optional<Json> AgentClient::read(double timeoutSeconds) {
  using Kind = HostMessage::Kind;
  const auto line = readLine(timeoutSeconds);
  if (!line && process_->ended()) lose("the connection closed");
  keepLease();
  if (!line) return std::nullopt;
  try {
    Json said = jsonFrom(*line, "a line");
    if (said.contains("broken")) lose(said.at("error"));
    HostMessage message{.host = host_};
    if (said.contains("event")) {
      message.kind = Kind::kEvent;
      message.event = {.run = said.at("run"), .node = said.at("node"), .seq = integerAt(said, "seq"), .event = readEvent(said.at("event"))};
    } else if (said.contains("ended")) {
      message.kind = Kind::kEnded;
      message.text = said.at("ended");
    } else {
      if (said.value("id", Json()) == pingId_) compareClocks(pingSent_, said.value("result", Json()));
      return said;
    }
    message.bytes = line->size();
    waitingBytes_ += message.bytes;
    if (waitingBytes_ > kMostWaitingBytes) lose(strCat("it tells more than ", kMostWaitingBytes, " bytes before it answers"));
    waiting_.push_back(std::move(message));
    return std::nullopt;
  } catch (const LostConnection&) {
    throw;
  } catch (const std::exception& error) {
    lose(strCat("the supervisor sent what cannot be read: ", reasonOf(error)));
  }
}

Json AgentClient::request(const std::string& what, Json members) { return answerTo(ask(what, std::move(members))); }

// The number of the request; its answer is waited for later, and those of several requests in the order in which they were sent.
std::int64_t AgentClient::ask(const std::string& what, Json request) {
  const std::int64_t id = nextId_++;
  request["id"] = id;
  request["request"] = what;
  try {
    if (lost_) lose("the connection is closed");
    send(dumped(request));
  } catch (const LostConnection& lost) {
    throw Error(Errc::kHost, strCat(host_, ": lost the supervisor: ", lost.what()));
  }
  if (const auto line = request.find("line"); line != request.end()) wipe(line->get_ref<std::string&>());  // a node's keys may be in it
  return id;
}

Json AgentClient::answerTo(std::int64_t id) {
  try {
    for (const double deadline = steadySeconds() + kReplySeconds; steadySeconds() < deadline;) {
      const auto reply = read(1);
      if (!reply || reply->value("id", Json()) != id) continue;  // or a late one
      if (reply->value("ok", false)) return reply->value("result", Json::object());
      const std::string why = strCat(host_, ": ", reply->value("error", "the supervisor refused"));
      if (reply->contains("busy")) throw HostBusy(why, reply->at("busy"));
      throw Error(Errc::kHost, why);
    }
    lose(strCat("no answer within ", kReplySeconds, " s"));
  } catch (const LostConnection& lost) {
    throw Error(Errc::kHost, strCat(host_, ": lost the supervisor: ", lost.what()));
  } catch (const Json::exception&) {
    misunderstood();
  }
}

void AgentClient::misunderstood() {
  lost_ = true;
  throw Error(Errc::kHost, strCat(host_, ": lost the supervisor: it answered what cannot be read"));
}

// What `ask` makes of an answer that has come.
template <class Ask>
auto AgentClient::understood(const Ask& ask) -> decltype(ask()) {
  try {
    return ask();
  } catch (const Json::exception&) {
    misunderstood();
  }
}

// Asked for with the first run that is followed. Supervisors before this was known refuse it: they are only noticed to be gone when the connection closes.
void AgentClient::askForLease() {
  if (leased_) return;
  try {
    request("hello", {{"lease_s", leaseSeconds_}});
    leased_ = true;
    heard_ = steadySeconds();
    for (int i = 0; i < kFirstPings; ++i) {
      const double sent = recordDates().now();
      compareClocks(sent, request("ping", Json::object()));
    }
  } catch (const Error&) {
    if (lost_) throw;
  }
}

void AgentClient::keepLease() {
  if (!leased_) return;
  if (steadySeconds() - heard_ > leaseSeconds_) lose(strCat("nothing came from it for ", leaseSeconds_, " s"));
  if (steadySeconds() < nextPing_) return;
  nextPing_ = steadySeconds() + leaseSeconds_ / 5;
  if (pingsUntilTold_-- <= 0) tellClock();
  pingId_ = nextId_++;
  pingSent_ = recordDates().now();
  send(dumped(Json{{"id", pingId_}, {"request", "ping"}}));
}

// Supervisors from before this was known answer without their clock.
void AgentClient::compareClocks(double sent, const Json& answer) {
  const auto theirs = answer.is_object() ? answer.find("unix_s") : answer.end();
  if (theirs == answer.end() || !theirs->is_number()) return;
  const double came = recordDates().now(), error = (came - sent) / 2;
  if (!offset_ || error < offset_->error) offset_ = ClockOffset{.seconds = theirs->get<double>() - (sent + came) / 2, .error = error};
}

// The host records it with the run; nobody waits for the answer.
void AgentClient::tellClock() {
  if (followed_.empty() || !offset_) return;
  send(dumped(Json{{"id", nextId_++}, {"request", "clock"}, {"run", followed_}, {"offset_s", offset_->seconds}, {"error_s", offset_->error}}));
  offset_.reset();
  pingsUntilTold_ = kPingsATelling;
}

void AgentClient::launch(const std::string& run, HostLaunch& launch) {
  Json nodes = Json::array(), servers = Json::array();
  for (const NodeLaunch& node : launch.nodes) nodes.push_back({{"id", node.id}, {"command", node.command}, {"env", node.env}, {"restarts", node.restarts}, {"fork_server", node.forkServer}});
  for (const ForkServerLaunch& server : launch.forkServers) servers.push_back({{"command", server.command}, {"env", server.env}, {"first", server.first}});
  const Json alone = launch.endAloneSeconds ? Json(*launch.endAloneSeconds) : Json("keep_running");
  request("launch", {{"run", run}, {"host", launch.host}, {"folder", launch.folder}, {"nodes", nodes}, {"fork_servers", servers}, {"title", launch.title}, {"beside", launch.beside},
                     {"node_silent_s", launch.nodeSilentSeconds}, {"policy", {{"on_lost_desktop", alone}}}});
  std::vector<std::int64_t> asked;
  for (NodeLaunch& node : launch.nodes) {
    asked.push_back(askInput(run, node.id, node.prepareLine));
    wipe(node.prepareLine);
  }
  for (const std::int64_t id : asked) answerTo(id);
}

std::int64_t AgentClient::askInput(const std::string& run, const std::string& node, const std::string& line) {
  return ask("input", {{"run", run}, {"node", node}, {"line", line}});
}

void AgentClient::input(const std::string& run, const std::vector<std::string>& nodes, const std::string& line) {
  std::vector<std::int64_t> asked;
  for (const std::string& node : nodes) asked.push_back(askInput(run, node, line));
  for (const std::int64_t id : asked) answerTo(id);
}

AgentRun AgentClient::follow(const std::string& run, const std::map<std::string, std::int64_t>& from) {
  askForLease();
  AgentRun there = understood([&] { return runFrom(request("follow", {{"run", run}, {"from", from}})); });
  followed_ = run;
  tellClock();
  return there;
}

bool AgentClient::end(const std::string& run, double graceSeconds, const std::string& why) {
  return understood([&] { return request("end", {{"run", run}, {"grace_s", graceSeconds}, {"why", why}}).value("active", false); });
}

std::vector<AgentRun> AgentClient::list() {
  return understood([this] {
    std::vector<AgentRun> runs;
    const Json reply = request("list", Json::object());
    for (const Json& run : reply.at("runs")) runs.push_back(runFrom(run));
    return runs;
  });
}

std::optional<AgentRun> AgentClient::find(const std::string& run) {
  for (AgentRun& known : list())
    if (known.run == run) return std::move(known);
  return std::nullopt;
}

void AgentClient::forget(const std::string& run) { request("forget", {{"run", run}}); }

std::optional<HostMessage> AgentClient::next(double timeoutSeconds) {
  if (waiting_.empty() && lost_) lose("the connection is closed");
  if (waiting_.empty()) read(timeoutSeconds);
  if (waiting_.empty()) return std::nullopt;
  HostMessage message = std::move(waiting_.front());
  waiting_.pop_front();
  waitingBytes_ -= message.bytes;
  return message;
}

bool stopRun(const std::string& run, const hosts::HostOpener& opener, const std::vector<std::string>& hosts) {
  const auto stopOn = [&](const std::string& name) {
    const hosts::ReadyHost ready = opener(name, {});
    AgentClient agent(*ready.host, ready.installation);
    const auto known = agent.find(run);
    return known && known->active && agent.end(run, kStopGraceSeconds, "asked");
  };
  std::vector<std::future<bool>> asked;
  for (const std::string& name : hosts) asked.push_back(std::async(std::launch::async, stopOn, name));
  bool stopped = false;
  std::exception_ptr problem;
  for (std::future<bool>& answer : asked) {
    try {
      stopped = answer.get() || stopped;
    } catch (const Error&) {
      problem = std::current_exception();
    }
  }
  if (problem) std::rethrow_exception(problem);
  return stopped;
}

std::vector<std::string> dropCheckpoints(const std::string& run, const hosts::HostOpener& opener, const std::vector<std::string>& hosts) {
  std::vector<std::string> problems;
  for (const std::string& name : hosts) {
    try {
      const hosts::ReadyHost ready = opener(name, {});
      const hosts::CommandResult result = hosts::runOn(*ready.host, {ready.installation.program("paceline-agent"), "drop", run});
      if (result.end.code != 0) problems.push_back(strCat(name, ": ", result.said()));
    } catch (const Error& error) {
      problems.emplace_back(error.what());
    }
  }
  return problems;
}

}  // namespace paceline::run
