// Selection against its definition: sort by (absolute value descending, index ascending), take k, drop zeros.
#include "engine/comm/codecs/select.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;

std::vector<std::uint32_t> byDefinition(std::span<const Real> values, std::size_t k) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return std::abs(values[a]) > std::abs(values[b]); });
  order.resize(std::min(k, order.size()));
  std::erase_if(order, [&](std::uint32_t i) { return values[i] == 0; });
  std::sort(order.begin(), order.end());
  return order;
}

// Every way to select, forced and by itself.
std::vector<codecs::Selector> selectors() {
  std::vector<codecs::Selector> all;
  for (const codecs::SelectMethod method : {codecs::SelectMethod::kAuto, codecs::SelectMethod::kExact, codecs::SelectMethod::kSampled})
    for (const CpuPath path : {CpuPath::kBest, CpuPath::kPortable}) all.emplace_back(method, path);
  return all;
}

void expectByDefinition(std::vector<codecs::Selector>& all, std::span<const Real> values, std::size_t k, const std::string& name) {
  const std::vector<std::uint32_t> expected = byDefinition(values, k);
  for (std::size_t s = 0; s < all.size(); ++s) {
    std::vector<std::uint32_t> got;
    all[s].largest(values, k, 0, "it", got);
    EXPECT_EQ(got, expected) << name << ", " << values.size() << " values, k = " << k << ", selector " << s;
  }
}

using Draw = std::function<Real(Rng&)>;

const std::vector<std::pair<std::string, Draw>>& distributions() {
  static const std::vector<std::pair<std::string, Draw>> all = {
      {"normal", [](Rng& rng) { return static_cast<Real>(rng.normal()); }},
      {"uniform", [](Rng& rng) { return static_cast<Real>(rng.uniform(-1, 1)); }},
      {"few values", [](Rng& rng) { return static_cast<Real>(static_cast<int>(rng.below(7)) - 3); }},
      {"one value", [](Rng& rng) { return static_cast<Real>(rng.below(2) == 0 ? 1.5 : -1.5); }},
      {"zeros", [](Rng&) { return Real{0}; }},
      {"mostly zeros", [](Rng& rng) { return rng.below(100) == 0 ? static_cast<Real>(rng.normal()) : Real(rng.below(2) == 0 ? 0.0 : -0.0); }},
      {"heavy tail", [](Rng& rng) { return static_cast<Real>(std::pow(rng.uniform() + 1e-9, -3)); }},
      {"denormal", [](Rng& rng) { return static_cast<Real>(rng.normal()) * std::numeric_limits<Real>::denorm_min() * 100; }},
      {"lowest bits", [](Rng& rng) { return Real{1} + static_cast<Real>(rng.below(100)) * std::numeric_limits<Real>::epsilon(); }},
  };
  return all;
}

