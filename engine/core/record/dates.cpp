#include "engine/core/record/dates.h"

#include <atomic>
#include <cstdlib>
#include <ctime>
#include <limits>

#include "engine/core/record/event.h"

namespace paceline {
namespace {

constexpr int kReadings = 5;

double secondsSinceBoot() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Dates given() {
  const char* text = std::getenv(kDatesVariable);
  const double unixAtBoot = text == nullptr ? 0 : std::strtod(text, nullptr);
  return unixAtBoot > 0 ? Dates(unixAtBoot) : Dates();
}

std::atomic<double>& ofRecords() {
  static std::atomic<double> unixAtBoot = given().unixAtBoot();
  return unixAtBoot;
}

}  // namespace

double unixAtBootBy(double (*unix)(), double (*sinceBoot)()) {
  double best = 0, least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kReadings; ++i) {
    const double before = sinceBoot(), wall = unix(), took = sinceBoot() - before;
    if (took < least) least = took, best = wall - (before + took / 2);
  }
  return best;
}

Dates::Dates() : unixAtBoot_(unixAtBootBy(unixNow, secondsSinceBoot)) {}
double Dates::now() const { return unixAtBoot_ + secondsSinceBoot(); }

Dates recordDates() { return Dates(ofRecords()); }
void beginRecordDates() { ofRecords() = Dates().unixAtBoot(); }

}  // namespace paceline
