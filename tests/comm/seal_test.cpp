#include "engine/comm/zmq/seal.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "engine/core/base/secret.h"
#include "tests/support/run_keys.h"

namespace paceline::tests {
namespace {

using Bytes = std::vector<std::byte>;

Bytes random(std::size_t size, std::uint64_t seed) {
  Rng rng(seed);
  Bytes bytes(size);
  for (std::byte& b : bytes) b = std::byte(rng.below(256));
  return bytes;
}

class SealTest : public ::testing::Test {
 protected:
  Bytes sealed(const Bytes& plain, zeromq::FrameRole role = zeromq::FrameRole::kAlone) {
    Bytes frame(plain.size() + zeromq::kSealBytes);
    sealer_.seal(role, plain, frame);
    return frame;
  }
  bool opens(Bytes& frame, zeromq::FrameRole role = zeromq::FrameRole::kAlone) {
    if (!opener_.open(role, frame)) return false;
    frame.resize(frame.size() - zeromq::kSealBytes);
    return true;
  }

  std::vector<DataKeys> keys_ = runKeys("aes_gcm", 3);
  zeromq::PairKeys a_{keys_[0], 0}, b_{keys_[1], 1}, c_{keys_[2], 2};
  zeromq::Sealer sealer_{a_.key("seal", 0, 1, "session")};
  zeromq::Opener opener_{b_.key("seal", 0, 1, "session")};
};

TEST_F(SealTest, WhatOneSealsTheOtherOpens) {
  for (const std::size_t size : {0u, 1u, 15u, 16u, 17u, 64u, 1000u, 1u << 20}) {
    const Bytes plain = random(size, size);
    Bytes frame = sealed(plain);
    if (size >= 16) {
      EXPECT_NE(Bytes(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(size)), plain);
    }
    ASSERT_TRUE(opens(frame)) << size;
    EXPECT_EQ(frame, plain);
  }
}

TEST_F(SealTest, TheSameBytesNeverLookTheSameTwice) {
  const Bytes plain = random(64, 1);
  std::set<Bytes> seen;
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(seen.insert(sealed(plain)).second);
}

TEST_F(SealTest, EveryFlippedBitIsFound) {
  const Bytes plain = random(40, 2);
  for (std::size_t bit = 0; bit < (plain.size() + zeromq::kSealBytes) * 8; ++bit) {
    zeromq::Sealer sealer(a_.key("seal", 0, 1, "flip"));
    zeromq::Opener opener(b_.key("seal", 0, 1, "flip"));
    Bytes frame(plain.size() + zeromq::kSealBytes);
    sealer.seal(zeromq::FrameRole::kAlone, plain, frame);
    frame[bit / 8] ^= std::byte(1 << bit % 8);
    EXPECT_FALSE(opener.open(zeromq::FrameRole::kAlone, frame)) << bit;
  }
}

TEST_F(SealTest, RepeatedFramesDoNotOpenAndEndTheStream) {
  Bytes first = sealed(random(64, 3)), again = first, second = sealed(random(64, 4));
  EXPECT_TRUE(opens(first));
  EXPECT_FALSE(opens(again));
  EXPECT_FALSE(opens(second));  // nothing is believed after that
}

TEST_F(SealTest, ReorderedFramesDoNotOpen) {
  Bytes first = sealed(random(64, 3)), second = sealed(random(64, 4));
  EXPECT_FALSE(opens(second));
}

TEST_F(SealTest, CutFramesDoNotOpen) {
  const Bytes whole = sealed(random(64, 3));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    zeromq::Opener opener(b_.key("seal", 0, 1, "session"));
    Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(opener.open(zeromq::FrameRole::kAlone, cut)) << size;
  }
}

TEST_F(SealTest, AHeaderWithoutItsDensePartDoesNotOpen) {
  Bytes header = sealed(random(64, 3), zeromq::FrameRole::kHeader);
  EXPECT_FALSE(opens(header, zeromq::FrameRole::kAlone));
}

TEST_F(SealTest, KeysDifferByDirectionPairSessionAndLabel) {
  std::set<std::string> seen;
  for (const auto& [label, from, to, session] : {std::tuple("seal", 0, 1, "s"), {"seal", 1, 0, "s"}, {"seal", 0, 2, "s"}, {"seal", 0, 1, "t"}, {"name", 0, 1, "s"}})
    EXPECT_TRUE(seen.emplace(a_.key(label, from, to, session).view()).second);
  EXPECT_EQ(a_.key("seal", 0, 2, "s").view(), c_.key("seal", 0, 2, "s").view());
  EXPECT_EQ(a_.name("routing id", 1, 0), b_.name("routing id", 1, 0));
  EXPECT_EQ(a_.name("routing id", 1, 0).size(), 32u);
  EXPECT_THROW((void)a_.key("seal", 1, 2, "s"), InvariantError);  // not ours to know
}

TEST_F(SealTest, KeysThatAreNoneAreRefusedWithoutShowingThem) {
  const auto refusal = [&](DataKeys keys) {
    try {
      zeromq::PairKeys(keys, 0).name("routing id", 0, 1);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::kFormat);
      EXPECT_EQ(std::string(error.what()).find(keys.secret.substr(0, 20)), std::string::npos);
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  DataKeys keys = keys_[0];
  keys.secret = keys_[1].secret;
  EXPECT_EQ(refusal(keys), "the secret of node 0 does not belong to its public key");
  keys = keys_[0];
  keys.secret[3] = ' ';
  EXPECT_EQ(refusal(keys), "this node's secret is no CURVE key: it must be 40 characters of Z85");
  keys = keys_[0];
  keys.publics[1] = std::string(40, '0');  // the point of order one
  EXPECT_EQ(refusal(keys), "the public key of node 1 is no CURVE key: nothing can be agreed with it");
}

TEST(Wipe, OverwritesWhatItEmpties) {
  std::string secret(40, 'x');
  const char* memory = secret.data();
  wipe(secret);
  EXPECT_TRUE(secret.empty());
  EXPECT_EQ(memory[0], '\0');
  EXPECT_EQ(memory[39], '\0');
}

}  // namespace
}  // namespace paceline::tests
