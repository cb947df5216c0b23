#include "app/cli/runs/run_page.h"

#include <algorithm>
#include <cmath>

#include "app/cli/console.h"
#include "app/figures/figure.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

constexpr std::size_t kCurveRows = 10;
constexpr std::size_t kNoticeRows = 12;

std::string headText(const store::RunRow& run) {
  std::string text = strCat(run.name.empty() ? run.id : run.name, "\n\n");
  const auto line = [&text](const std::string& key, const std::string& value) {
    if (!value.empty()) text += key + std::string(14 - key.size(), ' ') + value + "\n";
  };
  line("id", run.id);
  line("state",
       strCat(store::stateName(run.state), run.reason.empty() ? "" : " (" + run.reason + ")", run.trashed ? ", in the trash" : ""));
  line("error", run.error);
  line("source", run.source);
  line("algorithm", displayName(run.algorithm));
  line("model", run.model);
  line("data set", run.dataset + (run.partition.empty() ? "" : ", " + run.partition));
  line("seed", run.source.starts_with("esync") ? "" : std::to_string(run.seed));
  line("created", utcText(run.createdUtc));
  line("started", utcText(run.startedUtc));
  line("ended", utcText(run.endedUtc));
  line("configuration", run.configHash.substr(0, 12));
  std::string tags;
  for (const std::string& tag : run.tags) tags += (tags.empty() ? "" : ", ") + tag;
  line("tags", tags);
  line("notes", run.notes);
  return text;
}

std::string resultText(const summary::RunSummary& summary) {
  std::string text =
      strCat("\nresults\n  ", summary.rounds, " rounds, ", summary.samples, " samples in ", durationText(summary.wallSeconds),
             "\n  ", significant(summary.throughputSamplesPerSecond), " samples/s, ",
             significant(summary.trafficBytesPerSecond / 1e6), " MB/s on the network\n");
  if (summary.accuracyBest && summary.accuracyLast)
    text += strCat("  accuracy ", decimals(*summary.accuracyLast, 4), " at the end, ", decimals(*summary.accuracyBest, 4),
                   " at best; ", significant(summary.targetAccuracy),
                   summary.timeToTargetSeconds ? " reached after " + durationText(*summary.timeToTargetSeconds) : " not reached",
                   "\n");
  return text;
}

std::string workersText(const summary::RunSummary& summary) {
  if (summary.nodes.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const summary::NodeSummary& node : summary.nodes)
    rows.push_back({node.id, node.host, node.device, std::to_string(node.rounds), std::to_string(node.samples),
                    significant(node.computeSeconds), significant(node.waitSeconds),
                    significant(node.sendSeconds + node.receiveSeconds), significant(node.evaluateSeconds),
                    std::isnan(node.busyRatio) ? "-" : decimals(node.busyRatio, 2), significant(node.localStepsMean),
                    significant(node.stalenessMean)});
  return "\nworkers\n" + tableText({"id", "host", "device", "rounds", "samples", "compute s", "wait s", "send+receive s",
                                    "evaluate s", "computing", "local steps", "staleness"},
                                   rows);
}

std::string curveText(const summary::RunSummary& summary) {
  if (summary.curve.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  const std::size_t step = (summary.curve.size() + kCurveRows - 1) / kCurveRows;
  for (std::size_t i = 0; i < summary.curve.size(); ++i) {
    if (i % step != 0 && i + 1 != summary.curve.size()) continue;
    const summary::CurvePoint& point = summary.curve[i];
    rows.push_back({std::to_string(point.round), significant(point.seconds, 4), std::to_string(point.samples),
                    significant(static_cast<double>(point.bytes) / 1e6), decimals(point.accuracy, 4), decimals(point.loss, 4)});
  }
  return strCat("\nevaluations (", rows.size(), " of ", summary.curve.size(), ")\n",
                tableText({"round", "s", "samples", "MB", "accuracy", "loss"}, rows));
}

std::string noticesText(const summary::RunData& data) {
  std::vector<const store::NoticeRow*> told;
  for (const store::NoticeRow& notice : data.notices)
    if (!notice.record.text.empty() || notice.record.kind == "exit") told.push_back(&notice);
  if (told.empty()) return "";
  const std::size_t first = told.size() > kNoticeRows ? told.size() - kNoticeRows : 0;
  std::string text = strCat("\nmessages (", told.size() - first, " of ", told.size(), ")\n");
  for (std::size_t i = first; i < told.size(); ++i) {
    const NoticeRecord& record = told[i]->record;
    const bool saysWhy = record.reason.empty() || record.text.find(record.reason) != std::string::npos;
    text += strCat("  ", told[i]->node, ": ", record.level == "warn" || record.level == "error" ? record.level + ": " : "",
                   record.text.empty() ? record.kind : record.text, saysWhy ? "" : strCat(" (", record.reason, ")"), "\n");
  }
  return text;
}

}  // namespace

std::string runPage(const summary::RunData& data, const summary::RunSummary& summary) {
  return headText(data.run) + resultText(summary) + workersText(summary) + curveText(summary) + noticesText(data);
}

}  // namespace paceline::cli
