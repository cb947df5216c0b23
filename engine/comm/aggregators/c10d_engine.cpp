#include <utility>

#include "engine/comm/aggregators/aggregation_engine.h"
#include "engine/comm/aggregators/message_board.h"
#include "engine/core/base/error.h"

namespace paceline::aggregators {
namespace {

class C10dAggregator final : public EngineAggregator {
 public:
  C10dAggregator(const AggregatorSetup& setup, CollectiveFactory make)
      : EngineAggregator(setup, "c10d", "ring"), make_(std::move(make)), workers_(setup.workers), device_(setup.device), address_(setup.address) {}

 private:
  void connect(Transport& transport, const EngineBarrier&) override {
    MessageBoard board(transport, workers_, rank_);
    collective_ = make_({.rank = rank_, .world = world_, .device = device_, .address = address_, .timeout = kEngineTimeout}, board);
    board.close();
  }

  void allReduce(std::span<Real> data) override {
    collective_->sum(data);
    const Real share = Real(1) / static_cast<Real>(world_);
    for (Real& value : data) value *= share;
  }

  void disconnect() noexcept override { collective_.reset(); }

  CollectiveFactory make_;
  NodeList workers_;
  std::string device_, address_;
  std::unique_ptr<Collective> collective_;
};

struct Offered {
  CollectiveFactory make;
  bool asked = false;
};
Offered& offered() {
  static Offered c10d;
  return c10d;
}

}  // namespace

void offerC10d(CollectiveFactory make) {
  PACELINE_CHECK(!offered().asked, "c10d is offered before the aggregations are listed");
  offered().make = std::move(make);
}

std::vector<AggregationEngine> withC10d(std::vector<AggregationEngine> engines) {
  offered().asked = true;
  if (offered().make)
    engines.push_back({.id = "c10d", .makeWorker = [](const AggregatorSetup& setup) { return std::make_unique<C10dAggregator>(setup, offered().make); }});
  return engines;
}

}  // namespace paceline::aggregators
