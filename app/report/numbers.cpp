#include "app/report/numbers.h"

#include <algorithm>
#include <cmath>

#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "storage/summary/table_text.h"

namespace paceline::report {
namespace {

using summary::NodeSummary;
using summary::RunSummary;

constexpr const char* kNone = "not recorded";
constexpr const char* kNotByAll = "not of every run";

template <class Of>
struct Number {
  const char *name, *help, *unit;
  int decimals;
  std::optional<double> (*of)(const Of&);
  const char* missing = kNone;
};

struct RunWord {
  const char *name, *help;
  std::string (*of)(const RunSummary&, const Titles&);
};

std::optional<double> positive(double value) { return value > 0 ? std::optional(value) : std::nullopt; }

const std::vector<Number<RunSummary>>& numbers() {
  static const std::vector<Number<RunSummary>> all = {
      {"best_accuracy", "The best accuracy of its evaluations", "%", 2, [](const RunSummary& r) { return r.accuracyBest; }},
      {"last_accuracy", "The accuracy of the last evaluation", "%", 2, [](const RunSummary& r) { return r.accuracyLast; }},
      {"last_loss", "The loss of the last evaluation", "", 4, [](const RunSummary& r) { return r.lossLast; }},
      {"time_to_target", "Time until the first evaluation that reaches the report's target", "s", 1, [](const RunSummary& r) { return r.timeToTargetSeconds; }, "not reached"},
      {"samples_per_s", "Samples that all workers trained per second", "samples/s", 0, [](const RunSummary& r) { return positive(r.throughputSamplesPerSecond); }},
      {"traffic", "Bytes that workers sent and received per second", "MB/s", 2, [](const RunSummary& r) { return positive(r.trafficBytesPerSecond / 1e6); }},
      {"computing", "Share of its workers' time that was computing", "%", 1, [](const RunSummary& r) { return std::optional(summary::meanBusyRatio(r)); }},
      {"wall_time", "Seconds from its start to its end", "s", 1, [](const RunSummary& r) { return positive(r.wallSeconds); }},
      {"rounds", "Rounds of its coordinator", "", 0, [](const RunSummary& r) { return std::optional(static_cast<double>(r.rounds)); }},
      {"samples", "Samples that its workers trained", "", 0, [](const RunSummary& r) { return std::optional(static_cast<double>(r.samples)); }},
      {"sent", "Bytes that its workers sent", "MB", 1, [](const RunSummary& r) { return std::optional(static_cast<double>(r.bytesSent) / 1e6); }},
      {"received", "Bytes that its workers received", "MB", 1, [](const RunSummary& r) { return std::optional(static_cast<double>(r.bytesReceived) / 1e6); }},
      {"kept", "Share of the values that a sparse method sent", "%", 2, [](const RunSummary& r) { return r.keptMean; }},
      {"consensus", "Distance of its workers at the last evaluation of their mean", "", 4, [](const RunSummary& r) { return r.consensusLast; }},
      {"workers", "Workers", "", 0, [](const RunSummary& r) { return std::optional(static_cast<double>(std::ranges::count_if(r.nodes, summary::trains))); }},
  };
  return all;
}

const std::vector<Number<NodeSummary>>& numbersOfNodes() {
  static const std::vector<Number<NodeSummary>> all = {
      {"rounds", "Its rounds", "", 0, [](const NodeSummary& n) { return std::optional(static_cast<double>(n.rounds)); }},
      {"samples", "Samples that it trained", "", 0, [](const NodeSummary& n) { return std::optional(static_cast<double>(n.samples)); }},
      {"computing", "Share of its time that was computing", "%", 1, [](const NodeSummary& n) { return std::optional(n.busyRatio); }},
      {"compute", "Seconds of forward and backward passes", "s", 1, [](const NodeSummary& n) { return std::optional(n.computeSeconds); }},
      {"wait", "Seconds of waiting", "s", 1, [](const NodeSummary& n) { return std::optional(n.waitSeconds); }},
      {"evaluate", "Seconds of evaluations", "s", 1, [](const NodeSummary& n) { return std::optional(n.evaluateSeconds); }},
      {"total", "Seconds of all its rounds", "s", 1, [](const NodeSummary& n) { return std::optional(n.totalSeconds); }},
      {"local_steps", "Local steps a round, mean", "", 2, [](const NodeSummary& n) { return std::optional(n.localStepsMean); }},
      {"staleness", "Staleness, mean", "", 2, [](const NodeSummary& n) { return std::optional(n.stalenessMean); }},
      {"sent", "Bytes that it sent", "MB", 1, [](const NodeSummary& n) { return std::optional(static_cast<double>(n.bytesSent) / 1e6); }},
      {"received", "Bytes that it received", "MB", 1, [](const NodeSummary& n) { return std::optional(static_cast<double>(n.bytesReceived) / 1e6); }},
  };
  return all;
}

const std::vector<RunWord>& words() {
  static const std::vector<RunWord> all = {
      {"name", "Its name", [](const RunSummary& r, const Titles&) { return r.name.empty() ? r.id : r.name; }},
      {"id", "Its id", [](const RunSummary& r, const Titles&) { return r.id; }},
      {"state", "finished, stopped, failed, running ...", [](const RunSummary& r, const Titles&) { return r.state; }},
      {"algorithm", "The method", [](const RunSummary& r, const Titles&) { return displayName(r.algorithm); }},
      {"model", "The model", [](const RunSummary& r, const Titles& titles) { return titleIn(titles, r.model); }},
      {"dataset", "The data set", [](const RunSummary& r, const Titles& titles) { return titleIn(titles, r.dataset); }},
      {"partition", "How the data are split", [](const RunSummary& r, const Titles& titles) { return titleIn(titles, r.partition); }},
      {"seeds", "The seed, or those of several runs", [](const RunSummary& r, const Titles&) { return std::to_string(r.seed); }},
      {"configuration", "The beginning of the document's hash", [](const RunSummary& r, const Titles&) { return r.configHash.substr(0, 12); }},
  };
  return all;
}

template <class Of>
Value mean(const Number<Of>& number, const std::vector<const Of*>& things) {
  std::vector<double> values;
  for (const Of* each : things)
    if (const auto value = number.of(*each); value && std::isfinite(*value)) values.push_back(*value);
  Value made{.runs = static_cast<int>(values.size()), .of = static_cast<int>(things.size()), .decimals = number.decimals, .unit = number.unit};
  if (values.empty()) {
    made.text = number.missing, made.missing = true;
    return made;
  }
  const auto [middle, deviation] = summary::statistic(values);
  made.number = middle, made.deviation = deviation;
  return made;
}

// Each word once, in order; of many the first.
Value joined(const std::vector<std::string>& texts) {
  std::vector<std::string> seen;
  for (const std::string& text : texts)
    if (std::ranges::find(seen, text) == seen.end()) seen.push_back(text);
  return {.text = listed(seen)};
}

template <class List>
std::string namesOf(const List& list) {
  std::string names;
  for (const auto& each : list) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

Value settingOf(const Operand& operand, const std::vector<const RunSummary*>& runs) {
  std::vector<std::string> texts;
  std::optional<double> number;
  for (const RunSummary* run : runs) {
    const Json document = jsonOrNull(run->document);
    const std::string name = run->name.empty() ? run->id : run->name;
    if (document.is_null()) throw Error(Errc::kFormat, strCat(operand.text(), ": run ", name, " has no document"));
    try {
      const Json& found = document.at(Json::json_pointer(operand.pointer));
      number = numberFromJson(found);
      texts.push_back(found.is_string() ? found.get<std::string>() : dumped(found));
    } catch (const Json::exception&) {
      throw Error(Errc::kFormat, strCat("\"", quotable(operand.pointer), "\" is not in the document of run ", name));
    }
  }
  Value made = joined(texts);
  if (number && std::ranges::all_of(texts, [&](const std::string& each) { return each == texts.front(); })) made.number = number;
  return made;
}

Value nodeValue(const Operand& operand, const std::vector<const RunSummary*>& runs) {
  const auto number = std::ranges::find_if(numbersOfNodes(), [&](const auto& each) { return each.name == operand.number; });
  if (number == numbersOfNodes().end()) throw Error(Errc::kFormat, strCat("number \"", quotable(operand.number), "\" is not known of a node; have ", namesOf(numbersOfNodes())));
  std::vector<const NodeSummary*> nodes;
  for (const RunSummary* run : runs) {
    const auto node = std::ranges::find(run->nodes, operand.node, &NodeSummary::id);
    if (node == run->nodes.end()) {
      std::vector<std::string> ids;
      for (const NodeSummary& each : run->nodes) ids.push_back(each.id);
      throw Error(Errc::kFormat, strCat("run ", run->name.empty() ? run->id : run->name, " has no node \"", quotable(operand.node), "\" with rounds; have ", listed(ids)));
    }
    nodes.push_back(&*node);
  }
  return mean(*number, nodes);
}

double binary(char operation, double left, double right) {
  switch (operation) {
    case '+': return left + right;
    case '-': return left - right;
    case '*': return left * right;
    default: return left / right;
  }
}

Value evaluatedTerm(const Term& term, const Expression& whole, const Lookup& look);

Value operandOf(const Term& term, const Expression& whole, const Lookup& look) {
  Value value = evaluatedTerm(term, whole, look);
  if (!value.number && !value.missing) throw Error(Errc::kFormat, strCat("{{", quotable(whole.text), "}}: \"", quotable(value.text), "\" is no number"));
  if (value.number && value.runs < value.of) value.number.reset(), value.missing = true, value.text = kNotByAll;  // a mean over some of the seeds is none
  return value;
}

Value evaluatedTerm(const Term& term, const Expression& whole, const Lookup& look) {
  if (term.operand) return look.operand(*term.operand);
  if (!term.word.empty()) return look.word(term.word);
  if (term.operation == 0) return {.number = term.constant};
  const Value left = operandOf(*term.left, whole, look);
  if (!left.number) return left;
  if (term.operation == 'm') {
    Value made = left;
    made.number = -*left.number, made.text.clear();
    return made;
  }
  const Value right = operandOf(*term.right, whole, look);
  if (!right.number) return right;
  Value made{.number = binary(term.operation, *left.number, *right.number)};
  const bool alike = left.unit == right.unit && left.decimals == right.decimals;
  if ((term.operation == '+' || term.operation == '-') && alike) made.unit = left.unit, made.decimals = left.decimals;
  if (!std::isfinite(*made.number)) made.number.reset(), made.missing = true, made.text = "not defined";
  return made;
}

// Three digits: "4.19", "128", "0.0123".
std::string significant(double value) {
  if (value == 0) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  return summary::fixedText(value, std::clamp(2 - magnitude, 0, 12));
}

}  // namespace

std::vector<NumberName> runNumbers() {
  std::vector<NumberName> all;
  for (const auto& each : numbers()) all.push_back({each.name, each.help});
  for (const auto& each : words()) all.push_back({each.name, each.help});
  return all;
}

std::vector<NumberName> nodeNumbers() {
  std::vector<NumberName> all;
  for (const auto& each : numbersOfNodes()) all.push_back({each.name, each.help});
  return all;
}

Value valueOf(const Operand& operand, const std::vector<const RunSummary*>& runs, const Titles& titles) {
  if (!operand.pointer.empty()) return settingOf(operand, runs);
  if (!operand.node.empty()) return nodeValue(operand, runs);
  if (const auto number = std::ranges::find_if(numbers(), [&](const auto& each) { return each.name == operand.number; }); number != numbers().end()) return mean(*number, runs);
  const auto word = std::ranges::find_if(words(), [&](const auto& each) { return each.name == operand.number; });
  if (word == words().end()) throw Error(Errc::kFormat, strCat("number \"", quotable(operand.number), "\" is not known of a run; have ", namesOf(runNumbers())));
  std::vector<std::string> texts;
  for (const RunSummary* run : runs) texts.push_back(word->of(*run, titles));
  return joined(texts);
}

Value evaluated(const Expression& expression, const Lookup& look) { return evaluatedTerm(*expression.term, expression, look); }

std::string textOf(const Value& value, const Format& format) {
  if (!value.number) return value.text;
  if (!value.text.empty() && !format.decimals && !format.unit) return value.text;  // a setting: as its document has it
  const std::string unit = format.unit.value_or(value.unit);
  const double scale = unit == "%" || (value.unit == "%" && unit.empty()) ? 100 : 1;
  const int decimals = format.decimals.value_or(value.decimals);
  const auto number = [&](double x) { return decimals < 0 ? significant(x * scale) : summary::fixedText(x * scale, decimals); };
  std::string text = number(*value.number);
  if (value.runs > 1 && value.deviation != 0) text += strCat(" ± ", number(value.deviation));
  if (!unit.empty()) text += " " + unit;
  if (value.runs < value.of) text += strCat(" (", value.runs, " of ", value.of, ")");
  return text;
}

}  // namespace paceline::report
