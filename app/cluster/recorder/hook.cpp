#include "app/cluster/recorder/hook.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "app/cluster/recorder/service.h"
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

notices::Notice noticeOf(const std::string& event, const Entry& entry, const std::string& store) {
  const bool suite = event == "suite";
  return {.event = event, .run = suite ? entry.suite : entry.run, .name = suite ? entry.suite : entry.name, .suite = entry.suite, .state = store::stateName(entry.state), .reason = entry.reason, .text = entry.text, .store = store};
}

namespace {

std::vector<std::string> tellAll(const std::string& program, const notices::Notice& notice, const std::stop_token& stop) {
  std::vector<std::string> problems;
  if (!program.empty()) problems.push_back(notices::callProgram(program, notice, stop));
  try {
    for (std::string& problem : notices::tell(notices::load(), notice, stop)) problems.push_back(std::move(problem));
  } catch (const Error& error) {
    problems.emplace_back(error.what());
  }
  return problems;
}

}  // namespace

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
  const std::string event = hookEvent(item.entry);
  const std::string& suite = item.entry.suite;
  const bool last = !suite.empty() && std::ranges::none_of(items_, [&](const Item& other) { return other.entry.suite == suite && !other.entry.ended; });
  beginTask([event, last, program = hookProgram(), entry = item.entry, store = options_.storePath, stop = leave_.get_token()] {
    for (const std::string& each : {event, std::string(last ? "suite" : "")}) {
      if (each.empty()) continue;
      for (const std::string& problem : tellAll(program, noticeOf(each, entry, store), stop))
        if (!problem.empty()) std::cerr << "paceline: " << problem << '\n';
    }
    return [] {};
  });
}

}  // namespace paceline::recorder
