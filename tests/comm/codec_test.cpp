#include "engine/comm/codecs/codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;
using Bytes = std::vector<std::byte>;

Message sample() {
  std::vector<Real> values(17);
  std::iota(values.begin(), values.end(), Real(-3));
  Message message;
  message.kind = MessageKind::kReply;
  message.shard = 5;
  message.round = 1234567890123;
  message.version = -1;
  message.cause = 3;
  message.scalars = {0.5, -2.25, 1e300};
  message.dense = Dense::copied(values);
  message.availableAt = 12.5;
  message.number = 0xfffffff0U;
  message.taken = 17;
  message.holdSeconds = 0.25;
  return message;
}

Bytes encoded(const Message& message) {
  Bytes frame(codecs::headerFrameBytes(message));
  codecs::encodeHeader(message, frame);
  return frame;
}

std::string refusal(const Bytes& frame) {
  try {
    codecs::decodeHeader(frame, "w1");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kFormat);
    return error.what();
  }
  return "";
}

Dense payloadOf(codecs::DecodedHeader header, std::span<const std::byte> frame, std::shared_ptr<const void> owner = nullptr) {
  codecs::decodePayload(header, frame, std::move(owner), "w1");
  return header.message.dense;
}

template <class T>
Bytes with(Bytes frame, std::size_t at, T value) {
  std::memcpy(frame.data() + at, &value, sizeof value);
  return frame;
}

TEST(Codec, RoundTripKeepsEveryField) {
  const Message message = sample();
  const codecs::DecodedHeader decoded = codecs::decodeHeader(encoded(message), "w1");
  EXPECT_EQ(decoded.message.kind, message.kind);
  EXPECT_EQ(decoded.message.shard, message.shard);
  EXPECT_EQ(decoded.message.round, message.round);
  EXPECT_EQ(decoded.message.version, message.version);
  EXPECT_EQ(decoded.message.cause, message.cause);
  EXPECT_EQ(decoded.message.scalars, message.scalars);
  EXPECT_EQ(decoded.message.availableAt, message.availableAt);
  EXPECT_EQ(decoded.message.number, message.number);
  EXPECT_EQ(decoded.message.taken, message.taken);
  EXPECT_EQ(decoded.message.holdSeconds, message.holdSeconds);
  EXPECT_EQ(decoded.denseCount, message.dense.values().size());
  const Dense dense = payloadOf(decoded, std::as_bytes(message.dense.values()), message.dense.owner());
  EXPECT_TRUE(std::ranges::equal(dense.values(), message.dense.values()));
  EXPECT_EQ(dense.values().data(), message.dense.values().data());  // not copied
}

TEST(Codec, HeaderIsLittleEndianAtDocumentedPlaces) {
  Message message;
  message.kind = MessageKind::kPush;
  message.shard = 0x01020304;
  const Bytes frame = encoded(message);
  ASSERT_EQ(frame.size(), kHeaderBytes);
  EXPECT_EQ(std::memcmp(frame.data(), "PLNE", 4), 0);
  EXPECT_EQ(frame[5], std::byte{sizeof(Real) == 4 ? 1 : 2});
  EXPECT_EQ(frame[6], std::byte{2});
  EXPECT_EQ(frame[8], std::byte{4});
  EXPECT_EQ(frame[11], std::byte{1});
}

TEST(Codec, WireBytesAreTheBytesOfTheFrames) {
  const Message message = sample();
  EXPECT_EQ(wireBytes(message), encoded(message).size() + message.dense.values().size_bytes());
}

TEST(Codec, RefusesEveryTruncation) {
  const Bytes frame = encoded(sample());
  for (std::size_t size = 0; size < frame.size(); ++size)
    EXPECT_THAT(refusal(Bytes(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(size))), HasSubstr("w1 sent")) << size;
}

TEST(Codec, FlippedBytesAreReadOrRefusedWithTheirPeer) {
  const Bytes frame = encoded(sample());
  for (std::size_t at = 0; at < frame.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      Bytes flipped = frame;
      flipped[at] ^= std::byte(1 << bit);
      const std::string text = refusal(flipped);
      if (at < 8 && at != 6) {
        EXPECT_NE(text, "") << "byte " << at;
      }
      if (!text.empty()) {
        EXPECT_THAT(text, HasSubstr("w1 sent a malformed message"));
      }
    }
}

