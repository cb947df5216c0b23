#include "engine/comm/transport.h"

#include <algorithm>
#include <limits>

namespace paceline {

namespace {
constexpr double kForever = std::numeric_limits<double>::infinity();
}

void Transport::send(int to, Message message) {
  const double began = clock_.now();
  wire_.send(to, std::move(message));
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

std::optional<Message> Transport::meet() {
  const double began = clock_.now();
  std::optional<Message> message;
  try {
    message = wire_.receive(kForever);
  } catch (...) {
    wire_.settle();
    throw;
  }
  waitSeconds_ += clock_.now() - began;
  if (message && takeControl(*message)) return std::nullopt;
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
  if (kept_.empty()) return next();
  Message message = std::move(kept_.front());
  kept_.pop_front();
  return message;
}

Message Transport::receiveFrom(int peer) {
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Message& message) { return message.from == peer; });
  if (found != kept_.end()) {
    Message message = std::move(*found);
    kept_.erase(found);
    return message;
  }
  while (true) {
    Message message = next();
    if (message.from == peer) return message;
    kept_.push_back(std::move(message));
  }
}

void Transport::poll() {
  while (true) {
    std::optional<Message> message;
    try {
      message = wire_.receive(0);
    } catch (...) {
      wire_.settle();
      throw;
    }
    if (!message) return;
    if (!takeControl(*message)) kept_.push_back(std::move(*message));
  }
}

std::optional<Message> Transport::latestFrom(int peer) {
  poll();
  std::optional<Message> latest;
  for (Message& message : kept_)
    if (message.from == peer) latest = std::move(message);
  // A moved-from Message keeps its `from`.
  std::erase_if(kept_, [&](const Message& message) { return message.from == peer; });
  return latest;
}

}  // namespace paceline
