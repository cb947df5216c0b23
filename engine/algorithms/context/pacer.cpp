#include "engine/algorithms/context/worker_context.h"

namespace paceline {

Pacer::Pacer(Clock& clock, const Emulate& emulate, Rng rng, double nominalSeconds)
    : clock_(clock), emulate_(emulate), rng_(rng), nominal_(nominalSeconds) {
  for (const double step : emulate_.steps) meanStep_ += step / static_cast<double>(emulate_.steps.size());
}

std::optional<double> Pacer::stepSeconds() const { return emulate_.steps.empty() ? emulate_.stepSeconds : meanStep_; }

double Pacer::expected(double measured, double share) const {
  const std::optional<double> step = stepSeconds();
  if (virtualTime()) return share * (step ? *step : nominal_ * emulate_.slowdown);
  return step ? std::max(measured, share * *step) : measured * emulate_.slowdown;
}

double Pacer::fetch() {
  if (!emulate_.fetchSeconds) return 0;
  const double began = clock_.now();
  clock_.sleepFor(*emulate_.fetchSeconds);
  return virtualTime() ? *emulate_.fetchSeconds : clock_.now() - began;
}

void Pacer::begin() {
  if (!emulate_.steps.empty()) jitter_ = emulate_.steps[static_cast<std::size_t>(rng_.below(emulate_.steps.size()))] / meanStep_;
  else jitter_ = emulate_.jitter > 0 ? rng_.uniform(1 - emulate_.jitter, 1 + emulate_.jitter) : 1;
  slept_ = 0;
}

double Pacer::reach(double measured, double share) {
  const double rest = expected(measured, share) * jitter_ - measured - slept_;
  if (rest > 0) {
    const double began = clock_.now();
    clock_.sleepFor(rest);
    slept_ += virtualTime() ? rest : clock_.now() - began;  // what it really took: a sleep may be longer than asked for
  }
  return measured + slept_;
}

double Pacer::stretch(double measured) {
  begin();
  return reach(virtualTime() ? 0 : measured, 1);
}

}  // namespace paceline
