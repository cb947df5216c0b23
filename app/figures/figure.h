// A figure is data: no pens, no colours, no Qt. build() makes it, figure_view paints it, csv() writes it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/summary/summary.h"

namespace paceline {

struct Catalog;

enum class Variant { kCorrected, kPublished };  // measured truth; the original scripts' formula and look
enum class XAxis { kTime, kRounds, kEpochs, kSamples, kBytes };

// What ids of models, data sets, partitions are called, as the catalogue says, and parameters by the pointer to them in a document; an id that is not here stands for itself.
using Titles = std::map<std::string, std::string>;
Titles titlesOf(const Catalog& catalog);
std::string titleIn(const Titles& titles, const std::string& id);
// What the form calls a member of a document: "Local learning rate", "Batch size", of "/algorithm/id" "Algorithm"; else its key in words.
std::string labelIn(const Titles& titles, const std::string& pointer);
std::string withinSentence(std::string label);  // "batch size"; "CPU threads" stays

struct FigureOptions {
  Variant variant = Variant::kCorrected;
  XAxis x = XAxis::kTime;
  bool logX = false, logY = false;
  int smoothing = 1;             // trailing moving average over this many points; 1 = raw
  bool groupSeeds = true;        // runs that differ only in the seed become mean and band
  std::string metric{};          // of the figure "metric": which one; "": the first by name
  std::optional<double> standaloneAccuracy;  // dashed line; default: last accuracy of a stand-alone run among the runs
  std::string reference{};       // of speed-ups: a run's id or an algorithm's; "": SSGD, each run's own counterpart where there are several
  std::string referenceName{};   // what a note calls it where it is not among the runs; "": its id or the algorithm's name
  Titles titles{};
};

struct Axis {
  std::string title;  // with unit: "time (minutes)"
  std::optional<double> min{}, max{};
  bool log = false;
  std::vector<std::string> categories{};  // of x: bars; of y: spans; of parallel axes: words, by their y
};
struct Line {
  std::string label;
  int series = 0;               // palette index: colour, dash and marker (an algorithm keeps its own everywhere)
  std::vector<double> x{}, y{};
  std::vector<double> rawX{}, rawY{};  // when smoothed: painted faintly below
  std::vector<std::size_t> markers{};  // indices that carry a marker; empty = view decides
  std::string runId{};          // where it comes from; "" for a group's mean
  bool faint = false;           // one seed of a group: painted faintly below the mean, not in the legend
};
struct Band {
  std::string label;            // names the statistic: "± std of 3 seeds"
  int series = 0;
  std::vector<double> x{}, lower{}, upper{};
};
struct BarSet {  // in a category only the sets with a value there take room: one set per category = full-width bars
  std::string label;
  int series = 0;               // colour and hatch
  std::vector<double> values{};  // one per category; NaN = no bar
  std::vector<std::string> texts{};  // over the bars (stacked: over those before them too); may be empty
};
struct SpanSet {  // of one kind: lying bars, each in a row of the y axis' categories, the first on top
  std::string label;
  int series = 0;
  bool quiet = false;           // nothing is done there: painted in the grid's colour
  bool thin = false;            // beside what else is in the row: a strip at its lower edge
  std::vector<std::size_t> rows{};
  std::vector<double> begin{}, end{}, strength{};  // strength: 0 to 1
};
struct Reference {
  std::string label;
  double value = 0;             // y, dashed
};
struct PublishedMark {          // what a paper reports: hollow, so that nobody takes it for a measurement
  std::string label;            // "ESync, published"
  int series = 0;               // of what it stands beside
  double x = 0, y = 0;          // x: of bars the category
  std::optional<double> low{}, high{};  // its band
  bool lying = false;           // the band is of x
  std::string bars{};           // where a category has several bars: the label of their set
  std::string source{};         // "Li et al. 2020, table 1; there with ResNet-18"
};

struct Figure {
  std::string id, title;
  Variant variant = Variant::kCorrected;
  Axis x{}, y{};
  std::vector<Line> lines{};
  std::vector<Band> bands{};
  std::vector<BarSet> bars{};
  std::vector<SpanSet> spans{};
  bool stacked = false;         // the bars of a category stand on each other in the order of their sets; values >= 0
  std::vector<Reference> references{};
  std::vector<PublishedMark> published{};
  std::vector<Axis> axes{};     // parallel coordinates: every line has an x of 0, 1, 2 ... and its y on the axis of that number
  std::optional<std::size_t> shadedBy{};  // of those: the axis whose values colour the lines
  std::vector<std::string> notes{};  // of an empty figure, first of all why it is; formula used, runs left out and why ("not reached"), "N of M points"
  bool empty() const;           // nothing that could be seen: no point, no bar and no words in place of one
};
inline constexpr std::string_view kNothingToDraw = "nothing to draw: ";  // begins the note that says why a figure is empty
std::string whyNothing(const Figure& figure);  // of an empty one: "no rounds recorded"
inline constexpr std::size_t kMaxFigureBytes = std::size_t{1} << 30;     // of a figure document: a hundred curves of a hundred thousand points

using Summaries = std::vector<summary::RunSummary>;

struct FigureDef {
  std::string id, title, summary;
  std::function<Figure(const Summaries&, const FigureOptions&)> build;
  bool ofMetric = false;  // draws FigureOptions::metric, one of those that runs recorded
  std::function<summary::Details(const FigureOptions&)> reads = [](const FigureOptions&) { return summary::Details(); };  // of summaries, beside their numbers
};

std::string simulatedNote(const Summaries& runs);  // "2 of 3 runs are simulated: times are virtual"; "": none is
const std::vector<FigureDef>& figures();
std::vector<std::string> metricNames(const std::vector<summary::RunSummary>& runs);  // that any of them recorded, sorted
const FigureDef* findFigure(const std::string& id);

std::string figureToCsv(const Figure& figure);             // RFC 4180: series, x, y (long form)
std::string figureToJson(const Figure& figure, int indent = 2);
Figure parseFigure(const std::string& json);               // throws Error{kFormat}; what `paceline-workbench render` reads

// Palette index of an algorithm: esync 0, ssgd 1, asgd 2, dc_asgd 3, others after them, fixed.
int seriesOf(const std::string& algorithm);
std::string displayName(const std::string& algorithm);     // "ESync", "SSGD", "ASGD", "DC-ASGD", "stand-alone"
std::string nameWithoutSeed(const std::string& name, std::uint64_t seed);  // "demo esync" of "demo esync seed 3", as suites call their runs

// At most `columns` min/max pairs, exact extremes kept; for painting only.
struct Decimated {
  std::vector<double> x, y;
};
Decimated decimate(const std::vector<double>& x, const std::vector<double>& y, std::size_t columns);

}  // namespace paceline