TEST(Select, IsItsDefinitionWhateverTheMethodAndTheCpu) {
  std::vector<codecs::Selector> all = selectors();
  for (const auto& [name, draw] : distributions())
    for (const std::size_t size : {1, 2, 7, 8, 31, 32, 33, 100, 4095, 4096, 20'011}) {
      Rng rng = Rng::stream(size, name);
      std::vector<Real> values(size);
      for (Real& value : values) value = draw(rng);
      for (const std::size_t k : {std::size_t{1}, std::size_t{2}, size / 100, size / 10, size / 2, size - 1, size, size + 5})
        if (k > 0) expectByDefinition(all, values, k, name);
    }
}

TEST(Select, LongVectorsWhereASamplePays) {
  std::vector<codecs::Selector> all = selectors();
  for (const auto& [name, draw] : distributions()) {
    Rng rng = Rng::stream(9, name);
    std::vector<Real> values(200'003);
    for (Real& value : values) value = draw(rng);
    for (const std::size_t k : {1, 200, 2000, 20'000}) expectByDefinition(all, values, k, name);
  }
}

// A few huge values at the front: whoever samples them believes there are many.
TEST(Select, ASampleThatMisleadsIsFoundOut) {
  std::vector<codecs::Selector> all = selectors();
  Rng rng = Rng::stream(2, "misleading");
  for (const std::size_t huge : {1, 50, 400, 3000}) {
    std::vector<Real> values(100'000);
    for (Real& value : values) value = static_cast<Real>(rng.normal());
    for (std::size_t i = 0; i < huge; ++i) values[i * 33] = Real(1e6) + static_cast<Real>(i);
    expectByDefinition(all, values, 1000, "huge");
  }
}

TEST(Select, TenThousandRandomCases) {
  std::vector<codecs::Selector> all = selectors();
  Rng rng = Rng::stream(4, "cases");
  for (int i = 0; i < 10'000 && !HasFailure(); ++i) {
    const auto& [name, draw] = distributions()[rng.below(distributions().size())];
    std::vector<Real> values(1 + rng.below(120));
    for (Real& value : values) value = draw(rng);
    expectByDefinition(all, values, 1 + rng.below(values.size()), name);
  }
}

TEST(Select, AppendsIndicesOfTheWholeVector) {
  const std::vector<Real> values{1, -5, 3, 0};
  std::vector<std::uint32_t> into{7};
  codecs::Selector selector;
  selector.largest(values, 2, 4'000'000'000, "it", into);
  EXPECT_EQ(into, (std::vector<std::uint32_t>{7, 4'000'000'001, 4'000'000'002}));
  selector.largest({}, 2, 0, "it", into);
  selector.largest(values, 0, 0, "it", into);
  EXPECT_EQ(into.size(), 3u);
}

TEST(Select, RefusesWhatIsNotFinite) {
  std::vector<codecs::Selector> all = selectors();
  for (const double bad : {std::nan(""), static_cast<double>(std::numeric_limits<Real>::infinity()), -std::numeric_limits<double>::infinity()})
    for (const std::size_t size : {5, 5000, 100'000})
      for (const std::size_t at : {std::size_t{0}, size / 2, size - 1})
        for (codecs::Selector& selector : all) {
          std::vector<Real> values(size, Real(1));
          values[at] = static_cast<Real>(bad);
          std::vector<std::uint32_t> into;
          try {
            selector.largest(values, 1 + size / 100, 0, "the gradient of \"fc1.weight\"", into);
            ADD_FAILURE() << bad << " at " << at << " of " << size;
          } catch (const Error& error) {
            EXPECT_EQ(error.code(), Errc::kData);
            EXPECT_THAT(error.what(), HasSubstr("the gradient of \"fc1.weight\" has the value "));
            EXPECT_THAT(error.what(), HasSubstr(strCat("at place ", at, ":")));
          }
        }
}

// A selection elsewhere, for as long as it lives.
struct Elsewhere {
  Elsewhere(std::size_t from, int& calls) {
    codecs::selectElsewhere([&calls](const Real* values, std::size_t size, std::size_t k, std::vector<std::uint32_t>& places) {
      ++calls;
      places = byDefinition({values, size}, k);
    }, from);
  }
  ~Elsewhere() { codecs::selectElsewhere({}, 0); }
};

TEST(Select, ElsewhereIsAskedForLongVectorsOnly) {
  int calls = 0;
  const Elsewhere installed(100, calls);
  Rng rng = Rng::stream(6, "elsewhere");
  std::vector<codecs::Selector> all = selectors();
  for (const std::size_t size : {99, 100, 5000}) {
    std::vector<Real> values(size);
    for (Real& value : values) value = static_cast<Real>(rng.normal());
    calls = 0;
    expectByDefinition(all, values, 10, "elsewhere");
    EXPECT_EQ(calls, size < 100 ? 0 : 2) << size;  // the two selectors of SelectMethod::kAuto
  }
}

TEST(Select, ElsewhereTooIndicesAreTheWholeVectors) {
  int calls = 0;
  const Elsewhere installed(1, calls);
  std::vector<std::uint32_t> into{7};
  codecs::Selector().largest(std::vector<Real>{1, -5, 3, 0}, 2, 4'000'000'000, "it", into);
  EXPECT_EQ(into, (std::vector<std::uint32_t>{7, 4'000'000'001, 4'000'000'002}));
  EXPECT_EQ(calls, 1);
}

TEST(Select, ElsewhereTooDivergedTrainingIsNamed) {
  int calls = 0;
  const Elsewhere installed(1, calls);
  std::vector<Real> values(5000, Real{1});
  values[1234] = std::numeric_limits<Real>::infinity();
  std::vector<std::uint32_t> into;
  try {
    codecs::Selector().largest(values, 3, 0, "the gradient", into);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the gradient has the value inf at place 1234:"));
  }
  EXPECT_TRUE(into.empty());
  EXPECT_EQ(calls, 1);
}

TEST(KeptOf, IsTheFloorOfTheDecimalFractionAndAtLeastOne) {
  EXPECT_EQ(codecs::keptOf(100, 0.29), 29u);  // 0.29 * 100 is 28.999999999999996
  EXPECT_EQ(codecs::keptOf(1000, 0.01), 10u);
  EXPECT_EQ(codecs::keptOf(1999, 0.01), 19u);
  EXPECT_EQ(codecs::keptOf(99, 0.01), 1u);
  EXPECT_EQ(codecs::keptOf(1, 0.001), 1u);
  EXPECT_EQ(codecs::keptOf(7, 1.0), 7u);
  for (std::size_t n = 100; n <= 1'000'000; n *= 10) {
    EXPECT_EQ(codecs::keptOf(n, 0.01), n / 100);
    EXPECT_EQ(codecs::keptOf(n, 0.01 * 0.1), std::max<std::size_t>(1, n / 1000));         // tied to a rate that fell tenfold
    EXPECT_EQ(codecs::keptOf(n, 0.01 * std::pow(0.1, 2)), std::max<std::size_t>(1, n / 10000));
  }
  for (std::size_t n = 1; n <= 3000; ++n)
    for (int percent = 1; percent <= 100; ++percent)
      ASSERT_EQ(codecs::keptOf(n, percent / 100.0), std::max<std::size_t>(1, n * static_cast<std::size_t>(percent) / 100)) << n << ' ' << percent;
}

}  // namespace
}  // namespace paceline::tests
