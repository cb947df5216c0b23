#include "app/figures/parts/groups.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <set>

#include "engine/core/base/error.h"

namespace paceline::parts {
namespace {

// The algorithm where there are several, then what differs.
void nameGroups(std::vector<RunGroup>& groups, bool groupSeeds, const Titles& titles) {
  Runs firsts;
  std::set<std::string> algorithms;
  for (const RunGroup& group : groups) firsts.push_back(&group.first()), algorithms.insert(displayName(group.first().algorithm));
  const std::vector<std::string> differs = differences(firsts, !groupSeeds, titles);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    RunGroup& group = groups[i];
    const std::string algorithm = displayName(group.first().algorithm);
    group.differs = differs[i];
    group.fullLabel = strCat(algorithm, differs[i].empty() ? "" : ", ", differs[i]);
    group.label = algorithms.size() > 1 || differs[i].empty() || differs[i] == kSimulated ? group.fullLabel : differs[i];
  }
}

// The first configuration of an algorithm has the algorithm's own index; further ones take the next that is free.
void colourGroups(std::vector<RunGroup>& groups) {
  std::set<int> taken;
  for (const RunGroup& group : groups) taken.insert(seriesOf(group.first().algorithm));
  std::map<std::string, int> byConfiguration;
  std::set<std::string> algorithms;
  int next = 4;  // the four published ones keep theirs
  for (RunGroup& group : groups) {
    const summary::RunSummary& run = group.first();
    const std::string key = run.groupHash.empty() ? strCat("run ", run.id) : summary::groupOf(run);
    const auto known = byConfiguration.find(key);
    if (known != byConfiguration.end()) {
      group.series = known->second;
      continue;
    }
    group.series = seriesOf(run.algorithm);
    if (!algorithms.insert(run.algorithm).second) {
      while (taken.contains(next)) ++next;
      group.series = next;
      taken.insert(next);
    }
    byConfiguration[key] = group.series;
  }
}

}  // namespace

std::vector<RunGroup> groupRuns(const Runs& runs, const FigureOptions& options) {
  std::vector<RunGroup> groups;
  std::map<std::string, std::size_t> byHash;
  std::set<std::string> seen;
  for (const summary::RunSummary* run : runs) {
    if (!run->id.empty() && !seen.insert(run->id).second) continue;
    if (options.groupSeeds && !run->groupHash.empty()) {
      const auto [place, isNew] = byHash.emplace(summary::groupOf(*run), groups.size());
      if (!isNew) {
        groups[place->second].members.push_back(run);
        continue;
      }
    }
    groups.push_back({.members = {run}});
  }
  for (RunGroup& group : groups) std::ranges::stable_sort(group.members, {}, &summary::RunSummary::seed);
  std::ranges::stable_sort(groups, {}, [](const RunGroup& group) { return seriesOf(group.first().algorithm); });
  nameGroups(groups, options.groupSeeds, options.titles);
  colourGroups(groups);
  return groups;
}

Runs pointersTo(const Summaries& runs) {
  Runs pointers;
  for (const summary::RunSummary& run : runs) pointers.push_back(&run);
  return pointers;
}

std::string nameOf(const summary::RunSummary& run) { return run.name.empty() ? run.id : run.name; }

std::string membersWord(const RunGroup& group) {
  std::set<std::uint64_t> seeds;
  for (const summary::RunSummary* run : group.members) seeds.insert(run->seed);
  return strCat(group.members.size(), seeds.size() == group.members.size() ? " seeds" : " runs");
}

std::string memberLabel(const RunGroup& group, const summary::RunSummary& run) { return strCat(group.label, ", seed ", run.seed); }

std::string membersNote(const RunGroup& group) {
  std::string note = strCat(group.label, ": mean and sample std of ", membersWord(group), " (");
  for (const summary::RunSummary* run : group.members)
    note += strCat(run == group.members.front() ? "" : ", ", "seed ", run->seed, ": ", run->id);
  return note + ")";
}

void leaveOut(std::vector<RunGroup>& groups, Figure& figure, const std::string& why, const std::function<bool(const RunGroup&)>& lacks) {
  std::erase_if(groups, [&](const RunGroup& group) {
    const bool gone = lacks(group);
    if (gone) figure.notes.push_back(strCat(group.label, ": left out, ", why));
    return gone;
  });
}

Axis valueAxis(std::string title, bool log) { return {.title = std::move(title), .min = log ? std::nullopt : std::optional(0.0), .log = log}; }

void noteUnpublished(Figure& figure) {
  if (figure.variant == Variant::kPublished) figure.notes.push_back("no published script draws it: as measured");
}

std::string barText(double value) {
  char text[40];
  std::snprintf(text, sizeof text, std::abs(value) >= 100 ? "%.0f" : "%.3g", value);
  return text;
}

std::string deviationText(const summary::Statistic& of) {
  if (of.deviation < 1e-9 * std::abs(of.mean)) return "0";
  char text[40];
  std::snprintf(text, sizeof text, of.deviation >= 99.5 ? "%.0f" : "%.2g", of.deviation);
  return text;
}

bool isStandalone(const summary::RunSummary& run) { return run.algorithm == "standalone"; }

bool isIid(const summary::RunSummary& run) { return run.partition.empty() || run.partition == "iid" || run.partition == "contiguous"; }

std::vector<RunGroup> publishedOrder(const Runs& runs, Figure& figure) {
  std::vector<RunGroup> chosen;
  std::set<int> taken;
  for (const summary::RunSummary* run : runs) {
    if (isStandalone(*run)) continue;
    const int series = seriesOf(run->algorithm);
    if (series > 3)
      figure.notes.push_back(strCat(nameOf(*run), ": left out, the script draws ESync, SSGD, ASGD and DC-ASGD only"));
    else if (!taken.insert(series).second)
      figure.notes.push_back(strCat(nameOf(*run), ": left out, the script draws one run of each algorithm"));
    else
      chosen.push_back({.label = displayName(run->algorithm), .fullLabel = displayName(run->algorithm), .series = series, .members = {run}});
  }
  std::ranges::sort(chosen, {}, &RunGroup::series);
  return chosen;
}

void addBar(Figure& figure, const RunGroup& group, double value, std::string text) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (BarSet& bars : figure.bars) {
    bars.values.push_back(none);
    bars.texts.emplace_back();
  }
  figure.x.categories.push_back(group.label);
  BarSet bars{.label = group.label, .series = group.series};
  bars.values.assign(figure.x.categories.size(), none);
  bars.texts.assign(figure.x.categories.size(), "");
  bars.values.back() = value;
  bars.texts.back() = std::move(text);
  figure.bars.push_back(std::move(bars));
}

void addMeanBar(Figure& figure, const RunGroup& group, const std::vector<double>& values) {
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) {
    figure.notes.push_back(strCat(group.label, ": no bar, its value is not finite"));
    addBar(figure, group, std::numeric_limits<double>::quiet_NaN(), "not finite");
    return;
  }
  const summary::Statistic found = summary::statistic(values);
  if (values.size() == 1) {
    addBar(figure, group, found.mean, barText(found.mean));
    return;
  }
  addBar(figure, group, found.mean, strCat(barText(found.mean), " ± ", deviationText(found)));
  figure.notes.push_back(membersNote(group));
}

}  // namespace paceline::parts
