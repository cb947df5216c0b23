// Frames sealed with AES-256-GCM, one stream per direction between two nodes: the nonce is the frame's number, so a frame that was
// altered, repeated, left out or put elsewhere does not open. Each end is used by one thread. Needs a CPU with AES instructions to be worth it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "engine/comm/zmq/pair_keys.h"

struct evp_cipher_ctx_st;

namespace paceline::zeromq {

constexpr std::size_t kSealBytes = 16;  // a sealed frame is so much longer (the tag)

bool hasAesInstructions();

enum class FrameRole : std::uint8_t { kAlone = 0, kHeader = 1, kDense = 2 };  // bound into the seal: a header whose dense part is cut off does not open

struct CipherFree {
  void operator()(evp_cipher_ctx_st* cipher) const;
};
using Cipher = std::unique_ptr<evp_cipher_ctx_st, CipherFree>;

class Sealer {
 public:
  explicit Sealer(const Key& key);
  void seal(FrameRole role, std::span<const std::byte> plain, std::span<std::byte> sealed);  // sealed.size() == plain.size() + kSealBytes

 private:
  Cipher cipher_;
  std::uint64_t next_ = 0;
};

class Opener {
 public:
  explicit Opener(const Key& key);
  // In place; the plain bytes are all but the last kSealBytes. False: it is not the next frame of this stream as it was sealed; its bytes
  // are then garbage and nothing later opens.
  bool open(FrameRole role, std::span<std::byte> sealed);

 private:
  Cipher cipher_;
  std::uint64_t next_ = 0;
  bool broken_ = false;
};

}  // namespace paceline::zeromq
