// One of the connections that a node makes to another, and how it proves itself. Private to the ZeroMQ wire.
//
// CURVE proves who connects, with fresh keys every time. AES-GCM's greeting is ZeroMQ's PLAIN, which travels in the clear: its name is the node's,
// its password the connection's number, a nonce, and a proof of both that only the two nodes can make. A number counts once and numbers only
// grow: a greeting that was overheard opens nothing a second time. The frames' key depends on number and nonce, too.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <openssl/crypto.h>

#include "engine/comm/zmq/seal.h"
#include "engine/core/base/error.h"

namespace paceline::zeromq {

inline std::string nodeName(int node) { return strCat("n", node); }

struct Connection {
  int node = -1;             // who made it
  std::uint64_t number = 0;  // a later one of that node has a higher number
  std::string nonce = {};    // empty with CURVE
};

// The first part of "a b c", and the rest without it.
inline std::string_view firstPart(std::string_view& text) {
  const std::string_view first = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(first.size() + 1, text.size()));
  return first;
}

template <class Number>
std::optional<Number> numberOf(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// As ZeroMQ carries it with every message of the connection, once it is admitted: "2 17 9f86d081...".
inline std::string textOf(const Connection& connection) { return strCat(connection.node, ' ', connection.number, ' ', connection.nonce); }

inline std::optional<Connection> connectionOf(std::string_view text) {
  const auto node = numberOf<int>(firstPart(text));
  const auto number = numberOf<std::uint64_t>(firstPart(text));
  if (!node || !number) return std::nullopt;
  return Connection{.node = *node, .number = *number, .nonce = std::string(text)};
}

inline std::string proofOf(const Connection& connection, const PairKeys& keys, int to) {
  return keys.name("admission", connection.node, to, strCat(connection.number, ' ', connection.nonce));
}

inline std::string passwordOf(const Connection& connection, const PairKeys& keys, int to) {
  return strCat(connection.number, ' ', connection.nonce, ' ', proofOf(connection, keys, to));
}

// Who shows that name and password to `keys.self()`; nullopt: nobody of this run.
inline std::optional<Connection> connectionOf(const std::string& name, std::string_view password, const PairKeys& keys) {
  const int node = name.starts_with('n') ? numberOf<int>(std::string_view(name).substr(1)).value_or(-1) : -1;
  const auto number = numberOf<std::uint64_t>(firstPart(password));
  if (!number || node < 0 || static_cast<std::size_t>(node) >= keys.nodes() || node == keys.self()) return std::nullopt;
  Connection connection{.node = node, .number = *number, .nonce = std::string(firstPart(password))};
  const std::string proof = proofOf(connection, keys, keys.self());
  if (password.size() != proof.size() || CRYPTO_memcmp(password.data(), proof.data(), proof.size()) != 0) return std::nullopt;
  return connection;
}

// Of the frames on a connection to `to`. Endpoints have ephemeral ports: should the same keys ever be used again, what was recorded opens nothing.
inline Key sealKey(const Connection& connection, const PairKeys& keys, int to, std::string_view fromEndpoint, std::string_view toEndpoint) {
  return keys.key("seal", connection.node, to, strCat(fromEndpoint, ' ', toEndpoint, ' ', connection.number, ' ', connection.nonce));
}

}  // namespace paceline::zeromq
