// AES-256-GCM with one key (NIST SP 800-38D), by a library that this host has. Both make the same bytes. Used by one thread. Throws Error{kHost}.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "engine/comm/zmq/key.h"

namespace paceline::zeromq {

constexpr std::size_t kTagBytes = 16;
using Nonce = std::array<std::uint8_t, 12>;  // never twice with the same key

class Aead {
 public:
  virtual ~Aead() = default;
  // sealed.size() == plain.size() + kTagBytes. `bound` is not sent, but must be the same when it is opened.
  virtual void seal(const Nonce& nonce, std::uint8_t bound, std::span<const std::byte> plain, std::span<std::byte> sealed) = 0;
  // In place; the plain bytes are all but the last kTagBytes, of which there are at least so many. False: the tag is another; the bytes are then garbage.
  virtual bool open(const Nonce& nonce, std::uint8_t bound, std::span<std::byte> sealed) = 0;
};

std::unique_ptr<Aead> opensslAead(const Key& key);

// Intel's Multi-Buffer Crypto (libipsec-mb), of the version that this was built with, on a CPU that does four blocks of AES at once (VAES,
// VPCLMULQDQ), where it takes 0.4 of OpenSSL 3.0's time. Null: not here.
std::unique_ptr<Aead> multiBufferAead(const Key& key);

std::unique_ptr<Aead> fastestAead(const Key& key);
std::string aeadLibrary();  // what fastestAead() takes: "OpenSSL", "ipsec-mb 1.3.0"

}  // namespace paceline::zeromq
