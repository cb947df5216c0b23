#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "agent/supervisor/supervise/supervisor.h"
#include "engine/core/json/json_text.h"

namespace paceline::supervise {
namespace {

constexpr double kDefaultLeaseSeconds = 15;
constexpr double kMinLeaseSeconds = 0.1;

[[noreturn]] void refuse(const std::string& message) { throw Error(Errc::kFormat, message); }

const Json& member(const Json& request, const char* name) {
  const auto found = request.find(name);
  if (found == request.end()) refuse(strCat("\"", name, "\" is missing"));
  return *found;
}

std::string text(const Json& request, const char* name) {
  const Json& value = member(request, name);
  if (!value.is_string()) refuse(strCat("\"", name, "\" must be a text"));
  return value.get<std::string>();
}

std::string text(const Json& request, const char* name, const std::string& fallback) {
  return request.contains(name) ? text(request, name) : fallback;
}

double seconds(const Json& value, const char* name) {
  if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0 || value.get<double>() > 1e9)
    refuse(strCat("\"", name, "\" must be seconds, from 0 to 1e9"));
  return value.get<double>();
}

double seconds(const Json& request, const char* name, double fallback) {
  return request.contains(name) ? seconds(request.at(name), name) : fallback;
}

std::string programText(const Json& value, const char* name) {  // for exec: no NUL inside
  if (!value.is_string() || value.get_ref<const std::string&>().find('\0') != std::string::npos)
    refuse(strCat("\"", name, "\" must hold texts without NUL"));
  return value.get<std::string>();
}

NodeCommand nodeCommand(const Json& json) {
  if (!json.is_object()) refuse("a node must be an object");
  NodeCommand node{.id = text(json, "id"), .command = {}, .env = {}};
  const Json& command = member(json, "command");
  if (!command.is_array() || command.empty()) refuse(strCat("node ", node.id, ": \"command\" must be a list of texts"));
  for (const Json& argument : command) node.command.push_back(programText(argument, "command"));
  const Json env = json.value("env", Json::object());
  if (!env.is_object()) refuse(strCat("node ", node.id, ": \"env\" must be an object"));
  for (const auto& [name, value] : env.items()) {
    if (name.empty() || name.find_first_of(std::string_view("=\0", 2)) != std::string::npos)
      refuse(strCat("node ", node.id, ": a variable cannot have this name"));
    node.env[name] = programText(value, "env");
  }
  return node;
}

LostDesktopPolicy policyOf(const Json& request) {
  LostDesktopPolicy policy;
  const auto found = request.find("policy");
  if (found == request.end()) return policy;
  if (!found->is_object()) refuse("\"policy\" must be an object");
  const Json lost = found->value("on_lost_desktop", Json("keep_running"));
  if (lost != "keep_running") policy.endAfterSeconds = seconds(lost, "on_lost_desktop");
  policy.graceSeconds = seconds(*found, "grace_s", policy.graceSeconds);
  policy.startSeconds = seconds(*found, "start_s", policy.startSeconds);
  return policy;
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

Json launch(Supervisor& supervisor, const Json& request) {
  LaunchRequest wanted{.run = text(request, "run"),
                       .host = text(request, "host", "local"),
                       .folder = text(request, "folder", ""),
                       .nodes = {},
                       .policy = policyOf(request),
                       .title = text(request, "title", ""),
                       .beside = request.value("beside", Json(true)) != false};
  const Json& nodes = member(request, "nodes");
  if (!nodes.is_array()) refuse("\"nodes\" must be a list");
  for (const Json& node : nodes) wanted.nodes.push_back(nodeCommand(node));
  return described(supervisor.launch(wanted));
}

Json input(Supervisor& supervisor, const Json& request) {
  Run& run = supervisor.find(text(request, "run"));
  const std::string id = text(request, "node"), line = text(request, "line");
  Node* node = run.node(id);
  if (node == nullptr) throw Error(Errc::kHost, strCat("run ", run.name(), " has no node ", id));
  if (line.find('\n') != std::string::npos) refuse("\"line\" must be one line");
  if (!node->send(line)) throw Error(Errc::kHost, strCat("node ", id, " does not read its input"));
  return Json::object();
}

Json follow(Supervisor& supervisor, Client& client, const Json& request) {
  const Run& run = supervisor.find(text(request, "run"));
  const Json from = request.value("from", Json::object());
  if (!from.is_object()) refuse("\"from\" must be an object of node: sequence number");
  std::map<std::string, std::int64_t> after;
  for (const auto& [node, seq] : from.items()) {
    if (!seq.is_number_integer() || seq.get<std::int64_t>() < 0) refuse(strCat("\"from\": ", dumped(seq), " is not a sequence number"));
    after[node] = seq.get<std::int64_t>();
  }
  client.follow(run, after);
  return described(run);
}

Json end(Supervisor& supervisor, const Json& request) {
  Run& run = supervisor.find(text(request, "run"));
  const bool active = run.active();
  run.end(seconds(request, "grace_s", 15), text(request, "why", "asked"));
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

Json forget(Supervisor& supervisor, const Json& request) {
  const bool ended = request.contains("ended");
  if (ended && request.at("ended") != true) refuse("\"ended\" must be true");
  const std::string wanted = ended ? "" : text(request, "run");
  Json names = Json::array();
  std::int64_t freed = 0;
  const Json uses = spools(supervisor);
  for (const Json& use : uses["runs"]) {
    if (ended ? use["active"] == true : use["run"] != wanted) continue;
    supervisor.forget(use["run"]);
    names.push_back(use["run"]);
    freed += use["bytes"].get<std::int64_t>();
  }
  if (!ended && names.empty()) supervisor.forget(wanted);  // says that it is not known
  return {{"runs", names}, {"freed_bytes", freed}};
}

Json lease(Client& client, const Json& request) {
  const double wanted = seconds(request, "lease_s", kDefaultLeaseSeconds);
  if (wanted < kMinLeaseSeconds) refuse(strCat("\"lease_s\" must be at least ", kMinLeaseSeconds));
  client.lease(wanted);
  return {{"lease_s", wanted}};
}

Json shutDown(Supervisor& supervisor, const Json& request) {
  const double grace = seconds(request, "grace_s", 5);
  const Json force = request.value("force", Json(false));
  if (!force.is_boolean()) refuse("\"force\" must be true or false");
  const std::int64_t active = activeRuns(supervisor);
  if (active > 0 && !force.get<bool>())
    throw Error(Errc::kHost, strCat("the supervisor has ", active, active == 1 ? " active run" : " active runs", ": end them first, or force it"));
  supervisor.shutDown(grace);
  return Json::object();
}

Json perform(Supervisor& supervisor, Client& client, const Json& request) {
  const std::string what = text(request, "request");
  if (what == "launch") return launch(supervisor, request);
  if (what == "input") return input(supervisor, request);
  if (what == "follow") return follow(supervisor, client, request);
  if (what == "end") return end(supervisor, request);
  if (what == "list") return list(supervisor);
  if (what == "forget") return forget(supervisor, request);
  if (what == "spools") return spools(supervisor);
  if (what == "hello") return lease(client, request);
  if (what == "ping") return Json::object();
  if (what == "shutdown") return shutDown(supervisor, request);
  refuse(strCat("request \"", what.substr(0, 60),
                "\" is not known; have launch, input, follow, end, list, spools, forget, hello, ping, shutdown"));
}

}  // namespace

std::string greeting(const Supervisor& supervisor) {
  return dumped(Json{{"hello", {{"protocol", 1}, {"version", PACELINE_VERSION}, {"pid", ::getpid()}, {"active_runs", activeRuns(supervisor)},
                                {"containment", contain::nameOf(supervisor.containment())}}}});
}

std::string answer(Supervisor& supervisor, Client& client, const LineSplitter::Line& line) {
  Json id = nullptr;
  try {
    if (line.cut) refuse(strCat("a request of more than ", kMaxRequestLine, " bytes"));
    const Json request = Json::parse(line.text, nullptr, false);
    if (!request.is_object()) refuse("a request must be one JSON object");
    if (const auto given = request.find("id"); given != request.end() && (given->is_number_integer() || given->is_string())) id = *given;
    return dumped(Json{{"id", id}, {"ok", true}, {"result", perform(supervisor, client, request)}});
  } catch (const BusyHost& busy) {
    return dumped(Json{{"id", id}, {"ok", false}, {"error", busy.what()}, {"busy", busy.by}});
  } catch (const std::exception& error) {
    return dumped(Json{{"id", id}, {"ok", false}, {"error", error.what()}});
  }
}

}  // namespace paceline::supervise
