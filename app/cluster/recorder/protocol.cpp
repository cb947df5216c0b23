#include "app/cluster/recorder/protocol.h"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <sstream>

#include "app/cluster/hosts/host_registry.h"
#include "app/cluster/run/launch_plan.h"
#include "storage/store/store.h"

namespace paceline::recorder {
namespace {

constexpr std::array<const char*, 4> kKinds = {"run", "simulation", "attach", "resume"};
constexpr std::array<std::pair<Errc, const char*>, 5> kCodes = {
    {{Errc::kLocked, "locked"}, {Errc::kStore, "store"}, {Errc::kNoSpace, "no_space"}, {Errc::kSpec, "spec"}, {Errc::kHost, "host"}}};

std::array<int, 3> numbers(const std::string& version) {
  std::array<int, 3> found{};
  std::istringstream in(version);
  char dot = 0;
  in >> found[0] >> dot >> found[1] >> dot >> found[2];
  return found;
}

Json orNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::optional<double> number(const Json& json, const char* name) {
  const Json value = json.value(name, Json());
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

}  // namespace

Hello ourHello(bool answers) { return {.schema = store::storeVersion(), .version = PACELINE_VERSION, .pid = ::getpid(), .answers = answers}; }

bool isOlder(const Hello& one, const Hello& other) {
  return std::tuple(one.protocol, one.schema, numbers(one.version)) < std::tuple(other.protocol, other.schema, numbers(other.version));
}

std::string toLine(const Hello& hello) {
  return dumped(Json{{"hello",
                      {{"protocol", hello.protocol}, {"schema", hello.schema}, {"version", hello.version}, {"pid", hello.pid}, {"answers", hello.answers}}}});
}

std::optional<Hello> helloOf(const std::string& line) {
  const Json json = Json::parse(line, nullptr, false);
  try {
    const Json& hello = json.at("hello");
    return Hello{.protocol = hello.at("protocol"), .schema = hello.at("schema"), .version = hello.at("version"), .pid = hello.at("pid"), .answers = hello.at("answers")};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

Context contextHere() {
  std::error_code ignored;
  return {.folder = std::filesystem::current_path(ignored).string(), .hosts = hosts::HostRegistry::defaultPath(), .variables = run::inheritedVariables()};
}

const char* kindName(EntryKind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }

std::optional<EntryKind> kindFromName(std::string_view name) {
  for (std::size_t i = 0; i < kKinds.size(); ++i)
    if (kKinds[i] == name) return static_cast<EntryKind>(i);
  return std::nullopt;
}

Json toJson(const Context& context) { return {{"folder", context.folder}, {"hosts", context.hosts}, {"variables", context.variables}}; }

Context contextFrom(const Json& json) {
  if (!json.is_object()) return {};
  Context context{.folder = json.value("folder", ""), .hosts = json.value("hosts", ""), .variables = {}};
  if (const auto found = json.find("variables"); found != json.end()) found->get_to(context.variables);
  return context;
}

Json toJson(const Submission& submission) {
  Json points = Json::array();
  for (const Point& point : submission.points) points.push_back({{"name", point.name}, {"spec", point.spec}});
  return {{"kind", kindName(submission.kind)},
          {"points", points},
          {"suite", submission.suite},
          {"resumed_from", submission.resumedFrom},
          {"now", submission.now},
          {"skip_finished", submission.skipFinished}};
}

Submission submissionFrom(const Json& json) {
  const auto kind = kindFromName(json.at("kind").get<std::string>());
  if (!kind) throw Error(Errc::kFormat, strCat("an entry of kind ", dumped(json.at("kind")), " is not known"));
  Submission submission{.kind = *kind, .points = {}, .suite = json.at("suite"), .resumedFrom = json.at("resumed_from")};
  submission.now = json.at("now"), submission.skipFinished = json.at("skip_finished");
  for (const Json& point : json.at("points")) submission.points.push_back({.name = point.at("name"), .spec = point.at("spec")});
  return submission;
}

Json toJson(const Entry& entry) {
  const Progress& progress = entry.progress;
  return {{"id", entry.id},
          {"kind", kindName(entry.kind)},
          {"run", entry.run},
          {"name", entry.name},
          {"suite", entry.suite},
          {"state", store::stateName(entry.state)},
          {"waiting", entry.waiting},
          {"held", entry.held},
          {"ended", entry.ended},
          {"text", entry.text},
          {"reason", entry.reason},
          {"progress",
           {{"fraction", progress.fraction},
            {"round", progress.round},
            {"seconds", progress.seconds},
            {"accuracy", orNull(progress.accuracy)},
            {"left_low_s", orNull(progress.leftLowSeconds)},
            {"left_high_s", orNull(progress.leftHighSeconds)}}}};
}

Entry entryFrom(const Json& json) {
  Entry entry{.id = json.at("id"), .kind = kindFromName(json.at("kind").get<std::string>()).value_or(EntryKind::kRun), .run = json.at("run"), .name = json.at("name")};
  entry.suite = json.at("suite"), entry.text = json.at("text"), entry.reason = json.at("reason");
  entry.state = store::stateFromName(json.at("state").get<std::string>()).value_or(store::RunState::kStale);
  entry.waiting = json.at("waiting"), entry.held = json.at("held"), entry.ended = json.at("ended");
  const Json& progress = json.at("progress");
  entry.progress = {.fraction = progress.at("fraction"),
                    .round = progress.at("round"),
                    .seconds = progress.at("seconds"),
                    .accuracy = number(progress, "accuracy"),
                    .leftLowSeconds = number(progress, "left_low_s"),
                    .leftHighSeconds = number(progress, "left_high_s")};
  return entry;
}

std::string toLine(const Notice& notice) {
  Json json = Json::object();
  if (const auto* entry = std::get_if<Entry>(&notice)) json["entry"] = toJson(*entry);
  if (const auto* rows = std::get_if<NewerRows>(&notice)) json["rows"] = rows->run;
  if (const auto* trouble = std::get_if<StoreTrouble>(&notice)) json["trouble"] = trouble->text;
  if (const auto* gone = std::get_if<QuestionGone>(&notice)) json["gone"] = gone->id;
  if (const auto* asked = std::get_if<Question>(&notice))
    json["question"] = {{"id", asked->id}, {"host", asked->host}, {"kind", asked->kind}, {"text", asked->text}, {"changed_key", asked->changedKey}};
  return dumped(json);
}

std::optional<Notice> noticeOf(const Json& line) {
  const auto member = [&line](const char* name) { return line.contains(name) ? &line.at(name) : nullptr; };
  if (const Json* entry = member("entry")) return entryFrom(*entry);
  if (const Json* rows = member("rows")) return NewerRows{*rows};
  if (const Json* trouble = member("trouble")) return StoreTrouble{*trouble};
  if (const Json* gone = member("gone")) return QuestionGone{*gone};
  if (const Json* asked = member("question"))
    return Question{.id = asked->at("id"), .host = asked->at("host"), .kind = asked->at("kind"), .text = asked->at("text"), .changedKey = asked->at("changed_key")};
  return std::nullopt;
}

const char* codeName(Errc code) {
  for (const auto& [known, name] : kCodes)
    if (known == code) return name;
  return code == Errc::kFormat || code == Errc::kFile ? "store" : "host";
}

Errc codeFromName(std::string_view name) {
  for (const auto& [code, known] : kCodes)
    if (known == name) return code;
  return Errc::kHost;
}

}  // namespace paceline::recorder
