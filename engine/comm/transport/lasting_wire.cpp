#include "engine/comm/transport/lasting_wire.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/core/base/error.h"

namespace paceline {

LastingWire::LastingWire(Wire& below, const Clock& clock, const std::vector<Server>& servers, double patienceSeconds)
    : LayerWire(below), clock_(clock), patienceSeconds_(patienceSeconds) {
  std::vector<int> nodes;
  for (const Server& server : servers) {
    links_.emplace(server.node, Link{.name = server.name});
    nodes.push_back(server.node);
  }
  below_.tolerate(nodes);
}

LastingWire::Link* LastingWire::linkTo(int node) {
  const auto found = links_.find(node);
  return found == links_.end() ? nullptr : &found->second;
}

void LastingWire::send(int to, Message message) {
  Link* link = linkTo(to);
  if (!link) return below_.send(to, std::move(message));
  if (message.kind == MessageKind::kAnew) {  // numbers begin behind it
    anew_ = message;
    link->unheard = true;
    if (!link->lostAt) below_.send(to, std::move(message));
    return;
  }
  message.number = static_cast<std::uint32_t>(++link->sent);
  link->kept.push_back(message);
  pass(to, *link, std::move(message));
}

void LastingWire::pass(int to, Link& link, Message message) {
  message.taken = static_cast<std::uint32_t>(link.came.first());
  if (!link.lostAt) below_.send(to, std::move(message));
}

std::optional<Message> LastingWire::receive(double timeoutSeconds) {
  const double deadline = clock_.now() + timeoutSeconds;
  while (true) {
    std::optional<Message> message = below_.receive(std::max(0.0, std::min(deadline - clock_.now(), patience())));
    if (!message) {
      if (patience() > 0) return message;
      const auto away = std::ranges::find_if(links_, [&](const auto& entry) { return entry.second.lostAt && clock_.now() >= *entry.second.lostAt + patienceSeconds_; });
      if (away != links_.end()) throw Error(Errc::kPeerLost, strCat(away->second.name, " is gone: its connection closed, and it did not come back within ", patienceSeconds_, " s"));
      return message;
    }
    Link* link = linkTo(message->from);
    if (!link || take(*link, *message)) return message;
    if (clock_.now() >= deadline) return std::nullopt;
  }
}

bool LastingWire::take(Link& link, Message& message) {
  if (message.kind == MessageKind::kLost) {
    link.lostAt = clock_.now();
    link.broke = true;
    return false;
  }
  if (message.kind == MessageKind::kBack) {
    link.lostAt.reset();
    if (link.unheard) below_.send(message.from, *anew_);
    for (Message again : link.kept) {
      again.priority = 0, again.dueAt = 0;
      pass(message.from, link, std::move(again));
    }
    return false;
  }
  if (message.kind == MessageKind::kAnew) {
    if (anew_ && message.scalars == anew_->scalars) link.unheard = false;
    return false;
  }
  if (message.number == 0) return true;
  if (link.unheard) return false;
  const std::int64_t has = wholeNumber(message.taken, link.sent);
  while (!link.kept.empty() && link.sent - static_cast<std::int64_t>(link.kept.size()) < has) link.kept.pop_front();
  return link.came.take(wholeNumber(message.number, link.came.first()));
}

double LastingWire::patience() const {
  double left = std::numeric_limits<double>::infinity();
  for (const auto& [node, link] : links_)
    if (link.lostAt) left = std::min(left, *link.lostAt + patienceSeconds_ - clock_.now());
  return left;
}

void LastingWire::settle() {
  for (auto& [node, link] : links_)
    for (Message& message : link.kept)
      if (!message.dense.owner()) message.dense = Dense::copied(message.dense.values());
  below_.settle();
}

WayCounts LastingWire::wayTo(int to, bool settled) {
  const Link* link = linkTo(to);
  const WayCounts counts = below_.wayTo(to, settled);
  return link && link->broke ? WayCounts{.shared = counts.shared} : counts;  // what went twice is in nobody's books
}

}  // namespace paceline
