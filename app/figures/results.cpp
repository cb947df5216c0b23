#include "app/figures/results.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "app/figures/evidence.h"
#include "app/figures/parts/latex_text.h"
#include "app/figures/parts/groups.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "storage/summary/table_text.h"

namespace paceline {
namespace {

using summary::fixedText;

struct Measure {
  const char* id;
  ResultColumn column;
  int decimals;
  const char* missing;
  std::function<std::optional<double>(const summary::RunSummary&)> of;
  bool argued = false;  // the best of it is compared with the next one
};

std::optional<double> positive(double value) { return value > 0 ? std::optional(value) : std::nullopt; }

// The runs that each run is compared with; one without a counterpart is not in it.
using Counterparts = std::map<const summary::RunSummary*, const parts::RunGroup*>;

// Of the reference's runs, which all have it; nullopt: not so.
std::optional<double> meanOf(const parts::RunGroup* base, const std::function<std::optional<double>(const summary::RunSummary&)>& value) {
  double sum = 0;
  if (base == nullptr) return std::nullopt;
  for (const summary::RunSummary* run : base->members) {
    const auto one = value(*run);
    if (!one || !(*one > 0)) return std::nullopt;
    sum += *one;
  }
  return sum / static_cast<double>(base->members.size());
}

std::vector<Measure> speedups(double target, const Counterparts& counterparts) {
  const auto over = [&counterparts](const auto& value, bool inverse) {
    return [&counterparts, value, inverse](const summary::RunSummary& run) -> std::optional<double> {
      const auto base = counterparts.find(&run);
      const auto mean = base == counterparts.end() ? std::nullopt : meanOf(base->second, value);
      const std::optional<double> own = value(run);
      if (!mean || !own || !(*own > 0)) return std::nullopt;
      return inverse ? *mean / *own : *own / *mean;
    };
  };
  const auto seconds = [](const summary::RunSummary& run) { return run.timeToTargetSeconds; };
  const auto rate = [](const summary::RunSummary& run) { return positive(run.throughputSamplesPerSecond); };
  return {{"speedup_time", {strCat("Speed-up to ", target * 100, " %"), Better::kHigher}, 2, "—", over(seconds, true)},
          {"speedup_samples", {"Speed-up in samples/s", Better::kHigher}, 2, "—", over(rate, false)}};
}

std::vector<Measure> measures(double target) {
  const auto percent = [](std::optional<double> x) { return x ? std::optional(*x * 100) : x; };
  const std::string title = strCat("Time to ", target * 100, " % (s)");
  return {
      {"best_accuracy", {"Best accuracy (%)", Better::kHigher, true}, 2, "—", [percent](const summary::RunSummary& r) { return percent(r.accuracyBest); }},
      {"last_accuracy", {"Last accuracy (%)", Better::kHigher, true}, 2, "—", [percent](const summary::RunSummary& r) { return percent(r.accuracyLast); }, true},
      {"time_to_target", {title, Better::kLower}, 1, "not reached", [](const summary::RunSummary& r) { return r.timeToTargetSeconds; }, true},
      {"samples_per_s", {"Samples/s", Better::kHigher}, 0, "—", [](const summary::RunSummary& r) { return positive(r.throughputSamplesPerSecond); }, true},
      {"traffic", {"Traffic (MB/s)", Better::kLower}, 2, "—", [](const summary::RunSummary& r) { return positive(r.trafficBytesPerSecond / 1e6); }},
      {"computing", {"Computing (%)", Better::kHigher}, 1, "—", [](const summary::RunSummary& r) { return std::optional(100 * summary::meanBusyRatio(r)); }},
      {"wall_time", {"Wall time (s)", Better::kNeither}, 1, "—", [](const summary::RunSummary& r) { return positive(r.wallSeconds); }},
  };
}

std::vector<double> valuesOf(const parts::Runs& runs, const Measure& measure) {
  std::vector<double> values;
  for (const summary::RunSummary* run : runs)
    if (const auto value = measure.of(*run); value && std::isfinite(*value)) values.push_back(*value);
  return values;
}

ResultCell cell(const parts::Runs& runs, const Measure& measure) {
  const std::vector<double> values = valuesOf(runs, measure);
  if (values.empty()) return {.text = measure.missing};
  const auto [mean, deviation] = summary::statistic(values);
  ResultCell made{.mean = mean, .std = deviation, .runs = static_cast<int>(values.size()), .text = fixedText(mean, measure.decimals)};
  if (values.size() > 1) made.text += strCat(" ± ", fixedText(deviation, measure.decimals));
  if (values.size() < runs.size()) made.text += strCat(" (", values.size(), " of ", runs.size(), ")");
  return made;
}

// How long a run was allowed to train: its document's stop rules. nullopt: not known (an import), or not used up.
std::optional<std::string> budgetOf(const summary::RunSummary& run) {
  const Json document = jsonOrNull(run.document);
  if (run.state != store::stateName(store::RunState::kFinished) || !document.is_object() || !document.contains("stop")) return std::nullopt;
  return dumped(document["stop"]);
}

bool equalBudgets(const std::vector<parts::RunGroup>& groups) {
  std::optional<std::string> first;
  for (const parts::RunGroup& group : groups)
    for (const summary::RunSummary* run : group.members) {
      const auto budget = budgetOf(*run);
      if (!budget || *budget != first.value_or(*budget)) return false;
      first = budget;
    }
  return true;
}

// A mean over some of the seeds is no winner over means of all; equal texts are equally good.
void markBest(Results& results, std::size_t column, int decimals) {
  const Better better = results.columns[column].better;
  std::optional<double> best;
  for (const ResultRow& row : results.rows) {
    const ResultCell& c = row.cells[column];
    if (!c.mean || c.runs < row.runs) continue;
    if (!best || (better == Better::kHigher ? *c.mean > *best : *c.mean < *best)) best = c.mean;
  }
  for (ResultRow& row : results.rows) {
    ResultCell& c = row.cells[column];
    c.best = best && c.mean && c.runs == row.runs && fixedText(*c.mean, decimals) == fixedText(*best, decimals);
  }
}

// Whether the best mean of a column is ahead of the next one, as far as the seeds tell. "": there are no two.
std::string findingOf(const std::vector<parts::RunGroup>& groups, const Measure& measure) {
  struct Rival {
    const parts::RunGroup* group;
    std::vector<double> values;
    double mean;
  };
  std::vector<Rival> rivals;
  for (const parts::RunGroup& group : groups)
    if (std::vector<double> values = valuesOf(group.members, measure); values.size() == group.members.size()) {
      const double mean = summary::statistic(values).mean;
      rivals.push_back({&group, std::move(values), mean});
    }
  if (rivals.size() < 2) return "";
  std::ranges::stable_sort(rivals, [&](const Rival& a, const Rival& b) { return measure.column.better == Better::kHigher ? a.mean > b.mean : a.mean < b.mean; });
  const Rival &first = rivals[0], &second = rivals[1];
  const auto number = [&](double value) { return fixedText(value, measure.decimals); };
  const double sign = measure.column.better == Better::kHigher ? 1 : -1;
  const std::string ahead = strCat(measure.column.title, ": ", first.group->fullLabel, " is ahead of ", second.group->fullLabel, " by ", number(std::abs(first.mean - second.mean)));
  const std::optional<MeanDifference> found = differenceOf(first.values, second.values);
  if (!found) {
    const std::size_t fewest = std::min(first.values.size(), second.values.size());
    return strCat(ahead, "; with one run of ", fewest == first.values.size() ? first.group->fullLabel : second.group->fullLabel, " no spread is known: 2 more seeds of each are needed");
  }
  if (number(found->mean) == number(0)) return strCat(measure.column.title, ": ", first.group->fullLabel, " and ", second.group->fullLabel, " do not differ");
  if (found->lower == found->upper) return strCat(ahead, ", without any spread");
  const double low = std::min(sign * found->lower, sign * found->upper), high = std::max(sign * found->lower, sign * found->upper);
  const std::string interval = strCat("95 % interval ", number(low), " to ", number(high));
  if (found->told()) return strCat(ahead, " (", interval, ", Hedges' g ", parts::barText(std::abs(found->effect)), ", ", first.values.size(), " and ", second.values.size(), " runs)");
  const std::string seeds = found->more ? strCat("about ", *found->more, " more ", *found->more == 1 ? "seed" : "seeds", " of each would tell if it stays so") : "more than 1000 seeds would be needed";
  return strCat(ahead, ", which is within the spread (", interval, "): ", seeds);
}

// The mean in bold where it is the best; "±" and "—" as LaTeX has them.
std::string latexCell(const ResultCell& cell) {
  if (!cell.mean) return cell.text == "—" ? "--" : latexText(cell.text);
  const std::string mean = cell.text.substr(0, cell.text.find(' '));
  std::string rest = cell.text.substr(mean.size());
  if (const std::size_t sign = rest.find("±"); sign != std::string::npos) rest.replace(sign, std::string("±").size(), "$\\pm$");
  return (cell.best ? strCat("\\textbf{", mean, "}") : mean) + rest;
}

}  // namespace

std::vector<std::string> whatDiffers(const Summaries& configurations, const Titles& titles) {
  std::vector<std::string> names = parts::differences(parts::pointersTo(configurations), false, titles);
  std::set<std::string> algorithms;
  for (const summary::RunSummary& each : configurations) algorithms.insert(displayName(each.algorithm));
  if (algorithms.size() < 2) return names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = strCat(displayName(configurations[i].algorithm), names[i].empty() ? "" : ", ", names[i]);
  return names;
}

const std::vector<std::string>& tableColumns() {
  static const std::vector<std::string> ids = [] {
    std::vector<std::string> all;
    for (const Measure& measure : measures(0)) all.push_back(measure.id);
    const Counterparts none;
    for (const Measure& measure : speedups(0, none)) all.push_back(measure.id);
    return all;
  }();
  return ids;
}

namespace {

Counterparts counterpartsOf(const std::vector<parts::RunGroup>& groups, const std::string& reference) {
  std::vector<const parts::RunGroup*> bases;
  for (const parts::RunGroup& group : groups) {
    const bool named = std::ranges::any_of(group.members, [&](const summary::RunSummary* run) { return run->id == reference; });
    if (named) bases = {&group};
    if (named) break;
    if (group.first().algorithm == reference) bases.push_back(&group);
  }
  if (bases.empty() && !groups.empty()) throw Error(Errc::kUsage, strCat("the reference ", quotable(displayName(reference)), " is not among the runs"));
  Counterparts counterparts;
  for (const parts::RunGroup& group : groups) {
    const auto own = std::ranges::find_if(bases, [&](const parts::RunGroup* base) { return base->differs == group.differs; });
    const parts::RunGroup* base = bases.size() == 1 ? bases.front() : own == bases.end() ? nullptr : *own;
    if (base)
      for (const summary::RunSummary* run : group.members) counterparts[run] = base;
  }
  return counterparts;
}

std::vector<Measure> chosenMeasures(double target, const Counterparts& counterparts, const TableChoice& choice) {
  std::vector<Measure> all = measures(target);
  std::vector<Measure> more = choice.reference.empty() ? std::vector<Measure>() : speedups(target, counterparts);
  all.insert(all.end(), more.begin(), more.end());
  if (choice.columns.empty()) return all;
  std::vector<Measure> chosen;
  for (const std::string& id : choice.columns) {
    const auto found = std::ranges::find_if(all, [&](const Measure& measure) { return measure.id == id; });
    if (found != all.end()) chosen.push_back(*found);
    else if (std::ranges::find(tableColumns(), id) != tableColumns().end()) throw Error(Errc::kUsage, strCat("column ", id, " needs a reference"));
    else throw Error(Errc::kUsage, strCat("no column \"", quotable(id), "\"; have ", listed(tableColumns())));
  }
  return chosen;
}

std::string peekingOf(const Summaries& runs) {
  std::size_t fewest = std::numeric_limits<std::size_t>::max(), most = 0, validated = 0;
  for (const summary::RunSummary& run : runs)
    if (run.validationBest) ++validated;
    else if (run.accuracyBest) fewest = std::min(fewest, run.curve.size()), most = std::max(most, run.curve.size());
  const std::string held = "on the test set, of the evaluation with the best accuracy on held-out training samples.";
  if (most == 0) return validated == 0 ? "" : strCat("Best accuracy: ", held);
  return strCat("Best accuracy: the best of ", fewest == most ? "" : strCat(fewest, " to "), most, most == 1 ? " evaluation" : " evaluations", " on the test set.",
                validated == 0 ? "" : strCat(" Of ", validated, validated == 1 ? " run: " : " runs: ", held));
}

}  // namespace

Results tabulate(const Summaries& runs, const Titles& titles, bool sameBudget, const TableChoice& choice) {
  Results results;
  FigureOptions options;
  options.titles = titles;
  const std::vector<parts::RunGroup> groups = parts::groupRuns(parts::pointersTo(runs), options);
  const Counterparts counterparts = choice.reference.empty() ? Counterparts() : counterpartsOf(groups, choice.reference);
  const std::vector<Measure> all = chosenMeasures(runs.empty() ? 0.8 : runs.front().targetAccuracy, counterparts, choice);
  for (const Measure& measure : all) results.columns.push_back(measure.column);
  if (std::ranges::any_of(all, [](const Measure& measure) { return measure.id == std::string_view("best_accuracy"); })) results.peeking = peekingOf(runs);
  for (const parts::RunGroup& group : groups) {
    const summary::RunSummary& first = group.first();
    ResultRow& row = results.rows.emplace_back(ResultRow{.label = group.fullLabel,
                                                         .algorithm = first.algorithm,
                                                         .model = titleIn(titles, first.model),
                                                         .runs = static_cast<int>(group.members.size())});
    for (const summary::RunSummary* run : group.members) row.ids.push_back(run->id);
    for (const Measure& measure : all) row.cells.push_back(cell(group.members, measure));
  }
  results.published = publishedRows(runs, titles);
  if (groups.size() < 2) return results;
  const bool equal = sameBudget || equalBudgets(groups);
  for (std::size_t i = 0; i < results.columns.size(); ++i) {
    if (results.columns[i].better == Better::kNeither || (!equal && results.columns[i].ofBudget)) continue;
    markBest(results, i, all[i].decimals);
    if (std::string finding = all[i].argued ? findingOf(groups, all[i]) : ""; !finding.empty()) results.findings.push_back(std::move(finding));
  }
  if (!equal) results.note = "No accuracy is marked as the best: the stop rules of these runs differ or are not known, or a run did not reach its own.";
  if (std::string note = simulatedNote(runs); !note.empty()) {
    note.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(note.front())));
    results.note += strCat(results.note.empty() ? "" : " ", note, ".");
  }
  return results;
}

