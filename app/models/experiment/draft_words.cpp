#include "app/models/experiment/draft_words.h"

#include <algorithm>
#include <utility>

#include <QStringList>

#include "app/models/experiment/draft_vary.h"
#include "app/models/words.h"
#include "engine/core/base/error.h"
#include "engine/core/json/describe.h"
#include "engine/core/json/fields.h"
#include "engine/core/spec/schema.h"

namespace paceline::experiment {
namespace {

constexpr int kLongestValue = 40;  // characters
constexpr const char *kVary = "/vary", *kSkip = "/skip", *kSearch = "/search";

template <class Entry>
std::vector<const CatalogEntry*> pointersTo(const std::vector<Entry>& entries) {
  std::vector<const CatalogEntry*> all;
  for (const Entry& entry : entries) all.push_back(&entry);
  return all;
}

struct ChoicePlace {
  const char* pointer;
  Choice RunSpec::*choice;  // nullptr: it has no parameters
  std::vector<const CatalogEntry*> (*entries)(const Catalog&);
};
constexpr ChoicePlace kChoices[] = {{"/algorithm", &RunSpec::algorithm, [](const Catalog& all) { return pointersTo(all.algorithms); }},
                                    {"/aggregation", nullptr, [](const Catalog& all) { return pointersTo(all.aggregations); }},
                                    {"/model", &RunSpec::model, [](const Catalog& all) { return pointersTo(all.models); }},
                                    {"/dataset", &RunSpec::dataset, [](const Catalog& all) { return pointersTo(all.datasets); }},
                                    {"/partition", &RunSpec::partition, [](const Catalog& all) { return pointersTo(all.partitions); }},
                                    {"/learning_rate_schedule", &RunSpec::learningRateSchedule, [](const Catalog& all) { return pointersTo(all.schedules); }},
                                    {"/topology", &RunSpec::topology, [](const Catalog& all) { return pointersTo(all.topologies); }}};

struct Word {
  const char *pointer, *value, *shown;
};
constexpr Word kWords[] = {{"/aggregation/engine", "auto", QT_TR_NOOP("Paceline's own")},
                           {"/aggregation/engine", "paceline", QT_TR_NOOP("Paceline's own")},
                           {"/aggregation/engine", "gloo", QT_TR_NOOP("Gloo")},
                           {"/aggregation/engine", "nccl", QT_TR_NOOP("NCCL")},
                           {"/evaluate/source", "auto", QT_TR_NOOP("automatic")},
                           {"/evaluate/source", "server", QT_TR_NOOP("asks the servers")},
                           {"/evaluate/source", "worker", QT_TR_NOOP("the coordinator sends them")},
                           {"/evaluate/source", "checkpoints", QT_TR_NOOP("follows the checkpoint files")},
                           {"/lost_data", "left", QT_TR_NOOP("are left")},
                           {"/lost_data", "divided", QT_TR_NOOP("are divided among the others")},
                           {"/optimizer/decay_all", "true", QT_TR_NOOP("everything")},
                           {"/optimizer/decay_all", "false", QT_TR_NOOP("all but biases and norms")}};

std::string firstOf(const std::string& pointer) { return pointer.substr(0, pointer.find('/', 1)); }
std::string lastOf(const std::string& pointer) { return pointer.substr(pointer.rfind('/') + 1); }

const ChoicePlace* choiceAt(const std::string& pointer) {
  const auto found = std::ranges::find(kChoices, pointer, &ChoicePlace::pointer);
  return found == std::end(kChoices) ? nullptr : found;
}

const ParamSpec* paramAt(const std::string& pointer, const RunSpec& spec, const Catalog* catalog) {
  const std::string first = firstOf(pointer);
  const ChoicePlace* place = choiceAt(first);
  if (!place || !place->choice || !pointer.starts_with(first + "/params/")) return nullptr;
  const CatalogEntry* entry = entryAt(catalog, first, (spec.*place->choice).id);
  if (!entry) return nullptr;
  const auto param = std::ranges::find(entry->params, lastOf(pointer), &ParamSpec::name);
  return param == entry->params.end() ? nullptr : &*param;
}

// "step_s" -> "Step s"
QString inWords(const std::string& key) {
  QString words = qtext(key).replace('_', ' ');
  if (!words.isEmpty()) words[0] = words[0].toUpper();
  return words;
}

QString cut(const QString& word) {
  if (word.isEmpty()) return QObject::tr("nothing");
  return word.size() > kLongestValue ? word.left(kLongestValue) + "…" : word;
}

// "batch size": as within a sentence.
QString nameWithin(const std::string& pointer, const RunSpec& spec, const Catalog* catalog) {
  QString name = placeName(pointer, spec, catalog);
  if (name.size() > 1 && name[1].isLower()) name[0] = name[0].toLower();
  return name;
}

Json jsonOf(const RunSpec& spec) { return jsonOrNull(toJsonText(spec)); }

Json at(const Json& document, const std::string& pointer) {
  const Json::json_pointer place(pointer);
  return document.contains(place) ? document[place] : Json();
}

std::string common(const std::vector<std::string>& pointers) {
  std::string place = pointers.empty() ? std::string() : pointers.front();
  for (const std::string& each : pointers)
    while (!isAtOrBelow(each, place)) place.resize(place.rfind('/'));
  return place;
}

std::vector<std::string> differences(const Json& before, const Json& after) {
  std::vector<std::string> pointers;
  for (const Json& step : Json::diff(before, after)) {
    const auto place = step["path"].get<std::string>();
    pointers.push_back(place.ends_with("/-") ? place.substr(0, place.size() - 2) : place);  // one more in a list is a change of the list
  }
  return pointers;
}

// The keys whose lists differ.
std::vector<std::string> changedLists(const OrderedJson& before, const OrderedJson& after) {
  std::vector<std::string> keys;
  for (const auto& [key, values] : before.items())
    if (!after.contains(key) || after[key] != values) keys.push_back(key);
  for (const auto& [key, values] : after.items())
    if (!before.contains(key)) keys.push_back(key);
  return keys;
}

bool isLabelled(const OrderedJson& entry) {  // {"name": label, "set": {pointer: value}}
  return entry.is_object() && entry.contains("name") && entry["name"].is_string() && entry.contains("set") && entry["set"].is_object();
}

bool sets(const std::string& key, const OrderedJson& entry, const std::string& pointer) {
  if (key.starts_with("/")) return isAtOrBelow(pointer, key);
  if (!isLabelled(entry)) return false;
  for (const auto& [place, value] : entry["set"].items())
    if (isAtOrBelow(pointer, place)) return true;
  return false;
}

}  // namespace

Choice RunSpec::*choiceMember(const std::string& choice) {
  const ChoicePlace* place = choiceAt(choice);
  return place ? place->choice : nullptr;
}

Json valueAt(const std::string& pointer, const RunSpec& spec, const Catalog* catalog) {
  const Json value = at(jsonOf(spec), pointer);
  const ParamSpec* param = value.is_null() ? paramAt(pointer, spec, catalog) : nullptr;
  return param ? Json(written(param->fallback)) : value;
}

QString entryName(const std::string& key, const OrderedJson& entry, const RunSpec& spec, const Catalog* catalog) {
  return isLabelled(entry) ? qtext(entry["name"].get<std::string>()) : valueName(key, Json(entry), spec, catalog);
}

std::vector<const CatalogEntry*> entriesAt(const Catalog& catalog, const std::string& choice) {
  const ChoicePlace* place = choiceAt(choice);
  return place ? place->entries(catalog) : std::vector<const CatalogEntry*>();
}

const CatalogEntry* entryAt(const Catalog* catalog, const std::string& choice, const std::string& id) {
  if (!catalog) return nullptr;
  for (const CatalogEntry* each : entriesAt(*catalog, choice))
    if (each->id == id) return each;
  return nullptr;
}

QString placeName(const std::string& pointer, const RunSpec& spec, const Catalog* catalog) {
  if (pointer.empty()) return {};
  if (isAtOrBelow(pointer, kVary)) return QObject::tr("What varies");
  if (isAtOrBelow(pointer, kSkip)) return QObject::tr("Runs that are left out");
  if (isAtOrBelow(pointer, kSearch)) return QObject::tr("What is searched");
  if (const ParamSpec* param = paramAt(pointer, spec, catalog)) return said(labelOf(*param));
  const std::string first = firstOf(pointer), last = lastOf(pointer);
  const QString own = said(fieldLabel(choiceAt(first) && pointer == first + "/id" ? first : pointer));
  const QStringList parts = qtext(pointer).split('/');
  const auto index = static_cast<std::size_t>(parts.value(2).toUInt());
  if (first == "/nodes" && parts.size() > 2 && index < spec.nodes.size()) {
    const QString node = qtext(spec.nodes[index].id);
    if (parts.size() == 3) return QObject::tr("Node %1").arg(node);
    return QObject::tr("%1 of %2").arg(last == "id" ? QObject::tr("Name") : own.isEmpty() ? inWords(last) : own, node);
  }
  if (!own.isEmpty()) return own;
  const bool item = !last.empty() && std::ranges::all_of(last, [](char c) { return c >= '0' && c <= '9'; });
  return item || last == "params" ? placeName(pointer.substr(0, pointer.rfind('/')), spec, catalog) : inWords(last);
}

QString valueName(const std::string& pointer, const Json& value, const RunSpec& spec, const Catalog* catalog) {
  if (value.is_null()) return QObject::tr("none");
  const std::string first = firstOf(pointer);
  const bool choice = choiceAt(first) && (pointer == first || pointer == first + "/id");
  if (choice && value.is_object() && value.contains("id")) return valueName(pointer, value["id"], spec, catalog);
  if (value.is_structured()) return {};
  if (value.is_boolean()) {
    const QString word = wordOf(pointer, value.get<bool>() ? "true" : "false");
    return word == "true" ? QObject::tr("yes") : word == "false" ? QObject::tr("no") : word;
  }
  if (!value.is_string()) return cut(qtext(described(value)));
  const auto& id = value.get_ref<const std::string&>();
  if (choice) {
    const CatalogEntry* entry = entryAt(catalog, first, id);
    return cut(entry ? titleOf(*entry) : qtext(id));
  }
  const ParamSpec* param = paramAt(pointer, spec, catalog);
  return cut(param && param->type == ParamType::kChoice ? said(labelOf(*param, id)) : wordOf(pointer, id));
}

QString wordOf(const std::string& pointer, const std::string& id) {
  for (const Word& each : kWords)
    if (pointer == each.pointer && id == each.value) return QObject::tr(each.shown);
  return qtext(id);
}

QString varyText(const DraftState& state, const Catalog* catalog) {
  QStringList axes;
  for (const auto& [key, values] : state.vary.items()) {
    QStringList words;
    for (const OrderedJson& value : values) words << entryName(key, value, state.spec, catalog);
    const bool short_ = !words.contains(QString());
    axes << axisName(state, catalog, key) + ": " + (short_ ? words.join(", ") : QObject::tr("%n value(s)", nullptr, static_cast<int>(values.size())));
  }
  return axes.join("; ");
}

QString Varied::sentence() const {
  return left.isEmpty() ? QObject::tr("Varies: %1. The values are in the document.").arg(set) : QObject::tr("Only of the runs of %1: those of %2 have their own in the document.").arg(left, set);
}

std::optional<Varied> variedAt(const DraftState& state, const Catalog* catalog, const std::string& pointer) {
  std::optional<Varied> varied;
  for (const auto& [key, values] : state.vary.items()) {
    if (pointer == kSeedPlace && key == kSeedPlace) continue;  // what the field of the seeds itself shows and edits
    QStringList set, left;
    for (const OrderedJson& value : values) {
      const QString name = entryName(key, value, state.spec, catalog);
      (sets(key, value, pointer) ? set : left) << (name.isEmpty() ? QString::number(set.size() + left.size() + 1) : name);
    }
    if (!set.isEmpty() && (!varied || left.isEmpty())) varied = Varied{.set = set.join(", "), .left = left.join(", ")};
    if (varied && varied->left.isEmpty()) break;
  }
  return varied;
}

std::vector<PlaceChange> changesOf(const RunSpec& before, const RunSpec& after, const Catalog* catalog) {
  std::vector<PlaceChange> changes;
  RunSpec old = before;  // with the nodes of the later one where it has them: lists are compared by places
  old.nodes = after.nodes;
  for (std::size_t i = 0; i < after.nodes.size(); ++i) {
    const int was = before.nodeIndex(after.nodes[i].id);
    if (was >= 0) old.nodes[i] = before.nodes[static_cast<std::size_t>(was)];
    else changes.push_back({.pointer = strCat("/nodes/", i), .words = QObject::tr("%1 %2 added").arg(said(roleName(after.nodes[i].role)), qtext(after.nodes[i].id)), .before = {}});
  }
  for (const NodeSpec& node : before.nodes)
    if (after.nodeIndex(node.id) < 0) changes.push_back({.pointer = "/nodes", .words = QObject::tr("node %1 removed").arg(qtext(node.id)), .before = {}});
  for (const std::string& pointer : differences(jsonOf(old), jsonOf(after))) {
    const auto word = [&](const RunSpec& spec) { return valueName(pointer, valueAt(pointer, spec, catalog), spec, catalog); };
    const bool gone = at(jsonOf(after), pointer).is_null(), isNew = at(jsonOf(old), pointer).is_null();
    if (gone && pointer.find("/params/") != std::string::npos) continue;  // of the entry that was left
    const QString name = nameWithin(pointer, after, catalog), from = word(old), to = word(after);
    if (isNew) changes.push_back({.pointer = pointer, .words = name + " " + to, .before = {}});
    else changes.push_back({.pointer = pointer, .words = QObject::tr("%1 from %2 to %3").arg(name, from, to), .before = from});
  }
  return changes;
}

std::string changedPlace(const DraftState& before, const DraftState& after) {
  std::vector<std::string> pointers;
  if (before.spec != after.spec) pointers = differences(jsonOf(before.spec), jsonOf(after.spec));
  const std::vector<std::string> lists = changedLists(before.vary, after.vary);
  if (before.search != after.search) pointers.emplace_back(kSearch);
  else if (lists.size() == 1 && lists.front().starts_with("/")) pointers.push_back(lists.front());
  else if (!lists.empty()) pointers.emplace_back(kVary);
  else if (before.skip != after.skip) pointers.emplace_back(kSkip);
  return common(pointers);
}

QString changeText(const DraftState& before, const DraftState& after, const Catalog* catalog) {
  if (before.spec == after.spec && before.vary == after.vary && before.skip == after.skip && before.search == after.search) return QObject::tr("typing in the document");
  const std::string place = changedPlace(before, after);
  if (place == kSeedPlace) return QObject::tr("changing the seeds from %1 to %2").arg(seedsText(before), seedsText(after));
  if (place == kVary) return QObject::tr("changing what varies");
  if (place == kSearch) return before.search.empty() ? QObject::tr("searching instead of running all combinations") : after.search.empty() ? QObject::tr("running all combinations instead of searching") : QObject::tr("changing what is searched");
  if (place == kSkip) return QObject::tr("changing which runs are left out");
  const QString name = nameWithin(place, before.spec, catalog);
  if (after.vary.contains(place) && before.vary != after.vary) {
    const QString values = axisValues(after, catalog, place).join(", ");
    return QObject::tr("varying %1: %2").arg(name, cut(values));
  }
  if (before.vary.contains(place) && before.vary != after.vary) return QObject::tr("no longer varying %1").arg(name);
  const auto word = [&](const RunSpec& spec) { return valueName(place, valueAt(place, spec, catalog), spec, catalog); };
  const QString from = word(before.spec), to = word(after.spec);
  if (!place.empty() && !from.isEmpty() && !to.isEmpty() && from != to) return QObject::tr("changing %1 from %2 to %3").arg(name, from, to);
  const auto many = static_cast<int>(differences(jsonOf(before.spec), jsonOf(after.spec)).size());
  return place.empty() ? QObject::tr("changing %n place(s)", nullptr, many) : QObject::tr("changing %n place(s) in %1", nullptr, many).arg(name);
}

}  // namespace paceline::experiment
