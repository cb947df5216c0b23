// The last measurements of hosts and links: facts.json beside hosts.json. A cache: losing it costs a check.
#pragma once

#include "app/cluster/check/host_check.h"

namespace paceline::hosts {

struct HostFacts {
  std::string name, checkedUtc;  // ISO 8601, Z
  std::string probe;             // the agent's probe, JSON text
  double speed = 0;              // of the compute benchmark, GFLOP/s of one thread per core; 0: not measured
  std::string speedUtc{};        // when; "": not known
  std::string speedLoad{};       // what took CPUs from it meanwhile, so that the host can do at least that: "other work took 1.4 of its 2 CPUs"; "": nothing
  double clockOffsetSeconds = 0, clockErrorSeconds = 0;  // host minus desktop; at most half the round trip
  std::vector<check::CheckLine> lines;
};

// Takes a measured speed over. One that was disturbed takes the place only of none, or of one that was disturbed as well and tells less: false then.
bool takeSpeed(HostFacts& facts, double speed, const std::string& load, const std::string& utc);

std::optional<HostFacts> loadFacts(const std::string& host);
void keepFacts(const HostFacts& facts);
std::vector<check::LinkMeasure> loadLinks();
void keepLinks(const std::vector<check::LinkMeasure>& links);
void forgetFacts(const std::string& host);  // its links too

}  // namespace paceline::hosts
