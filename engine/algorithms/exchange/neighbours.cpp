#include "engine/algorithms/exchange/neighbours.h"

#include <algorithm>
#include <limits>

#include "engine/comm/transport/fields.h"
#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"

namespace paceline::exchange {
namespace {

constexpr std::size_t kPiece = kMaxDenseBytes / sizeof(Real);
constexpr std::int64_t kAllRounds = std::numeric_limits<std::int64_t>::max();

}  // namespace

Neighbourhood neighbourhoodOf(const RunSpec& spec, int rank) {
  Neighbourhood hood{.neighbours = neighboursOf(spec, rank), .nodes = {}, .ids = {}, .largestDegree = largestDegree(spec)};
  const std::vector<bool> active = activeWorkers(spec);
  hood.arrows = hasArrows(spec);
  hood.active = active[static_cast<std::size_t>(rank)];
  const std::vector<int> workers = spec.workers();
  for (const Neighbour& neighbour : hood.neighbours) {
    hood.nodes.push_back(workers[static_cast<std::size_t>(neighbour.rank)]);
    hood.ids.push_back(spec.nodes[static_cast<std::size_t>(hood.nodes.back())].id);
    hood.across.push_back(active[static_cast<std::size_t>(neighbour.rank)] != hood.active);
  }
  return hood;
}

NeighbourExchange::NeighbourExchange(Neighbourhood hood, int rank, std::uint64_t seed, std::span<const Real> like)
    : hood_(std::move(hood)), rank_(rank), seed_(seed), size_(like.size()), like_(like), links_(hood_.neighbours.size()) {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    links_[i].node = hood_.nodes[i];
    links_[i].record.peer = hood_.ids[i];
  }
}

std::size_t NeighbourExchange::pieceCount() const { return std::max<std::size_t>(1, (size_ + kPiece - 1) / kPiece); }

bool NeighbourExchange::due(const Neighbour& neighbour, const Neighbour::Slot& slot, const ExchangePlan& plan, std::int64_t round) const {
  const std::int64_t step = round - 1;
  if (!plan.randomTimes) return step % slot.every == slot.offset;
  // Both ends know the listing's ends and the interval, so both draw the same step.
  const auto [low, high] = std::minmax(rank_, neighbour.rank);
  Rng rng = Rng::stream(seed_, strCat("exchange ", low, ' ', high, ' ', slot.begunBy), static_cast<std::uint64_t>(step / slot.every));
  return static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(slot.every))) == step % slot.every;
}

bool NeighbourExchange::dueAt(std::size_t i, const ExchangePlan& plan, std::int64_t round, bool mineOnly) const {
  const Neighbour& neighbour = hood_.neighbours[i];
  return std::any_of(neighbour.slots.begin(), neighbour.slots.end(), [&](const Neighbour::Slot& slot) {
    return (!mineOnly || slot.begunBy == rank_) && due(neighbour, slot, plan, round);
  });
}

void NeighbourExchange::exchange(Transport& transport, const ExchangePlan& plan, std::int64_t round, const Compose& compose,
                                 const Crossed& crossed) {
  round_ = round;
  drain(transport);
  const Step step{transport, plan, round, compose, crossed};
  plan.synchronous ? exchangeInStep(step) : exchangeFreely(step);
  grow();
}

void NeighbourExchange::grow() {
  for (Link& link : links_) {
    link.ageSum += link.age;
    link.age += 1;
    ++link.steps;
  }
}

void NeighbourExchange::drain(Transport& transport) {
  const auto drained = [] { return true; };
  while (std::optional<Message> message = transport.receiveKind(MessageKind::kExchange, drained)) take(std::move(*message));
}

// Until a vector of this round, or word that none comes, is here from each.
void NeighbourExchange::await(Transport& transport, std::int64_t round, const Places& places) {
  const auto nobodyIsAwaited = [&] {
    return std::none_of(places.begin(), places.end(), [&](std::size_t i) {
      const Link& link = links_[i];
      const bool here = std::any_of(link.arrived.begin(), link.arrived.end(), [&](const Arrived& half) { return half.number == round; });
      return link.reachable() && link.passed < round && !here;
    });
  };
  while (!nobodyIsAwaited())
    if (std::optional<Message> message = transport.receiveKind(MessageKind::kExchange, nobodyIsAwaited)) {
      const bool later = !message->scalars.empty() && message->version != round;  // of a neighbour that is ahead
      take(std::move(*message));
      if (later) transport.waitGoesOn();
    }
}

