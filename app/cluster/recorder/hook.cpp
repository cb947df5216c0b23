#include "app/cluster/recorder/hook.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "app/cluster/hosts/local_process.h"
#include "app/cluster/recorder/service.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/user_folders.h"
#include "storage/store/backup.h"
#include "storage/store/store.h"

namespace paceline::recorder {

std::string hookProgram() {
  std::string program = environment("PACELINE_HOOK");
  if (program.empty()) program = userConfigFolder() + "/paceline/on-end";
  return ::access(program.c_str(), X_OK) == 0 ? program : "";
}

std::string hookEvent(const Entry& entry) {
  if (entry.state == store::RunState::kFinished) return entry.reason == "accuracy" ? "target" : "finished";
  if (entry.reason == "search") return "";
  if (entry.state == store::RunState::kFailed) return "failed";
  return entry.state == store::RunState::kStopped ? "stopped" : "";
}

std::string callHook(const std::string& program, const std::string& event, const Entry& entry, const std::string& store, const std::stop_token& stop) try {
  const bool suite = event == "suite";
  const std::string run = suite ? entry.suite : entry.run, name = suite ? entry.suite : entry.name;
  hosts::LocalProcess process({program, event, run, name}, {{"PACELINE_EVENT", event}, {"PACELINE_RUN", suite ? "" : entry.run}, {"PACELINE_NAME", name}, {"PACELINE_SUITE", entry.suite},
                                                            {"PACELINE_STATE", store::stateName(entry.state)}, {"PACELINE_REASON", entry.reason}, {"PACELINE_TEXT", entry.text}, {"PACELINE_STORE", store}});
  process.closeInput();
  const double deadline = steadySeconds() + kHookSeconds;
  constexpr double kLook = 0.2;
  while (!process.ended()) {
    if (stop.stop_requested()) return strCat(program, " was ended with its recorder");
    if (steadySeconds() > deadline) return strCat(program, " took longer than ", kHookSeconds, " s and was ended");
    process.readLine(kLook);
  }
  const hosts::ProcessEnd end = process.wait();
  return end.code == 0 ? "" : strCat(program, " ended with code ", end.code, end.errors.empty() ? "" : ": ", lastLine(end.errors));
} catch (const Error& error) {
  return error.what();
}

void Service::backUp() {
  beginTask([store = options_.storePath] {
    try {
      store::backUpWhenDue(store);
    } catch (const Error& error) {
      std::cerr << "paceline: no copy of the store was made: " << error.what() << '\n';
    }
    return [] {};
  });
}

void Service::callHooks(const Item& item) {
  const std::string program = hookProgram(), event = hookEvent(item.entry);
  if (program.empty()) return;
  const std::string& suite = item.entry.suite;
  const bool last = !suite.empty() && std::ranges::none_of(items_, [&](const Item& other) { return other.entry.suite == suite && !other.entry.ended; });
  beginTask([program, event, last, entry = item.entry, store = options_.storePath, stop = leave_.get_token()] {
    for (const std::string& each : {event, std::string(last ? "suite" : "")})
      if (const std::string problem = each.empty() ? "" : callHook(program, each, entry, store, stop); !problem.empty()) std::cerr << "paceline: " << problem << '\n';
    return [] {};
  });
}

}  // namespace paceline::recorder
