#include "engine/runtime/snapshot.h"

#include <algorithm>

#include "engine/core/base/error.h"

namespace paceline {

Cut::Cut(CutSetup setup)
    : setup_(std::move(setup)),
      node_(setup_.run, setup_.state, [this](int to, Message message) { setup_.transport.send(to, std::move(message)); }),
      every_(setup_.run.spec.checkpointEveryRounds) {}

void Cut::take(const Message& message) {
  switch (cutStep(message)) {
    case CutStep::kPause: {
      LockStep standing = setup_.lockStep(done_);
      if (setup_.inRound()) ++standing.clock;
      pausing_ = true;
      return tell(message.from, CutStep::kStanding, {static_cast<double>(standing.set), static_cast<double>(standing.clock)});
    }
    case CutStep::kStanding:
      standing_[message.from] = {.set = static_cast<int>(cutNumber(message, 1)), .clock = cutNumber(message, 2)};
      return;
    case CutStep::kPauseAt:
      target_ = cutNumber(message, 1);
      return;
    case CutStep::kMarker:
      ++markers_;
      return;
    case CutStep::kReady:
      ready_.insert(message.from);
      return;
    case CutStep::kSaved:
      saved_[message.from] = cutNumber(message, 2) != 0;
      savedBytes_ += message.scalars[3];
      return;
    case CutStep::kHolds:
      for (std::size_t i = 1; i < message.scalars.size(); ++i) holds_[message.from].push_back(cutNumber(message, i));
      holds_[message.from];
      return;
    case CutStep::kLoaded:
      loaded_.insert(message.from);
      return;
    case CutStep::kSave:
    case CutStep::kLoad:
    case CutStep::kGo:
      if (message.from != setup_.evaluator || coordinates())
        throw Error(Errc::kFormat, strCat("node ", message.from, " gives orders about checkpoints, which only the evaluating worker does"));
      node_.obey(message);
  }
}

bool Cut::afterRound(std::int64_t round, bool last) {
  done_ = round;
  if (every_ <= 0) return false;
  if (setup_.parts.synchronous) {
    if (round % every_ != 0) return false;
    rest();
    return true;
  }
  if (coordinates() && !pausing_ && round % every_ == 0 && !lastIsNoPlaceToRest(round, last)) askAll();
  if (!pausing_) return false;
  await([this] { return target_.has_value(); });
  if (!target_ || setup_.lockStep(round).clock < *target_) return false;
  rest();
  return true;
}

// Everybody answers at once, also while waiting within a round, and begins no round before it knows where to rest.
void Cut::askAll() {
  pausing_ = true;
  standing_.clear();
  for (const int worker : setup_.parts.workers)
    if (worker != setup_.run.node) tell(worker, CutStep::kPause);
  await([this] { return standing_.size() == otherWorkers(); });
  standing_[setup_.run.node] = setup_.lockStep(done_);
  std::map<int, std::int64_t> farthest;  // by set
  for (const auto& [node, at] : standing_) {
    const auto [found, isNew] = farthest.try_emplace(at.set, at.clock);
    found->second = std::max(found->second, at.clock);
  }
  for (const auto& [node, at] : standing_) {
    const std::int64_t target = at.set < 0 ? at.clock : farthest.at(at.set);
    if (node == setup_.run.node)
      target_ = target;
    else
      tell(node, CutStep::kPauseAt, {static_cast<double>(target)});
  }
}

void Cut::rest() {
  exchangeMarkers();
  if (coordinates()) {
    restAsCoordinator();
  } else {
    const std::int64_t before = node_.goes();
    tell(setup_.evaluator, CutStep::kReady, {static_cast<double>(done_)});
    await([&] { return node_.goes() > before; });
  }
  pausing_ = false;
  target_.reset();
}

// Between neighbours messages may be under way that nobody waits for. What came before everybody's marker is all there is.
void Cut::exchangeMarkers() {
  if (setup_.parts.algorithm.topology != Topology::kDecentralised) return;
  for (const int worker : setup_.parts.workers)
    if (worker != setup_.run.node) tell(worker, CutStep::kMarker);
  await([this] { return markers_ >= otherWorkers(); });
  markers_ -= std::min(markers_, otherWorkers());
}

void Cut::restAsCoordinator() {
  const double began = setup_.run.clock.now();
  await([this] { return ready_.size() == otherWorkers(); });
  const auto round = static_cast<double>(done_);
  tellAll(CutStep::kSave, {round});
  await([this] { return saved_.size() == otherNodes(); });
  const std::optional<std::size_t> own = node_.save(done_);
  const bool complete = own && std::all_of(saved_.begin(), saved_.end(), [](const auto& entry) { return entry.second; });
  tellAll(CutStep::kGo, {round, complete ? 1.0 : 0.0});
  node_.settle(done_, complete);
  if (complete) {
    savedRound_ = done_;
    const double bytes = savedBytes_ + static_cast<double>(*own);
    emitNotice(setup_.run, "note",
               strCat("checkpoint of round ", done_, ": ", static_cast<std::int64_t>(bytes), " bytes on ", otherNodes() + 1,
                      " nodes; training rested for ", setup_.run.clock.now() - began, " s"),
               "info", "checkpoint", done_);
  }
  ready_.clear();
  saved_.clear();
  savedBytes_ = 0;
}

std::int64_t Cut::newestHeldByAll() const {
  const auto hasAll = [&](std::int64_t round) {
    return std::all_of(holds_.begin(), holds_.end(),
                       [&](const auto& entry) { return std::find(entry.second.begin(), entry.second.end(), round) != entry.second.end(); });
  };
  std::int64_t newest = 0;
  for (const std::int64_t round : holds_.at(setup_.run.node))
    if (hasAll(round)) newest = std::max(newest, round);
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

void Cut::resume(const std::function<double()>& savedClock) {
  const std::vector<double> own = node_.held();
  if (!coordinates()) {
    tell(setup_.evaluator, CutStep::kHolds, own);
    return await([this] { return node_.goes() > 0; });
  }
  for (const double round : own) holds_[setup_.run.node].push_back(static_cast<std::int64_t>(round));
  holds_[setup_.run.node];
  await([this] { return holds_.size() == otherNodes() + 1; });
  const std::int64_t round = newestHeldByAll();
  tellAll(CutStep::kLoad, {static_cast<double>(round)});
  node_.load(round);
  await([this] { return loaded_.size() == otherNodes(); });
  if (setup_.run.nominalStepSeconds > 0) sleepUntil(setup_.run.clock, savedClock());
  tellAll(CutStep::kGo, {static_cast<double>(round), 1});
  node_.settle(round, true);
}

void Cut::await(const std::function<bool()>& done) const {
  setup_.transport.awaitControl([&] { return done() || setup_.stopped(); });
}

void Cut::tell(int to, CutStep step, std::vector<double> numbers) { setup_.transport.send(to, cutMessage(step, std::move(numbers))); }

void Cut::tellAll(CutStep step, std::vector<double> numbers) {
  for (const std::vector<int>* nodes : {&setup_.parts.servers, &setup_.parts.workers})
    for (const int node : *nodes)
      if (node != setup_.run.node) tell(node, step, numbers);
}

}  // namespace paceline
