// The keys that one node derives from the run's keys for its talk with another node, and the sealing of frames with them. Secrets are wiped when
// their holder goes. Throws Error{kFormat} for keys that are none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/comm/zmq/aead.h"
#include "engine/comm/zmq/key.h"
#include "engine/core/record/control.h"

namespace paceline::zeromq {

// One direction at a time: both ends compute the same, nobody else can. X25519 between the two, then HKDF-SHA256 with a label, both node
// indices and both public keys. Any thread.
class PairKeys {
 public:
  // Keys as orders carry them (Z85). Throws Error{kFormat} when the secret does not belong to the node's public key.
  PairKeys(const DataKeys& keys, int self);

  int self() const { return self_; }
  std::size_t nodes() const { return publics_.size(); }
  const Key& secret() const { return secret_; }
  const Key& publicKey(int node) const { return publics_.at(static_cast<std::size_t>(node)); }

  // 32 hexadecimal digits that nobody else can make, for `label` and `session`; self is one of the two nodes.
  std::string name(std::string_view label, int from, int to, std::string_view session = {}) const;
  // The key of messages from `from` to `to`. `session`: tells this use of the run's keys from any other.
  Key key(std::string_view label, int from, int to, std::string_view session) const;

 private:
  int self_;
  Key secret_;
  std::vector<Key> publics_;
};

// 32 hexadecimal digits that never come again. Throws Error{kHost}. Any thread.
std::string freshNonce();

// Frames sealed with AES-256-GCM, one stream per connection, which has a key of its own: the nonce is the frame's number, so a frame that was
// altered, repeated, left out or put elsewhere does not open. Each end is used by one thread. Needs a CPU with AES instructions to be worth it.
constexpr std::size_t kSealBytes = kTagBytes;  // a sealed frame is so much longer

enum class FrameRole : std::uint8_t { kAlone = 0, kHeader = 1, kDense = 2 };  // bound into the seal: a header whose dense part is cut off does not open

class Sealer {
 public:
  explicit Sealer(const Key& key) : aead_(fastestAead(key)) {}
  void seal(FrameRole role, std::span<const std::byte> plain, std::span<std::byte> sealed);  // sealed.size() == plain.size() + kSealBytes

 private:
  std::unique_ptr<Aead> aead_;
  std::uint64_t next_ = 0;
};

class Opener {
 public:
  explicit Opener(const Key& key) : aead_(fastestAead(key)) {}
  // In place; the plain bytes are all but the last kSealBytes. False: it is not the next frame of this stream as it was sealed; its bytes
  // are then garbage and nothing later opens.
  bool open(FrameRole role, std::span<std::byte> sealed);

 private:
  std::unique_ptr<Aead> aead_;
  std::uint64_t next_ = 0;
  bool broken_ = false;
};

}  // namespace paceline::zeromq
