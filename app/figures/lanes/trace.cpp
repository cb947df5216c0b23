#include <algorithm>
#include <cmath>

#include "app/figures/lanes/lanes.h"
#include "engine/core/json/json_text.h"

namespace paceline::lanes {
namespace {

constexpr int kNodes = 1;  // the process that holds all tracks

double wholeNanos(double micros) { return std::round(micros * 1e3) / 1e3; }
double micros(double seconds) { return wholeNanos(seconds * 1e6); }

// Two tracks a lane, in the order of lanes: what the node does, and what it has under way.
int trackOf(std::size_t lane) { return static_cast<int>(2 * lane) + 1; }
int linkTrackOf(std::size_t lane) { return trackOf(lane) + 1; }

class Trace {
 public:
  Trace(const Timeline& timeline, const PieceWriter& write) : timeline_(timeline), write_(write) {}

  void all(const std::string& title) {
    Json about = Json::object();
    about["clocks"] = clockNote(timeline_);
    const bool merged = std::ranges::any_of(timeline_.lanes, [](const Lane& lane) { return std::ranges::any_of(lane.spans, [](const Span& span) { return span.rounds > 1; }); });
    if (merged) about["detail"] = "slices from first_round to last_round are sums of those rounds, in the order of one";
    write_(strCat("{\"displayTimeUnit\":\"ms\",\"otherData\":", dumped(about), ",\"traceEvents\":[\n"));
    add({{"ph", "M"}, {"name", "process_name"}, {"pid", kNodes}, {"tid", 0}, {"args", {{"name", title}}}});
    for (std::size_t i = 0; i < timeline_.lanes.size(); ++i) names(i);
    for (std::size_t i = 0; i < timeline_.lanes.size(); ++i) lane(i);
    write_("\n]}\n");
  }

 private:
  void add(const Json& event) {
    write_(first_ ? "" : ",\n");
    write_(dumped(event));
    first_ = false;
  }

  void name(int track, const std::string& text) {
    add({{"ph", "M"}, {"name", "thread_name"}, {"pid", kNodes}, {"tid", track}, {"args", {{"name", text}}}});
    add({{"ph", "M"}, {"name", "thread_sort_index"}, {"pid", kNodes}, {"tid", track}, {"args", {{"sort_index", track}}}});
  }
  void names(std::size_t i) {
    const Lane& lane = timeline_.lanes[i];
    name(trackOf(i), lane.name);
    if (!lane.exchanges.empty()) name(linkTrackOf(i), lane.name + " link");
  }

  void slice(int track, const char* name, double begin, double end, Json args) {
    add({{"ph", "X"}, {"name", name}, {"cat", name}, {"pid", kNodes}, {"tid", track}, {"ts", micros(begin)}, {"dur", wholeNanos(micros(end) - micros(begin))}, {"args", std::move(args)}});
  }

  static void tellRounds(Json& args, std::int64_t last, std::int64_t rounds) {
    if (rounds > 1) args["first_round"] = last - rounds + 1, args["last_round"] = last;
    else args["round"] = last;
  }

  void lane(std::size_t i) {
    const Lane& lane = timeline_.lanes[i];
    for (const Span& span : lane.spans) {
      Json args = Json::object();
      if (span.round > 0) tellRounds(args, span.round, span.rounds);
      else args["busy"] = span.share;
      slice(trackOf(i), lookOf(span.phase).name, span.begin, span.end, std::move(args));
    }
    for (const Exchange& exchange : lane.exchanges) {
      Json args = {{"bytes", exchange.bytes}};
      tellRounds(args, exchange.round, exchange.rounds);
      slice(linkTrackOf(i), kExchange, exchange.begin, exchange.end, std::move(args));
    }
    for (const Gap& gap : lane.gaps) arrow(i, gap);
  }

  // From what the other did when the wait ended to the end of the wait, where it is known. An arrow begins and ends inside a slice, or it is none.
  void arrow(std::size_t i, const Gap& gap) {
    const Lane& lane = timeline_.lanes[i];
    const Lane* other = timeline_.find(gap.whom);
    const double end = std::nextafter(gap.end, gap.begin);
    if (gap.rounds > 1 || other == nullptr || other == &lane || spanAt(*other, end) == nullptr || spanAt(lane, end) == nullptr) return;
    const int from = trackOf(static_cast<std::size_t>(other - timeline_.lanes.data()));
    const std::int64_t id = ++arrows_;
    add({{"ph", "s"}, {"name", "waited for"}, {"cat", "wait"}, {"id", id}, {"pid", kNodes}, {"tid", from}, {"ts", micros(end)}});
    add({{"ph", "f"}, {"bp", "e"}, {"name", "waited for"}, {"cat", "wait"}, {"id", id}, {"pid", kNodes}, {"tid", trackOf(i)}, {"ts", micros(end)},
         {"args", {{"what", sentenceOf(timeline_, lane, gap)}}}});
  }

  const Timeline& timeline_;
  const PieceWriter& write_;
  bool first_ = true;
  std::int64_t arrows_ = 0;
};

}  // namespace

void writeTrace(const Timeline& timeline, const std::string& title, const PieceWriter& write) { Trace(timeline, write).all(title); }

}  // namespace paceline::lanes
