#include "app/models/experiment/draft_state.h"

#include <algorithm>

#include <QStringList>

#include "app/models/words.h"
#include "engine/core/spec/schema.h"

namespace paceline::experiment {
namespace {

constexpr const char* kSeed = "/seed";
constexpr int kLongestValue = 40;  // characters

Json jsonOf(const RunSpec& spec) { return jsonOrNull(toJsonText(spec)); }

// Of a leaf of the document, or a choice's id; "" for lists and other objects.
QString wordOf(const Json& value) {
  if (value.is_null()) return "none";
  if (value.is_object() && value.contains("id")) return wordOf(value["id"]);
  if (value.is_structured()) return {};
  const QString word = value.is_string() ? qtext(value.get_ref<const std::string&>()) : qtext(described(value));
  if (word.isEmpty()) return "nothing";
  return word.size() > kLongestValue ? word.left(kLongestValue) + "…" : word;
}

Json at(const Json& document, const std::string& pointer) {
  const Json::json_pointer place(pointer);
  return document.contains(place) ? document[place] : Json();
}

// "host of w1", "batch size", "local_lr"
QString nameOf(const RunSpec& spec, const std::string& pointer) {
  const QStringList parts = qtext(pointer).split('/');
  QString name = qtext(fieldLabel(pointer));
  if (name.size() > 1 && name[1].isLower()) name[0] = name[0].toLower();
  if (name.isEmpty()) name = parts.last();
  const auto index = static_cast<std::size_t>(parts.value(2).toUInt());
  const bool ofNode = parts.size() > 3 && parts[1] == "nodes" && index < spec.nodes.size();
  return ofNode ? name + " of " + qtext(spec.nodes[index].id) : name;
}

std::string common(const std::vector<std::string>& pointers) {
  std::string place = pointers.empty() ? std::string() : pointers.front();
  for (const std::string& each : pointers)
    while (!isAtOrBelow(each, place)) place.resize(place.rfind('/'));
  return place;
}

std::vector<std::string> differences(const Json& before, const Json& after) {
  std::vector<std::string> pointers;
  for (const Json& step : Json::diff(before, after)) pointers.push_back(step["path"].get<std::string>());
  return pointers;
}

OrderedJson withoutSeeds(OrderedJson vary) {
  vary.erase(kSeed);
  return vary;
}

std::vector<std::uint64_t> seedsOf(const DraftState& state) {
  std::vector<std::uint64_t> seeds;
  const auto varied = state.vary.find(kSeed);
  if (varied == state.vary.end() || !varied->is_array()) return {state.spec.seed};
  for (const OrderedJson& seed : *varied)
    if (seed.is_number_unsigned()) seeds.push_back(seed.get<std::uint64_t>());
  return seeds.size() == varied->size() && !seeds.empty() ? seeds : std::vector{state.spec.seed};
}

}  // namespace

QString documentText(const DraftState& state) {
  if (state.vary.empty()) return qtext(toJsonText(state.spec, 2));
  std::vector<Finding> none;
  OrderedJson suite;
  suite["base"] = parseOrderedJson(toJsonText(state.spec), none).value_or(OrderedJson::object());
  suite["vary"] = state.vary;
  return qtext(dumped(suite, 2));
}

QString readDraft(const std::string& text, DraftState& into) {
  std::vector<Finding> findings;
  const std::optional<OrderedJson> document = parseOrderedJson(text, findings);
  if (!document) return qtext(findings.front().message);
  if (!document->is_object()) return qtext("An experiment must be a JSON object; this is " + described(*document) + ".");
  DraftState read;
  const bool suite = document->contains("base") || document->contains("vary");
  for (const char* part : {"base", "vary"})
    if (const auto found = document->find(part); suite && found != document->end() && !found->is_object())
      return qtext("/" + std::string(part) + " must be an object; it is " + described(*found) + ".");
  if (suite && !document->contains("base")) return "/base is required: the experiment whose values vary.";
  if (suite) read.vary = document->value("vary", OrderedJson::object());
  ParsedSpec parsed = parseRunSpec(suite ? dumped((*document)["base"]) : text);
  read.spec = std::move(parsed.spec);
  read.text = parsed.findings.empty() ? documentText(read) : qtext(text);
  into = std::move(read);
  return {};
}

QString seedsText(const DraftState& state) {
  QStringList words;
  for (const std::uint64_t seed : seedsOf(state)) words << QString::number(seed);
  return words.join(", ");
}

void setSeeds(DraftState& state, const std::vector<std::uint64_t>& seeds) {
  state.spec.seed = seeds.front();
  if (seeds.size() > 1) state.vary[kSeed] = seeds;
  else state.vary.erase(kSeed);
}

QString varyText(const DraftState& state) {
  QStringList axes;
  for (const auto& [key, values] : state.vary.items()) {
    QStringList words;
    for (const OrderedJson& value : values) words << wordOf(value.is_object() && value.contains("name") ? Json(value["name"]) : Json(value));
    const bool short_ = !words.contains(QString());
    axes << qtext(key) + ": " + (short_ ? words.join(", ") : plural(static_cast<int>(values.size()), "value"));
  }
  return axes.join("; ");
}

std::string changedPlace(const DraftState& before, const DraftState& after) {
  std::vector<std::string> pointers;
  if (before.spec != after.spec) pointers = differences(jsonOf(before.spec), jsonOf(after.spec));
  if (withoutSeeds(before.vary) != withoutSeeds(after.vary)) pointers.emplace_back("/vary");
  else if (before.vary != after.vary) pointers.emplace_back(kSeed);
  return common(pointers);
}

QString changeText(const DraftState& before, const DraftState& after) {
  if (before.spec == after.spec && before.vary == after.vary) return "typing in the document";
  const std::string place = changedPlace(before, after);
  if (place == kSeed) return QString("changing the seeds from %1 to %2").arg(seedsText(before), seedsText(after));
  if (place == "/vary") return "changing what varies";
  const Json was = jsonOf(before.spec), is = jsonOf(after.spec);
  const QString from = wordOf(at(was, place)), to = wordOf(at(is, place));
  if (!place.empty() && !from.isEmpty() && !to.isEmpty() && from != to) return QString("changing %1 from %2 to %3").arg(nameOf(before.spec, place), from, to);
  const int places = static_cast<int>(differences(was, is).size());
  const QString many = "changing " + plural(places, "place");
  return place.empty() ? many : many + " in " + nameOf(before.spec, place);
}

std::string stored(const DraftState& state) {
  DraftState read;
  const bool readable = readDraft(state.text.toStdString(), read).isEmpty() && read.spec == state.spec && read.vary == state.vary;
  return dumped(Json{{"document", (readable ? state.text : documentText(state)).toStdString()}, {"text", state.text.toStdString()}});
}

bool readStored(const std::string& text, DraftState& into) {
  const Json both = jsonOrNull(text);
  const auto has = [&both](const char* key) { return both.is_object() && both.contains(key) && both[key].is_string(); };
  if (!has("document") || !has("text") || !readDraft(both["document"].get<std::string>(), into).isEmpty()) return false;
  into.text = qtext(both["text"].get<std::string>());
  return true;
}

}  // namespace paceline::experiment
