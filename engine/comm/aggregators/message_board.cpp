#include "engine/comm/aggregators/message_board.h"

#include <algorithm>

#include "engine/comm/aggregators/aggregation_engine.h"
#include "engine/core/base/error.h"

namespace paceline::aggregators {

MessageBoard::MessageBoard(Transport& transport, const NodeList& workers, int rank)
    : transport_(transport), workers_(workers), rank_(static_cast<std::size_t>(rank)), open_(workers.size(), true) {
  open_[rank_] = false;
}

// A message is KEY\0VALUE; an empty one closes the board.
void MessageBoard::tell(const std::string& key, const std::vector<char>& value) {
  std::vector<char> bytes(key.c_str(), key.c_str() + key.size() + 1);
  bytes.insert(bytes.end(), value.begin(), value.end());
  if (bytes.size() > kMaxDenseBytes / sizeof(Real)) throw Error(Errc::kHost, strCat("\"", key, "\" of ", value.size(), " bytes is too long to be told to the other workers"));
  const Dense dense = Dense::copied(realsOf(bytes));
  for (const int worker : workers_)
    if (worker != workers_[rank_]) transport_.send(worker, {.kind = MessageKind::kExchange, .dense = dense});
  told_[key] = value;
}

std::vector<char> MessageBoard::hear(const std::string& key) {
  while (!told_.contains(key)) {
    if (std::ranges::count(open_, true) == 0) throw Error(Errc::kHost, strCat("no worker has told \"", key, "\""));
    takeOne();
  }
  return told_[key];
}

void MessageBoard::close() {
  for (const int worker : workers_)
    if (worker != workers_[rank_]) transport_.send(worker, {.kind = MessageKind::kExchange});
  while (std::ranges::count(open_, true) > 0) takeOne();
}

void MessageBoard::takeOne() {
  const auto isOpen = [this](int node) {
    const auto rank = workers_.placeOf(node);
    return rank && open_[*rank];
  };
  const Message got = transport_.receiveWanted([&](const Message& message) { return isOpen(message.from); });
  if (got.kind != MessageKind::kExchange) throw Error(Errc::kFormat, strCat("node ", got.from, " sent a ", kindName(got.kind), " where its address was due"));
  const std::vector<char> bytes = bytesOf(got);
  if (bytes.empty()) {
    open_[*workers_.placeOf(got.from)] = false;
    return;
  }
  const auto end = std::ranges::find(bytes, '\0');
  if (end == bytes.end()) throw Error(Errc::kFormat, strCat("node ", got.from, " told a value without a key"));
  told_[std::string(bytes.begin(), end)].assign(end + 1, bytes.end());
}

}  // namespace paceline::aggregators
