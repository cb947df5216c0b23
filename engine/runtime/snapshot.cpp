#include "engine/runtime/snapshot.h"

#include <algorithm>

#include "engine/core/base/error.h"

namespace paceline {

Snapshot::Snapshot(SnapshotSetup setup)
    : setup_(std::move(setup)),
      node_(setup_.run, setup_.state, [this](int to, Message message) { setup_.transport.send(to, std::move(message)); }),
      every_(setup_.run.spec.checkpointEveryRounds) {}

void Snapshot::take(const Message& message) {
  const int from = message.from;
  const SnapshotStep step = fieldsOf<SnapshotStep>(message);
  std::visit(Overloaded{[&](const Pause&) {
                          const LockStep standing = setup_.lockStep(done_);
                          pausing_ = true;
                          tell(from, Standing{.set = standing.set, .clock = standing.clock + (setup_.inRound() ? 1 : 0)});
                        },
                        [&](const Standing& at) { standing_[from] = {.set = at.set, .clock = at.clock}; },
                        [&](const PauseAt& at) { target_ = at.clock; },
                        [&](const Marker&) { ++markers_; },
                        [&](const Ready&) { ready_.insert(from); },
                        [&](const Saved& saved) {
                          saved_[from] = saved.done;
                          savedBytes_ += saved.bytes;
                        },
                        [&](const Holds& holds) { holds_[from] = holds.rounds; },
                        [&](const Loaded&) { loaded_.insert(from); },
                        [&](const auto&) {
                          if (from != setup_.parts.coordinator || coordinates())
                            throw Error(Errc::kFormat, strCat("node ", from, " gives orders about checkpoints, which only the coordinator does"));
                          node_.obey(from, step);
                        }},
             step);
}

bool Snapshot::afterRound(std::int64_t round, bool last) {
  done_ = round;
  if (every_ <= 0) return false;
  if (setup_.parts.synchronous) {
    if (round % every_ != 0) return false;
    rest();
    return true;
  }
  const bool mayRest = !last || setup_.lockStep(round).set < 0;  // behind the last round nobody comes to the others' clock
  if (coordinates() && !pausing_ && round % every_ == 0 && mayRest) askAll();
  if (!pausing_) return false;
  await([this] { return target_.has_value(); });
  if (!target_ || setup_.lockStep(round).clock < *target_) return false;
  rest();
  return true;
}

// All answer at once, also while waiting within a round, and begin no round before they know where to rest.
void Snapshot::askAll() {
  pausing_ = true;
  standing_.clear();
  for (const int worker : setup_.parts.workers)
    if (worker != setup_.run.node) tell(worker, Pause{});
  await([this] { return standing_.size() == otherWorkers(); });
  standing_[setup_.run.node] = setup_.lockStep(done_);
  std::map<int, std::int64_t> farthest;  // by set
  for (const auto& [node, at] : standing_) {
    const auto [found, isNew] = farthest.try_emplace(at.set, at.clock);
    found->second = std::max(found->second, at.clock);
  }
  for (const auto& [node, at] : standing_) {
    const std::int64_t target = at.set < 0 ? at.clock : farthest.at(at.set);
    if (node == setup_.run.node) target_ = target;
    else tell(node, PauseAt{target});
  }
}

void Snapshot::rest() {
  setup_.land();
  exchangeMarkers();
  if (coordinates()) {
    restAsCoordinator();
  } else {
    const std::int64_t before = node_.goes();
    tell(setup_.parts.coordinator, Ready{done_});
    await([&] { return node_.goes() > before; });
  }
  pausing_ = false;
  target_.reset();
}

// Between neighbours messages may be under way without a receiver that waits. Behind the markers of all nothing more comes.
void Snapshot::exchangeMarkers() {
  if (setup_.parts.algorithm.topology != Topology::kDecentralised) return;
  for (const int worker : setup_.parts.workers)
    if (worker != setup_.run.node) tell(worker, Marker{});
  await([this] { return markers_ >= otherWorkers(); });
  markers_ -= std::min(markers_, otherWorkers());
}

void Snapshot::restAsCoordinator() {
  const double began = setup_.run.clock.now();
  await([this] { return ready_.size() == otherWorkers(); });
  tellAll(Save{done_});
  await([this] { return saved_.size() == otherNodes(); });
  const std::optional<std::int64_t> own = node_.save(done_);
  const bool complete = own && std::all_of(saved_.begin(), saved_.end(), [](const auto& entry) { return entry.second; });
  tellAll(Go{.round = done_, .complete = complete});
  node_.settle(done_, complete);
  if (complete) {
    savedRound_ = done_;
    emitNotice(setup_.run, "note",
               strCat("checkpoint of round ", done_, ": ", savedBytes_ + *own, " bytes on ", otherNodes() + 1, " nodes; training rested for ",
                      setup_.run.clock.now() - began, " s"),
               "info", "checkpoint", done_);
  }
  ready_.clear();
  saved_.clear();
  savedBytes_ = 0;
}

std::int64_t Snapshot::newestHeldByAll() const {
  std::int64_t newest = 0;
  for (const std::int64_t round : holds_.at(setup_.run.node))
    if (std::all_of(holds_.begin(), holds_.end(), [&](const auto& entry) { return std::ranges::count(entry.second, round) > 0; }))
      newest = std::max(newest, round);
  if (newest > 0) return newest;
  std::string have;
  for (const auto& [node, rounds] : holds_) {
    have += strCat(have.empty() ? "" : ", ", setup_.run.spec.nodes[static_cast<std::size_t>(node)].id, ":");
    for (const std::int64_t round : rounds) have += strCat(" ", round);
    if (rounds.empty()) have += " none";
  }
  throw Error(Errc::kFile, strCat("there is no sound checkpoint of one round on all nodes (rounds by node: ", have, ")"));
}

namespace {

// (a + (b - a)) is b when a is at least half of b, so the last of these sleeps ends at `time` to the bit.
void sleepUntil(Clock& clock, double time) {
  for (int halves = 0; halves < 3 && clock.now() < time / 2; ++halves) clock.sleepFor((time - clock.now()) * 0.75);
  if (clock.now() < time) clock.sleepFor(time - clock.now());
}

}  // namespace

void Snapshot::resume(const std::function<double()>& savedClock) {
  const Holds own = node_.held();
  if (!coordinates()) {
    tell(setup_.parts.coordinator, own);
    return await([this] { return node_.goes() > 0; });
  }
  holds_[setup_.run.node] = own.rounds;
  await([this] { return holds_.size() == otherNodes() + 1; });
  const std::int64_t round = newestHeldByAll();
  tellAll(Load{round});
  node_.load(round);
  await([this] { return loaded_.size() == otherNodes(); });
  if (setup_.run.nominalStepSeconds > 0) sleepUntil(setup_.run.clock, savedClock());
  tellAll(Go{.round = round, .complete = true});
  node_.settle(round, true);
}

void Snapshot::await(const std::function<bool()>& done) const {
  setup_.transport.awaitControl([&] { return done() || setup_.stopped(); });
}

void Snapshot::tellAll(const SnapshotStep& step) {
  for (const NodeList& nodes : {setup_.parts.servers, setup_.parts.workers})
    for (const int node : nodes)
      if (node != setup_.run.node) tell(node, step);
}

}  // namespace paceline
