#include "engine/comm/codecs/sparse_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "engine/core/base/error.h"
#include "engine/core/base/vec.h"
#include "engine/core/base/rng.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;
using Bytes = std::vector<std::byte>;

constexpr std::size_t kShard = kShardBytes / sizeof(Real);
constexpr codecs::SparseValues kFormats[] = {codecs::SparseValues::kReal, codecs::SparseValues::kHalf};

std::size_t valueBytes(codecs::SparseValues format) { return format == codecs::SparseValues::kHalf ? 2 : sizeof(Real); }

// Entries of [begin, begin + count) where `keep(i)`; no value is zero, half of them negative.
codecs::SparseVector entries(std::size_t begin, std::size_t count, Rng& rng, const std::function<bool(std::size_t)>& keep) {
  codecs::SparseVector v;
  for (std::size_t i = 0; i < count; ++i) {
    if (!keep(i)) continue;
    v.indices.push_back(static_cast<std::uint32_t>(begin + i));
    v.values.push_back(static_cast<Real>((rng.next() % 2 == 0 ? 1 : -1) * rng.uniform(0.001, 3)));
  }
  return v;
}

codecs::SparseVector randomEntries(std::size_t count, double density, std::uint64_t seed) {
  Rng rng = Rng::stream(seed, "sparse", count);
  return entries(0, count, rng, [&](std::size_t) { return rng.uniform() < density; });
}

codecs::SparseVector unpacked(const Packed& packed, std::size_t count) {
  codecs::SparseVector v;
  codecs::unpackSparse(packed, count, "w1", v);
  return v;
}

// What arrives is what packSparse left in `given`. No distribution of indices is longer than all values.
Packed expectRoundTrip(codecs::SparseRange range, codecs::SparseVector& given, codecs::SparseValues format) {
  const Packed packed = codecs::packSparse(range, given.indices, given.values, format);
  EXPECT_LE(packed.bytes.size(), codecs::kSparseHeaderBytes + range.count * (format == codecs::SparseValues::kHalf ? 2 : sizeof(Real)));
  EXPECT_EQ(codecs::entriesOf(packed), given.indices.size());
  const codecs::SparseVector got = unpacked(packed, range.count);
  EXPECT_EQ(got.values, given.values);
  EXPECT_EQ(got.indices.size(), given.indices.size());
  for (std::size_t i = 0; i < std::min(got.indices.size(), given.indices.size()); ++i)
    if (got.indices[i] + range.begin != given.indices[i]) {
      ADD_FAILURE() << "index " << i << " is " << got.indices[i] << ", was " << given.indices[i] - range.begin;
      break;
    }
  return packed;
}

std::string refusal(const Bytes& bytes, std::size_t count, Packing packing = Packing::kSparse) {
  try {
    unpacked(Packed::of(packing, count, bytes), count);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kFormat);
    return error.what();
  }
  return "";
}

Bytes bytesOf(const Packed& packed) { return {packed.bytes.begin(), packed.bytes.end()}; }

TEST(SparseCodec, RoundTripAtEveryDensityAndSize) {
  for (const std::size_t count : {0, 1, 2, 7, 63, 64, 65, 1000, 4099, 65536})
    for (const double density : {0.0, 0.0001, 0.001, 0.01, 0.05, 0.2, 0.5, 0.9, 1.0})
      for (const codecs::SparseValues format : kFormats) {
        codecs::SparseVector given = randomEntries(count, density, 1);
        const std::vector<Real> before = given.values;
        expectRoundTrip({.begin = 0, .count = count}, given, format);
        if (format == codecs::SparseValues::kReal) {
          EXPECT_EQ(given.values, before);
        }
      }
}

