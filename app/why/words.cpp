#include <cmath>

#include "app/why/why.h"
#include "engine/core/base/text.h"
#include "storage/summary/table_text.h"

namespace paceline::why {
namespace {

std::string percent(double share) { return strCat(std::llround(share * 100), " %"); }

std::string factorText(double factor) { return summary::fixedText(factor, factor < 1.95 ? 2 : 1); }

std::string gainText(const Cause& cause) {
  if (!cause.gain) return cause.unpredicted.empty() ? "" : strCat(" (not predicted: ", cause.unpredicted, ")");
  const std::string low = factorText(cause.gain->low), high = factorText(cause.gain->high);
  const std::string range = low == high ? "" : strCat(", ", low, " to ", high);
  if (cause.gain->factor < 1.05) return strCat(": no faster (simulated: ", factorText(cause.gain->factor), range, ")");
  return strCat(": about ", factorText(cause.gain->factor), " times faster (simulated", range, ")");
}

std::string waitingFor(const Cause& cause) {
  const std::string& node = cause.nodes.front();
  if (cause.nodes.size() > 1) return strCat("waiting for whoever is slowest, longest for ", node);
  return cause.ofRounds == 0 ? "waiting for the slower " + node : strCat("waiting for ", node, ", the slowest in ", cause.rounds, " of ", cause.ofRounds, " rounds");
}

}  // namespace

std::string whatOf(const Cause& cause) {
  const std::string node = cause.nodes.empty() ? "" : cause.nodes.front();
  switch (cause.kind) {
    case Kind::kEvaluation: return node.empty() ? "evaluation" : node + "'s evaluation";
    case Kind::kStraggler: return waitingFor(cause);
    case Kind::kInput: return node.empty() ? "waiting for batches" : node + " waiting for its batches";
    case Kind::kServer: return strCat("server ", node, ", which is busy");
    case Kind::kLink: return node.empty() ? "the links" : node + "'s link";
    case Kind::kBatch: return "exchanges that cost more than such small batches compute";
    case Kind::kStaleness: break;
  }
  return strCat(node, "'s gradients, ", summary::fixedText(cause.staleness, 1), " updates old");
}

const char* nameOf(Kind kind) {
  static constexpr const char* kNames[] = {"evaluation", "straggler", "input", "server", "link", "batch", "staleness"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string sentenceOf(const Cause& cause) {
  const std::string remedy = cause.remedy ? strCat("; ", cause.remedy->words, gainText(cause)) : "";
  if (cause.kind == Kind::kStaleness) return strCat(whatOf(cause), " in the mean, cost accuracy", remedy);
  return strCat(percent(cause.share), " of the wall time is ", whatOf(cause), remedy);
}

std::vector<std::string> sentences(const Diagnosis& diagnosis) {
  std::vector<std::string> all;
  for (const Cause& cause : diagnosis.causes) all.push_back(sentenceOf(cause));
  if (all.empty()) all.push_back(strCat(percent(diagnosis.computing), " of the wall time is computing; nothing else takes more than ", percent(kLeastShare)));
  if (diagnosis.from > 0) all.push_back(strCat("of this long run only its newest rounds were looked at, those after ", summary::fixedText(diagnosis.from, 0), " s"));
  return all;
}

Json toJson(const Diagnosis& diagnosis, const Explained& run) {
  Json causes = Json::array();
  for (const Cause& cause : diagnosis.causes) {
    const Place& place = cause.place;
    Json one = {{"cause", nameOf(cause.kind)}, {"nodes", cause.nodes}, {"rounds", cause.rounds}, {"seconds", cause.seconds}, {"share", cause.share}, {"sentence", sentenceOf(cause)},
                {"place", {{"node", place.node}, {"round", place.round}, {"begin_s", place.begin}, {"end_s", place.end}}}};
    if (cause.kind == Kind::kStaleness) one["staleness"] = cause.staleness;
    if (cause.remedy) one["remedy"] = cause.remedy->words;
    if (cause.remedy && cause.remedy->change) {
      RunSpec changed = run.spec;
      cause.remedy->change(changed);
      one["changed"] = jsonOrNull(toJsonText(changed));
    }
    if (cause.gain) one["gain"] = {{"factor", cause.gain->factor}, {"low", cause.gain->low}, {"high", cause.gain->high}};
    if (!cause.unpredicted.empty()) one["not_predicted"] = cause.unpredicted;
    causes.push_back(std::move(one));
  }
  return {{"run", run.data.run.id}, {"wall_s", diagnosis.wall}, {"computing", diagnosis.computing}, {"samples_per_s", diagnosis.samplesPerSecond}, {"sentences", sentences(diagnosis)}, {"causes", std::move(causes)}};
}

}  // namespace paceline::why
