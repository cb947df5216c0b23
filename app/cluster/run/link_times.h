// How long a run waits for a host that it has lost.
#pragma once

namespace paceline::run {

struct LinkTimes {
  double firstRetrySeconds = 1, longestRetrySeconds = 15;  // between two attempts to reach it; doubled each time
  double giveUpSeconds = 600;   // then the run is left stale, for `paceline attach`
  double leaseSeconds = 15;     // a connection over which nothing came for this long counts as lost
  double endGraceSeconds = 30;  // when the run is to end and all other hosts are done
};

}  // namespace paceline::run