void NeighbourExchange::exchangeInStep(const Step& step) {
  const std::int64_t round = step.round;
  Places due;
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (links_[i].reachable() && links_[i].passed < round && dueAt(i, step.plan, round, false)) due.push_back(i);
  for (const std::size_t i : due) send(step, i, round, static_cast<double>(due.size()));
  await(step.transport, round, due);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    while (!link.arrived.empty() && link.arrived.front().number <= round) {
      const Arrived half = std::move(link.arrived.front());
      link.arrived.pop_front();
      if (half.number == round && link.outstanding == round) cross(i, half, step.crossed);
    }
    link.outstanding = 0;
  }
}

NeighbourExchange::Places NeighbourExchange::arrowsAt(std::int64_t round, bool mine) const {
  Places places;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Neighbour& neighbour = hood_.neighbours[i];
    const bool isDue = std::any_of(neighbour.slots.begin(), neighbour.slots.end(), [&](const Neighbour::Slot& slot) {
      return (!hood_.arrows || (slot.begunBy == rank_) == mine) && due(neighbour, slot, {}, round);
    });
    if (isDue && links_[i].reachable() && links_[i].passed < round) places.push_back(i);
  }
  return places;
}

std::size_t NeighbourExchange::leaving(std::int64_t round) const { return arrowsAt(round, true).size(); }

void NeighbourExchange::push(Transport& transport, std::int64_t round, double number, const Compose& compose, const Came& came) {
  round_ = round;
  for (const std::size_t i : arrowsAt(round, true)) {
    send({transport, {}, round, compose, {}}, i, round, number);
    links_[i].outstanding = 0;  // nothing comes back
    links_[i].age = 0;
    links_[i].changed = true;
  }
  drain(transport);
  await(transport, round, arrowsAt(round, false));
  for (std::size_t i = 0; i < links_.size(); ++i)
    for (std::deque<Arrived>& arrived = links_[i].arrived; !arrived.empty() && arrived.front().number <= round; arrived.pop_front())
      if (const Arrived& half = arrived.front(); half.number == round) {
        came(half.values, half.contacts);
        links_[i].record.exchanges += 1;
        links_[i].age = 0;
        links_[i].changed = true;
      }
  grow();
}

// A vector that comes is the answer to ours, or has to be answered first: either way both ends replace what they had with what crossed.
void NeighbourExchange::exchangeFreely(const Step& step) {
  const auto degree = static_cast<double>(links_.size());
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    while (!link.arrived.empty()) {
      const Arrived half = std::move(link.arrived.front());
      link.arrived.pop_front();
      const bool answer = half.number < 0;
      if (answer && -half.number != link.outstanding) continue;  // to one that was given up when the neighbour was lost
      if (!answer && link.outstanding == 0) send(step, i, -half.number, degree);
      cross(i, half, step.crossed);
      link.outstanding = 0;
    }
  }
  if (step.plan.onePartner) return beginOne(step);
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (Link& link = links_[i]; link.reachable() && link.outstanding == 0 && dueAt(i, step.plan, step.round, true))
      send(step, i, ++link.begun, degree);
}

void NeighbourExchange::beginOne(const Step& step) {
  if (!hood_.active || std::any_of(links_.begin(), links_.end(), [](const Link& link) { return link.outstanding != 0; })) return;
  std::vector<std::size_t> due;
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (links_[i].reachable() && hood_.across[i] && dueAt(i, step.plan, step.round, false)) due.push_back(i);
  if (due.empty()) return;
  const std::size_t partner = due[Rng::stream(seed_, strCat("partner ", rank_), static_cast<std::uint64_t>(step.round)).below(due.size())];
  send(step, partner, ++links_[partner].begun, static_cast<double>(links_.size()));
}

