// Everything recorded of a run as one JSON document ("bundle"), and back: a record is one line, exactly the line its node sent. Any list of records as
// CSV, full resolution: run, node, seq and what their type describes.
#include "storage/interchange/interop.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "engine/core/base/file_text.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/held_files.h"
#include "engine/core/json/json_text.h"
#include "storage/interchange/esync_format.h"
#include "storage/interchange/verify.h"
#include "storage/summary/table_text.h"

namespace fs = std::filesystem;

namespace paceline::interchange {
namespace {

constexpr int kBundleVersion = 1;

// A text that holds a document goes in as that document.
OrderedJson documentOrText(const std::string& text) {
  std::vector<Finding> ignored;
  const std::optional<OrderedJson> parsed = parseOrderedJson(text, ignored);
  return parsed && parsed->is_object() ? *parsed : OrderedJson(text);
}
std::string textOfDocument(const OrderedJson& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

struct RowWriter {
  OrderedJson& object;
  void operator()(const Field& field, const std::string& value) { object[std::string(field.key)] = field.unit == "JSON" ? documentOrText(value) : OrderedJson(value); }
  void operator()(const Field& field, store::RunState value) { object[std::string(field.key)] = store::stateName(value); }
  template <class Value>
  void operator()(const Field& field, const Value& value) {
    object[std::string(field.key)] = value;
  }
};

// Texts, numbers and the state must be there, documents and lists may be absent.
struct RowReader {
  const OrderedJson& object;
  const char* of;

  const OrderedJson* find(const Field& field, const char* wanted, bool (OrderedJson::*is)() const noexcept) const {
    const auto found = object.find(field.key);
    if (found != object.end() && ((*found).*is)()) return &*found;
    if (found == object.end() && (field.since > 0 || wanted == nullptr)) return nullptr;
    throw Error(Errc::kFormat, strCat(of, "/", field.key, " must be ", wanted == nullptr ? "a list" : wanted));
  }
  void operator()(const Field& field, std::string& value) const {
    if (field.unit == "JSON") {
      if (object.contains(field.key)) value = textOfDocument(object[std::string(field.key)]);
    } else if (const OrderedJson* found = find(field, "a text", &OrderedJson::is_string)) {
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
    if (const OrderedJson* found = find(field, nullptr, &OrderedJson::is_array)) value = found->get<std::vector<std::string>>();
  }
  void operator()(const Field& field, double& value) const {
    if (const OrderedJson* found = find(field, "a number", &OrderedJson::is_number)) value = found->get<double>();
  }
  template <std::integral Value>
  void operator()(const Field& field, Value& value) const {
    if (const OrderedJson* found = find(field, "a whole number", &OrderedJson::is_number_integer)) value = found->get<Value>();
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

const OrderedJson& memberOf(const OrderedJson& object, const std::string& key) {
  const auto found = object.find(key);
  if (found == object.end()) throw Error(Errc::kFormat, strCat("is not a Paceline bundle: \"", key, "\" is missing"));
  return *found;
}

const OrderedJson& listIn(const OrderedJson& document, const std::string& key) {
  const OrderedJson& list = memberOf(document, key);
  if (!list.is_array()) throw Error(Errc::kFormat, strCat(key, " must be a list, it is ", described(list)));
  return list;
}

void checkVersion(const OrderedJson& document) {
  const OrderedJson& version = memberOf(document, "paceline_bundle");
  if (version.is_number() && version == kBundleVersion) return;
  const bool newer = version.is_number() && version > kBundleVersion;
  throw Error(Errc::kFormat, newer ? strCat("made by a newer Paceline (bundle ", described(version), ", this one knows ", kBundleVersion, ")")
                                   : strCat("\"paceline_bundle\" must be ", kBundleVersion, ", it is ", described(version)));
}

std::vector<store::NodeRow> readNodes(const OrderedJson& document, const std::string& run) {
  std::vector<store::NodeRow> nodes;
  for (const OrderedJson& object : listIn(document, "nodes")) {
    describe(RowReader{object, "nodes"}, nodes.emplace_back());
    nodes.back().run = run;
  }
  return nodes;
}

// Puts bundles into the store while their file is read: records go there in batches as soon as their run is, so that a large bundle needs little
// memory. Only where its run comes behind its records do these wait here.
class BundleImport {
 public:
  explicit BundleImport(store::StoreWriter& store) : store_(store) {}

  // An element of a list in `document`, which has what came before it. False: it stays there.
  bool take(const OrderedJson& document, const std::string& list, const OrderedJson& row) {
    if (list == "nodes") return false;
    if (std::ranges::find(lists_, list) == lists_.end()) return true;  // unknown members are passed over
    if (document.contains("paceline_bundle")) checkVersion(document);
    addRecord(list, row);
    if (waiting_.size() < kBatch) return true;
    if (!created_ && document.contains("paceline_bundle") && document.contains("run") && document.contains("nodes")) create(document);
    if (created_) append();
    return true;
  }

  void end(const OrderedJson& document) {
    if (!created_) create(document);
    eachRecordType([&]<class Record>() {
      const std::string list(Record::kName.list);
      if (Record::kName.since > 1 && !document.contains(list)) return;
      for (const OrderedJson& row : listIn(document, list)) addRecord(list, row);  // what take() did not get: no objects
    });
    append();
    created_ = false;
  }

  const std::vector<std::string>& ids() const { return ids_; }

 private:
  static constexpr std::size_t kBatch = 5000;

  void addRecord(const std::string& list, const OrderedJson& row) {
    StampedEvent& read = waiting_.emplace_back(StampedEvent{.run = {}, .node = {}, .seq = 0, .event = parseEvent(dumped(memberOf(row, "event")))});
    const RowReader members{row, list.c_str()};
    members(Field{.key = "node"}, read.node);
    members(Field{.key = "seq"}, read.seq);
  }

  void create(const OrderedJson& document) {
    checkVersion(document);
    store::RunRow run;
    store::describeRun(RowReader{memberOf(document, "run"), "run"}, run);
    if (run.id.empty()) throw Error(Errc::kFormat, "run/id is empty");
    store_.createRun(run, readNodes(document, run.id));
    ids_.push_back(run.id);
    created_ = true;
  }

  void append() {
    for (StampedEvent& event : waiting_) event.run = ids_.back();
    store_.append(waiting_);
    waiting_.clear();
  }

  store::StoreWriter& store_;
  const std::vector<std::string> lists_ = recordLists();
  std::vector<StampedEvent> waiting_;
  std::vector<std::string> ids_;
  bool created_ = false;  // the run that is being read
};

void readBundle(const std::string& file, BundleImport& bundle) {
  const JsonParts parts{.element = [&](const OrderedJson& document, const std::string& list, const OrderedJson& row) { return bundle.take(document, list, row); },
                        .document = [&](const OrderedJson& document) { bundle.end(document); }};
  std::vector<Finding> findings;
  if (readJsonParts(file, parts, findings)) return;
  const Finding& why = findings.front();
  throw Error(Errc::kFormat, strCat("is not a Paceline bundle: ", why.pointer.empty() ? "it" : why.pointer, " ", why.message));
}

template <class Record>
std::string csvOf(const std::string& run, const std::vector<store::RecordRow<Record>>& rows) {
  summary::CsvTable table;
  table.cell("run").cell("node").cell("seq");
  const Record fresh{};
  describe([&](const Field& field, const auto&) { table.cell(field.key); }, fresh);
  table.endRow();
  for (const store::RecordRow<Record>& row : rows) {
    table.cell(run).cell(row.node).cell(row.seq);
    describe([&]<class Value>(const Field&, const Value& value) {
      if constexpr (std::same_as<Value, std::vector<std::int64_t>>) table.cell(dumped(Json(value)));
      else table.cell(value);
    }, row.record);
    table.endRow();
  }
  return table.text();
}

// What `export` of several runs leaves in a folder.
std::vector<std::string> bundlesIn(const std::string& folder) {
  std::vector<std::string> bundles;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.is_regular_file(error) && beginningOf(entry.path().string(), 64).find("\"paceline_bundle\"") != std::string::npos) bundles.push_back(entry.path().string());
  std::ranges::sort(bundles);
  return bundles;
}

constexpr std::string_view kNonIidFolder = "-niid", kNonIidSummary = "-Non-IID";

std::optional<EsyncModeName> modeNamed(std::string_view name, const char* EsyncMode::*by, std::string_view nonIidSuffix) {
  const bool nonIid = name.ends_with(nonIidSuffix);
  if (nonIid) name.remove_suffix(nonIidSuffix.size());
  for (const EsyncMode& mode : esyncModes())
    if (name == mode.*by) return EsyncModeName{.mode = &mode, .nonIid = nonIid};
  return std::nullopt;
}

}  // namespace

const std::vector<EsyncMode>& esyncModes() {
  static const std::vector<EsyncMode> kModes = {
      {"esync", "esync", "ESync"}, {"sync", "ssgd", "Sync"}, {"async", "asgd", "Async"}, {"dcasgd", "dc_asgd", "DCASGD"}};
  return kModes;
}

std::optional<EsyncModeName> esyncModeOfFolder(std::string_view folder) { return modeNamed(folder, &EsyncMode::folder, kNonIidFolder); }

std::optional<EsyncModeName> esyncModeOfSummary(std::string_view file) {
  if (!file.ends_with(".json")) return std::nullopt;
  return modeNamed(file.substr(0, file.size() - 5), &EsyncMode::summary, kNonIidSummary);
}

bool namesEsyncSummary(std::string_view file) { return esyncModeOfSummary(file).has_value(); }

std::string endingOf(const std::string& format) {
  if (format == "trace") return ".trace.json";
  return format == "csv" || format == "json" ? "." + format : strCat(".", format, ".csv");
}

std::string textOfFile(const std::string& path, std::size_t maxBytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) throw Error(Errc::kFile, strCat(path, ": is no regular file"));  // a device may never end
  if (auto text = fileText(path, maxBytes)) return std::move(*text);
  if (errno == EFBIG) throw Error(Errc::kFormat, strCat(path, ": has more than ", maxBytes, " bytes, too many for such a file"));
  throw Error(Errc::kFile, strCat(path, ": cannot be read: ", std::strerror(errno)));
}

// Reads back what runToJson wrote: one such document, or an array of them. Ids and sequence numbers stay; a run that is in the store already is refused.
std::vector<std::string> importBundle(store::StoreWriter& store, const std::string& file, Checksum checksum) {
  if (checksum == Checksum::kMustHold && checksumHolds(file) == false)
    throw Error(Errc::kFormat, strCat(file, ": was changed after it was exported: its checksum does not hold (paceline verify tells more; without the member \"", kChecksumKey, "\" it is taken as it is)"));
  BundleImport bundle(store);
  try {
    store.together([&] { readBundle(file, bundle); });
  } catch (const nlohmann::json::exception& error) {
    throw Error(Errc::kFormat, strCat(file, ": is not a Paceline bundle: ", reasonOf(error)));
  } catch (const Error& error) {
    if (error.code() != Errc::kFormat) throw;
    throw Error(Errc::kFormat, strCat(file, ": ", error.what()));
  }
  return bundle.ids();
}

std::string runToJson(const summary::RunData& data, int indent) {
  const std::string newline = indent < 0 ? "" : "\n";
  OrderedJson run, nodes = OrderedJson::array();
  store::describeRun(RowWriter{run}, data.run);
  for (const store::NodeRow& node : data.nodes) describe(RowWriter{nodes.emplace_back()}, node);
  std::string text = strCat("{\"paceline_bundle\": ", kBundleVersion, ",", newline, "\"run\": ", dumped(run, indent), ",", newline,
                            "\"nodes\": ", dumped(nodes, indent));
  summary::eachList(data, [&](const auto& rows) { appendRows(text, rows, newline); });
  text += strCat(",", newline);
  return strCat(text, "\"", kChecksumKey, "\": \"", sha256Hex(text), "\"", newline, "}", newline);
}

std::vector<std::string> recordLists() {
  std::vector<std::string> names;
  eachRecordType([&]<class Record>() { names.emplace_back(Record::kName.list); });
  return names;
}

std::string recordsToCsv(const summary::RunData& data, std::string_view list) {
  std::optional<std::string> text;
  summary::eachList(data, [&]<class Record>(const std::vector<store::RecordRow<Record>>& rows) {
    if (Record::kName.list == list) text = csvOf(data.run.id, rows);
  });
  if (!text) throw Error(Errc::kUsage, strCat("\"", list, "\" is no list of records; have ", listed(recordLists())));
  return *text;
}

std::string importableKinds() {
  std::string kinds = "a bundle of Paceline, an ESync log tree or summary (ESync.json, ...)";
  for (const ForeignFormat& format : foreignFormats()) kinds += strCat(", ", format.what);
  return kinds;
}

std::vector<std::string> importPath(store::StoreWriter& store, const std::string& path, const ImportProfile& profile) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw Error(Errc::kFile, strCat(path, ": ", error ? error.message() : "no such file or folder"));
  if (isHeld(path)) throw Error(Errc::kFormat, strCat(path, ": is a store that is open here, not a file to import"));
  if (!fs::is_directory(status) && !fs::is_regular_file(status)) throw Error(Errc::kFormat, strCat(path, ": is no regular file"));
  if (const ForeignFormat* format = foreignFormatOf(path, Told::kImport)) {
    try {
      return storeForeign(store, format->read(path, profile), profile);
    } catch (const fs::filesystem_error& failed) {
      throw Error(Errc::kFile, strCat(failed.path1().string(), ": ", failed.code().message()));
    }
  }
  if (!profile.empty()) throw Error(Errc::kUsage, strCat(path, ": what is what is said of other tools' files; this is none of them"));
  if (fs::is_directory(status)) {
    const std::vector<std::string> bundles = bundlesIn(path);
    if (bundles.empty()) return importEsyncTree(store, path);
    std::vector<std::string> ids;
    store.together([&] {
      for (const std::string& bundle : bundles)
        for (std::string& id : importBundle(store, bundle)) ids.push_back(std::move(id));
    });
    return ids;
  }
  if (esyncModeOfSummary(fs::path(path).filename().string())) return {importEsyncSummary(store, path)};
  const std::string head = beginningOf(path, 4096);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && (head[first] == '{' || head[first] == '[')) return importBundle(store, path, Checksum::kMustHold);
  throw Error(Errc::kFormat, strCat(path, ": nothing that Paceline can import: ", importableKinds()));
}

}  // namespace paceline::interchange
