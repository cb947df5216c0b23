#include "engine/runtime/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/base/text.h"

namespace paceline {
namespace {

constexpr double kMostSamples = 1e15;

std::vector<ParamSpec> withWarmup(std::vector<ParamSpec> params) {
  params.push_back(advanced(integerParam({"warmup_samples", "Warm-up samples"}, 0, 0, kMostSamples, "The rates grow linearly until that many samples are trained; 0: no warm-up.")));
  params.push_back(advanced(realParam({"warmup_from", "Warm-up begins at"}, 0.1, 0, 1, "The share of the rates that the warm-up begins with.")));
  return params;
}

ParamSpec counts(ParamSpec text) {
  text.counts = true;
  return text;
}

double warmup(const Params& params, double samples) {
  const auto until = static_cast<double>(params.integer("warmup_samples"));
  if (samples >= until) return 1;
  const double from = params.real("warmup_from");
  return from + (1 - from) * samples / until;
}

double multiStep(const Params& params, std::int64_t samples) {
  const std::vector<std::int64_t> at = countsFromText(params.text("at_samples"));
  const auto passed = std::count_if(at.begin(), at.end(), [&](std::int64_t count) { return count <= samples; });
  return std::pow(params.real("factor"), static_cast<double>(passed));
}

double cosine(const Params& params, double samples) {
  const double done = std::min(1.0, samples / static_cast<double>(params.integer("total_samples"))), floor = params.real("floor");
  return floor + (1 - floor) * (1 + std::cos(std::numbers::pi * done)) / 2;
}

}  // namespace

const std::vector<CatalogEntry>& schedules() {
  static const std::vector<CatalogEntry> all = {
      {"constant", "Constant", "The rates stay as they are, after a warm-up if there is one.", "", withWarmup({})},
      {"step", "Step", "The rates are multiplied by a factor every so many samples of all workers.", "",
       withWarmup({integerParam({"every_samples", "Change every"}, 600'000, 1, kMostSamples, "Samples of all workers between two changes."),
                   realParam("factor", 0.1, 0, 1, "What the rates are multiplied by.")})},
      {"multi_step", "Multi-step", "The rates are multiplied by a factor at each of the given numbers of samples of all workers.", "",
       withWarmup({counts(textParam({"at_samples", "Change at"}, "600000, 1200000", "Samples of all workers, growing, with commas between them.")),
                   realParam("factor", 0.1, 0, 1, "What the rates are multiplied by.")})},
      {"cosine", "Cosine", "The rates fall along half a cosine to a floor and stay there.",
       "I. Loshchilov, F. Hutter, SGDR: Stochastic Gradient Descent with Warm Restarts, ICLR 2017",
       withWarmup({integerParam({"total_samples", "Falls until"}, 1'200'000, 1, kMostSamples, "Samples of all workers until the floor."),
                   realParam("floor", 0, 0, 1, "The share of the rates that stays.")})},
  };
  return all;
}

double scheduleFactor(const Choice& schedule, std::int64_t samples) {
  const Params& params = schedule.params;
  const auto trained = static_cast<double>(samples);
  const double ramp = warmup(params, trained);
  if (schedule.id == "constant") return ramp;
  if (schedule.id == "step")
    return ramp * std::pow(params.real("factor"), static_cast<double>(samples / params.integer("every_samples")));
  if (schedule.id == "multi_step") return ramp * multiStep(params, samples);
  if (schedule.id == "cosine") return ramp * cosine(params, trained);
  throw Error(Errc::kSpec, unknownId("learning_rate_schedule", schedule.id, schedules()));
}

bool isConstant(const Choice& schedule) { return schedule.id == "constant" && schedule.params.integer("warmup_samples") == 0; }

}  // namespace paceline