TEST(SparseCodec, AWholeShardAndAPartOfALongVector) {
  Rng rng = Rng::stream(7, "sparse");
  for (const std::size_t begin : {std::size_t{0}, kShard, std::size_t{4'000'000'000}})
    for (const codecs::SparseValues format : kFormats) {
      codecs::SparseVector given = entries(begin, kShard, rng, [&](std::size_t i) { return i == 0 || i == kShard - 1 || rng.uniform() < 0.01; });
      expectRoundTrip({.begin = begin, .count = kShard}, given, format);
    }
}

TEST(SparseCodec, TenThousandRandomCases) {
  Rng rng = Rng::stream(11, "cases");
  for (int i = 0; i < 10'000; ++i) {
    const std::size_t count = 1 + rng.below(300);
    const double density = rng.uniform() * rng.uniform();
    codecs::SparseVector given = entries(0, count, rng, [&](std::size_t) { return rng.uniform() < density; });
    expectRoundTrip({.begin = 0, .count = count}, given, kFormats[i % 2]);
    if (HasFailure()) break;
  }
}

// Gaps that no single Rice parameter fits: clusters, one far entry, powers of two, all at the end.
TEST(SparseCodec, PathologicalGapsStayWithinTheMaximum) {
  const std::vector<std::function<bool(std::size_t)>> shapes = {
      [](std::size_t i) { return i < 3000; },
      [](std::size_t i) { return i == kShard - 1; },
      [](std::size_t i) { return i == 0 || i == kShard - 1; },
      [](std::size_t i) { return i >= kShard - 70000; },
      [](std::size_t i) { return i < 100 || i >= kShard - 100; },
      [](std::size_t i) { return (i & (i - 1)) == 0; },
      [](std::size_t i) { return i % 40000 < 900; },
      [](std::size_t i) { return i % 2 == 0; },
      [](std::size_t i) { return i % 129 == 0; },
  };
  Rng rng = Rng::stream(3, "shapes");
  for (const auto& shape : shapes)
    for (const codecs::SparseValues format : kFormats) {
      codecs::SparseVector given = entries(0, kShard, rng, shape);
      const Packed packed = expectRoundTrip({.begin = 0, .count = kShard}, given, format);
      // Never more than 5 bytes for an index, were it the worst there is.
      EXPECT_LE(packed.bytes.size(), codecs::kSparseHeaderBytes + given.indices.size() * (5 + valueBytes(format)));
    }
}

// The targets, asserted: at a random 1 % within 5 % of H(rho) / rho / 8 bytes an index, at most 3.1 bytes an entry with fp16.
TEST(SparseCodec, IndexBytesAreNearTheEntropyBound) {
  for (const double rho : {0.05, 0.01, 0.001}) {
    codecs::SparseVector given = randomEntries(kShard, rho, 5);
    const auto kept = static_cast<double>(given.indices.size());
    const double share = kept / static_cast<double>(kShard);
    const double bound = (-share * std::log2(share) - (1 - share) * std::log2(1 - share)) / share / 8;
    const Packed packed = expectRoundTrip({.begin = 0, .count = kShard}, given, codecs::SparseValues::kHalf);
    const double perEntry = static_cast<double>(packed.bytes.size()) / kept;
    EXPECT_LE(perEntry - 2, 1.05 * bound + 8 / kept) << rho;
    EXPECT_GE(perEntry - 2, 0.97 * bound) << rho;  // below it the count would be wrong (sampling noise apart)
    if (rho == 0.01) {
      EXPECT_LE(perEntry, 3.1);
    }
  }
}

TEST(SparseCodec, VarintsWhereTheyAreSmallerAndAllValuesWhereThoseAre) {
  Rng rng = Rng::stream(13, "layouts");
  const auto layoutOf = [&](const std::function<bool(std::size_t)>& keep) {
    codecs::SparseVector given = entries(0, 10000, rng, keep);
    return std::to_integer<int>(expectRoundTrip({.begin = 0, .count = 10000}, given, codecs::SparseValues::kReal).bytes[0]);
  };
  EXPECT_EQ(layoutOf([&](std::size_t) { return rng.uniform() < 0.01; }), 2);
  EXPECT_EQ(layoutOf([](std::size_t i) { return i % 127 == 0; }), 2);
  EXPECT_EQ(layoutOf([](std::size_t i) { return i % 3000 < 2; }), 3);  // gaps 0 and 2998: 1 and 2 bytes
  EXPECT_EQ(layoutOf([](std::size_t i) { return i % 100 != 0; }), 1);
}

// E21. Every fp16 value arrives bit for bit beside any other; others are rounded to nearest at 11 bits of the largest's scale.
TEST(SparseCodec, HalvesAreExactWhereTheyCanBe) {
  codecs::SparseVector given;
  for (unsigned bits = 0; bits < 0x8000; ++bits) {
    if ((bits & 0x7c00) == 0x7c00 || bits == 0) continue;
    given.indices.push_back(static_cast<std::uint32_t>(2 * bits));
    given.values.push_back(static_cast<Real>(fromHalf(static_cast<HalfBits>(bits))));
  }
  const std::vector<Real> before = given.values;
  expectRoundTrip({.begin = 0, .count = 0x10000}, given, codecs::SparseValues::kHalf);
  EXPECT_EQ(given.values, before);
}

TEST(SparseCodec, HalvesKeepElevenBitsOfAnyMagnitude) {
  Rng rng = Rng::stream(17, "scale");
  for (const double magnitude : {1e-30, 1e-9, 1.0, 65519.0, 1e20, 3e38}) {
    codecs::SparseVector given = entries(0, 500, rng, [](std::size_t i) { return i % 3 == 0; });
    for (Real& value : given.values) value *= static_cast<Real>(magnitude / 3);
    const std::vector<Real> before = given.values;
    expectRoundTrip({.begin = 0, .count = 500}, given, codecs::SparseValues::kHalf);
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_NEAR(static_cast<double>(given.values[i] / before[i]), 1, 1.0 / 2048) << before[i];
  }
  codecs::SparseVector largest{.indices = {3, 900}, .values = {std::numeric_limits<float>::max(), -std::numeric_limits<float>::max()}};
  expectRoundTrip({.begin = 0, .count = 1000}, largest, codecs::SparseValues::kHalf);
  EXPECT_GT(largest.values[0], Real(3.39e38));
}

TEST(SparseCodec, RefusesEveryTruncationAndExtension) {
  for (const codecs::SparseValues format : kFormats)
    for (const double density : {0.02, 0.3, 1.0}) {
      codecs::SparseVector given = randomEntries(200, density, 19);
      Bytes bytes = bytesOf(codecs::packSparse({.begin = 0, .count = 200}, given.indices, given.values, format));
      for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_THAT(refusal(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)), 200), HasSubstr("w1 sent a malformed sparse vector"))
            << size << " of " << bytes.size();
      bytes.push_back(std::byte{0});
      EXPECT_NE(refusal(bytes, 200), "");
    }
}

// Whatever is read from flipped bits is a vector within its bounds.
TEST(SparseCodec, EveryFlippedBitIsReadWithinBoundsOrRefused) {
  Rng rng = Rng::stream(23, "flips");
  const std::vector<std::function<bool(std::size_t)>> shapes = {[&](std::size_t) { return rng.uniform() < 0.05; },
                                                               [](std::size_t i) { return i % 250 < 2; }, [](std::size_t) { return true; }};
  for (const auto& shape : shapes)
    for (const codecs::SparseValues format : kFormats) {
      codecs::SparseVector given = entries(0, 500, rng, shape);
      const Bytes bytes = bytesOf(codecs::packSparse({.begin = 0, .count = 500}, given.indices, given.values, format));
      for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
        Bytes flipped = bytes;
        flipped[bit / 8] ^= std::byte(1 << bit % 8);
        codecs::SparseVector got;
        try {
          codecs::unpackSparse(Packed::of(Packing::kSparse, 500, flipped), 500, "w1", got);
        } catch (const Error& error) {
          EXPECT_THAT(error.what(), HasSubstr("w1 sent a malformed sparse vector"));
          continue;
        }
        ASSERT_EQ(got.indices.size(), got.values.size());
        for (std::size_t i = 0; i < got.indices.size(); ++i) {
          ASSERT_LT(got.indices[i], 500u);
          ASSERT_TRUE(i == 0 || got.indices[i] > got.indices[i - 1]);
          ASSERT_TRUE(std::isfinite(got.values[i]));
        }
      }
    }
}

