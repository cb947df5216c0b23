#include "app/figures/parts/names.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "engine/core/spec/schema.h"
#include "storage/summary/table_text.h"

namespace paceline::parts {
namespace {

constexpr std::size_t kMostFacts = 3;   // of one label; beyond, only those that are needed to tell the runs apart
constexpr std::size_t kMostValues = 3;  // of one fact
constexpr std::array kSilent = {"name", "seed", "notes", "tags", "paceline", "protection", "lost_desktop", "checkpoint", "published"};  // they change no result
constexpr const char* kEveryNode = "/nodes/0";  // the first one's pointer stands for every node's
constexpr std::array kNamedById = {"algorithm", "model", "dataset", "partition"};                                        // an id of these needs no word before it

template <class List>
bool isOne(const List& list, const std::string& word) {
  return std::ranges::find(list, word) != list.end();
}

// One field of a document: a value, or one for each node.
struct Fact {
  std::string before, after;  // around the value: "learning rate ", " s"
  std::vector<std::string> values{};
  bool operator==(const Fact&) const = default;
};
using Facts = std::map<std::string, Fact>;  // by pointer

std::string spaced(std::string key) {
  std::ranges::replace(key, '_', ' ');
  return key;
}

// "step_s" is a step in seconds, as its description says. What is not described has no unit: a method's parameters, of which documents keep the names only.
std::pair<std::string, std::string> withoutUnit(const std::string& pointer, const std::string& key) {
  const FieldInfo* field = fieldAt(pointer);
  const std::string tail = field == nullptr ? "" : field->unit == "Mbit/s" ? "_mbps" : "_" + field->unit;
  if (tail.size() < 2 || !key.ends_with(tail)) return {key, ""};
  return {key.substr(0, key.size() - tail.size()), " " + field->unit};
}

std::string valueText(const Json& value, const Titles& titles) {
  if (value.is_null()) return "none";
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  if (value.is_number_float()) return summary::numberText(value.get<double>());
  if (!value.is_string()) return dumped(value);
  return titleIn(titles, value.get<std::string>());
}

class FactReader {
 public:
  FactReader(Facts& facts, const Titles& titles) : facts_(facts), titles_(titles) {}

  void readDocument(const Json& document) {
    for (const auto& [key, value] : document.items()) {
      if (isOne(kSilent, key)) continue;
      if (key == "nodes" && value.is_array()) readNodes(value);
      else if (value.is_array()) facts_["/" + key] = {.before = "", .after = " " + key, .values = {std::to_string(value.size())}};
      else readField(value, "", key);
    }
  }

 private:
  void readField(const Json& value, const std::string& in, const std::string& key) {  // `in`: pointer of the object that holds it
    const std::string at = strCat(in, "/", key);
    if (value.is_object()) {
      for (const auto& [inner, field] : value.items()) readField(field, at, inner);
      return;
    }
    Fact& fact = facts_[at];
    if (fact.values.empty()) std::tie(fact.before, fact.after) = wordsFor(in, key);
    fact.values.push_back(valueText(value, titles_));
  }

  // Before and after the value. An object's own word counts, unless it holds parameters or what is emulated.
  static std::pair<std::string, std::string> wordsFor(const std::string& in, const std::string& key) {
    const std::string holder = in.substr(in.rfind('/') == std::string::npos ? 0 : in.rfind('/') + 1);
    if (key == "id") return {isOne(kNamedById, holder) ? "" : spaced(holder) + " ", ""};
    const auto [word, unit] = withoutUnit(strCat(in, "/", key), key);
    const bool plain = holder.empty() || holder == "params" || holder == "emulate" || in == kEveryNode;
    return {strCat(plain ? "" : spaced(holder) + " ", spaced(word), " "), unit};
  }

  void readNodes(const Json& nodes) {
    std::map<std::string, std::size_t> roles;
    for (const Json& node : nodes) {
      if (!node.is_object()) continue;
      for (const auto& [key, value] : node.items()) {
        if (key == "role" && value.is_string()) ++roles[value.get<std::string>()];
        if (key != "role" && key != "id") readField(value, kEveryNode, key);
      }
    }
    for (const auto& [role, count] : roles) facts_["/nodes of " + role] = {.before = "", .after = strCat(" ", role, count == 1 ? "" : "s"), .values = {std::to_string(count)}};
  }

