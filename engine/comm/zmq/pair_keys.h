// What one node derives from the run's keys for its talk with another node, one direction at a time: both ends compute the same, nobody
// else can. X25519 between the two, then HKDF-SHA256 with a label, both node indices and both public keys. Any thread. Secrets are wiped
// when their holder goes. Throws Error{kFormat} for keys that are none.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/record/control.h"

namespace paceline::zeromq {

constexpr std::size_t kKeyBytes = 32;

class Key {  // 32 bytes that are overwritten when it goes
 public:
  Key() = default;
  ~Key();
  Key(const Key&) = default;
  Key& operator=(const Key&) = default;
  std::uint8_t* data() { return bytes_.data(); }
  const std::uint8_t* data() const { return bytes_.data(); }
  std::string_view view() const { return {reinterpret_cast<const char*>(bytes_.data()), kKeyBytes}; }

 private:
  std::array<std::uint8_t, kKeyBytes> bytes_{};
};

class PairKeys {
 public:
  // Keys as orders carry them (Z85). Throws Error{kFormat} when the secret does not belong to the node's public key.
  PairKeys(const DataKeys& keys, int self);

  int self() const { return self_; }
  std::size_t nodes() const { return publics_.size(); }
  const Key& secret() const { return secret_; }
  const Key& publicKey(int node) const { return publics_.at(static_cast<std::size_t>(node)); }

  // 32 hexadecimal digits for `label`; self is one of the two nodes.
  std::string name(std::string_view label, int from, int to) const;
  // The key of messages from `from` to `to`. `session`: tells this use of the run's keys from any other.
  Key key(std::string_view label, int from, int to, std::string_view session) const;

 private:
  int self_;
  Key secret_;
  std::vector<Key> publics_;
};

}  // namespace paceline::zeromq
