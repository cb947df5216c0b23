// What books a worker's time with an exchange. Private to the context.
#pragma once

#include <algorithm>

#include "engine/algorithms/context/worker_context.h"

namespace paceline {

// Adds the time until its end to the record's fields of an exchange or a query; outside of phases time counts as local update.
class WorkerContext::Phase {
 public:
  enum Kind { kExchange, kQuery };

  Phase(WorkerContext& ctx, Kind kind)
      : ctx_(ctx),
        kind_(kind),
        began_(ctx.setup_.clock.now()),
        sendBefore_(ctx.setup_.transport.sendSeconds()),
        waitBefore_(ctx.setup_.transport.waitSeconds()) {}

  ~Phase() {
    const double total = ctx_.setup_.clock.now() - began_;
    RoundRecord& record = ctx_.record_;
    if (kind_ == kQuery) {
      record.query += total;
      return;
    }
    const double sent = ctx_.setup_.transport.sendSeconds() - sendBefore_;
    const double waited = ctx_.setup_.transport.waitSeconds() - waitBefore_;
    record.send += sent;
    record.wait += waited;
    record.receive += std::max(0.0, total - sent - waited);
  }

 private:
  WorkerContext& ctx_;
  Kind kind_;
  double began_, sendBefore_, waitBefore_;
};

}  // namespace paceline
