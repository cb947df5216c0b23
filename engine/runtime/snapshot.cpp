#include "engine/runtime/snapshot.h"

#include <algorithm>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/runtime/losses/rejoin.h"
#include "engine/runtime/replay.h"

namespace paceline {

Snapshot::Snapshot(SnapshotSetup setup)
    : setup_(std::move(setup)),
      node_(setup_.run, setup_.state, [this](int to, Message message) { setup_.transport.send(to, std::move(message)); }),
      every_(setup_.run.spec.checkpointEveryRounds) {}

void Snapshot::take(const Message& message) {
  const int from = message.from;
  const SnapshotStep step = fieldsOf<SnapshotStep>(message);
  std::visit(Overloaded{[&](const Pause&) {
                          const LockStep at = standing();
                          pausing_ = true;
                          tell(from, Standing{.set = at.set, .clock = at.clock + (setup_.inRound() ? 1 : 0)});
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
                        [&](const StateOf& piece) { takePiece(message, piece); },
                        [&](const Joined& joined) {
                          if (const auto node = static_cast<int>(joined.node); joined.process == returning_.of(node).process) joinedAt_[node].insert(from);
                        },
                        [&](const auto&) {
                          if (from != setup_.parts.coordinator || coordinates())
                            throw Error(Errc::kFormat, strCat("node ", from, " gives orders about checkpoints, which only the coordinator does"));
                          node_.obey(from, step);
                        }},
             step);
}

void Snapshot::lost(int node) {
  lost_.insert(node);
  spoilt_ = true;
}

void Snapshot::way(const Message& message) {
  if (message.kind == MessageKind::kBack) return void(returning_.back(message.from));
  returning_.lost(message.from);
  refused_ = refused_ || (message.from == setup_.parts.coordinator && message.version > 0);
}

LockStep Snapshot::standing() const { return setup_.parts.synchronous ? LockStep{.set = 0, .clock = done_} : setup_.lockStep(done_); }

// Lost workers that can take part again after this round: where workers wait for each other, not before the coordinator is past where the lost process stood, so that nothing of it is met again.
std::vector<int> Snapshot::returned() const {
  std::vector<int> nodes;
  for (const int node : lost_)
    if (returning_.isBack(node) && (standing().set < 0 || returning_.of(node).rounds < done_)) nodes.push_back(node);
  return nodes;
}

bool Snapshot::heardFromAll(const auto& told, bool servers) const {
  const auto isThere = [&](int node) { return node == setup_.run.node || lost_.contains(node) || told.contains(node); };
  return std::ranges::all_of(setup_.parts.workers, isThere) && (!servers || std::ranges::all_of(setup_.parts.servers, isThere));
}

bool Snapshot::afterRound(bool last) {
  if (setup_.run.replay && (takeInAsThen() || !setup_.run.replay->lost.empty())) return false;  // in a replay who was lost goes on unheard
  const bool isDue = every_ > 0 && done_ % every_ == 0;
  if (setup_.parts.synchronous && isDue) {  // all know it; nobody is asked to rest after a later round, because nobody is past this one
    saves_ = true;
    rest();
    return true;
  }
  const bool mayRest = !last || standing().set < 0;  // behind the last round nobody comes to the others' clock
  const bool saves = isDue && mayRest, takesIn = !last && !setup_.stopped() && !returned().empty();
  if (coordinates() && !pausing_ && (saves || takesIn)) saves_ = saves, askAll();
  if (!pausing_) return false;
  await([this] { return target_.has_value(); });
  if (!target_ || standing().clock < *target_) return false;
  rest();
  return true;
}

// All answer at once, also while waiting within a round, and begin no round before they know where to rest.
void Snapshot::askAll() {
  pausing_ = true;
  standing_.clear();
  for (const int worker : setup_.parts.workers)
    if (worker != setup_.run.node && !lost_.contains(worker)) tell(worker, Pause{});
  await([this] { return heardFromAll(standing_); });
  standing_[setup_.run.node] = standing();
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
  const std::size_t others = setup_.parts.workers.size() - 1;
  await([this, others] { return markers_ >= others; });
  markers_ -= std::min(markers_, others);
}

void Snapshot::restAsCoordinator() {
  await([this] { return heardFromAll(ready_); });
  const bool complete = saves_ && save();
  takeInReturned();
  tellAll(Go{.round = saves_ ? done_ : 0, .complete = complete});
  if (saves_) node_.settle(done_, complete);
  saves_ = false;
  ready_.clear();
}

// Whether all have.
bool Snapshot::save() {
  const double began = setup_.run.clock.now();
  spoilt_ = false;  // who is lost by now is known to the servers before they save
  tellAll(Save{done_});
  await([this] { return heardFromAll(saved_, true); });
  const std::optional<std::int64_t> own = node_.save(done_, lost_);
  const bool complete = own && !spoilt_ && std::all_of(saved_.begin(), saved_.end(), [](const auto& entry) { return entry.second; });
  if (complete) {
    savedRound_ = done_;
    emitNotice(setup_.run, "note",
               strCat("checkpoint of round ", done_, ": ", savedBytes_ + *own, " bytes on ", saved_.size() + 1, " nodes; training rested for ",
                      setup_.run.clock.now() - began, " s"),
               "info", "checkpoint", done_);
  }
  saved_.clear();
  savedBytes_ = 0;
  return complete;
}

// Between two rounds of all, at rest: as where a run is resumed. One that is lost again meanwhile is waited for by nobody.
void Snapshot::takeInReturned() {
  const std::vector<int> nodes = returned();
  if (nodes.empty()) return;
  const std::vector<Packed> pieces = statePieces(node_.stateNow(done_));
  loaded_.clear();
  joinedAt_.clear();
  for (const int node : nodes) {
    lost_.erase(node);
    returning_.use(node);
    setup_.again(node, returning_.of(node).process);
    for (const int server : setup_.parts.servers) tell(server, Join{.node = node, .process = returning_.of(node).process});
    tellState(node, done_, pieces);
    emitNotice(setup_.run, "log", strCat(setup_.run.spec.nodes[static_cast<std::size_t>(node)].id, " is back as another process; it takes part again behind round ", done_, " with the parameters of this worker"), "warn", "worker_joins", done_);
  }
  await([&] {
    return std::ranges::all_of(nodes, [this](int node) { return lost_.contains(node) || (loaded_.contains(node) && joinedAt_[node].size() == setup_.parts.servers.size()); });
  });
}

// In a replay nobody rests: servers hold back what comes behind. Once they have come to where they were, nothing that the process before sent is of use any more.
bool Snapshot::takeInAsThen() {
  const auto then = setup_.run.replay->takenIn.find(done_);
  if (!coordinates() || then == setup_.run.replay->takenIn.end()) return false;
  setup_.land();
  const std::vector<int>& nodes = then->second;
  joinedAt_.clear(), loaded_.clear();
  for (const int node : nodes)
    for (const int server : setup_.parts.servers) tell(server, Join{.node = node});
  await([&] { return std::ranges::all_of(nodes, [this](int node) { return joinedAt_[node].size() == setup_.parts.servers.size(); }); });
  const std::vector<Packed> pieces = statePieces(node_.stateNow(done_));
  for (const int node : nodes) tellState(node, done_, pieces);
  await([&] { return std::ranges::all_of(nodes, [this](int node) { return loaded_.contains(node); }); });
  for (const int node : nodes) tell(node, Go{});
  return true;
}

bool Snapshot::beginAgain(const Rebirth& again) {
  const Replay::Return& then = setup_.run.replay->returns.at(setup_.run.node).at(again.process - 1);
  for (const int server : setup_.parts.servers) setup_.transport.send(server, messageOf(MessageKind::kAnew, Anew{.process = static_cast<std::int64_t>(again.process), .rounds = then.begins}));
  node_.joinNow(again.round, again.state, setup_.parts.algorithm, then.begins, then.samples);
  tell(setup_.parts.coordinator, Loaded{again.round});
  await([this] { return node_.goes() > 0; });
  return !setup_.stopped();
}

void Snapshot::tellState(int node, std::int64_t round, const std::vector<Packed>& pieces) {
  for (const Packed& piece : pieces) {
    Message message = snapshotMessage(StateOf{.round = round, .last = &piece == &pieces.back()});
    message.packed = piece;
    setup_.transport.send(node, std::move(message));
  }
}

bool Snapshot::rejoin(const Anew& told) {
  if (setup_.run.again) return beginAgain(*setup_.run.again);
  rejoins_ = true, takenIn_ = false;
  before_ = told.rounds;
  const Message message = messageOf(MessageKind::kAnew, told);
  try {
    for (const int server : setup_.parts.servers) setup_.transport.send(server, message);
    for (const int client : clientsMetBy(setup_.parts, setup_.run.spec, setup_.run.node)) setup_.transport.send(client, message);
    await([this] { return node_.goes() > 0; });
  } catch (const Error& error) {
    if (error.code() != Errc::kPeerLost || takenIn_ || !(refused_ || setup_.stopped())) throw;
  }
  if (node_.goes() > 0 && !setup_.stopped()) return true;
  emitNotice(setup_.run, "log", "the run was over before this worker could take part again", "warn", "too_late");
  return false;
}

Snapshot::Start Snapshot::newestHeld() const {
  const auto has = [this](int node, std::int64_t round) { return std::ranges::count(holds_.at(node), round) > 0; };
  const auto joiningAt = [&](std::int64_t round) {
    std::set<int> joining = node_.lostAt(round);
    for (const int worker : setup_.parts.workers)
      if (!has(worker, round)) joining.insert(worker);
    return joining;
  };
  std::optional<Start> newest;  // of those for which all nodes are there that the run had, else of those for which all are there but workers
  bool whole = false;
  for (const std::int64_t round : holds_.at(setup_.run.node)) {
    if (!std::ranges::all_of(setup_.parts.servers, [&](int server) { return has(server, round); })) continue;
    Start start{.round = round, .joining = joiningAt(round)};
    const bool isWhole = start.joining == node_.lostAt(round);
    if ((!isWhole && !setup_.parts.goesOn) || (newest && (whole > isWhole || (whole == isWhole && newest->round > round)))) continue;
    newest = std::move(start), whole = isWhole;
  }
  if (newest) return *newest;
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
  await([this] { return heardFromAll(holds_, true); });
  const Start start = newestHeld();
  const bool again = setup_.parts.algorithm.joinsAgain;
  for (const NodeList& nodes : {setup_.parts.servers, setup_.parts.workers})
    for (const int node : nodes)
      if (node != setup_.run.node && !start.joining.contains(node)) tell(node, Load{start.round});
  for (const int node : start.joining)
    if (!again) setup_.drop(node);
  node_.load(start.round, lost_);
  if (again && !start.joining.empty()) takeIn(start);
  await([this] { return heardFromAll(loaded_, true); });
  if (setup_.run.nominalStepSeconds > 0) sleepUntil(setup_.run.clock, savedClock());
  tellAll(Go{.round = start.round, .complete = true});
  node_.settle(start.round, true);
}

void Snapshot::takeIn(const Start& start) {
  const std::vector<Packed> pieces = statePieces(node_.stateFor(start.round));
  for (const int node : start.joining) {
    for (const int server : setup_.parts.servers) tell(server, Join{.node = node});
    tellState(node, start.round, pieces);
    emitNotice(setup_.run, "log", strCat(setup_.run.spec.nodes[static_cast<std::size_t>(node)].id, " has no state of round ", start.round, "; it takes part again with the parameters of this worker"), "warn", "worker_joins", start.round);
  }
}

void Snapshot::takePiece(const Message& message, const StateOf& piece) {
  if (message.from != setup_.parts.coordinator || message.packed.packing != Packing::kState)
    throw Error(Errc::kFormat, strCat("node ", message.from, " sends a state where none is due"));
  joined_.append(reinterpret_cast<const char*>(message.packed.bytes.data()), message.packed.bytes.size());
  takenIn_ = true;
  if (!piece.last) return;
  if (setup_.run.replay) throw Rebirth{.process = (setup_.run.again ? setup_.run.again->process : 0) + 1, .round = piece.round, .state = std::exchange(joined_, {})};
  if (rejoins_) node_.joinNow(piece.round, std::exchange(joined_, {}), setup_.parts.algorithm, standing().set < 0 ? before_ : 0);
  else node_.join(piece.round, std::exchange(joined_, {}), setup_.parts.algorithm);
  tell(message.from, Loaded{piece.round});
}

void Snapshot::await(const std::function<bool()>& done) const {
  setup_.transport.awaitControl([&] { return done() || setup_.stopped(); });
}

void Snapshot::tellAll(const SnapshotStep& step) {
  for (const NodeList& nodes : {setup_.parts.servers, setup_.parts.workers})
    for (const int node : nodes)
      if (node != setup_.run.node && !lost_.contains(node)) tell(node, step);
}

}  // namespace paceline