  Facts& facts_;
  const Titles& titles_;
};

Facts factsOf(const summary::RunSummary& run, bool seeds, const Titles& titles) {
  Facts facts;
  FactReader reader(facts, titles);
  const Json document = jsonOrNull(run.document);
  if (document.is_object()) reader.readDocument(document);
  else reader.readDocument({{"model", {{"id", run.model}}}, {"dataset", {{"id", run.dataset}}}, {"partition", {{"id", run.partition}}}});
  facts.erase("/algorithm/id");  // the run is called by it
  if (seeds) facts["/seed"] = {.before = "seed ", .after = "", .values = {std::to_string(run.seed)}};
  return facts;
}

const Fact* factAt(const Facts& facts, const std::string& key) {
  const auto found = facts.find(key);
  return found == facts.end() ? nullptr : &found->second;
}

// Of those that differ between two runs of one algorithm. What a run without a document does not say is no difference.
std::vector<std::string> differingKeys(const Runs& runs, const std::vector<Facts>& facts) {
  std::map<std::string, std::size_t> first;  // run of an algorithm
  std::set<std::string> keys;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::size_t base = first.try_emplace(displayName(runs[i]->algorithm), i).first->second;
    const bool documents = !runs[i]->document.empty() && !runs[base]->document.empty();
    for (const Facts* either : {&facts[i], &facts[base]})
      for (const auto& [key, fact] : *either) {
        const Fact *here = factAt(facts[i], key), *there = factAt(facts[base], key);
        if (here != nullptr && there != nullptr ? *here != *there : documents) keys.insert(key);
      }
  }
  return {keys.begin(), keys.end()};
}

// The words of a fact: of one that each node has, only the nodes where the runs differ.
std::string phrase(const std::vector<Facts>& facts, std::size_t run, const std::string& key) {
  const Fact* own = factAt(facts[run], key);
  if (own == nullptr) return "";
  std::vector<std::string> values;
  for (std::size_t node = 0; node < own->values.size(); ++node) {
    const bool everywhere = std::ranges::all_of(facts, [&](const Facts& other) {
      const Fact* fact = factAt(other, key);
      return fact != nullptr && fact->values.size() == own->values.size() && fact->values[node] == own->values[node];
    });
    if (!everywhere && std::ranges::find(values, own->values[node]) == values.end()) values.push_back(own->values[node]);
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), kMostValues); ++i) text += (i == 0 ? "" : "/") + values[i];
  if (values.size() > kMostValues) text += "/…";
  return text.empty() || text == "/…" ? "" : strCat(own->before, text, own->after);
}

// As few as tell the runs apart as well as all do.
std::vector<std::string> neededKeys(const std::vector<std::string>& keys, const std::vector<Facts>& facts) {
  if (keys.size() <= kMostFacts) return keys;
  std::vector<std::string> needed, soFar(facts.size());
  const auto classes = [](const std::vector<std::string>& names) { return std::set(names.begin(), names.end()).size(); };
  for (const std::string& key : keys) {
    std::vector<std::string> more = soFar;
    for (std::size_t i = 0; i < facts.size(); ++i) more[i] += '\n' + phrase(facts, i, key);
    if (classes(more) == classes(soFar)) continue;
    needed.push_back(key), soFar = std::move(more);
  }
  return needed;
}

using Attribute = std::string (*)(const summary::RunSummary&);
constexpr Attribute kAttributes[] = {[](const summary::RunSummary& run) { return nameWithoutSeed(run.name, run.seed); }, [](const summary::RunSummary& run) { return run.name; }, [](const summary::RunSummary& run) { return run.id; }};

bool tells(Attribute attribute, const Runs& runs) {
  std::set<std::string> seen;
  return std::ranges::all_of(runs, [&](const summary::RunSummary* run) {
    const std::string value = attribute(*run);
    return !value.empty() && seen.insert(value).second;
  });
}

// Runs of one algorithm that nothing else tells apart: by the first of name and id that does.
void tellApart(const Runs& runs, std::vector<std::string>& words) {
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < runs.size(); ++i) alike[{displayName(runs[i]->algorithm), words[i]}].push_back(i);
  for (const auto& [same, places] : alike) {
    if (places.size() == 1) continue;
    Runs members;
    for (const std::size_t place : places) members.push_back(runs[place]);
    const auto found = std::ranges::find_if(kAttributes, [&members](Attribute attribute) { return tells(attribute, members); });
    for (std::size_t i = 0; i < places.size(); ++i)
      words[places[i]] += strCat(words[places[i]].empty() ? "" : ", ", found == std::end(kAttributes) ? strCat("#", i + 1) : (*found)(*members[i]));
  }
}

}  // namespace

std::vector<std::string> differences(const Runs& runs, bool seeds, const Titles& titles) {
  std::vector<Facts> facts;
  for (const summary::RunSummary* run : runs) facts.push_back(factsOf(*run, seeds, titles));
  std::vector<std::string> words(runs.size());
  for (const std::string& key : neededKeys(differingKeys(runs, facts), facts))
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (const std::string said = phrase(facts, i, key); !said.empty()) words[i] += strCat(words[i].empty() ? "" : ", ", said);
  if (const auto simulated = std::ranges::count_if(runs, [](const auto* run) { return summary::isSimulated(*run); }); simulated > 0 && simulated < std::ssize(runs))
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (summary::isSimulated(*runs[i])) words[i] += strCat(words[i].empty() ? "" : ", ", kSimulated);
  tellApart(runs, words);
  return words;
}

}  // namespace paceline::parts
