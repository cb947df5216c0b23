#include "agent/supervisor/probe/probe.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>

#include <nlohmann/json.hpp>

#include "engine/core/base/error.h"

namespace paceline::probe {
namespace {

// One block: A 72 KiB, B 64 KiB, C 18 KiB. 2 * 72 * 64 * 256 operations, 20 to 200 us.
constexpr int kRows = 72, kColumns = 64, kDepth = 256;
constexpr double kOperations = 2.0 * kRows * kColumns * kDepth;
constexpr double kWarmUpSeconds = 0.05;  // until the clock frequency is up

// clang knows no GCC pragmas: a build by it measures the base kernel alone.
#if defined(__x86_64__) && !defined(__clang__)
#define PACELINE_WIDE_KERNELS
#endif

#if defined(PACELINE_WIDE_KERNELS)
namespace base {
constexpr int kVectorBytes = 16, kPanel = 6;
#include "agent/supervisor/compute_kernel.inc"
}  // namespace base
#pragma GCC push_options
#pragma GCC target("avx2,fma")
namespace avx2 {
constexpr int kVectorBytes = 32, kPanel = 6;
#include "agent/supervisor/compute_kernel.inc"
}  // namespace avx2
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,prefer-vector-width=512")
namespace avx512 {
constexpr int kVectorBytes = 64, kPanel = 12;
#include "agent/supervisor/compute_kernel.inc"
}  // namespace avx512
#pragma GCC pop_options
#else
namespace base {
constexpr int kVectorBytes = 16, kPanel = 12;
#include "agent/supervisor/compute_kernel.inc"
}  // namespace base
#endif

struct Kernel {
  const char* name;
  void (*multiply)(const float* a, const float* b, float* c);
  int panel, width;  // of the packing
};

std::vector<Kernel> kernels() {  // the best first
  std::vector<Kernel> all;
#if defined(PACELINE_WIDE_KERNELS)
  if (__builtin_cpu_supports("avx512f")) all.push_back({"avx512", avx512::multiply, avx512::kPanel, avx512::kWidth});
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) all.push_back({"avx2", avx2::multiply, avx2::kPanel, avx2::kWidth});
#endif
  all.push_back({"base", base::multiply, base::kPanel, base::kWidth});
  return all;
}

float elementOf(std::uint32_t index) {  // the same numbers everywhere, in [-1, 1)
  const std::uint32_t mixed = (index * 2654435761u) >> 8;
  return static_cast<float>(mixed) / 8388608.0f - 1.0f;
}
float elementA(int row, int k) { return elementOf(static_cast<std::uint32_t>(row * kDepth + k)); }
float elementB(int k, int column) { return elementOf(static_cast<std::uint32_t>(1'000'000 + k * kColumns + column)); }

// One thread's matrices, packed for a kernel.
class Block {
 public:
  explicit Block(const Kernel& kernel) : kernel_(kernel), memory_(allocate()) {
    for (int row = 0; row < kRows; ++row)
      for (int k = 0; k < kDepth; ++k) a()[(row / kernel.panel * kDepth + k) * kernel.panel + row % kernel.panel] = elementA(row, k);
    for (int k = 0; k < kDepth; ++k)
      for (int column = 0; column < kColumns; ++column)
        b()[(column / kernel.width * kDepth + k) * kernel.width + column % kernel.width] = elementB(k, column);
  }
  void multiply() { kernel_.multiply(a(), b(), c()); }
  float* c() { return b() + kColumns * kDepth; }

 private:
  float* a() { return memory_.get(); }
  float* b() { return a() + kRows * kDepth; }
  static std::unique_ptr<float, void (*)(void*)> allocate() {
    constexpr std::size_t kBytes = sizeof(float) * (kRows * kDepth + kColumns * kDepth + kRows * kColumns);
    static_assert(kBytes % 64 == 0);
    auto* memory = static_cast<float*>(std::aligned_alloc(64, kBytes));
    if (memory == nullptr) throw std::bad_alloc();
    return {memory, &std::free};
  }

  const Kernel& kernel_;
  std::unique_ptr<float, void (*)(void*)> memory_;
};

using Clock = std::chrono::steady_clock;
double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// What all threads did from the moment all were warm, over the time until the last of them stopped.
double gflops(const Kernel& kernel, int threads, double seconds) {
  std::barrier warm(threads);
  std::atomic<std::int64_t> blocks{0};
  std::atomic<double> elapsed{0}, checksum{0};  // the products are used, so nothing is optimised away
  {
    std::vector<std::jthread> all;
    for (int i = 0; i < threads; ++i)
      all.emplace_back([&] {
        Block block(kernel);
        for (const auto begin = Clock::now(); since(begin) < kWarmUpSeconds;) block.multiply();
        warm.arrive_and_wait();
        const auto begin = Clock::now();
        std::int64_t done = 0;
        for (; since(begin) < seconds; ++done) block.multiply();
        const double took = since(begin);
        blocks += done;
        for (double seen = elapsed; took > seen && !elapsed.compare_exchange_weak(seen, took);) continue;
        checksum = block.c()[0];
      });
  }
  PACELINE_CHECK(checksum.load() < 1e9, "product of the compute benchmark");
  return static_cast<double>(blocks) * kOperations / elapsed / 1e9;
}

}  // namespace

std::string computeJson(const std::string& seconds) {
  double wanted = 0;
  const auto [end, error] = std::from_chars(seconds.data(), seconds.data() + seconds.size(), wanted);
  if (error != std::errc() || end != seconds.data() + seconds.size() || !(wanted >= 0.1 && wanted <= 60))
    throw Error(Errc::kUsage, strCat("compute: seconds must be a number from 0.1 to 60, got ", seconds));
  const Kernel kernel = kernels().front();
  const CpuFacts cpus = cpuFacts();
  const int runsBefore = activeRuns();
  const auto begin = Clock::now();
  std::optional<double> others = 0;
  const auto measured = [&](int threads) {
    const CpuTimes before = cpuTimes();
    const double speed = gflops(kernel, threads, wanted / 2);
    const std::optional<double> now = othersBetween(before, cpuTimes());
    others = now && others ? std::optional(std::max(*now, *others)) : std::nullopt;
    return speed;
  };
  const double one = measured(1), all = measured(cpus.usable), took = since(begin);
  const nlohmann::json json = {{"gflops_all", all}, {"gflops_one", one}, {"threads", cpus.usable}, {"seconds", took}, {"kernel", kernel.name},
                               {"cpus", std::max(cpus.allowed, cpus.usable)}, {"others_cpus", others ? nlohmann::json(*others) : nlohmann::json()},
                               {"active_runs", std::max(runsBefore, activeRuns())}};
  return json.dump();
}

std::vector<std::string> computeKernels() {
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels()) names.emplace_back(kernel.name);
  return names;
}

std::vector<float> computeProduct(const std::string& kernel) {
  std::vector<float> product(static_cast<std::size_t>(kRows) * kColumns);
  for (const Kernel& each : kernels()) {
    if (each.name != kernel) continue;
    Block block(each);
    block.multiply();
    std::copy_n(block.c(), product.size(), product.begin());
    return product;
  }
  for (int row = 0; row < kRows; ++row)
    for (int column = 0; column < kColumns; ++column) {
      double sum = 0;
      for (int k = 0; k < kDepth; ++k) sum += static_cast<double>(elementA(row, k)) * static_cast<double>(elementB(k, column));
      product[static_cast<std::size_t>(row * kColumns + column)] = static_cast<float>(sum);
    }
  return product;
}

}  // namespace paceline::probe
