#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "app/figures/figure.h"
#include "engine/core/base/error.h"
#include "engine/core/spec/catalog.h"
#include "engine/core/spec/distinct_ids.h"
#include "engine/core/spec/schema.h"
#include "registry/figures.h"

namespace paceline {

namespace {

// First of all the reason: the figure's own, unless no run was given at all; and which runs may still record something.
void sayWhyEmpty(Figure& figure, const Summaries& runs) {
  const auto own = std::ranges::find_if(figure.notes, [](const std::string& note) { return note.starts_with(kNothingToDraw); });
  std::string why = own == figure.notes.end() ? strCat(kNothingToDraw, "no run recorded a value for it") : *own;
  if (own != figure.notes.end()) figure.notes.erase(own);
  if (runs.empty()) why = strCat(kNothingToDraw, "no runs chosen");
  for (const summary::RunSummary& run : runs)
    if (run.state == store::stateName(store::RunState::kRunning)) why += strCat("; ", run.name.empty() ? run.id : run.name, " is running and has recorded none of it yet");
  figure.notes.insert(figure.notes.begin(), why);
}

// What every figure of the registry does behind its own part.
FigureDef completed(FigureDef def) {
  def.build = [draw = std::move(def.build)](const Summaries& runs, const FigureOptions& options) {
    Figure figure = draw(runs, options);
    if (figure.empty()) sayWhyEmpty(figure, runs);
    return figure;
  };
  return def;
}

struct Named {
  std::string_view id, name;
};

// Position = palette index. Figures of other years must look the same: append only.
constexpr std::array<Named, 28> kAlgorithms = {{{"esync", "ESync"},
                                                {"ssgd", "SSGD"},
                                                {"asgd", "ASGD"},
                                                {"dc_asgd", "DC-ASGD"},
                                                {"standalone", "stand-alone"},
                                                {"local_sgd", "local SGD"},
                                                {"ssp", "SSP"},
                                                {"grouping_sgd", "Grouping-SGD"},
                                                {"gradient_dropping", "gradient dropping"},
                                                {"dgc", "DGC"},
                                                {"dgs", "DGS"},
                                                {"d_sgd", "D-SGD"},
                                                {"pdmm_isvr", "PDMM-ISVR"},
                                                {"admm_isvr", "ADMM-ISVR"},
                                                {"sync_backup", "SSGD with backup workers"},
                                                {"diloco", "DiLoCo"},
                                                {"slowmo", "SlowMo"},
                                                {"fedprox", "FedProx"},
                                                {"fednova", "FedNova"},
                                                {"scaffold", "SCAFFOLD"},
                                                {"fedbuff", "FedBuff"},
                                                {"ringmaster_asgd", "Ringmaster ASGD"},
                                                {"delayed_nesterov", "delayed Nesterov"},
                                                {"robust_ssgd", "robust SSGD"},
                                                {"power_sgd", "PowerSGD"},
                                                {"demo", "DeMo"},
                                                {"ad_psgd", "AD-PSGD"},
                                                {"sgp", "SGP"}}};

}  // namespace

namespace {

// Every figure says which of its times are no measured ones.
FigureDef sayingWhatIsSimulated(FigureDef def) {
  def.build = [build = std::move(def.build)](const Summaries& runs, const FigureOptions& options) {
    Figure figure = build(runs, options);
    if (const std::string note = simulatedNote(runs); !note.empty() && !figure.empty()) figure.notes.push_back(note);
    return figure;
  };
  return def;
}

}  // namespace

std::string simulatedNote(const Summaries& runs) {
  const auto simulated = std::ranges::count_if(runs, summary::isSimulated);
  if (simulated == 0) return "";
  const bool all = simulated == std::ssize(runs);
  return strCat(all ? runs.size() == 1 ? "the run is" : "all runs are" : strCat(simulated, " of ", runs.size(), " runs ", simulated == 1 ? "is" : "are"), " simulated: times are virtual");
}

const std::vector<FigureDef>& figures() {
  static const std::vector<FigureDef> defs = [] {
    std::vector<FigureDef> made;
    for (auto* define : k_figures) made.push_back(sayingWhatIsSimulated(completed(define())));
    requireDistinctIds("figures", made);
    return made;
  }();
  return defs;
}

bool Figure::empty() const {
  const auto finite = [](double value) { return std::isfinite(value); };
  const auto word = [](const std::string& text) { return !text.empty(); };
  return std::ranges::none_of(lines, [&](const Line& line) { return std::ranges::any_of(line.y, finite); }) &&
         std::ranges::none_of(bars, [&](const BarSet& set) { return std::ranges::any_of(set.values, finite) || std::ranges::any_of(set.texts, word); }) &&
         std::ranges::all_of(spans, [](const SpanSet& set) { return set.rows.empty(); });
}

std::string whyNothing(const Figure& figure) {
  const std::string why = figure.notes.empty() ? "the chosen runs have no rows for this figure" : figure.notes.front();
  return why.starts_with(kNothingToDraw) ? why.substr(kNothingToDraw.size()) : why;
}

const FigureDef* findFigure(const std::string& id) {
  const auto found = std::ranges::find(figures(), id, &FigureDef::id);
  return found == figures().end() ? nullptr : &*found;
}

int seriesOf(const std::string& algorithm) {
  const auto found = std::ranges::find(kAlgorithms, algorithm, &Named::id);
  return static_cast<int>(found - kAlgorithms.begin());  // all unknown ones share the index after the last
}

std::string displayName(const std::string& algorithm) {
  const auto found = std::ranges::find(kAlgorithms, algorithm, &Named::id);
  if (found != kAlgorithms.end()) return std::string(found->name);
  return algorithm.empty() ? "unknown" : algorithm;
}

Titles titlesOf(const Catalog& catalog) {
  Titles titles;
  const auto add = [&titles](const auto& entries) {
    for (const CatalogEntry& entry : entries)
      if (!entry.title.empty()) titles[entry.id] = entry.title;
  };
  add(catalog.models), add(catalog.datasets), add(catalog.partitions);
  const auto addParams = [&titles](const std::string& choice, const auto& entries) {
    for (const CatalogEntry& entry : entries)
      for (const ParamSpec& param : entry.params) titles.emplace(strCat(choice, "/params/", param.name), labelOf(param));
  };
  addParams("/algorithm", catalog.algorithms), addParams("/aggregation", catalog.aggregations), addParams("/model", catalog.models), addParams("/dataset", catalog.datasets);
  addParams("/partition", catalog.partitions), addParams("/learning_rate_schedule", catalog.schedules), addParams("/topology", catalog.topologies);
  return titles;
}

std::string titleIn(const Titles& titles, const std::string& id) {
  const auto found = titles.find(id);
  return found == titles.end() ? id : found->second;
}

std::string labelIn(const Titles& titles, const std::string& pointer) {
  if (const auto param = titles.find(pointer); param != titles.end()) return param->second;
  const std::string_view id = "/id";
  const bool choice = pointer.ends_with(id) && !pointer.starts_with("/nodes/");
  const std::string place = choice ? pointer.substr(0, pointer.size() - id.size()) : pointer;
  std::string label = fieldLabel(place);
  if (!label.empty()) return label;
  label = place.substr(place.rfind('/') + 1);
  std::ranges::replace(label, '_', ' ');
  if (!label.empty() && label[0] >= 'a' && label[0] <= 'z') label[0] = static_cast<char>(label[0] - 'a' + 'A');
  return label;
}

std::string withinSentence(std::string label) {
  const auto isUpper = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (label.size() > 1 && isUpper(label[0]) && !isUpper(label[1])) label[0] = static_cast<char>(label[0] - 'A' + 'a');
  return label;
}

std::string nameWithoutSeed(const std::string& name, std::uint64_t seed) {
  const std::string tail = strCat(" seed ", seed);
  return name.ends_with(tail) ? name.substr(0, name.size() - tail.size()) : name;
}

namespace {

struct Extremes {
  std::size_t low, high;
  bool any = false;
};

Extremes extremesOf(const std::vector<double>& y, std::size_t begin, std::size_t end) {
  Extremes found{.low = begin, .high = begin};
  for (std::size_t i = begin; i < end; ++i) {
    if (std::isnan(y[i])) continue;
    if (!found.any || y[i] < y[found.low]) found.low = i;
    if (!found.any || y[i] > y[found.high]) found.high = i;
    found.any = true;
  }
  return found;
}

}  // namespace

Decimated decimate(const std::vector<double>& x, const std::vector<double>& y, std::size_t columns) {
  PACELINE_CHECK(x.size() == y.size(), "as many x as y");
  const std::size_t n = x.size();
  if (columns == 0 || n <= 2 * columns) return {x, y};
  Decimated out;
  out.x.reserve(2 * columns);
  out.y.reserve(2 * columns);
  const auto keep = [&](std::size_t i) {
    out.x.push_back(x[i]);
    out.y.push_back(y[i]);
  };
  for (std::size_t column = 0; column < columns; ++column) {
    const Extremes found = extremesOf(y, column * n / columns, (column + 1) * n / columns);
    keep(std::min(found.low, found.high));  // a column without a number stays a gap: its NaN is kept
    if (found.low != found.high) keep(std::max(found.low, found.high));
  }
  return out;
}

}  // namespace paceline
