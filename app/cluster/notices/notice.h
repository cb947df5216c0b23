// What is told of one end, and to whom: programs and commands get it in arguments and environment, web addresses as JSON. Blocks the calling thread; any thread.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "app/cluster/notices/settings.h"

namespace paceline::notices {

inline constexpr double kProgramSeconds = 60, kWebSeconds = 20;  // so long each may take

struct Notice {
  std::string event;      // "target", "finished", "failed", "stopped", "suite", "try"
  std::string run, name;  // of "suite" its name twice
  std::string suite = {}, state = {}, reason = {}, text = {}, store = {};
};

Notice trial(const std::string& store);    // what "Try now" tells: no run has ended
std::string sentence(const Notice& notice);  // "\"ESync\" failed: w1 ended with signal 9"

// Each returns when it was told, or given up because of its time or the token; a sentence says what was wrong, "": nothing.
// A program's arguments are the event, the run and the name; more is in PACELINE_EVENT, _RUN, _NAME, _SUITE, _STATE, _REASON, _TEXT, _STORE. A command is one of /bin/sh, with these as $1, $2, $3.
std::string callProgram(const std::string& program, const Notice& notice, const std::stop_token& stop);
std::string callCommand(const std::string& command, const Notice& notice, const std::stop_token& stop);
// POST of {"text": the sentence, "event", "run", "name", "suite", "state", "reason"}: what Slack, Mattermost and others show. The address is in no sentence but for its host.
std::string callWebhook(const std::string& address, const Notice& notice, const std::stop_token& stop);

std::vector<std::string> tell(const Settings& settings, const Notice& notice, const std::stop_token& stop);  // who wants it; what was wrong

}  // namespace paceline::notices
