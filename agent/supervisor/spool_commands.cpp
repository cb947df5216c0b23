#include "agent/supervisor/spool_commands.h"

#include <nlohmann/json.hpp>

#include "agent/supervisor/up.h"
#include "engine/core/error.h"

namespace paceline {
namespace {

using Json = nlohmann::json;

std::string resultOf(const AgentPaths& paths, const Json& request) {
  const Json reply = Json::parse(ask(connectOrStart(paths), request.dump()), nullptr, false);
  if (!reply.is_object()) throw Error(Errc::kHost, "the supervisor's answer cannot be read");
  if (!reply.value("ok", false)) throw Error(Errc::kHost, reply.value("error", "the supervisor refused"));
  return reply.at("result").dump();
}

}  // namespace

std::string spoolsJson(const AgentPaths& paths) { return resultOf(paths, {{"request", "spools"}, {"id", 1}}); }

std::string forgetRuns(const AgentPaths& paths, const std::string& runOrEnded) {
  if (runOrEnded == "--ended") return resultOf(paths, {{"request", "forget"}, {"id", 1}, {"ended", true}});
  return resultOf(paths, {{"request", "forget"}, {"id", 1}, {"run", runOrEnded}});
}

}  // namespace paceline
