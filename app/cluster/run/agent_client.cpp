#include "app/cluster/run/agent_client.h"

#include "app/cluster/run/run_keys.h"
#include "engine/core/json/json_text.h"
#include "engine/core/base/secret.h"
#include "engine/core/base/clock.h"

namespace paceline::run {
namespace {

constexpr double kReplySeconds = 60;
constexpr const char* kOurProtocol = "1";

struct LostConnection : Error {
  explicit LostConnection(const std::string& why) : Error(Errc::kHost, why) {}
};

AgentRun runFrom(const Json& json) {
  AgentRun run{.run = json.at("run"), .host = json.at("host"), .active = json.at("active"), .ending = json.at("ending"), .nodes = {}};
  for (const Json& node : json.at("nodes"))
    run.nodes.push_back({.id = node.at("id"),
                         .pid = node.at("pid"),
                         .running = node.at("running"),
                         .failed = node.at("failed"),
                         .lastSeq = node.at("last_seq")});
  return run;
}

std::string describeEnd(hosts::Process& process) {
  const auto [code, errors] = process.wait();
  std::string said = errors;
  said = said.substr(0, said.find_last_not_of(" \n") + 1);
  return said.empty() ? strCat("paceline-agent ended with exit code ", code) : said;
}

}  // namespace

AgentClient::AgentClient(hosts::Host& host, const hosts::Installation& installation, Other other, double leaseSeconds)
    : host_(host.name()), leaseSeconds_(leaseSeconds) {
  const std::string program = installation.program("paceline-agent");
  connect(host, program);
  const bool ours = hello_.protocol == kOurProtocol && hello_.version == PACELINE_VERSION;
  if (!ours && other == Other::kReplace) replaceOther(host, program);
  if (hello_.protocol != kOurProtocol)
    throw Error(Errc::kHost, strCat(host_, ": the supervisor of Paceline ", hello_.version, " there speaks protocol ", hello_.protocol, ", this is ",
                                    PACELINE_VERSION, " with protocol ", kOurProtocol));
}

void AgentClient::connect(hosts::Host& host, const std::string& program) {
  process_ = host.start({program, "attach"});
  const auto line = readLine(kReplySeconds);
  if (!line) {
    const std::string why = process_->ended() ? describeEnd(*process_) : "it does not answer";
    throw Error(Errc::kHost, strCat(host_, ": cannot reach the supervisor: ", why));
  }
  const Json greeting = Json::parse(*line, nullptr, false);
  const auto hello = greeting.is_object() ? greeting.find("hello") : greeting.end();
  if (!greeting.is_object() || hello == greeting.end() || !hello->is_object())
    throw Error(Errc::kHost, strCat(host_, ": paceline-agent said \"", quotable(*line), "\", which is no greeting"));
  const Json version = hello->value("version", Json()), pid = hello->value("pid", Json());
  hello_ = {.protocol = dumped(hello->value("protocol", Json())),
            .version = version.is_string() ? quotable(version.get<std::string>()) : "unknown",
            .pid = pid.is_number_integer() ? pid.get<std::int64_t>() : 0};
}

// An idle supervisor of another version makes room for ours. What it runs is not touched.
void AgentClient::replaceOther(hosts::Host& host, const std::string& program) {
  const std::string theirs = hello_.version;
  std::size_t active = 0;
  for (const AgentRun& run : list()) active += run.active ? 1 : 0;
  if (active > 0)
    throw Error(Errc::kHost, strCat(host_, ": the supervisor there is Paceline ", theirs, " and has ", active, active == 1 ? " active run" : " active runs",
                                    ", this is ", PACELINE_VERSION, "; wait until ", active == 1 ? "it has" : "they have", " ended or stop ",
                                    active == 1 ? "it" : "them", ", then start again"));
  request("shutdown", Json::object());
  for (const double began = steadySeconds(); steadySeconds() - began < kReplySeconds && !process_->ended();) process_->readLine(1);
  connect(host, program);
  if (hello_.protocol != kOurProtocol || hello_.version != PACELINE_VERSION)
    throw Error(Errc::kHost, strCat(host_, ": the supervisor of Paceline ", theirs, " there does not make room for that of ", PACELINE_VERSION,
                                    "; end it with paceline-agent shutdown there"));
}

std::optional<std::string> AgentClient::readLine(double timeoutSeconds) {
  try {
    auto line = process_->readLine(timeoutSeconds);
    if (line) heard_ = steadySeconds();
    return line;
  } catch (const Error& error) {
    throw LostConnection(error.what());
  }
}

void AgentClient::send(std::string line) {
  try {
    process_->write(line += '\n');
  } catch (const Error& error) {
    throw LostConnection(error.what());
  }
  wipe(line);
}

Json AgentClient::request(const std::string& what, Json request) {
  const std::int64_t id = nextId_++;
  request["id"] = id;
  request["request"] = what;
  const auto gone = [&](const std::string& why) {
    lost_ = true;
    return Error(Errc::kHost, strCat(host_, ": lost the supervisor: ", why));
  };
  if (lost_) throw gone("the connection is closed");
  try {
    send(dumped(request));
    if (const auto line = request.find("line"); line != request.end()) wipe(line->get_ref<std::string&>());  // a node's keys may be in it
    const double deadline = steadySeconds() + kReplySeconds;
    while (steadySeconds() < deadline) {
      const auto answer = readLine(1);
      if (!answer && process_->ended()) throw gone("the connection closed");
      keepLease();
      if (!answer) continue;
      Json reply = Json::parse(*answer, nullptr, false);
      if (reply.is_object() && reply.contains("id") && reply["id"] == id) {
        if (reply.value("ok", false)) return reply.value("result", Json::object());
        const std::string why = strCat(host_, ": ", reply.value("error", "the supervisor refused"));
        if (reply.contains("busy")) throw HostBusy(why, reply.at("busy"));
        throw Error(Errc::kHost, why);
      }
      if (auto message = messageOf(*answer)) waiting_.push_back(std::move(*message));
    }
  } catch (const Json::exception&) {
    throw gone("it answered what cannot be read");
  } catch (const LostConnection& lost) {
    throw gone(lost.what());
  }
  throw gone(strCat("no answer within ", kReplySeconds, " s"));
}

// Asked for with the first run that is followed. Supervisors before this was known refuse it: they are only noticed to be gone when the connection closes.
void AgentClient::askForLease() {
  if (leased_) return;
  try {
    request("hello", {{"lease_s", leaseSeconds_}});
    leased_ = true;
    heard_ = steadySeconds();
  } catch (const Error&) {
    if (lost_) throw;
  }
}

void AgentClient::keepLease() {
  if (!leased_) return;
  if (steadySeconds() - heard_ > leaseSeconds_) throw LostConnection(strCat("nothing came from it for ", leaseSeconds_, " s"));
  if (steadySeconds() < nextPing_) return;
  nextPing_ = steadySeconds() + leaseSeconds_ / 5;
  send(dumped(Json{{"id", nextId_++}, {"request", "ping"}}));
}

AgentRun AgentClient::launch(const std::string& run, HostLaunch& plan, const std::string& folder, std::optional<double> endAloneSeconds,
                             const std::string& title, bool beside) {
  Json nodes = Json::array();
  for (const NodeLaunch& node : plan.nodes) nodes.push_back({{"id", node.id}, {"command", node.command}, {"env", node.env}});
  const Json alone = endAloneSeconds ? Json(*endAloneSeconds) : Json("keep_running");
  Json members = {{"run", run}, {"host", plan.host}, {"folder", folder}, {"nodes", nodes}, {"title", title}, {"beside", beside}, {"policy", {{"on_lost_desktop", alone}}}};
  const AgentRun launched = runFrom(request("launch", std::move(members)));
  for (NodeLaunch& node : plan.nodes) {
    input(run, node.id, node.prepareLine);
    wipe(node.prepareLine);
  }
  return launched;
}

void AgentClient::input(const std::string& run, const std::string& node, const std::string& line) {
  Json members = {{"run", run}, {"node", node}, {"line", line}};
  request("input", std::move(members));
}

AgentRun AgentClient::follow(const std::string& run, const std::map<std::string, std::int64_t>& from) {
  askForLease();
  Json members = {{"run", run}, {"from", from}};
  return runFrom(request("follow", std::move(members)));
}

bool AgentClient::end(const std::string& run, double graceSeconds, const std::string& why) {
  Json members = {{"run", run}, {"grace_s", graceSeconds}, {"why", why}};
  return request("end", std::move(members)).value("active", false);
}

std::vector<AgentRun> AgentClient::list() {
  std::vector<AgentRun> runs;
  const Json reply = request("list", Json::object());
  for (const Json& run : reply.at("runs")) runs.push_back(runFrom(run));
  return runs;
}

void AgentClient::forget(const std::string& run) {
  Json members = {{"run", run}};
  request("forget", std::move(members));
}

std::optional<AgentMessage> AgentClient::messageOf(const std::string& line) {
  using Kind = AgentMessage::Kind;
  try {
    const Json json = Json::parse(line);
    if (const auto ended = json.find("ended"); ended != json.end()) return AgentMessage{.kind = Kind::kEnded, .event = {}, .text = *ended};
    if (const auto broken = json.find("broken"); broken != json.end())
      return AgentMessage{.kind = Kind::kLost, .event = {}, .text = json.at("error")};
    if (!json.contains("event")) return std::nullopt;  // a late reply
    StampedEvent event{.run = json.at("run"), .node = json.at("node"), .seq = json.at("seq"), .event = readEvent(json.at("event"))};
    return AgentMessage{.kind = Kind::kEvent, .event = std::move(event), .text = ""};
  } catch (const std::exception& error) {
    return AgentMessage{.kind = Kind::kLost, .event = {}, .text = strCat("the supervisor sent what cannot be read: ", error.what())};
  }
}

AgentMessage AgentClient::next(double timeoutSeconds) {
  using Kind = AgentMessage::Kind;
  const auto gone = [this](std::string why) {
    lost_ = true;
    return AgentMessage{.kind = Kind::kLost, .event = {}, .text = std::move(why)};
  };
  if (!waiting_.empty()) {
    AgentMessage message = std::move(waiting_.front());
    waiting_.pop_front();
    return message.kind == Kind::kLost ? gone(message.text) : message;
  }
  if (lost_) return gone("the connection is closed");
  try {
    const auto line = readLine(timeoutSeconds);
    if (!line && process_->ended()) return gone("the connection closed");
    keepLease();
    if (!line) return {};
    const auto message = messageOf(*line);
    if (!message) return {};
    return message->kind == Kind::kLost ? gone(message->text) : *message;
  } catch (const Error& error) {
    return gone(error.what());
  }
}

}  // namespace paceline::run
