#include "app/models/experiment/draft_state.h"

#include <algorithm>

#include <QRegularExpression>
#include <QStringList>

#include "app/models/experiment/draft_vary.h"
#include "app/models/words.h"
#include "engine/core/json/comments.h"
#include "engine/core/spec/run_spec_fields.h"

namespace paceline::experiment {
namespace {

constexpr std::size_t kMostStepBytes = 1'000'000;  // of either kind; written again with each change of the draft

std::vector<std::uint64_t> seedsOf(const DraftState& state) {
  std::vector<std::uint64_t> seeds;
  const auto varied = state.vary.find(kSeedPlace);
  if (varied == state.vary.end() || !varied->is_array()) return {state.spec.seed};
  for (const OrderedJson& seed : *varied)
    if (seed.is_number_unsigned()) seeds.push_back(seed.get<std::uint64_t>());
  return seeds.size() == varied->size() && !seeds.empty() ? seeds : std::vector{state.spec.seed};
}

// "quick SSGD" of "quick ESync"; a title inside a longer word ("DC-ASGD") is not meant.
std::string renamed(const std::string& name, const CatalogEntry& now, const CatalogEntry& next) {
  const QRegularExpression title(QString("(?<![\\w-])%1(?![\\w-])").arg(QRegularExpression::escape(titleOf(now))), QRegularExpression::UseUnicodePropertiesOption);
  QString words = qtext(name);
  const QRegularExpressionMatch found = title.match(words);
  if (!found.hasMatch()) return name;
  return words.replace(found.capturedStart(), found.capturedLength(), titleOf(next)).toStdString();
}

// The members of a draft's file: what can be undone (those of older versions have it alone) and what can be done again.
constexpr const char *kBack = "past", *kBackDraft = "before", *kAgain = "next", *kAgainDraft = "after", *kWhat = "what";

Json listed(const std::vector<KeptStep>& steps, const char* draft) {
  Json all = Json::array();
  std::size_t bytes = 0;
  for (const KeptStep& step : steps) {
    bytes += step.draft->size();
    if (bytes > kMostStepBytes && !all.empty()) break;
    all.push_back({{kWhat, step.what.toStdString()}, {draft, *step.draft}});
  }
  return all;
}

std::vector<KeptStep> readSteps(const Json& file, const char* member, const char* draft) {
  std::vector<KeptStep> steps;
  const Json all = file.is_object() ? file.value(member, Json()) : Json();
  for (const Json& step : all.is_array() ? all : Json::array()) {
    if (!step.is_object() || !step.value(kWhat, Json()).is_string() || !step.value(draft, Json()).is_string()) break;
    steps.push_back({qtext(step[kWhat].get<std::string>()), std::make_shared<const std::string>(step[draft].get<std::string>())});
  }
  return steps;
}

}  // namespace

QString documentText(const DraftState& state) {
  if (state.vary.empty() && state.search.empty()) return qtext(toJsonText(state.spec, 2));
  std::vector<Finding> none;
  OrderedJson suite;
  suite["base"] = parseOrderedJson(toJsonText(state.spec), none).value_or(OrderedJson::object());
  if (!state.vary.empty()) suite["vary"] = state.vary;
  if (!state.skip.empty()) suite["skip"] = state.skip;
  if (!state.search.empty()) suite["search"] = state.search;
  return qtext(dumped(suite, 2));
}

QString readDraft(const std::string& text, DraftState& into) {
  std::vector<Finding> findings;
  const std::optional<OrderedJson> document = parseOrderedJson(withoutComments(text), findings);
  if (!document) return qtext(findings.front().message);
  if (!document->is_object()) return qtext("An experiment must be a JSON object; this is " + described(*document) + ".");
  DraftState read;
  const bool suite = document->contains("base") || document->contains("vary") || document->contains("search");
  const auto skip = document->find("skip");
  if (suite && skip != document->end() && !skip->is_array()) return qtext("/skip must be a list; it is " + described(*skip) + ".");
  for (const char* part : {"base", "vary", "search"})
    if (const auto found = document->find(part); suite && found != document->end() && !found->is_object())
      return qtext("/" + std::string(part) + " must be an object; it is " + described(*found) + ".");
  if (suite && !document->contains("base")) return "/base is required: the experiment whose values vary.";
  if (suite) read.vary = document->value("vary", OrderedJson::object()), read.skip = document->value("skip", OrderedJson::array()), read.search = document->value("search", OrderedJson::object());
  ParsedSpec parsed = parseRunSpec(suite ? dumped((*document)["base"]) : text);
  read.spec = std::move(parsed.spec);
  read.left = std::move(into.left);
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
  if (seeds.size() > 1) state.vary[kSeedPlace] = seeds;
  else state.vary.erase(kSeedPlace);
  pruneSkipped(state);
}

void choose(DraftState& state, Choice RunSpec::*choice, const std::string& pointer, const CatalogEntry* now, const CatalogEntry& next) {
  if (now) state.spec.name = renamed(state.spec.name, *now, next);
  Choice& chosen = state.spec.*choice;
  state.left[pointer + "/" + chosen.id] = chosen.params;
  Params params = state.left[pointer + "/" + next.id];
  const Params shared = sharedParams(next.params, now ? now->params : std::vector<ParamSpec>(), chosen.params);
  for (const auto& [name, value] : shared.values()) params.set(name, value);
  chosen = {.id = next.id, .params = std::move(params)};
}

std::string stored(const DraftState& state) {
  DraftState read;
  const bool readable = readDraft(state.text.toStdString(), read).isEmpty() && read.spec == state.spec && read.vary == state.vary && read.skip == state.skip && read.search == state.search;
  Json file{{"document", (readable ? state.text : documentText(state)).toStdString()}, {"text", state.text.toStdString()}};
  for (const auto& [place, params] : state.left) file["left"][place] = toJson(params);
  return dumped(file);
}

std::string withSteps(const std::string& stored, const KeptSteps& steps) {
  Json file = jsonOrNull(stored);
  file[kBack] = listed(steps.back, kBackDraft);
  file[kAgain] = listed(steps.again, kAgainDraft);
  return dumped(file);
}

KeptSteps stepsOf(const std::string& text) {
  const Json file = jsonOrNull(text);
  return {.back = readSteps(file, kBack, kBackDraft), .again = readSteps(file, kAgain, kAgainDraft)};
}

bool readStored(const std::string& text, DraftState& into) {
  const Json both = jsonOrNull(text);
  const auto has = [&both](const char* key) { return both.is_object() && both.contains(key) && both[key].is_string(); };
  if (!has("document") || !has("text") || !readDraft(both["document"].get<std::string>(), into).isEmpty()) return false;
  into.text = qtext(both["text"].get<std::string>());
  into.left.clear();
  std::vector<Finding> none;
  const Json left = both.value("left", Json::object());
  for (const auto& [place, params] : left.items()) readJson(params, "", none, into.left[place]);
  return true;
}

}  // namespace paceline::experiment
