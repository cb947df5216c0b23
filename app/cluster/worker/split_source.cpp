#include "app/cluster/worker/split_source.h"

#include "app/cluster/hosts/host.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_number.h"

namespace paceline::worker {
namespace {

constexpr double kSplitSeconds = 300;  // a large set on a slow disk

}  // namespace

SplitCounts parseSplit(const std::string& text) {
  try {
    const Json document = Json::parse(text);
    SplitCounts split{.workers = document.at("workers").get<std::vector<std::string>>(), .counts = document.at("counts").get<std::vector<LabelCounts>>()};
    if (split.workers.size() != split.counts.size())
      throw Error(Errc::kFormat, strCat("split: ", split.counts.size(), " counts for ", split.workers.size(), " workers"));
    return split;
  } catch (const Json::exception& error) {
    throw Error(Errc::kFormat, strCat("split: ", error.what()));
  }
}

SplitCounts splitOfSpec(const RunSpec& spec, const std::stop_token& stop) {
  return parseSplit(workerAnswer(hosts::localProgram("paceline-worker"), {"split", "-"}, kSplitSeconds, stop, toJsonText(spec)));
}

}  // namespace paceline::worker
