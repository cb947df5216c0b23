#include "app/cluster/notices/notice.h"

#include "app/cluster/hosts/local_process.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/text.h"

namespace paceline::notices {
namespace {

std::string call(const std::string& who, std::vector<std::string> words, const Notice& notice, const std::stop_token& stop) try {
  words.insert(words.end(), {notice.event, notice.run, notice.name});
  hosts::LocalProcess process(words, {{"PACELINE_EVENT", notice.event}, {"PACELINE_RUN", notice.event == "suite" ? "" : notice.run}, {"PACELINE_NAME", notice.name}, {"PACELINE_SUITE", notice.suite},
                                      {"PACELINE_STATE", notice.state}, {"PACELINE_REASON", notice.reason}, {"PACELINE_TEXT", notice.text}, {"PACELINE_STORE", notice.store}});
  process.closeInput();
  const double deadline = steadySeconds() + kProgramSeconds;
  constexpr double kLook = 0.2;
  while (!process.ended()) {
    if (stop.stop_requested()) return strCat(who, " was ended with its recorder");
    if (steadySeconds() > deadline) return strCat(who, " took longer than ", kProgramSeconds, " s and was ended");
    process.readLine(kLook);
  }
  const hosts::ProcessEnd end = process.wait();
  return end.code == 0 ? "" : strCat(who, " ended with code ", end.code, end.errors.empty() ? "" : ": ", lastLine(end.errors));
} catch (const Error& error) {
  return error.what();
}

}  // namespace

Notice trial(const std::string& store) { return {.event = "try", .run = "", .name = "a trial", .suite = "", .state = "", .reason = "", .text = "", .store = store}; }

std::string sentence(const Notice& notice) {
  const std::string name = strCat("\"", notice.name.empty() ? notice.run : notice.name, "\"");
  if (notice.event == "try") return "this is a trial; no run has ended";
  if (notice.event == "target") return name + " has reached its target accuracy";
  if (notice.event == "suite") return strCat("all runs of ", name, " have ended");
  return strCat(name, " ", notice.event, notice.text.empty() ? "" : ": ", notice.text);
}

std::string callProgram(const std::string& program, const Notice& notice, const std::stop_token& stop) { return call(program, {program}, notice, stop); }

std::string callCommand(const std::string& command, const Notice& notice, const std::stop_token& stop) { return call("the command for notices", {"/bin/sh", "-c", command, "paceline"}, notice, stop); }

std::vector<std::string> tell(const Settings& settings, const Notice& notice, const std::stop_token& stop) {
  std::vector<std::string> problems;
  if (!settings.wants(notice.event)) return problems;
  if (!settings.command.empty()) problems.push_back(callCommand(settings.command, notice, stop));
  if (!settings.webhook.empty()) problems.push_back(callWebhook(settings.webhook, notice, stop));
  std::erase(problems, "");
  return problems;
}

}  // namespace paceline::notices
