#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "app/figures/parts/groups.h"
#include "app/report/resolve.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline::report {
namespace {

constexpr std::size_t kTold = 4;   // groups that have sentences of their own
constexpr std::size_t kLanes = 2;  // groups whose lanes are drawn

struct Named {
  std::string name;  // in the head
  const parts::RunGroup* group;
};

std::string nameFor(const std::string& algorithm, std::set<std::string>& taken) {
  std::string name;
  for (const char c : algorithm) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (name.empty()) name = "runs";
  std::string free = name;
  for (int i = 2; !taken.insert(free).second; ++i) free = strCat(name, "_", i);
  return free;
}

// "a, b and c"
std::string sentenceList(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) out += strCat(i == 0 ? "" : i + 1 == words.size() ? " and " : ", ", words[i]);
  return out;
}

// A comma would separate runs, a quote would begin one.
std::string headWord(const std::string& id) { return id.find_first_of(",\"") == std::string::npos ? id : strCat("\"", id, "\""); }

std::string head(const std::vector<Named>& named, double target) {
  std::vector<std::string> algorithms;
  for (const Named& each : named)
    if (const std::string name = displayName(each.group->first().algorithm); std::ranges::find(algorithms, name) == algorithms.end()) algorithms.push_back(name);
  std::string text = strCat("---\ntitle: ", algorithms.size() > kTold ? strCat(named.size(), " configurations") : sentenceList(algorithms), "\ntarget: ", boundText(std::round(target * 1e4) / 100), " %\n");
  for (const Named& each : named) {
    text += strCat("# ", quotable(each.group->fullLabel), ": ", quotable(nameWithoutSeed(each.group->first().name, each.group->first().seed)), "\nrun ", each.name, ":");
    for (std::size_t i = 0; i < each.group->members.size(); ++i) text += strCat(i == 0 ? " " : ", ", headWord(each.group->members[i]->id));
    text += '\n';
  }
  return text + "---\n\n";
}

std::string live(const std::string& name, const std::string& number) { return strCat("{{", name, ".", number, "}}"); }

// One sentence; what all have alike is told of the first.
std::string setup(const std::vector<Named>& named) {
  const std::string& first = named.front().name;
  std::vector<std::string> methods;
  for (std::size_t i = 0; i < std::min(named.size(), kTold); ++i)
    if (const std::string method = live(named[i].name, "algorithm"); i == 0 || named[i].group->first().algorithm != named[i - 1].group->first().algorithm) methods.push_back(method);
  const bool batch = !named.front().group->first().document.empty();
  return strCat("## Setup\n\n", sentenceList(methods), methods.size() == 1 ? " trains " : " train ", live(first, "model"), " on ", live(first, "dataset"), " (", live(first, "partition"), ") with ", live(first, "workers"), " workers",
                batch ? strCat(" and batches of ", live(first, "/batch_size")) : "", "; seeds: ", live(first, "seeds"), ".\n\n", named.size() > 1 && batch ? "{{differences}}\n\n" : "");
}

std::string told(const Named& each, const Named* reference) {
  std::string text = strCat("- ", live(each.name, "algorithm"), each.group->differs.empty() ? "" : strCat(" (", quotable(each.group->differs), ")"), ": best accuracy ", live(each.name, "best_accuracy"), ", ", live(each.name, "samples_per_s"),
                            "; time to {{target}}: ", live(each.name, "time_to_target"));
  if (reference != nullptr && reference != &each) text += strCat("; speed-up over ", live(reference->name, "algorithm"), ": {{", reference->name, ".time_to_target / ", each.name, ".time_to_target : 2}}");
  return text + "\n";
}

std::string resultsOf(const std::vector<Named>& named) {
  std::string text = "## Results\n\n";
  const auto ssgd = std::ranges::find_if(named, [](const Named& each) { return each.group->first().algorithm == "ssgd"; });
  const Named* reference = named.size() < 2 ? nullptr : ssgd == named.end() ? nullptr : &*ssgd;
  for (std::size_t i = 0; i < std::min(named.size(), kTold); ++i) text += told(named[i], reference);
  return text + "\n{{results}}\n\n{{figure accuracy}}\n\n{{figure speedup}}\n\n";
}

}  // namespace

std::string starter(const Summaries& runs, const Titles& titles) {
  if (runs.empty()) throw Error(Errc::kSpec, "a report begins with runs: none was named");
  FigureOptions options;
  options.titles = titles;
  const std::vector<parts::RunGroup> groups = parts::groupRuns(parts::pointersTo(runs), options);
  std::vector<Named> named;
  std::set<std::string> taken;
  for (const parts::RunGroup& group : groups) named.push_back({.name = nameFor(group.first().algorithm, taken), .group = &group});
  std::string text = head(named, runs.front().targetAccuracy) + setup(named) + resultsOf(named) + "## Who waits for whom\n\n";
  for (std::size_t i = 0; i < std::min(named.size(), kLanes); ++i) text += strCat("{{lanes ", named[i].name, "}}\n\n");
  return text;
}

}  // namespace paceline::report
