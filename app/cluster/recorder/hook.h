// A program of the user's own that hears when a run or a suite has ended: it writes a mail, calls a webhook. $PACELINE_HOOK, else paceline/on-end in the folder of the user's
// configuration, where that is there and may be executed. Any thread.
#pragma once

#include <stop_token>
#include <string>

#include "app/cluster/recorder/client.h"

namespace paceline::recorder {

inline constexpr double kHookSeconds = 60;  // so long it may take

std::string hookProgram();  // "": none

// "target": it reached its accuracy; "finished", "failed", "stopped"; "": nothing that anybody waits for (given up by its search, left to another recorder).
std::string hookEvent(const Entry& entry);

// Its arguments are the event, the run's id and its name (of "suite": the suite's name twice); more is in PACELINE_EVENT, _RUN, _NAME, _SUITE, _STATE, _REASON, _TEXT, _STORE. Returns when it has
// ended, or was ended because of its time or the token; a sentence says what was wrong with it, "": nothing.
std::string callHook(const std::string& program, const std::string& event, const Entry& entry, const std::string& store, const std::stop_token& stop);

}  // namespace paceline::recorder
