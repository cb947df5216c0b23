// One entry of the queue, done from its beginning, or from where a dead recorder left it, to the end of its run. Blocks; never throws.
#pragma once

#include <functional>
#include <stop_token>

#include "app/cluster/recorder/client.h"
#include "app/cluster/recorder/protocol.h"
#include "app/cluster/run/run_session.h"
#include "storage/store/queue_rows.h"

namespace paceline::recorder {

using EntryChange = std::function<void(const std::function<void(Entry&)>& change)>;  // called on the thread that works

// `means`: records, opener, times and leave; the rest is of `row` and the `context` of who submitted it.
run::RunOutcome work(const store::QueueRow& row, const Context& context, run::RunMeans means, const EntryChange& change, std::stop_token stop);

}  // namespace paceline::recorder
