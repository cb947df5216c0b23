// Runs whose timelines can be told by hand. Header-only.
#pragma once

#include "storage/summary/summary.h"

namespace paceline::tests {

inline store::NodeRow nodeRow(const std::string& id, const std::string& role, int rank, const std::string& host = "local") {
  store::NodeRow node;
  node.run = "r1", node.id = id, node.role = role, node.host = host, node.rank = rank;
  return node;
}

inline store::ClockRow clockAt(const std::string& node, double t, double unixTime, double error = 0) {
  return {.node = node, .seq = 1, .record = {.unixTime = unixTime, .t = t, .error = error}};
}
inline store::ClockRow offsetOf(const std::string& host, double unixTime, double offset, double error = 0) {
  return {.node = host, .seq = 1, .record = {.unixTime = unixTime, .offset = offset, .error = error}};
}

// SSGD of two workers and a server, one second a step, w0 evaluates for half a second after its first round: w1 waits for it in the second.
//   w0  compute 0-1, evaluate 1-1.5, compute 1.5-2.5
//   w1  compute 0-1, compute 1-2, wait 2-2.5
inline summary::RunData evaluatedRun() {
  summary::RunData data;
  data.run.id = "r1", data.run.name = "made";
  data.nodes = {nodeRow("w0", "worker", 0), nodeRow("w1", "worker", 1), nodeRow("s0", "server", -1)};
  for (const char* node : {"w0", "w1", "s0"}) data.clocks.push_back(clockAt(node, 0, 0));
  RoundRecord first{.round = 1, .t = 1.5, .compute = 1, .evaluate = 0.5, .total = 1.5};
  first.exchangeBegan = 1, first.exchangeEnded = 1;
  data.rounds.push_back({.node = "w0", .seq = 1, .record = first});
  data.rounds.push_back({.node = "w0", .seq = 2, .record = {.round = 2, .t = 2.5, .compute = 1, .total = 1}});
  data.rounds.push_back({.node = "w1", .seq = 1, .record = {.round = 1, .t = 1, .compute = 1, .total = 1}});
  RoundRecord second{.round = 2, .t = 2.5, .compute = 1, .wait = 0.5, .total = 1.5};
  second.bytesSent = 100, second.bytesReceived = 50;
  second.longestWait = 0.5, second.longestWaitFor = "w0";
  second.exchangeBegan = 2, second.exchangeEnded = 2.5;
  data.rounds.push_back({.node = "w1", .seq = 2, .record = second});
  data.busy.push_back({.node = "s0", .seq = 1, .record = {.t = 2.5, .span = 2, .busy = 0.5, .messages = 4}});
  return data;
}

}  // namespace paceline::tests
