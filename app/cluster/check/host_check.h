// The checks of a host before a run uses it, a line each. Judging is pure (facts in, lines out), so every sentence has a test.
#pragma once

#include <array>
#include <functional>

#include "app/cluster/hosts/host.h"
#include "app/cluster/hosts/host_registry.h"

namespace paceline::check {

enum class CheckState { kWaiting, kRunning, kGood, kWarning, kBad, kSkipped };
constexpr std::array<const char*, 6> wordsOf(CheckState) { return {"waiting", "running", "good", "warning", "bad", "skipped"}; }
constexpr const char* checkStateName(CheckState state) { return wordsOf(state)[static_cast<std::size_t>(state)]; }

struct CheckLine {
  std::string id, title;  // "reachable", "Reachable"
  CheckState state = CheckState::kWaiting;
  std::string expected, found, advice;  // advice: what to do, "" when good
};

// Ids in order: reachable key authentication quoting architecture libc libstdcxx libraries disk cpu memory gpu interface clock agent speed.
std::vector<CheckLine> plannedChecks();

// Runs all, or only `only` and what it needs. onLine tells every change of a line from the calling thread. What was measured is kept in
// HostFacts (hosts/facts.h); a speed that other work than runs disturbed is measured again, twice at most. Never throws for what is wrong with the host:
// that is a line.
std::vector<CheckLine> checkHost(const hosts::HostRegistry& book, const std::string& name, hosts::CredentialPrompts& prompts,
                                 const std::function<void(const CheckLine&)>& onLine, std::stop_token stop = {}, const std::string& only = "");

// Ports, bandwidth and latency between hosts, both ways, over their data addresses.
struct LinkMeasure {
  std::string from, to;
  bool reachable = false;
  double mbps = 0, latencyMs = 0;  // one way; half the round trip's median
  std::string problem;             // "" when reachable
};
std::vector<LinkMeasure> measureLinks(const hosts::HostRegistry& book, const std::vector<std::string>& names, hosts::CredentialPrompts& prompts,
                                      const std::function<void(const LinkMeasure&)>& onLink, std::stop_token stop = {});

}  // namespace paceline::check
