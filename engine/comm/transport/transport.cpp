#include "engine/comm/transport/transport.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/core/record/state_table.h"

namespace paceline {
namespace {
constexpr double kForever = std::numeric_limits<double>::infinity();

}  // namespace

void archiveMessage(Archive& archive, Message& message) {
  std::vector<std::uint64_t> head = {static_cast<std::uint64_t>(message.kind),    static_cast<std::uint64_t>(message.from),
                                     static_cast<std::uint64_t>(message.shard),   static_cast<std::uint64_t>(message.round),
                                     static_cast<std::uint64_t>(message.version), static_cast<std::uint64_t>(message.packed.packing),
                                     message.packed.count,                        message.packed.bytes.size()};
  archive.words("head", head);
  archive.numbers("scalars", message.scalars);
  std::vector<Real> dense(message.dense.values().begin(), message.dense.values().end());
  archive.reals("dense", dense);
  std::vector<std::uint64_t> packed((message.packed.bytes.size() + 7) / 8);  // eight bytes each
  if (!packed.empty()) std::memcpy(packed.data(), message.packed.bytes.data(), message.packed.bytes.size());
  archive.words("packed", packed);
  if (!archive.loading()) return;
  if (head.size() != 8 || head[7] > packed.size() * 8) throw Error(Errc::kFormat, "a kept message of the checkpoint is damaged");
  message.kind = static_cast<MessageKind>(head[0]);
  message.from = static_cast<int>(head[1]);
  message.shard = static_cast<std::int32_t>(head[2]);
  message.round = static_cast<std::int64_t>(head[3]);
  message.version = static_cast<std::int64_t>(head[4]);
  message.dense = Dense::copied(dense);
  if (head[5] == 0) return;
  std::vector<std::byte> bytes(head[7]);
  if (!bytes.empty()) std::memcpy(bytes.data(), packed.data(), bytes.size());
  message.packed = Packed::of(static_cast<Packing>(head[5]), head[6], std::move(bytes));
}

void archiveMessages(Archive& archive, std::string_view name, std::deque<Message>& messages) {
  auto count = static_cast<std::int64_t>(messages.size());
  archive.number(name, count);
  if (archive.loading()) messages.clear();
  for (std::int64_t i = 0; i < count; ++i) {
    if (archive.loading()) messages.emplace_back();  // one by one: the first that is missing ends it
    ArchiveScope scope(archive, strCat("message ", i));
    archiveMessage(scope, messages[static_cast<std::size_t>(i)]);
  }
}

void archiveDense(Archive& archive, std::string_view name, Dense& values, std::optional<std::size_t> size) {
  std::vector<Real> copy(values.values().begin(), values.values().end());
  if (size) archive.fixed(name, copy, *size);
  else archive.reals(name, copy);
  if (archive.loading()) values = Dense::copied(copy);
}

void Transport::send(int to, Message message) {
  const double began = clock_.now();
  message.vector = vector_;
  wire_.send(to, std::move(message));
  sendSeconds_ += clock_.now() - began;
}

void Transport::sendToAll(const NodeList& nodes, const Message& message) {
  const double began = clock_.now();
  wire_.sendToAll(nodes, message);
  sendSeconds_ += clock_.now() - began;
}

// Whatever ends an exchange early comes through here, from the wire or from the control handler. Before the caller's buffers unwind,
// the wire lets go of what it borrowed from them.
bool Transport::takeControl(const Message& message) {
  if (!isControl(message.kind)) return false;
  if (!handler_) return true;
  try {
    handler_(message);
  } catch (...) {
    wire_.settle();
    throw;
  }
  return true;
}

std::optional<Message> Transport::fromWire(double timeoutSeconds) {
  try {
    return wire_.receive(timeoutSeconds);
  } catch (...) {
    wire_.settle();
    throw;
  }
}

std::optional<Message> Transport::meet() {
  const double began = clock_.now();
  std::optional<Message> message = fromWire(kForever);
  const double waited = clock_.now() - began;
  waitSeconds_ += waited;
  waiting_ += waited;
  if (message && takeControl(*message)) return std::nullopt;
  return message;
}

Message Transport::awaited(Message message) {
  const double waited = std::exchange(waiting_, 0.0);
  before_ = {.seconds = waited, .longest = longestWait_, .newest = newestWait_};
  if (waited <= 0) return message;
  const int node = message.cause >= 0 && message.cause != self() ? message.cause : message.from;
  if (newestWait_.node != node) newestWait_ = {.seconds = 0, .node = node};
  newestWait_.seconds += waited;
  if (newestWait_.seconds > longestWait_.seconds) longestWait_ = newestWait_;
  return message;
}

void Transport::waitGoesOn() {
  longestWait_ = before_.longest;
  newestWait_ = before_.newest;
  carried_ = std::exchange(before_.seconds, 0.0);
}

template <class Wanted>
std::optional<Message> Transport::takeKept(const Wanted& wanted) {
  const auto found = std::find_if(kept_.begin(), kept_.end(), wanted);
  if (found == kept_.end()) return std::nullopt;
  Message message = std::move(*found);
  kept_.erase(found);
  return message;
}

Message Transport::next() {
  while (true)
    if (std::optional<Message> message = meet()) return std::move(*message);
}

void Transport::awaitControl(const std::function<bool()>& done) {
  while (!done())
    if (std::optional<Message> message = meet()) kept_.push_back(std::move(*message));
}

Message Transport::receive() {
  std::optional<Message> kept = takeKept([](const Message&) { return true; });
  waiting_ = std::exchange(carried_, 0.0);
  return kept ? std::move(*kept) : awaited(next());
}

Message Transport::receiveFrom(int peer) {
  return receiveWanted([peer](const Message& message) { return message.from == peer; });
}

Message Transport::receiveWanted(const std::function<bool(const Message&)>& wanted) {
  if (std::optional<Message> kept = takeKept(wanted)) return std::move(*kept);
  waiting_ = std::exchange(carried_, 0.0);
  while (true) {
    Message message = next();
    if (wanted(message)) return awaited(std::move(message));
    kept_.push_back(std::move(message));
  }
}

std::optional<Message> Transport::receiveKind(MessageKind kind, const std::function<bool()>& done) {
  poll();
  waiting_ = std::exchange(carried_, 0.0);
  while (true) {
    if (std::optional<Message> kept = takeKept([&](const Message& message) { return message.kind == kind; })) return awaited(std::move(*kept));
    if (done()) return std::nullopt;
    if (std::optional<Message> message = meet()) kept_.push_back(std::move(*message));
  }
}

void Transport::poll() {
  while (std::optional<Message> message = fromWire(0))
    if (!takeControl(*message)) kept_.push_back(std::move(*message));
}

void Transport::state(Archive& archive) { archiveMessages(archive, "kept", kept_); }

}  // namespace paceline