void NeighbourExchange::send(const Step& step, std::size_t i, std::int64_t number, double contacts) {
  Link& link = links_[i];
  const auto compose = [&](std::span<Real> values) { step.compose(i, values); };
  link.sent = isHollow(like_) ? Dense::borrowed(hollow<Real>(size_)) : Dense::made(size_, compose);  // the last one may still be on its way
  link.outstanding = number;
  link.contactsSent = contacts;
  for (std::size_t piece = 0; piece < pieceCount(); ++piece) {
    Message message{.kind = MessageKind::kExchange, .shard = static_cast<std::int32_t>(piece), .round = step.round, .version = number, .scalars = {contacts}};
    const std::size_t offset = piece * kPiece;
    message.dense = Dense::shared(link.sent.values().subspan(offset, std::min(kPiece, size_ - offset)), link.sent.owner());
    link.record.bytesSent += static_cast<std::int64_t>(wireBytes(message));
    step.transport.send(link.node, std::move(message));
  }
}

// A message without scalars: how far this worker is.
void NeighbourExchange::tell(Transport& transport, Link& link, std::int64_t passed) {
  Message message{.kind = MessageKind::kExchange, .round = passed};
  link.record.bytesSent += static_cast<std::int64_t>(wireBytes(message));
  transport.send(link.node, std::move(message));
}

void NeighbourExchange::take(Message message) {
  Link* link = linkOf(message.from);
  if (link == nullptr) throw Error(Errc::kFormat, strCat("node ", message.from, " sent an exchange, but is no neighbour"));
  link->record.bytesReceived += static_cast<std::int64_t>(wireBytes(message));
  if (message.scalars.empty() && message.dense.empty()) {
    link->passed = std::max(link->passed, message.round);
    if (message.round == kAllRounds) link->gone = true;
    return;
  }
  takePiece(*link, message);
}

void NeighbourExchange::takePiece(Link& link, const Message& message) {
  const auto piece = static_cast<std::size_t>(message.shard);
  const std::size_t offset = piece * kPiece, size = message.dense.values().size();
  if (message.version == 0 || message.scalars.size() != 1 || piece >= pieceCount() || size != std::min(kPiece, size_ - offset))
    throw Error(Errc::kFormat, strCat("node ", message.from, " sent piece ", message.shard, " of exchange ", message.version, " with ", size,
                                      " values, of a vector of ", size_));
  if (link.coming.number != message.version || link.pieces.empty()) {
    link.coming = {.number = message.version, .contacts = message.scalars[0], .values = Owned<Real>::zeros(like_)};
    link.pieces.assign(pieceCount(), false);
  }
  copyValues(message.dense.values(), link.coming.values.span().subspan(offset, size));
  link.pieces[piece] = true;
  if (!std::all_of(link.pieces.begin(), link.pieces.end(), [](bool here) { return here; })) return;
  link.passed = std::max(link.passed, link.coming.number - 1);
  link.arrived.push_back(std::move(link.coming));
  link.coming = {};
  link.pieces.clear();
}

void NeighbourExchange::cross(std::size_t i, const Arrived& theirs, const Crossed& crossed) {
  Link& link = links_[i];
  crossed({.neighbour = i,
           .sent = link.sent.values(),
           .received = theirs.values,
           .ownContacts = link.contactsSent,
           .contacts = std::max(link.contactsSent, theirs.contacts)});
  link.record.exchanges += 1;
  link.age = 0;
  link.changed = true;
}

const NeighbourExchange::Link* NeighbourExchange::linkOf(int node) const {
  const auto found = std::find_if(links_.begin(), links_.end(), [&](const Link& link) { return link.node == node; });
  return found == links_.end() ? nullptr : &*found;
}

// What was on its way may be lost in part.
void NeighbourExchange::lost(int node) {
  Link* link = linkOf(node);
  if (link == nullptr || link->lost) return;
  link->lost = link->changed = true;
  link->outstanding = 0;
  link->coming = {};
  link->pieces.clear();
}

void NeighbourExchange::back(Transport& transport, int node) {
  Link* link = linkOf(node);
  if (link == nullptr || !link->lost) return;
  link->lost = false;
  link->changed = true;
  tell(transport, *link, left_ ? kAllRounds : round_);
}

