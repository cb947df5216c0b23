// Every compressor below the one error feedback: nothing of a vector is ever lost, whatever it leaves out.
#include "engine/comm/codecs/compressor.h"

#include <gtest/gtest.h>

#include <memory>

#include "engine/comm/codecs/codec.h"
#include "engine/core/base/rng.h"

namespace paceline::tests {
namespace {

constexpr std::size_t kSize = 300;
const std::vector<ShardRange> kParts{{.offset = 0, .size = 130, .server = 0}, {.offset = 130, .size = 170, .server = 1}};

struct Case {
  const char* name;
  std::function<std::unique_ptr<codecs::Compressor>()> make;
};
const Case kCases[] = {{"fp16", [] { return codecs::denseCompressor(Packing::kHalf); }},
                       {"int8", [] { return codecs::denseCompressor(Packing::kInt8); }},
                       {"top_k", [] {
                          auto topK = std::make_unique<codecs::TopK>(0, codecs::SparseValues::kHalf);
                          topK->setLayers({{.begin = 0, .size = 200, .name = "head"}, {.begin = 200, .size = 100, .name = "tail"}});
                          topK->setFraction(0.05);
                          return topK;
                        }}};

// What the receivers read, at its places in the whole vector.
std::vector<Real> readBack(const std::vector<Packed>& payloads) {
  std::vector<Real> all(kSize);
  for (std::size_t p = 0; p < payloads.size(); ++p) {
    if (payloads[p].packing == Packing::kSparse) {
      codecs::SparseVector entries;
      codecs::unpackSparse(payloads[p], kParts[p].size, "it", entries);
      for (std::size_t i = 0; i < entries.indices.size(); ++i) all[kParts[p].offset + entries.indices[i]] = entries.values[i];
    } else {
      const Dense dense = codecs::unpackDense(payloads[p], "it");
      std::copy(dense.values().begin(), dense.values().end(), all.begin() + static_cast<std::ptrdiff_t>(kParts[p].offset));
    }
  }
  return all;
}

std::vector<Real> integers(std::int64_t step) {
  Rng rng = Rng::stream(1, "values", static_cast<std::uint64_t>(step));
  std::vector<Real> values(kSize);
  for (Real& value : values) value = static_cast<Real>(static_cast<std::int64_t>(rng.below(4001)) - 2000);
  return values;
}

TEST(ErrorFeedback, WhatWasSentAndWhatWaitsIsWhatWasPutIn) {
  for (const Case& each : kCases) {
    const std::unique_ptr<codecs::Compressor> inner = each.make();
    codecs::ErrorFeedback feedback(*inner);
    std::vector<double> in(kSize), out(kSize);
    for (int step = 0; step < 20; ++step) {
      const std::vector<Real> values = integers(step);
      const std::vector<Real> got = readBack(feedback.compress(values, kParts));
      for (std::size_t i = 0; i < kSize; ++i) {
        in[i] += static_cast<double>(values[i]);
        out[i] += static_cast<double>(got[i]);
        EXPECT_NEAR(out[i] + static_cast<double>(feedback.rest()[i]), in[i], 0.02) << each.name << ", step " << step << ", element " << i;
      }
    }
  }
}

TEST(ErrorFeedback, WithoutItTheRestIsLost) {
  for (const Case& each : kCases) {
    const std::unique_ptr<codecs::Compressor> plain = each.make(), inner = each.make();
    codecs::ErrorFeedback feedback(*inner);
    std::vector<Real> values = integers(1);
    for (Real& value : values) value /= 3;  // fp16 has the integers exactly
    EXPECT_EQ(readBack(plain->compress(values, kParts, {})), readBack(feedback.compress(values, kParts))) << each.name;
    EXPECT_EQ(readBack(plain->compress(values, kParts, {})), readBack(plain->compress(values, kParts, {}))) << each.name;
    const std::vector<Real> nothing(kSize);
    EXPECT_EQ(readBack(plain->compress(nothing, kParts, {})), nothing) << each.name;
    EXPECT_NE(readBack(feedback.compress(nothing, kParts)), nothing) << each.name << " sends what waited";
  }
}

}  // namespace
}  // namespace paceline::tests
