#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "agent/supervisor/supervise/supervisor.h"
#include "engine/core/base/packets.h"
#include "engine/core/json/fields.h"
#include "engine/core/record/dates.h"

namespace paceline::supervise {
namespace {

constexpr double kDefaultLeaseSeconds = 15;
constexpr double kMinLeaseSeconds = 0.1;
constexpr Bounds kSeconds{.min = 0, .max = 1e9};

[[noreturn]] void refuse(const std::string& message) { throw Error(Errc::kFormat, message); }

// Nothing is done before all of a request is sound. Members that are not known are passed over: newer clients have more.
void sound(Fields& request) {
  if (!request.findings().empty()) refuse(strCat(request.findings().front().pointer, ": ", request.findings().front().message));
}

bool hasNul(const std::string& text) { return text.find('\0') != std::string::npos; }  // exec knows no such text

// "command" and "env" of a node or a fork server.
void readProgram(Fields& at, std::vector<std::string>& command, std::map<std::string, std::string>& env) {
  command = at.texts("command");
  if (command.empty()) at.refuse("command", "must be a list of texts");
  if (const Json* given = at.find("env")) ValueReader({.key = "env"}, at.findings(), UnknownKeys::kPassedOver).read(*given, at.pointer("env"), env);
  if (std::ranges::any_of(command, hasNul)) at.refuse("command", "must hold texts without NUL");
  for (const auto& [name, value] : env) {
    if (name.empty() || name.find('=') != std::string::npos || hasNul(name)) at.refuse("env", "a variable cannot have this name");
    if (hasNul(value)) at.refuse("env", "must hold texts without NUL");
  }
}

NodeCommand nodeCommand(Fields node, std::size_t forkServers) {
  NodeCommand read{.id = node.required<std::string>("id"), .command = {}, .env = {}};
  readProgram(node, read.command, read.env);
  read.restarts = node.optional("restarts", 0, {.min = 0, .max = 1000});
  read.forkServer = node.optional("fork_server", -1, {.min = -1, .max = static_cast<double>(forkServers) - 1});
  return read;
}

ForkServerCommand forkServerCommand(Fields server) {
  ForkServerCommand read{.command = {}, .env = {}, .first = server.required<std::string>("first")};
  readProgram(server, read.command, read.env);
  if (read.first.empty() || read.first.size() > kMaxPacket) server.refuse("first", strCat("must have 1 to ", kMaxPacket, " bytes, has ", read.first.size()));
  return read;
}

LostDesktopPolicy policyOf(Fields policy) {
  LostDesktopPolicy read;
  if (const Json* lost = policy.find("on_lost_desktop"); lost != nullptr && *lost != "keep_running")
    read.endAfterSeconds = fields::toReal(*lost, kSeconds, policy.pointer("on_lost_desktop"), policy.findings());
  read.graceSeconds = policy.optional("grace_s", read.graceSeconds, kSeconds);
  read.startSeconds = policy.optional("start_s", read.startSeconds, kSeconds);
  return read;
}

Json described(const Run& run) {
  Json nodes = Json::array();
  for (const auto& node : run.nodes())
    nodes.push_back({{"id", node->id()}, {"pid", node->alive() ? node->pid() : 0}, {"running", node->running()}, {"failed", node->failed()},
                     {"last_seq", node->spool()->lastSeq()}});
  return {{"run", run.name()}, {"host", run.host()}, {"active", run.active()}, {"ending", run.ending()}, {"nodes", nodes}};
}

std::int64_t activeRuns(const Supervisor& supervisor) {
  const auto& runs = supervisor.runs();
  return std::count_if(runs.begin(), runs.end(), [](const auto& entry) { return entry.second->active(); });
}

Json input(Supervisor& supervisor, Fields& request) {
  const auto name = request.required<std::string>("run"), id = request.required<std::string>("node"), line = request.required<std::string>("line");
  if (line.find('\n') != std::string::npos) request.refuse("line", "must be one line");
  sound(request);
  Run& run = supervisor.find(name);
  Node* node = run.node(id);
  if (node == nullptr) throw Error(Errc::kHost, strCat("run ", run.name(), " has no node ", id));
  if (!node->send(line)) throw Error(Errc::kHost, strCat("node ", id, " does not read its input"));
  return Json::object();
}

Json follow(Supervisor& supervisor, Client& client, Fields& request) {
  const auto name = request.required<std::string>("run");
  std::map<std::string, std::int64_t> after;  // node -> sequence number
  if (const Json* from = request.find("from"))
    ValueReader({.key = "from", .bounds = atLeast(0)}, request.findings(), UnknownKeys::kPassedOver).read(*from, "/from", after);
  sound(request);
  const Run& run = supervisor.find(name);
  client.follow(run, after);
  return described(run);
}

Json end(Supervisor& supervisor, Fields& request) {
  const auto name = request.required<std::string>("run"), why = request.optional<std::string>("why", "asked");
  const double grace = request.optional("grace_s", 15.0, kSeconds);
  sound(request);
  Run& run = supervisor.find(name);
  const bool active = run.active();
  run.end(grace, why);
  return {{"active", active}};
}

Json list(const Supervisor& supervisor) {
  Json runs = Json::array();
  for (const auto& [name, run] : supervisor.runs()) runs.push_back(described(*run));
  return {{"runs", runs}, {"containment", contain::nameOf(supervisor.containment())}};
}

// Disk space of the runs' spools: one entry for each folder of a run, readable or not.
Json spools(const Supervisor& supervisor) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const std::set<fs::path> folders(fs::directory_iterator(supervisor.runsFolder(), ignored), fs::directory_iterator{});
  Json uses = Json::array();
  std::int64_t all = 0;
  for (const fs::path& folder : folders) {
    const auto run = supervisor.runs().find(folder.filename().string());
    const bool active = run != supervisor.runs().end() && run->second->active();
    std::int64_t bytes = 0;
    std::time_t last = 0;  // when the last record was written
    for (const auto& file : fs::directory_iterator(folder, ignored)) {
      struct stat status{};
      if (::stat(file.path().c_str(), &status) != 0) continue;
      bytes += status.st_size;
      last = std::max(last, status.st_mtime);
    }
    const std::string ended = active ? "" : utcText(static_cast<double>(last));
    uses.push_back({{"run", folder.filename().string()}, {"bytes", bytes}, {"active", active}, {"ended_utc", ended.empty() ? Json(nullptr) : Json(ended)}});
    all += bytes;
  }
  return {{"runs", uses}, {"bytes", all}};
}

Json forget(Supervisor& supervisor, Fields& request) {
  const Json* ended = request.find("ended");
  if (ended != nullptr && *ended != true) request.refuse("ended", "must be true");
  const std::string wanted = ended != nullptr ? "" : request.required<std::string>("run");
  sound(request);
  Json names = Json::array();
  std::int64_t freed = 0;
  const Json uses = spools(supervisor);
  for (const Json& use : uses["runs"]) {
    if (ended != nullptr ? use["active"] == true : use["run"] != wanted) continue;
    supervisor.forget(use["run"]);
    names.push_back(use["run"]);
    freed += use["bytes"].get<std::int64_t>();
  }
  if (ended == nullptr && names.empty()) supervisor.forget(wanted);  // says that it is not known
  return {{"runs", names}, {"freed_bytes", freed}};
}

Json lease(Client& client, Fields& request) {
  const double wanted = request.optional("lease_s", kDefaultLeaseSeconds, kSeconds);
  sound(request);
  if (wanted < kMinLeaseSeconds) refuse(strCat("\"lease_s\" must be at least ", kMinLeaseSeconds));
  client.lease(wanted);
  return {{"lease_s", wanted}};
}

Json clock(Supervisor& supervisor, Fields& request) {
  const auto name = request.required<std::string>("run");
  const auto offset = request.required<double>("offset_s"), error = request.required<double>("error_s", kSeconds);
  sound(request);
  supervisor.find(name).tellClock(offset, error);
  return Json::object();
}

Json shutDown(Supervisor& supervisor, Fields& request) {
  const double grace = request.optional("grace_s", 5.0, kSeconds);
  const bool force = request.optional("force", false);
  sound(request);
  const std::int64_t active = activeRuns(supervisor);
  if (active > 0 && !force)
    throw Error(Errc::kHost, strCat("the supervisor has ", active, active == 1 ? " active run" : " active runs", ": end them first, or force it"));
  supervisor.shutDown(grace);
  return Json::object();
}

Json perform(Supervisor& supervisor, Client& client, const Json& json) {
  std::vector<Finding> findings;
  Fields request(json, "", findings);
  const auto what = request.required<std::string>("request");
  sound(request);
  if (what == "launch") return described(supervisor.launch(launchOf(json)));
  if (what == "input") return input(supervisor, request);
  if (what == "follow") return follow(supervisor, client, request);
  if (what == "end") return end(supervisor, request);
  if (what == "list") return list(supervisor);
  if (what == "forget") return forget(supervisor, request);
  if (what == "spools") return spools(supervisor);
  if (what == "hello") return lease(client, request);
  if (what == "ping") return {{"unix_s", recordDates().now()}};
  if (what == "clock") return clock(supervisor, request);
  if (what == "shutdown") return shutDown(supervisor, request);
  refuse(strCat("request \"", what.substr(0, 60),
                "\" is not known; have launch, input, follow, end, list, spools, forget, hello, ping, clock, shutdown"));
}

}  // namespace

