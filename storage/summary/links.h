// What crossed the links of a run, summed from both ends' records. Pure.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "storage/store/records.h"

namespace paceline::summary {

// From one node to another, over the whole run. Bytes as LinkRecord has them.
struct Way {
  std::string from, to;
  std::int64_t messages = 0, values = 0, bytes = 0, shared = 0, framed = 0;  // as the sender counted
  std::optional<double> kernel, again;
  std::optional<std::int64_t> messagesReceived, bytesReceived;  // as the receiver did; none: it told nothing
};

std::vector<Way> waysOf(const std::vector<store::LinkRow>& records);  // by sender, then receiver

// Workers that their hosts started again: what a process before had sent, and which rounds nobody made while there was none, no record says.
std::set<std::string> startedAgain(const std::vector<store::NodeRow>& nodes, const std::vector<store::NoticeRow>& notices);

// Where what workers sent is not what servers received, a sentence each; not of those `again`. Only of runs of which nobody was lost: a worker says its last word to a server before it counts,
// a server counts when all have.
std::vector<std::string> unevenWays(const std::vector<Way>& ways, const std::vector<store::NodeRow>& nodes, const std::set<std::string>& again = {});

}  // namespace paceline::summary
