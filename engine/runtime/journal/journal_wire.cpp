#include "engine/runtime/journal/journal_wire.h"

#include <algorithm>
#include <utility>

#include "engine/core/record/state_table.h"
#include "engine/runtime/control.h"

namespace paceline {

JournalWire::JournalWire(Wire& below, const Clock& clock, Journal& journal, const std::vector<int>& clients)
    : LayerWire(below), clock_(clock), journal_(journal), handedAt_(clock.now()), replaying_(journal.processes() > 0), again_(replaying_) {
  for (const int client : clients) links_[client];
}

void JournalWire::send(int to, Message message) {
  if (const auto link = links_.find(to); link != links_.end() && message.kind != MessageKind::kAnew) {
    message.number = static_cast<std::uint32_t>(++link->second.sent);
    message.taken = static_cast<std::uint32_t>(link->second.came.first());
    if (replaying_ && link->second.process < journal_.processOf(to)) return;  // another one is there by now
  }
  below_.send(to, std::move(message));
}

std::optional<Message> JournalWire::receive(double timeoutSeconds) {
  if (replaying_) {
    if (std::optional<Journal::Entry> entry = journal_.next()) {
      if (journal_.crossed() && !std::exchange(crossed_, true)) mark();
      again_ = journal_.wasHandled();
      return handOn(std::move(entry->message), entry->at);
    }
    replaying_ = again_ = false;
  }
  const double deadline = clock_.now() + timeoutSeconds;
  while (true) {
    std::optional<Message> message = below_.receive(std::max(0.0, deadline - clock_.now()));
    const bool lost = message && message->kind == MessageKind::kLost, control = lost || (message && message->kind == MessageKind::kBack);
    opening_ = opening_ && lost;
    if (!message) return message;
    const int from = message->from;
    if (opening_) {
      missing_.insert(from);
      continue;
    }
    if (missing_.erase(from) > 0 && control) continue;  // nobody was told that it was not there
    if (const auto link = links_.find(from); !control && link != links_.end() && message->number != 0)
      if (TakenNumbers came = link->second.came; !came.take(wholeNumber(message->number, came.first()))) continue;
    if (const auto link = links_.find(from); message->kind == MessageKind::kAnew && (link == links_.end() || fieldsOf<Anew>(*message).process <= link->second.process)) {
      below_.send(from, std::move(*message));  // it may not have heard the answer
      continue;
    }
    const double now = clock_.now();
    journal_.add(*message, now);
    return handOn(std::move(*message), now);
  }
}

std::optional<Message> JournalWire::handOn(Message message, double at) {
  handedAt_ = at;
  if (message.kind == MessageKind::kLost || message.kind == MessageKind::kBye) left_.insert(message.from);
  if (message.kind == MessageKind::kBack) left_.erase(message.from);
  if (const auto link = links_.find(message.from); link != links_.end() && message.number != 0) {
    (void)link->second.came.take(wholeNumber(message.number, link->second.came.first()));
    link->second.has = std::max(link->second.has, wholeNumber(message.taken, link->second.has));
  }
  return message;
}

void JournalWire::anew(int client, std::int64_t process) {
  links_.at(client) = {.process = process};
  left_.erase(client);
  journal_.renewed(client, process);
}

bool JournalWire::allHave() const {
  return std::ranges::all_of(links_, [this](const auto& entry) { return entry.second.has >= entry.second.atState || left_.contains(entry.first); });
}

void JournalWire::mark() {
  for (auto& [node, link] : links_) link.atState = link.sent;
}

void JournalWire::state(Archive& archive) {
  for (auto& [node, link] : links_) {
    ArchiveScope scope(archive, strCat("link ", node));
    std::int64_t came = link.came.first();
    scope.number("sent", link.sent);
    scope.number("has", link.has);
    scope.number("came", came);
    scope.number("process", link.process);
    std::vector<std::uint64_t> beyond(link.came.beyond().begin(), link.came.beyond().end());
    scope.words("beyond", beyond);
    if (!archive.loading()) continue;
    link.came.startAt(came);
    for (const std::uint64_t number : beyond) (void)link.came.take(static_cast<std::int64_t>(number));
  }
  std::vector<double> left(left_.begin(), left_.end());
  archive.numbers("left", left);
  if (archive.loading()) left_ = {left.begin(), left.end()};
}

WayCounts JournalWire::wayTo(int to, bool settled) {
  return journal_.processes() > 0 ? WayCounts{.shared = below_.wayTo(to, settled).shared} : below_.wayTo(to, settled);  // what went to the process before is in nobody's books
}

}  // namespace paceline