LaunchRequest launchOf(const Json& json) {
  std::vector<Finding> findings;
  Fields request(json, "", findings);
  LaunchRequest wanted{.run = request.required<std::string>("run"),
                       .host = request.optional<std::string>("host", "local"),
                       .folder = request.optional<std::string>("folder", ""),
                       .nodes = {},
                       .policy = policyOf(request.object("policy")),
                       .title = request.optional<std::string>("title", ""),
                       .beside = request.optional("beside", true),
                       .nodeSilentSeconds = request.optional("node_silent_s", 0.0, kSeconds)};
  const Json &nodes = request.array("nodes"), &servers = request.array("fork_servers");
  for (std::size_t i = 0; i < servers.size(); ++i) wanted.forkServers.push_back(forkServerCommand({servers[i], pointerTo("/fork_servers", i), request.findings()}));
  for (std::size_t i = 0; i < nodes.size(); ++i) wanted.nodes.push_back(nodeCommand({nodes[i], pointerTo("/nodes", i), request.findings()}, servers.size()));
  sound(request);
  return wanted;
}

std::string greeting(const Supervisor& supervisor) {
  return dumped(Json{{"hello", {{"protocol", 1}, {"version", PACELINE_VERSION}, {"pid", ::getpid()}, {"active_runs", activeRuns(supervisor)},
                                {"containment", contain::nameOf(supervisor.containment())}}}});
}

std::string answer(Supervisor& supervisor, Client& client, const LineSplitter::Line& line) {
  Json id = nullptr;
  try {
    if (line.cut) refuse(strCat("a request of more than ", kMaxRequestLine, " bytes"));
    const Json request = jsonFrom(line.text, "a request", kMaxRequestLine);
    if (!request.is_object()) refuse("a request must be one JSON object");
    if (const auto given = request.find("id"); given != request.end() && (given->is_number_integer() || given->is_string())) id = *given;
    return dumped(Json{{"id", id}, {"ok", true}, {"result", perform(supervisor, client, request)}});
  } catch (const BusyHost& busy) {
    return dumped(Json{{"id", id}, {"ok", false}, {"error", busy.what()}, {"busy", busy.by}});
  } catch (const std::exception& error) {
    return dumped(Json{{"id", id}, {"ok", false}, {"error", reasonOf(error)}});
  }
}

}  // namespace paceline::supervise