namespace {

// "published Samples/s", "inside Samples/s": a pair for each quantity that some row has.
struct PublishedColumns {
  explicit PublishedColumns(const Results& results) : rows(results.published) {
    for (const PublishedRow& row : rows)
      if (std::ranges::find(quantities, row.quantity) == quantities.end()) quantities.push_back(row.quantity);
  }
  const PublishedRow* of(const std::string& configuration, const std::string& quantity) const {
    const auto found = std::ranges::find_if(rows, [&](const PublishedRow& row) { return row.configuration == configuration && row.quantity == quantity; });
    return found == rows.end() ? nullptr : &*found;
  }

  const std::vector<PublishedRow>& rows;
  std::vector<std::string> quantities{};
};

}  // namespace

std::string resultsToCsv(const Results& results) {
  const PublishedColumns published(results);
  summary::CsvTable table;
  table.cell("name").cell("algorithm").cell("runs");
  for (const ResultColumn& column : results.columns) table.cell(column.title + " mean").cell(column.title + " std");
  for (const std::string& quantity : published.quantities) table.cell("published " + quantity).cell("ours " + quantity).cell("inside " + quantity);
  table.endRow();
  for (const ResultRow& row : results.rows) {
    table.cell(row.label).cell(row.algorithm).cell(std::int64_t{row.runs});
    for (const ResultCell& c : row.cells) table.cell(c.mean ? fixedText(*c.mean, 6) : "").cell(c.mean ? fixedText(c.std, 6) : "");
    for (const std::string& quantity : published.quantities) {
      const PublishedRow* found = published.of(row.label, quantity);
      table.cell(found ? std::optional(found->value.value) : std::nullopt).cell(found ? found->ours : std::nullopt).cell(found ? found->insideText : "");
    }
    table.endRow();
  }
  return table.text();
}

