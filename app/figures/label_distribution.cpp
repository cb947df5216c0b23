#include <algorithm>
#include <cmath>

#include "app/figures/parts/groups.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "storage/summary/table_text.h"

namespace paceline {
namespace {

constexpr std::size_t kClasses = 10;   // that colour and hatch still tell apart; more are drawn as ranges
constexpr std::size_t kWorkers = 48;   // bars of a width that can be seen
constexpr std::size_t kWithTotals = 16;  // bars with room for a number above

// The same classes at the same workers, whoever trained on them.
struct Split {
  std::vector<std::string> workers{};
  std::vector<LabelCounts> counts{};
  std::vector<std::string> labels{};  // of the groups that have it
  std::string partition;
};

std::optional<Split> splitOf(const summary::RunSummary& run) {
  Split split{.partition = run.partition};
  for (const summary::NodeSummary& node : run.nodes) {
    if (!summary::trains(node) || node.labelCounts.empty()) continue;
    split.workers.push_back(node.id);
    split.counts.push_back(node.labelCounts);
  }
  return split.workers.empty() ? std::nullopt : std::optional(split);
}

std::vector<Split> splitsOf(const std::vector<parts::RunGroup>& groups, Figure& figure) {
  std::vector<Split> splits;
  for (const parts::RunGroup& group : groups) {
    std::optional<Split> found = splitOf(group.first());
    if (!found) {
      figure.notes.push_back(strCat(group.label, ": left out, its workers' labels were not recorded"));
      continue;
    }
    for (std::size_t i = 1; i < group.members.size(); ++i) {
      const auto other = splitOf(*group.members[i]);
      if (!other || other->counts != found->counts)
        figure.notes.push_back(strCat(parts::memberLabel(group, *group.members[i]), ": left out, one seed of a configuration is drawn"));
    }
    const auto same = std::ranges::find_if(splits, [&](const Split& s) { return s.workers == found->workers && s.counts == found->counts; });
    if (same == splits.end()) splits.push_back(std::move(*found)), splits.back().labels = {group.label};
    else same->labels.push_back(group.label);
  }
  return splits;
}

// One bar set for each class, or for each of ten ranges of them.
void addSets(Figure& figure, const std::vector<Split>& splits) {
  std::size_t classes = 0;
  for (const Split& split : splits)
    for (const LabelCounts& counts : split.counts) classes = std::max(classes, counts.size());
  const std::size_t wide = (classes + kClasses - 1) / kClasses;
  for (std::size_t from = 0; from < classes; from += wide) {
    const std::size_t last = std::min(from + wide, classes) - 1;
    figure.bars.push_back({.label = from == last ? strCat("class ", from) : strCat("classes ", from, " to ", last), .series = static_cast<int>(figure.bars.size())});
  }
  for (const Split& split : splits)
    for (const LabelCounts& counts : split.counts)
      for (std::size_t set = 0; set < figure.bars.size(); ++set) {
        std::int64_t sum = 0;
        for (std::size_t c = set * wide; c < std::min((set + 1) * wide, counts.size()); ++c) sum += counts[c];
        figure.bars[set].values.push_back(static_cast<double>(sum));
      }
  if (wide > 1) figure.notes.push_back(strCat(classes, " classes are drawn in ", figure.bars.size(), " ranges of ", wide, "; the summary has every count"));
}

void addCategories(Figure& figure, const std::vector<Split>& splits) {
  for (const Split& split : splits)
    for (const std::string& worker : split.workers)
      figure.x.categories.push_back(splits.size() == 1 ? worker : strCat(split.labels.front(), ", ", worker));
  const std::size_t all = figure.x.categories.size();
  if (all <= kWithTotals) {
    std::vector<std::string>& texts = figure.bars.back().texts;
    for (const Split& split : splits)
      for (const LabelCounts& counts : split.counts) texts.push_back(std::to_string(sampleCount(counts)));
  }
  if (all <= kWorkers) return;
  figure.x.categories.resize(kWorkers);
  for (BarSet& set : figure.bars) set.values.resize(kWorkers);
  figure.notes.push_back(strCat("the first ", kWorkers, " of ", all, " workers are drawn; the summary has all"));
}

void noteSplit(Figure& figure, const Split& split, bool only) {
  const std::string who = only ? std::string() : strCat(listed(split.labels), ": ");
  const auto [least, most] = std::ranges::minmax(split.counts, {}, classesHeld);
  const double distance = meanLabelDistance(split.counts);
  figure.notes.push_back(strCat(who, "a worker has ", classesHeld(least) == classesHeld(most) ? strCat(classesHeld(least)) : strCat(classesHeld(least), " to ", classesHeld(most)),
                                classesHeld(most) == 1 ? " class" : " classes", "; mean Jensen-Shannon distance of its classes from everyone's ", std::isnan(distance) ? "not known" : summary::fixedText(distance, 3),
                                " (0: the same, 1: none in common)"));
  if (split.partition == "shared") figure.notes.push_back(strCat(who, "every worker has the whole set"));
}

Figure buildLabelDistribution(const Summaries& runs, const FigureOptions& options) {
  Figure figure{.id = "label_distribution", .title = "Label distribution", .variant = options.variant, .y = parts::valueAxis("training samples")};
  figure.stacked = true;
  const std::vector<Split> splits = splitsOf(parts::groupRuns(parts::pointersTo(runs), options), figure);
  if (splits.empty()) {
    figure.notes.push_back(strCat(kNothingToDraw, "no run whose workers' labels were recorded"));
    return figure;
  }
  addSets(figure, splits);
  addCategories(figure, splits);
  for (const Split& split : splits) noteSplit(figure, split, splits.size() == 1);
  if (splits.size() == 1 && splits.front().labels.size() == 1) figure.title += strCat(", ", splits.front().labels.front());
  if (options.logY) figure.notes.push_back("parts of a whole have no place on a log axis: the axis is linear");
  if (options.variant == Variant::kPublished) figure.notes.push_back("no published script draws it: the same as corrected");
  return figure;
}

}  // namespace

FigureDef label_distribution() {
  return {.id = "label_distribution",
          .title = "Label distribution",
          .summary = "Each worker's training samples by class: whether a split is i.i.d.",
          .build = buildLabelDistribution};
}

}  // namespace paceline