TEST(SparseCodec, RandomBytesNeverBreakIt) {
  Rng rng = Rng::stream(29, "noise");
  for (int i = 0; i < 200'000; ++i) {
    Bytes bytes(rng.below(64));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(rng.next());
    if (bytes.size() > 7) {  // past the first checks
      bytes[0] = static_cast<std::byte>(1 + rng.below(3) + 16 * rng.below(2));
      bytes[1] = static_cast<std::byte>(rng.below(8));
      bytes[2] = bytes[3] = bytes[5] = bytes[6] = bytes[7] = std::byte{0};
      bytes[4] = static_cast<std::byte>(rng.below(20));
    }
    refusal(bytes, 100);
  }
}

TEST(SparseCodec, SaysWhatIsWrong) {
  codecs::SparseVector given{.indices = {3, 50}, .values = {1, 2}};
  const Bytes good = bytesOf(codecs::packSparse({.begin = 0, .count = 1000}, given.indices, given.values, codecs::SparseValues::kReal));
  const auto with = [&](std::size_t at, int value) {
    Bytes bytes = good;
    bytes[at] = static_cast<std::byte>(value);
    return refusal(bytes, 1000);
  };
  EXPECT_EQ(refusal(good, 1000), "");
  EXPECT_THAT(with(0, 7), HasSubstr("layout 7 is not known"));
  EXPECT_THAT(with(1, 200), HasSubstr("Rice parameter 200"));
  EXPECT_THAT(with(2, 1), HasSubstr("exponent 1"));
  EXPECT_THAT(with(6, 1), HasSubstr("65538 entries of 1000 elements"));
  EXPECT_THAT(refusal(good, 1000, Packing::kHalf), HasSubstr("packing 1"));
  EXPECT_THAT(refusal(good, 51), "");
  EXPECT_THAT(refusal(good, 50), HasSubstr("an index behind its 50 elements"));
  Bytes nan = good;
  const Real bad = std::numeric_limits<Real>::quiet_NaN();
  std::memcpy(nan.data() + nan.size() - sizeof bad, &bad, sizeof bad);
  EXPECT_THAT(refusal(nan, 1000), HasSubstr("w1 sent a malformed sparse vector: a value that is not finite"));
  codecs::SparseVector into;
  EXPECT_THROW(codecs::unpackSparse(Packed::of(Packing::kSparse, 1000, good), 999, "w1", into), Error);
}

TEST(SparseCodec, WrongEntriesAreOurBug) {
  const codecs::SparseRange range{.begin = 10, .count = 10};
  const auto pack = [&](std::vector<std::uint32_t> indices, std::vector<Real> values) { codecs::packSparse(range, indices, values, codecs::SparseValues::kReal); };
  EXPECT_NO_THROW(pack({10, 19}, {1, 1}));
  EXPECT_THROW(pack({9, 12}, {1, 1}), InvariantError);
  EXPECT_THROW(pack({12, 20}, {1, 1}), InvariantError);
  EXPECT_THROW(pack({12, 12}, {1, 1}), InvariantError);
  EXPECT_THROW(pack({13, 12}, {1, 1}), InvariantError);
  EXPECT_THROW(pack({12}, {1, 1}), InvariantError);
  EXPECT_THROW(pack({12}, {std::numeric_limits<Real>::infinity()}), InvariantError);
}

}  // namespace
}  // namespace paceline::tests
