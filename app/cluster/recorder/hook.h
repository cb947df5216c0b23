// Who hears when a run or a suite has ended: a program of the user's own, which writes a mail or shows a light ($PACELINE_HOOK, else paceline/on-end in the folder of the user's
// configuration, where that is there and may be executed), and whom app/cluster/notices has. Any thread.
#pragma once

#include <string>

#include "app/cluster/notices/notice.h"
#include "app/cluster/recorder/client.h"

namespace paceline::recorder {

std::string hookProgram();  // "": none

// "target": it reached its accuracy; "finished", "failed", "stopped"; "": nothing that anybody waits for (given up by its search, left to another recorder).
std::string hookEvent(const Entry& entry);
notices::Notice noticeOf(const std::string& event, const Entry& entry, const std::string& store);  // event: also "suite"

}  // namespace paceline::recorder
