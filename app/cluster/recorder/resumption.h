// What follows a run that lost a node it cannot do without: one that goes on from its newest checkpoint, without anybody's hand.
#pragma once

#include "app/cluster/recorder/client.h"
#include "app/cluster/run/run_session.h"
#include "storage/store/records.h"

namespace paceline::recorder {

// The entry that takes its place, with an id and without a position; before its first checkpoint it begins again, or goes on from where it did. nullopt: it stays failed, because no
// node was lost or it went on as often as its document says. `run`: as the store has it; `ended`: its entry, whose context it has. What was only picked up has no turn of its own beside others.
std::optional<store::QueueRow> resumptionOf(const store::RunRow& run, const store::QueueRow& ended, const run::RunOutcome& outcome);

std::string resumptionText(const store::QueueRow& next);  // "it goes on from its newest checkpoint, 2 more times at most"

}  // namespace paceline::recorder
