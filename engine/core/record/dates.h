// Dates of what is recorded. A wall clock that is set while a run goes on moves neither the order of its records nor the times between them. Any thread.
#pragma once

namespace paceline {

// unixAtBoot() by two clocks that are read one after the other: of several readings the one that took least, which is wrong by half of that at most, so that
// a process which is made to wait between the two has right dates.
double unixAtBootBy(double (*unix)(), double (*sinceBoot)());

// The wall clock read once; from then on the clock counts that runs since this host's boot, sleep included: between two dates lies the time that has
// passed. A value.
class Dates {
 public:
  Dates();  // by the wall clock of now
  explicit Dates(double unixAtBoot) : unixAtBoot_(unixAtBoot) {}
  double now() const;  // seconds since 1970
  double unixAtBoot() const { return unixAtBoot_; }

 private:
  double unixAtBoot_;
};

// In the environment of a node: unixAtBoot() of its supervisor's, so that all who record a run on a host have the same dates.
inline constexpr const char* kDatesVariable = "PACELINE_UNIX_AT_BOOT";

Dates recordDates();      // of all that this process records of runs: kDatesVariable's, else of the wall clock when it was first asked for
void beginRecordDates();  // reads the wall clock again: for a supervisor before the first of the runs that go on at the same time

}  // namespace paceline
