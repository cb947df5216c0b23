#include "app/figures/budget.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

#include "app/figures/parts/curves.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

using summary::Column;
using summary::Curve;

struct Kind {
  XAxis of;
  const char* word;
  const char* unit;
};
constexpr std::array<Kind, 4> kKinds = {{{XAxis::kTime, "time", " s"}, {XAxis::kRounds, "rounds", " rounds"}, {XAxis::kSamples, "samples", " samples"}, {XAxis::kBytes, "bytes", " bytes"}}};

const Kind& kindOf(XAxis axis) {
  const auto found = std::ranges::find(kKinds, axis, &Kind::of);
  PACELINE_CHECK(found != kKinds.end(), "a budget of epochs");
  return *found;
}

// "17.1", "60000": as exact as a reader wants it.
std::string shortNumber(double value) {
  char text[40];
  std::snprintf(text, sizeof text, value >= 1000 ? "%.0f" : "%.3g", value);
  return text;
}

std::size_t pointsWithin(const Curve& curve, Column column, double most) {
  std::size_t count = 0;
  while (count < curve.size() && curve.number(column, count) <= most) ++count;
  return count;
}

Curve firstOf(const Curve& curve, std::size_t count) {
  if (count == curve.size()) return curve;
  Curve kept(count);
  for (std::size_t column = 0; column < summary::kColumns; ++column) {
    const summary::Cells& cells = curve.cells(static_cast<Column>(column));
    if (!cells.empty()) kept.setCells(static_cast<Column>(column), {cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(count)});
  }
  return kept;
}

void cutRun(summary::RunSummary& run, Column column, double most) {
  const auto cut = [&](Curve& curve) { curve = firstOf(curve, pointsWithin(curve, column, most)); };
  cut(run.curve), cut(run.exchanged);
  for (auto& other : run.otherCurves) cut(other.points);
  for (auto& metric : run.metrics) cut(metric.points);
  summary::summariseEvaluations(run);
  const double last = run.curve.empty() ? 0 : run.curve.number(Column::kSeconds, run.curve.size() - 1);
  run.wallSeconds = std::min(run.wallSeconds, column == Column::kSeconds ? most : last);
}

}  // namespace

Budget budgetFrom(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string word = text.substr(0, equals);
  const auto kind = std::ranges::find(kKinds, word, [](const Kind& each) { return std::string(each.word); });
  if (kind == kKinds.end()) throw Error(Errc::kUsage, strCat("a budget is of time, rounds, samples or bytes, not of \"", word, "\""));
  Budget budget{.of = kind->of};
  if (equals == std::string::npos) return budget;
  const std::string digits = text.substr(equals + 1);
  double amount = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), amount);
  if (problem != std::errc() || end != digits.data() + digits.size() || !std::isfinite(amount) || amount <= 0)
    throw Error(Errc::kUsage, strCat("a budget of ", word, " is a number above 0, not \"", digits, "\""));
  budget.amount = amount;
  return budget;
}

summary::Details detailsFor(const Budget& budget) {
  return {.columns = {Column::kSeconds, Column::kAccuracy, Column::kLoss, Column::kConsensus, Column::kValidation, parts::columnOf(budget.of)}, .curve = true};
}

Cut cutTo(Summaries runs, const Budget& budget) {
  const Column column = parts::columnOf(budget.of);
  const Kind& kind = kindOf(budget.of);
  double most = budget.amount.value_or(std::numeric_limits<double>::infinity());
  if (!budget.amount)
    for (const summary::RunSummary& run : runs)
      if (!run.curve.empty()) most = std::min(most, run.curve.number(column, run.curve.size() - 1));
  if (!std::isfinite(most)) return {.runs = std::move(runs), .note = ""};
  std::string shorter;
  for (summary::RunSummary& run : runs) {
    const bool whole = run.curve.empty() || run.curve.number(column, run.curve.size() - 1) < most;
    if (budget.amount && whole) shorter += strCat(shorter.empty() ? "" : ", ", run.name.empty() ? run.id : run.name);
    cutRun(run, column, most);
  }
  std::string note = strCat("evaluations up to ", shortNumber(most), kind.unit, budget.amount ? "" : ", as far as every run goes", "; rates are those of whole runs");
  if (!shorter.empty()) note += strCat("; shorter than that: ", shorter);
  return {.runs = std::move(runs), .note = std::move(note)};
}

}  // namespace paceline
