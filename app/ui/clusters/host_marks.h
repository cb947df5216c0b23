// States of hosts and of their checks as icon, word and colour. GUI thread.
#pragma once

#include "app/models/clusters/hosts_model.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::clusters {

widgets::StateMark standingMark(HostStanding standing);
widgets::StateMark checkMark(check::CheckState state);

}  // namespace paceline::clusters