TEST(Codec, ChecksCountsBeforeItTakesMemory) {
  const Bytes frame = encoded(sample());
  EXPECT_THAT(refusal(with(frame, 12, std::uint32_t{0xffffffff})), HasSubstr("4294967295 scalars, at most 4096"));
  EXPECT_THAT(refusal(with(frame, 12, std::uint32_t{4})), HasSubstr("for 4 scalars"));
  EXPECT_THAT(refusal(with(frame, 32, ~std::uint32_t{0})), HasSubstr("4294967295 values, at most"));
  EXPECT_THAT(refusal(with(frame, 32, std::uint32_t{kMaxDenseBytes / sizeof(Real) + 1})), HasSubstr("values, at most"));
}

TEST(Codec, RefusesNegativeShardsAndEndlessHolds) {
  const Bytes frame = encoded(sample());
  EXPECT_THAT(refusal(with(frame, 8, std::int32_t{-1})), HasSubstr("shard -1"));
  EXPECT_THAT(refusal(with(frame, 36, std::int32_t{-2})), HasSubstr("caused by node -2"));
  EXPECT_THAT(refusal(with(frame, 48, 1e38F)), HasSubstr("held"));
  EXPECT_THAT(refusal(with(frame, 48, std::nanf(""))), HasSubstr("held"));
  EXPECT_THAT(refusal(with(frame, 48, -1.0F)), HasSubstr("held"));
  EXPECT_THAT(refusal(with(frame, 40, std::numeric_limits<double>::infinity())), HasSubstr("finite"));
}

TEST(Codec, NamesAnotherElementTypeAndVersion) {
  const Bytes frame = encoded(sample());
  EXPECT_THAT(refusal(with(frame, 5, std::uint8_t(sizeof(Real) == 4 ? 2 : 1))), HasSubstr(sizeof(Real) == 4 ? "f64" : "f32"));
  EXPECT_THAT(refusal(with(frame, 4, std::uint8_t{9})), HasSubstr("wire version 9"));
  EXPECT_THAT(refusal(with(frame, 6, std::uint8_t{99})), HasSubstr("kind 99"));
}

TEST(Codec, RefusesDenseFramesOfAnotherLength) {
  const Message message = sample();
  const codecs::DecodedHeader decoded = codecs::decodeHeader(encoded(message), "w1");
  const auto bytes = std::as_bytes(message.dense.values());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(payloadOf(decoded, bytes.first(size)), Error) << size;
}

TEST(Codec, CopiesMisalignedDenseFrames) {
  const Message message = sample();
  const codecs::DecodedHeader decoded = codecs::decodeHeader(encoded(message), "w1");
  const auto bytes = std::as_bytes(message.dense.values());
  std::vector<Real> memory(message.dense.values().size() + 1);
  auto* misaligned = reinterpret_cast<std::byte*>(memory.data()) + 1;
  std::memcpy(misaligned, bytes.data(), bytes.size());
  const Dense dense = payloadOf(decoded, {misaligned, bytes.size()});
  EXPECT_TRUE(std::ranges::equal(dense.values(), message.dense.values()));
}

TEST(Codec, TooLongMessagesAreOurBug) {
  Message message;
  message.scalars.resize(kMaxScalars + 1);
  EXPECT_THROW(codecs::headerFrameBytes(message), InvariantError);
  message.scalars.clear();
  const std::vector<Real> values(kMaxDenseBytes / sizeof(Real) + 1);
  message.dense = Dense::borrowed(values);
  EXPECT_THROW(codecs::headerFrameBytes(message), InvariantError);
}

TEST(Dense, CopiedIsIndependentOfItsSource) {
  std::vector<Real> values{1, 2, 3};
  const Dense dense = Dense::copied(values);
  values[0] = 9;
  EXPECT_EQ(dense.values()[0], Real(1));
  EXPECT_TRUE(Dense::copied({}).empty());
}

}  // namespace
}  // namespace paceline::tests
