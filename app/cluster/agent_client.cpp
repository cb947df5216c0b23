#include "app/cluster/agent_client.h"

#include <chrono>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"

namespace paceline {
namespace {

using Json = nlohmann::json;

constexpr double kReplySeconds = 60;

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

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

std::string describeEnd(Process& process) {
  const auto [code, errors] = process.wait();
  std::string said = errors;
  said = said.substr(0, said.find_last_not_of(" \n") + 1);
  return said.empty() ? strCat("paceline-agent ended with exit code ", code) : said;
}

}  // namespace

AgentClient::AgentClient(Host& host, const Installation& installation)
    : host_(host.name()), process_(host.start({installation.program("paceline-agent"), "attach"})) {
  try {
    readGreeting();
  } catch (const Json::exception&) {
    throw Error(Errc::kHost, strCat(host_, ": paceline-agent speaks another protocol"));
  }
}

void AgentClient::readGreeting() {
  const auto line = process_->readLine(kReplySeconds);
  if (!line) {
    const std::string why = process_->ended() ? describeEnd(*process_) : "it does not answer";
    throw Error(Errc::kHost, strCat(host_, ": cannot reach the supervisor: ", why));
  }
  const Json hello = Json::parse(*line).at("hello");
  if (hello.at("protocol") != 1) throw Error(Errc::kHost, strCat(host_, ": the supervisor speaks protocol ", dumped(hello.at("protocol")), ", not 1"));
  supervisorPid_ = hello.at("pid");
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
    process_->writeLine(dumped(request));
  } catch (const Error& error) {
    throw gone(error.what());
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(kReplySeconds);
  while (std::chrono::steady_clock::now() < deadline) {
    const auto line = process_->readLine(1);
    if (!line && process_->ended()) throw gone("the connection closed");
    if (!line) continue;
    Json reply = Json::parse(*line, nullptr, false);
    if (reply.is_object() && reply.contains("id") && reply["id"] == id) {
      if (reply.value("ok", false)) return reply.value("result", Json::object());
      throw Error(Errc::kHost, strCat(host_, ": ", reply.value("error", "the supervisor refused")));
    }
    if (auto message = messageOf(*line)) waiting_.push_back(std::move(*message));
  }
  throw gone(strCat("no answer within ", kReplySeconds, " s"));
}

AgentRun AgentClient::launch(const std::string& run, const HostLaunch& plan, const std::string& folder) {
  Json nodes = Json::array();
  for (const NodeLaunch& node : plan.nodes) nodes.push_back({{"id", node.id}, {"command", node.command}, {"env", node.env}});
  Json members = {{"run", run}, {"host", plan.host}, {"folder", folder}, {"nodes", nodes}, {"policy", {{"on_lost_desktop", "keep_running"}}}};
  const AgentRun launched = runFrom(request("launch", std::move(members)));
  for (const NodeLaunch& node : plan.nodes) input(run, node.id, node.prepareLine);
  return launched;
}

void AgentClient::input(const std::string& run, const std::string& node, const std::string& line) {
  Json members = {{"run", run}, {"node", node}, {"line", line}};
  request("input", std::move(members));
}

AgentRun AgentClient::follow(const std::string& run, const std::map<std::string, std::int64_t>& from) {
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
    StampedEvent event{.run = json.at("run"), .node = json.at("node"), .seq = json.at("seq"), .event = parseEvent(dumped(json.at("event")))};
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
    const auto line = process_->readLine(timeoutSeconds);
    if (!line) return process_->ended() ? gone("the connection closed") : AgentMessage{};
    const auto message = messageOf(*line);
    if (!message) return {};
    return message->kind == Kind::kLost ? gone(message->text) : *message;
  } catch (const Error& error) {
    return gone(error.what());
  }
}

}  // namespace paceline
