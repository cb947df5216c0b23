#include "engine/comm/zmq/aead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "engine/core/base/rng.h"

namespace paceline::tests {
namespace {

using Bytes = std::vector<std::byte>;
using zeromq::kTagBytes;

constexpr std::uint8_t kBound = 7;

zeromq::Nonce nonceOf(std::uint8_t number) { return {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, number}; }

Bytes random(std::size_t size) {
  Rng rng(size + 1);
  Bytes bytes(size);
  for (std::byte& b : bytes) b = std::byte(rng.below(256));
  return bytes;
}

// All that this host has, with one key.
std::map<std::string, std::unique_ptr<zeromq::Aead>> libraries() {
  zeromq::Key key;
  for (std::size_t i = 0; i < zeromq::kKeyBytes; ++i) key.data()[i] = static_cast<std::uint8_t>(i);
  std::map<std::string, std::unique_ptr<zeromq::Aead>> all;
  all.emplace("OpenSSL", zeromq::opensslAead(key));
  all.emplace(zeromq::aeadLibrary(), zeromq::fastestAead(key));
  return all;
}

Bytes sealed(zeromq::Aead& aead, const Bytes& plain, std::uint8_t number = 0) {
  Bytes frame(plain.size() + kTagBytes);
  aead.seal(nonceOf(number), kBound, plain, frame);
  return frame;
}

TEST(Aead, EveryLibraryMakesTheSameBytesAndOpensThoseOfTheOthers) {
  const auto all = libraries();
  for (const std::size_t size : {0U, 1U, 15U, 16U, 17U, 127U, 128U, 767U, 768U, 769U, 4096U, 1U << 20}) {
    const Bytes plain = random(size), expected = sealed(*all.at("OpenSSL"), plain);
    for (const auto& [name, aead] : all) {
      Bytes frame = sealed(*aead, plain);
      EXPECT_EQ(frame, expected) << name << ", " << size << " bytes";
      ASSERT_TRUE(aead->open(nonceOf(0), kBound, frame)) << name;
      frame.resize(size);
      EXPECT_EQ(frame, plain) << name;
    }
  }
}

// As Python's cryptography has it: AESGCM(bytes(range(32))).encrypt(bytes(range(1, 13)), b"paceline", b"\x07").
TEST(Aead, IsAesGcm) {
  const char text[] = "paceline";
  Bytes plain(8);
  std::transform(text, text + 8, plain.begin(), [](char c) { return static_cast<std::byte>(c); });
  const unsigned char expected[] = {0x75, 0x8b, 0x39, 0xb0, 0x80, 0xfd, 0x9e, 0xe3, 0xe8, 0x5a, 0x3f, 0x77,
                                    0x5e, 0x9e, 0x76, 0xee, 0x06, 0xd8, 0x98, 0x4c, 0xfc, 0x52, 0x42, 0xd4};
  for (const auto& [name, aead] : libraries()) {
    const Bytes frame = sealed(*aead, plain, 12);
    ASSERT_EQ(frame.size(), sizeof expected);
    for (std::size_t i = 0; i < frame.size(); ++i) EXPECT_EQ(frame[i], std::byte(expected[i])) << name << ", byte " << i;
  }
}

TEST(Aead, EveryFlippedBitAndAnyOtherNonceOrBoundByteIsFound) {
  for (const auto& [name, aead] : libraries()) {
    const Bytes frame = sealed(*aead, random(40), 1);
    for (std::size_t bit = 0; bit < frame.size() * 8; ++bit) {
      Bytes flipped = frame;
      flipped[bit / 8] ^= std::byte(1 << bit % 8);
      EXPECT_FALSE(aead->open(nonceOf(1), kBound, flipped)) << name << ", bit " << bit;
    }
    Bytes one = frame, other = frame, right = frame;
    EXPECT_FALSE(aead->open(nonceOf(2), kBound, one)) << name;
    EXPECT_FALSE(aead->open(nonceOf(1), kBound + 1, other)) << name;
    EXPECT_TRUE(aead->open(nonceOf(1), kBound, right)) << name;
  }
}

}  // namespace
}  // namespace paceline::tests