namespace {
std::string commented(const Results& results) {
  std::string text = results.note.empty() ? "" : strCat("% ", results.note, "\n");
  if (!results.peeking.empty()) text += strCat("% ", results.peeking, "\n");
  for (const std::string& finding : results.findings) text += strCat("% ", finding, "\n");
  return text;
}

// "±", "—" as LaTeX has them.
std::string latexWords(const std::string& words) {
  std::string text = words == "—" ? "--" : latexText(words);
  if (const std::size_t sign = text.find("±"); sign != std::string::npos) text.replace(sign, std::string("±").size(), "$\\pm$");
  return text;
}

std::string publishedLatex(const Results& results) {
  if (results.published.empty()) return "";
  std::string text = "% published values beside ours\n\\begin{tabular}{llrrrll}\n\\toprule\n";
  for (const char* head : kPublishedHeads) text += strCat(head == kPublishedHeads[0] ? "" : " & ", head);
  text += " \\\\\n\\midrule\n";
  const PublishedTable table = numbered(results.published);
  for (const std::vector<std::string>& cells : table.rows) {
    for (std::size_t i = 0; i < cells.size(); ++i) text += strCat(i == 0 ? "" : " & ", latexWords(cells[i]));
    text += " \\\\\n";
  }
  text += "\\bottomrule\n\\end{tabular}\n";
  for (const std::string& source : table.sources) text += strCat("\\par{\\footnotesize ", latexWords(source), "}\n");
  return text;
}
}  // namespace

std::string resultsToLatex(const Results& results) {
  constexpr std::size_t kNarrow = 3;  // columns of numbers
  std::string header = "Configuration & Model & Runs", alignment = "llr";
  for (const ResultColumn& column : results.columns) header += strCat(" & ", latexText(column.title)), alignment += 'r';
  std::string text = strCat("% needs \\usepackage{booktabs}; mean and sample standard deviation over runs that differ in the seed\n",
                            results.columns.size() > kNarrow ? "% wider than most pages: --columns chooses some, \\resizebox{\\linewidth}{!}{...} of graphicx shrinks it\n" : "", commented(results), "\\begin{tabular}{", alignment, "}\n\\toprule\n", header, " \\\\\n\\midrule\n");
  for (const ResultRow& row : results.rows) {
    text += strCat(latexText(row.label), " & ", latexText(row.model), " & ", row.runs);
    for (const ResultCell& cell : row.cells) text += " & " + latexCell(cell);
    text += " \\\\\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n" + publishedLatex(results);
}

}  // namespace paceline
