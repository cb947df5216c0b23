// Everything recorded of a run as one JSON document ("bundle"), and back. A record is one line, exactly the line its node sent.
#include "storage/interchange/bundle.h"

#include <cmath>

#include "engine/core/base/error.h"
#include "engine/core/json/json_number.h"
#include "storage/interchange/esync_import.h"
#include "storage/interchange/interop.h"
#include "storage/summary/table_text.h"

namespace paceline::interchange {
namespace {

using Ordered = nlohmann::ordered_json;

constexpr int kBundleVersion = 1;
constexpr std::uintmax_t kMaxBundleBytes = std::uintmax_t{4} << 30;

// A text that holds a document goes in as that document.
Ordered documentOrText(const std::string& text) {
  Ordered parsed = Ordered::parse(text, nullptr, false);
  return parsed.is_object() ? parsed : Ordered(text);
}
std::string textOfDocument(const Ordered& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string dumped(const Ordered& value, int indent = -1) {
  return value.dump(indent, ' ', false, Ordered::error_handler_t::replace);
}

Ordered runJson(const store::RunRow& run) {
  return {{"id", run.id},
          {"name", run.name},
          {"state", store::stateName(run.state)},
          {"error", run.error},
          {"reason", run.reason},
          {"algorithm", run.algorithm},
          {"model", run.model},
          {"dataset", run.dataset},
          {"partition", run.partition},
          {"seed", run.seed},
          {"config_hash", run.configHash},
          {"group_hash", run.groupHash},
          {"tags", run.tags},
          {"notes", run.notes},
          {"created_utc", run.createdUtc},
          {"started_utc", run.startedUtc},
          {"ended_utc", run.endedUtc},
          {"source", run.source},
          {"versions", documentOrText(run.versions)},
          {"spec", documentOrText(run.specText)}};
}

Ordered nodeJson(const store::NodeRow& node) {
  return {{"id", node.id}, {"role", node.role}, {"host", node.host}, {"device", node.device}, {"rank", node.rank}};
}

template <class Row>
void appendRows(std::string& text, const char* name, const std::vector<Row>& rows, const std::string& newline) {
  text += strCat(",", newline, "\"", name, "\": [");
  const char* separator = "";
  for (const Row& row : rows) {
    text += strCat(separator, newline, "{\"node\": ", dumped(row.node), ", \"seq\": ", row.seq,
                   ", \"event\": ", toLine(row.record), "}");
    separator = ",";
  }
  text += strCat(newline, "]");
}

std::string checkedText(const Ordered& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) throw Error(Errc::kFormat, strCat("run/", key, " must be a text"));
  return found->get<std::string>();
}

double checkedNumber(const Ordered& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) throw Error(Errc::kFormat, strCat("run/", key, " must be a number"));
  return found->get<double>();
}

store::RunRow readRun(const Ordered& object) {
  store::RunRow run;
  const std::pair<const char*, std::string store::RunRow::*> texts[] = {{"id", &store::RunRow::id},
                                                                 {"name", &store::RunRow::name},
                                                                 {"error", &store::RunRow::error},
                                                                 {"reason", &store::RunRow::reason},
                                                                 {"algorithm", &store::RunRow::algorithm},
                                                                 {"model", &store::RunRow::model},
                                                                 {"dataset", &store::RunRow::dataset},
                                                                 {"partition", &store::RunRow::partition},
                                                                 {"config_hash", &store::RunRow::configHash},
                                                                 {"group_hash", &store::RunRow::groupHash},
                                                                 {"notes", &store::RunRow::notes},
                                                                 {"source", &store::RunRow::source}};
  for (const auto& [key, member] : texts) run.*member = checkedText(object, key);
  if (run.id.empty()) throw Error(Errc::kFormat, "run/id is empty");
  const std::optional<store::RunState> state = store::stateFromName(checkedText(object, "state"));
  if (!state) throw Error(Errc::kFormat, strCat("run/state \"", checkedText(object, "state"), "\" is not known"));
  run.state = store::isEnded(*state) ? *state : store::RunState::kImported;  // nobody here records it
  if (object.contains("seed") && object["seed"].is_number_integer()) run.seed = object["seed"].get<std::uint64_t>();
  run.createdUtc = checkedNumber(object, "created_utc");
  run.startedUtc = checkedNumber(object, "started_utc"), run.endedUtc = checkedNumber(object, "ended_utc");
  if (object.contains("tags")) run.tags = object["tags"].get<std::vector<std::string>>();
  if (object.contains("versions")) run.versions = textOfDocument(object["versions"]);
  if (object.contains("spec")) run.specText = textOfDocument(object["spec"]);
  return run;
}

std::vector<store::NodeRow> readNodes(const Ordered& document, const std::string& run) {
  std::vector<store::NodeRow> nodes;
  for (const Ordered& object : document.at("nodes")) {
    store::NodeRow& node = nodes.emplace_back();
    node.run = run, node.id = object.at("id"), node.role = object.at("role");
    node.host = object.at("host"), node.device = object.at("device"), node.rank = object.at("rank");
  }
  return nodes;
}

std::vector<StampedEvent> readEvents(const Ordered& document, const std::string& run) {
  std::vector<StampedEvent> events;
  for (const char* list : {"rounds", "evaluations", "notices", "host_loads", "edges", "labels"}) {
    const bool younger = list == std::string_view("edges") || list == std::string_view("labels");  // than the format
    if (younger && !document.contains(list)) continue;
    for (const Ordered& row : document.at(list)) {
      const std::string node = row.at("node");
      const std::int64_t seq = row.at("seq");
      events.push_back({.run = run, .node = node, .seq = seq, .event = parseEvent(row.at("event").dump())});
    }
  }
  return events;
}

std::string importDocument(store::StoreWriter& store, const Ordered& document) {
  if (document.at("paceline_bundle") != kBundleVersion)
    throw Error(Errc::kFormat, strCat("made by a newer Paceline (bundle ", dumped(document["paceline_bundle"]),
                                      ", this one knows ", kBundleVersion, ")"));
  const store::RunRow run = readRun(document.at("run"));
  const std::vector<store::NodeRow> nodes = readNodes(document, run.id);
  const std::vector<StampedEvent> events = readEvents(document, run.id);
  store.createRun(run, nodes);
  store.append(events);
  return run.id;
}

}  // namespace

