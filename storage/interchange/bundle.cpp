// Everything recorded of a run as one JSON document ("bundle"), and back. A record is one line, exactly the line its node sent.
#include "storage/interchange/bundle.h"

#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "storage/interchange/esync_import.h"
#include "storage/interchange/interop.h"

namespace paceline::interchange {
namespace {

using Ordered = OrderedJson;

constexpr int kBundleVersion = 1;
constexpr std::uintmax_t kMaxBundleBytes = std::uintmax_t{4} << 30;

// A text that holds a document goes in as that document.
Ordered documentOrText(const std::string& text) {
  Ordered parsed = Ordered::parse(text, nullptr, false);
  return parsed.is_object() ? parsed : Ordered(text);
}
std::string textOfDocument(const Ordered& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

struct RowWriter {
  Ordered& object;
  void operator()(const Field& field, const std::string& value) { object[std::string(field.key)] = field.unit == "JSON" ? documentOrText(value) : Ordered(value); }
  void operator()(const Field& field, store::RunState value) { object[std::string(field.key)] = store::stateName(value); }
  template <class Value>
  void operator()(const Field& field, const Value& value) {
    object[std::string(field.key)] = value;
  }
};

// Texts, numbers and the state must be there, documents and lists may be absent.
struct RowReader {
  const Ordered& object;
  const char* of;

  const Ordered* find(const Field& field, const char* wanted, bool (Ordered::*is)() const noexcept) const {
    const auto found = object.find(field.key);
    if (found != object.end() && ((*found).*is)()) return &*found;
    if (found == object.end() && (field.since > 0 || wanted == nullptr)) return nullptr;
    throw Error(Errc::kFormat, strCat(of, "/", field.key, " must be ", wanted == nullptr ? "a list" : wanted));
  }
  void operator()(const Field& field, std::string& value) const {
    if (field.unit == "JSON") {
      if (object.contains(field.key)) value = textOfDocument(object[std::string(field.key)]);
    } else if (const Ordered* found = find(field, "a text", &Ordered::is_string)) {
      value = found->get<std::string>();
    }
  }
  void operator()(const Field& field, store::RunState& value) const {
    std::string name;
    (*this)(field, name);
    const std::optional<store::RunState> state = store::stateFromName(name);
    if (!state) throw Error(Errc::kFormat, strCat(of, "/", field.key, " \"", name, "\" is not known"));
    value = store::isEnded(*state) ? *state : store::RunState::kImported;  // nobody here records it
  }
  void operator()(const Field& field, std::vector<std::string>& value) const {
    if (const Ordered* found = find(field, nullptr, &Ordered::is_array)) value = found->get<std::vector<std::string>>();
  }
  void operator()(const Field& field, double& value) const {
    if (const Ordered* found = find(field, "a number", &Ordered::is_number)) value = found->get<double>();
  }
  template <std::integral Value>
  void operator()(const Field& field, Value& value) const {
    if (const Ordered* found = find(field, "a whole number", &Ordered::is_number_integer)) value = found->get<Value>();
  }
};

// Lists that came later are left out when they are empty.
constexpr int kAlwaysThere = 3;

template <class Record>
void appendRows(std::string& text, const std::vector<store::RecordRow<Record>>& rows, const std::string& newline) {
  if (rows.empty() && Record::kName.since > kAlwaysThere) return;
  text += strCat(",", newline, "\"", Record::kName.list, "\": [");
  const char* separator = "";
  for (const store::RecordRow<Record>& row : rows) {
    text += strCat(separator, newline, "{\"node\": ", dumped(Json(row.node)), ", \"seq\": ", row.seq, ", \"event\": ", toLine(row.record), "}");
    separator = ",";
  }
  text += strCat(newline, "]");
}

std::vector<store::NodeRow> readNodes(const Ordered& document, const std::string& run) {
  std::vector<store::NodeRow> nodes;
  for (const Ordered& object : document.at("nodes")) {
    describe(RowReader{object, "nodes"}, nodes.emplace_back());
    nodes.back().run = run;
  }
  return nodes;
}

std::vector<StampedEvent> readEvents(const Ordered& document, const std::string& run) {
  std::vector<StampedEvent> events;
  eachRecordType([&]<class Record>() {
    const std::string list(Record::kName.list);
    if (Record::kName.since > 1 && !document.contains(list)) return;
    for (const Ordered& row : document.at(list)) {
      const std::string node = row.at("node");
      const std::int64_t seq = row.at("seq");
      events.push_back({.run = run, .node = node, .seq = seq, .event = parseEvent(row.at("event").dump())});
    }
  });
  return events;
}

std::string importDocument(store::StoreWriter& store, const Ordered& document) {
  if (document.at("paceline_bundle") != kBundleVersion)
    throw Error(Errc::kFormat, strCat("made by a newer Paceline (bundle ", dumped(document["paceline_bundle"]),
                                      ", this one knows ", kBundleVersion, ")"));
  store::RunRow run;
  store::describeRun(RowReader{document.at("run"), "run"}, run);
  if (run.id.empty()) throw Error(Errc::kFormat, "run/id is empty");
  const std::vector<store::NodeRow> nodes = readNodes(document, run.id);
  const std::vector<StampedEvent> events = readEvents(document, run.id);
  store.createRun(run, nodes);
  store.append(events);
  return run.id;
}

}  // namespace

std::string runToJson(const summary::RunData& data, int indent) {
  const std::string newline = indent < 0 ? "" : "\n";
  Ordered run, nodes = Ordered::array();
  store::describeRun(RowWriter{run}, data.run);
  for (const store::NodeRow& node : data.nodes) describe(RowWriter{nodes.emplace_back()}, node);
  std::string text = strCat("{\"paceline_bundle\": ", kBundleVersion, ",", newline, "\"run\": ", dumped(run, indent), ",", newline,
                            "\"nodes\": ", dumped(nodes, indent));
  summary::eachList(data, [&](const auto& rows) { appendRows(text, rows, newline); });
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

}  // namespace paceline::interchange