void NeighbourExchange::leave(Transport& transport) {
  left_ = true;
  for (Link& link : links_)
    if (link.reachable()) tell(transport, link, kAllRounds);
}

void NeighbourExchange::gone(int node) {
  if (Link* link = linkOf(node)) link->gone = true;
}

std::vector<EdgeRecord> NeighbourExchange::takeRecords(std::int64_t round, bool all) {
  std::vector<EdgeRecord> records;
  for (Link& link : links_) {
    const bool used = link.record.bytesSent > 0 || link.record.bytesReceived > 0;
    if (!link.changed && !(all && used)) continue;
    EdgeRecord& record = records.emplace_back(link.record);
    record.round = round;
    record.age = link.steps > 0 ? link.ageSum / static_cast<double>(link.steps) : 0;
    record.lost = link.lost ? 1 : 0;
    link.record = EdgeRecord{.peer = record.peer};
    link.ageSum = 0;
    link.steps = 0;
    link.changed = false;
  }
  return records;
}

// Synchronous exchanges leave nothing open between rounds; of asynchronous ones a half may be on its way, and its bytes are in no record yet.
void NeighbourExchange::state(Archive& archive) {
  archive.number("round", round_);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    std::vector<double> numbers;
    link.numbers([&](auto& number) { numbers.push_back(static_cast<double>(number)); });
    archive.numbers(strCat("link ", i), numbers);
    std::vector<Real> sent;
    if (link.outstanding != 0) sent.assign(link.sent.values().begin(), link.sent.values().end());
    archive.reals(strCat("sent ", i), sent);
    archive.reals(strCat("coming ", i), link.coming.values.values());
    std::vector<std::uint64_t> pieces(link.pieces.begin(), link.pieces.end());
    archive.words(strCat("pieces ", i), pieces);
    if (!archive.loading()) continue;
    bool sound = (numbers.size() == 10 || numbers.size() == 8) && sent.size() == (numbers[1] == 0 ? 0 : size_) && (pieces.empty() || pieces.size() == pieceCount()) &&
                 link.coming.values.size() == (pieces.empty() ? 0 : size_);
    link.numbers([&, next = std::size_t{0}]<class T>(T& number) mutable {  // earlier versions left out the last two
      if (!sound || next == numbers.size()) return;
      const double kept = numbers[next++];
      if constexpr (std::is_integral_v<T>) sound = isWhole<T>(kept);
      if (sound) number = static_cast<T>(kept);
    });
    if (!sound) throw Error(Errc::kFormat, strCat("the checkpoint's exchange with ", hood_.ids[i], " is damaged"));
    link.pieces.assign(pieces.begin(), pieces.end());
    link.sent = Dense::copied(sent);
  }
}

void archiveEach(Archive& archive, const EachNames& names, std::vector<Owned<Real>>& vectors, std::size_t count, std::size_t size) {
  auto found = static_cast<std::int64_t>(vectors.size());
  archive.number(names.count, found);
  if (found != static_cast<std::int64_t>(count)) throw Error(Errc::kFormat, strCat("the checkpoint has ", found, " ", names.count, ", this run has ", count));
  vectors.resize(count);
  for (std::size_t i = 0; i < count; ++i) archive.fixed(strCat(names.each, i), vectors[i].values(), size);
}

std::vector<ParamSpec> withExchangeParams(std::vector<ParamSpec> own) {
  own.push_back(choiceParam("exchange", "synchronous", {"synchronous", "asynchronous"},
                            "Synchronous: both ends of an edge wait for each other at the same local step; asynchronous: nobody waits, a vector is "
                            "used at the next step boundary after it has come. PDMM (relaxation 1) then needs intervals of several steps: with an answer "
                            "about as late as the next exchange it diverges; ADMM does not."));
  own.push_back(advanced(choiceParam("exchange_times", "equal", {"equal", "random"},
                            "Equal: the same step of every interval; random: a step drawn anew in every interval, the same at both ends.")));
  return own;
}

ExchangePlan exchangePlanOf(const Params& params) {
  return {.synchronous = params.text("exchange") == "synchronous", .randomTimes = params.text("exchange_times") == "random"};
}

}  // namespace paceline::exchange