std::string runToJson(const summary::RunData& data, int indent) {
  const std::string newline = indent < 0 ? "" : "\n";
  Ordered nodes = Ordered::array();
  for (const store::NodeRow& node : data.nodes) nodes.push_back(nodeJson(node));
  std::string text = strCat("{\"paceline_bundle\": ", kBundleVersion, ",", newline,
                            "\"run\": ", dumped(runJson(data.run), indent), ",", newline, "\"nodes\": ", dumped(nodes, indent));
  appendRows(text, "rounds", data.rounds, newline);
  appendRows(text, "evaluations", data.evaluations, newline);
  appendRows(text, "notices", data.notices, newline);
  appendRows(text, "host_loads", data.hostLoads, newline);
  appendRows(text, "edges", data.edges, newline);
  appendRows(text, "labels", data.labels, newline);
  return text + newline + "}" + newline;
}

std::vector<std::string> importBundle(store::StoreWriter& store, const std::string& file) {
  std::vector<std::string> ids;
  try {
    const Ordered document = Ordered::parse(textOfFile(file, kMaxBundleBytes));
    store.together([&] {
      if (!document.is_array()) return ids.push_back(importDocument(store, document));
      for (const Ordered& one : document) ids.push_back(importDocument(store, one));
    });
  } catch (const nlohmann::json::exception& error) {
    throw Error(Errc::kFormat, strCat(file, ": is not a Paceline bundle: ", error.what()));
  } catch (const Error& error) {
    if (error.code() != Errc::kFormat) throw;
    throw Error(Errc::kFormat, strCat(file, ": ", error.what()));
  }
  return ids;
}

std::string roundsToCsv(const summary::RunData& data) {
  summary::CsvTable table;
  for (const char* name :
       {"run",         "node",          "seq",        "round",          "t_s",           "fetch_s",           "compute_s",
        "update_s",    "send_s",        "wait_s",     "receive_s",      "query_s",       "evaluate_s",        "total_s",
        "local_steps", "samples",       "bytes_sent", "bytes_received", "messages_sent", "messages_received", "staleness",
        "loss",        "learning_rate", "kept"})
    table.cell(name);
  table.endRow();
  for (const store::RoundRow& row : data.rounds) {
    const RoundRecord& r = row.record;
    table.cell(data.run.id).cell(row.node).cell(row.seq).cell(r.round).cell(r.t).cell(r.fetch).cell(r.compute).cell(r.update);
    table.cell(r.send)
        .cell(r.wait)
        .cell(r.receive)
        .cell(r.query)
        .cell(r.evaluate)
        .cell(r.total)
        .cell(r.localSteps)
        .cell(r.samples);
    table.cell(r.bytesSent).cell(r.bytesReceived).cell(r.messagesSent).cell(r.messagesReceived);
    table.cell(r.staleness).cell(r.loss).cell(r.learningRate).cell(r.kept);
    table.endRow();
  }
  return table.text();
}

std::string edgesToCsv(const summary::RunData& data) {
  summary::CsvTable table;
  for (const char* name : {"run", "node", "seq", "round", "t_s", "peer", "exchanges", "age", "bytes_sent", "bytes_received", "lost"}) table.cell(name);
  table.endRow();
  for (const store::EdgeRow& row : data.edges) {
    const EdgeRecord& r = row.record;
    table.cell(data.run.id).cell(row.node).cell(row.seq).cell(r.round).cell(r.t).cell(r.peer).cell(r.exchanges).cell(r.age);
    table.cell(r.bytesSent).cell(r.bytesReceived).cell(r.lost);
    table.endRow();
  }
  return table.text();
}

}  // namespace paceline::interchange
