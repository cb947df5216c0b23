#include "engine/core/base/vec.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"

namespace paceline::tests {
namespace {

template <class T>
std::vector<T> noise(std::size_t size, std::uint64_t index) {
  Rng rng = Rng::stream(3, "noise", index);
  std::vector<T> values(size);
  for (T& value : values) value = static_cast<T>(rng.uniform(-100, 100));
  return values;
}

// Every input starts `skew` elements into its buffer, the output `outSkew`.
template <class T>
void expectPlainSum(std::size_t inputs, std::size_t size, std::size_t skew, std::size_t outSkew) {
  std::vector<std::vector<T>> buffers;
  std::vector<const T*> starts;
  for (std::size_t k = 0; k < inputs; ++k) buffers.push_back(noise<T>(size + skew, k));
  for (const auto& buffer : buffers) starts.push_back(buffer.data() + skew);
  const T scale = static_cast<T>(1) / static_cast<T>(3);
  std::vector<T> expected(size);
  for (std::size_t i = 0; i < size; ++i) {
    T sum = starts[0][i];
    for (std::size_t k = 1; k < inputs; ++k) sum += starts[k][i];
    expected[i] = sum * scale;
  }
  // 64-byte aligned start, so that outSkew alone decides the alignment; one guard element behind the output.
  std::vector<T> storage(size + outSkew + 1 + 64 / sizeof(T), T{77});
  const auto address = reinterpret_cast<std::uintptr_t>(storage.data());
  T* out = storage.data() + (64 - address % 64) % 64 / sizeof(T) + outSkew;
  sumOf<T>(starts, scale, std::span<T>(out, size));
  EXPECT_TRUE(size == 0 || std::memcmp(out, expected.data(), size * sizeof(T)) == 0) << inputs << " inputs of " << size << " at " << skew << ", " << outSkew;
  EXPECT_EQ(out[size], T{77}) << "wrote behind the output";
}

template <class T>
void sweep() {
  for (std::size_t inputs = 1; inputs <= 10; ++inputs)
    for (const std::size_t size : {0, 1, 7, 15, 16, 17, 33, 1023, 2049})
      for (const std::size_t skew : {0, 1, 3})
        for (const std::size_t outSkew : {0, 1}) expectPlainSum<T>(inputs, size, skew, outSkew);
}

TEST(SumOf, IsBitForBitThePlainLoopInFloat) { sweep<float>(); }
TEST(SumOf, IsBitForBitThePlainLoopInDouble) { sweep<double>(); }

TEST(SumOf, IsBitForBitThePlainLoopWhereItStreams) {
  for (const std::size_t inputs : {1, 2, 3, 4, 5, 6, 7, 8, 9})
    for (const std::size_t size : {65537, 65536 + 31, 100003}) {
      expectPlainSum<float>(inputs, size, 1, 0);
      expectPlainSum<double>(inputs, size, 1, 0);
      expectPlainSum<float>(inputs, size, 0, 1);
    }
}

TEST(SumOf, MayWriteOverOneOfItsInputs) {
  for (const std::size_t inputs : {3, 9}) {
    const std::size_t size = 5003;
    std::vector<std::vector<float>> buffers;
    for (std::size_t k = 0; k < inputs; ++k) buffers.push_back(noise<float>(size, k));
    std::vector<const float*> starts;
    for (const auto& buffer : buffers) starts.push_back(buffer.data());
    std::vector<float> apart(size);
    sumOf<float>(starts, 0.5F, apart);
    sumOf<float>(starts, 0.5F, buffers[1]);
    EXPECT_EQ(buffers[1], apart);
  }
}

TEST(SumOf, NeedsAnInput) {
  std::vector<float> out(3);
  EXPECT_THROW(sumOf<float>({}, 1.0F, out), InvariantError);
}

TEST(AddScaled, AddsInPlace) {
  std::vector<double> y = {1, 2, 3};
  const std::vector<double> x = {10, 20, 30};
  addScaled<double>(y, -0.5, x);
  EXPECT_EQ(y, (std::vector<double>{-4, -8, -12}));
}

}  // namespace
}  // namespace paceline::tests
