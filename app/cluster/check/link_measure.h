// Links between hosts, measured by their agents (`listen`, `measure`): every ordered pair, a few at a time, never two on one host. See host_check.h.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cluster/hosts/host.h"
#include "app/cluster/check/host_check.h"

namespace paceline::check {

// A host with our agent on it. Used by one thread at a time.
struct MeasuredHost {
  std::unique_ptr<hosts::Host> host;
  std::string agent;    // its path there
  std::string address;  // of its data interface; "": none is known
};

// Called from several threads at once, once for every name. Throws Error: all links of this host have this problem.
using MeasuredHostOpener = std::function<MeasuredHost(const std::string& name)>;

// onLink is called from the calling thread. Returns the links in the order of names; after `stop` those not measured say so.
std::vector<LinkMeasure> measureLinksWith(const MeasuredHostOpener& open, const std::vector<std::string>& names,
                                          const std::function<void(const LinkMeasure&)>& onLink, std::stop_token stop);

// What the agent's `measure` said, as a sentence for people; "" when it measured. Pure.
std::string linkProblem(const std::string& from, const std::string& to, const std::string& address, const std::string& said);

}  // namespace paceline::check
