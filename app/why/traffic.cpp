#include "app/why/traffic.h"

#include <utility>

#include "app/why/simulated.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "storage/summary/table_text.h"

namespace paceline::why {
namespace {

constexpr std::int64_t kSimulatedRounds = 12;

double meanSent(const std::vector<store::RoundRow>& rows, const std::string& worker) {
  double sum = 0;
  std::int64_t count = 0;
  for (const store::RoundRow& row : rows)
    if (row.node == worker && row.record.round > 1) sum += static_cast<double>(row.record.bytesSent), ++count;
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

}  // namespace

Ledger ledgerOf(const store::StoreReader& store, const store::RunRow& run) {
  const std::vector<store::NodeRow> nodes = store.nodes(run.id);
  Ledger ledger{.ways = summary::waysOf(store.records<LinkRecord>(run.id)), .uneven = {}, .rounds = {}};
  ledger.again = summary::startedAgain(nodes, store.notices(run.id));
  ledger.uneven = summary::unevenWays(ledger.ways, nodes, ledger.again);
  const std::vector<store::RoundRow> rounds = store.rounds(run.id);
  for (const store::NodeRow& node : nodes)
    if (const double mean = meanSent(rounds, node.id); mean > 0) ledger.rounds.push_back({.worker = node.id, .recorded = mean});
  return ledger;
}

void addByMethod(Ledger& ledger, const store::RunRow& run, std::stop_token stop) {
  ParsedSpec parsed = parseRunSpec(run.specText);
  if (hasErrors(parsed.findings)) {
    ledger.notByMethod = "the run has no whole document";
    return;
  }
  RunSpec& spec = parsed.spec;
  const std::vector<int> evaluators = spec.evaluators();
  for (auto node = evaluators.rbegin(); node != evaluators.rend(); ++node) spec.nodes.erase(spec.nodes.begin() + *node);
  for (NodeSpec& node : spec.nodes) node.host = "local", node.emulate.lostAfterRounds.reset();
  spec.learn = false, spec.evaluate.everyRounds = 0, spec.checkpointEveryRounds = 0;
  spec.evaluate.validation = 0;
  spec.stop = {};
  spec.stop.rounds = kSimulatedRounds;
  try {
    const std::vector<store::RoundRow> simulated = localSimulator(std::move(stop))(spec);
    for (SentRounds& rounds : ledger.rounds)
      if (const double mean = meanSent(simulated, rounds.worker); mean > 0) rounds.byMethod = mean;
  } catch (const Error& error) {
    ledger.notByMethod = error.what();
  }
}

std::string againText(const Ledger& ledger) {
  if (ledger.again.empty()) return "";
  return strCat(listed({ledger.again.begin(), ledger.again.end()}), ledger.again.size() == 1 ? " was" : " were", " started again, and what was sent before nobody told: not compared");
}

std::string noLinksText(const store::RunRow& run) { return strCat("no link of ", run.id, " is recorded: it is of an earlier version, or its nodes ended before they told"); }

std::string linksToCsv(const Ledger& ledger) {
  summary::CsvTable table;
  for (const char* key : {"from", "to", "messages", "values_bytes", "bytes", "received_bytes", "shared_bytes", "framed_bytes", "kernel_bytes", "retransmitted_bytes"}) table.cell(key);
  table.endRow();
  for (const summary::Way& way : ledger.ways) {
    table.cell(way.from).cell(way.to).cell(way.messages).cell(way.values).cell(way.bytes);
    way.bytesReceived ? table.cell(*way.bytesReceived) : table.cell("");
    table.cell(way.shared).cell(way.framed).cell(way.kernel).cell(way.again).endRow();
  }
  return table.text();
}

std::string offText(double part, double whole) { return whole == 0 ? "-" : strCat(summary::fixedText(100 * (part / whole - 1), 3), " %"); }

}  // namespace paceline::why
