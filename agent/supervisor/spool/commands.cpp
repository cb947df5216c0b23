#include "agent/supervisor/spool/commands.h"

#include <filesystem>

#include <nlohmann/json.hpp>

#include "agent/supervisor/spool/run_folder.h"
#include "agent/supervisor/supervise/up.h"
#include "engine/core/base/error.h"

namespace paceline::spool {
namespace {

using Json = nlohmann::json;

std::string resultOf(const AgentPaths& paths, const Json& request) {
  const Json reply = Json::parse(supervise::ask(supervise::connectOrStart(paths), request.dump()), nullptr, false);
  if (!reply.is_object()) throw Error(Errc::kHost, "the supervisor's answer cannot be read");
  if (!reply.value("ok", false)) throw Error(Errc::kHost, reply.value("error", "the supervisor refused"));
  return reply.at("result").dump();
}

}  // namespace

std::string spoolsJson(const AgentPaths& paths) { return resultOf(paths, {{"request", "spools"}, {"id", 1}}); }

std::string dropCheckpoints(const AgentPaths& paths, const std::string& run) {
  if (!RunFolder::isRunName(run)) throw Error(Errc::kHost, strCat("\"", run, "\" cannot be the name of a run"));
  const std::filesystem::path folder = std::filesystem::path(paths.checkpoints) / run;
  std::error_code error;
  std::uintmax_t bytes = 0;
  for (std::filesystem::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file(error)) bytes += entry->file_size(error);
  std::filesystem::remove_all(folder, error);
  if (error) throw Error(Errc::kFile, strCat("cannot delete ", folder.string(), ": ", error.message()));
  return Json{{"freed_bytes", bytes}}.dump();
}

std::string forgetRuns(const AgentPaths& paths, const std::string& runOrEnded) {
  if (runOrEnded == "--ended") return resultOf(paths, {{"request", "forget"}, {"id", 1}, {"ended", true}});
  return resultOf(paths, {{"request", "forget"}, {"id", 1}, {"run", runOrEnded}});
}

}  // namespace paceline::spool
