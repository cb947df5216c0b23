#include "engine/core/record/forks.h"

#include "engine/core/json/fields.h"

namespace paceline {

template <class Visit, Of<ForkOrder> T>
void describe(Visit&& visit, T& order) {
  visit(Field{.key = "act", .required = true}, order.act);
  visit(Field{.key = "node", .bounds = atLeast(0), .required = true}, order.node);
  visit(Field{.key = "mark", .brief = true}, order.mark);
}

template <class Visit, Of<ForkReport> T>
void describe(Visit&& visit, T& report) {
  visit(Field{.key = "state", .required = true}, report.state);
  visit(Field{.key = "node", .bounds = atLeast(0), .required = true}, report.node);
  visit(Field{.key = "status", .brief = true}, report.status);
  visit(Field{.key = "problem", .brief = true}, report.problem);
}

namespace {

template <class T>
T readPacket(const std::string& packet, const char* source) {
  const Json json = jsonFrom(packet, source);
  std::vector<Finding> findings;
  Fields fields(json, "", findings);
  T read;
  readObject(fields, read, UnknownKeys::kPassedOver);
  if (!findings.empty()) throw Error(Errc::kFormat, strCat(source, ": ", findings.front().pointer, ": ", findings.front().message));
  return read;
}

}  // namespace

std::string toPacket(const ForkOrder& order) { return dumped(written(order)); }
std::string toPacket(const ForkReport& report) { return dumped(written(report)); }
ForkOrder forkOrderFrom(const std::string& packet) { return readPacket<ForkOrder>(packet, "an order to fork"); }
ForkReport forkReportFrom(const std::string& packet) { return readPacket<ForkReport>(packet, "a report of a fork server"); }

}  // namespace paceline
