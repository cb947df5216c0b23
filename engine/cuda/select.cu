#include "engine/cuda/select.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdlib>
#include <cub/block/block_scan.cuh>
#include <memory>

#include "engine/core/base/error.h"
#include "engine/cuda/select_steps.h"

namespace paceline {
namespace {

using namespace select_steps;

constexpr int kThreads = 256;
constexpr int kPerThread = 8;
constexpr std::uint32_t kTile = kThreads * kPerThread;  // values of one block while it counts and writes
constexpr int kScanThreads = 1024;

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw Error(Errc::kHost, strCat("selection on the device, ", what, ": ", cudaGetErrorString(status)));
}

struct PlusCounts {
  __device__ Counts operator()(const Counts& a, const Counts& b) const { return plus(a, b); }
};

// Counts of one digit over the values that share the cut's higher ones: in each block's shared memory, then added up.
__global__ void histogram(const float* values, std::uint32_t size, const Cut* cut, int digit, std::uint32_t* counted) {
  __shared__ std::uint32_t local[kBuckets];
  const std::uint32_t buckets = bucketsOf(digit);
  for (std::uint32_t b = threadIdx.x; b < buckets; b += blockDim.x) local[b] = 0;
  __syncthreads();
  const Cut known = *cut;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += std::uint64_t{gridDim.x} * blockDim.x) {
    const std::uint32_t key = keyOf(values[i]);
    if (counts(key, known, digit)) atomicAdd(&local[bucketOf(key, digit)], 1U);
  }
  __syncthreads();
  for (std::uint32_t b = threadIdx.x; b < buckets; b += blockDim.x)
    if (local[b] != 0) atomicAdd(&counted[b], local[b]);
}

// One block: the next digit of the cut. Leaves the histogram empty for the next one.
__global__ void nextDigit(std::uint32_t* counted, int digit, Cut* cut) {
  using Scan = cub::BlockScan<std::uint32_t, kScanThreads>;
  __shared__ typename Scan::TempStorage scan;
  const std::uint32_t buckets = bucketsOf(digit);
  const Cut known = *cut;
  __syncthreads();
  std::uint32_t fromTop[2], suffix[2];  // thread t has the buckets 2t and 2t + 1, counted from the top
  for (std::uint32_t j = 0; j < 2; ++j) {
    const std::uint32_t top = 2 * threadIdx.x + j;
    fromTop[j] = top < buckets ? counted[buckets - 1 - top] : 0;
  }
  Scan(scan).InclusiveSum(fromTop, suffix);
  for (std::uint32_t j = 0; j < 2; ++j) {
    const std::uint32_t top = 2 * threadIdx.x + j, above = suffix[j] - fromTop[j];
    if (top >= buckets) continue;
    if (isNextDigit(suffix[j], above, known)) {
      const Cut next = withDigit(known, digit, buckets - 1 - top, above);
      *cut = digit == kDigits - 1 ? withoutZeros(next) : next;
    }
    counted[buckets - 1 - top] = 0;
  }
}

__global__ void countTiles(const float* values, std::uint32_t size, const Cut* cut, Counts* tiles) {
  using Reduce = cub::BlockScan<Counts, kThreads>;
  __shared__ typename Reduce::TempStorage storage;
  const Cut known = *cut;
  Counts mine{0, 0}, ignored, total;
  const std::uint32_t from = blockIdx.x * kTile + threadIdx.x * kPerThread;
  for (std::uint32_t i = from; i < from + kPerThread && i < size; ++i) mine = plus(mine, of(keyOf(values[i]), known));
  Reduce(storage).ExclusiveScan(mine, ignored, Counts{0, 0}, PlusCounts{}, total);
  if (threadIdx.x == 0) tiles[blockIdx.x] = total;
}

// One block: what all tiles before each one have; behind the last, how many places come out.
__global__ void beforeTiles(Counts* tiles, std::uint32_t count, const Cut* cut, std::uint32_t* kept) {
  using Scan = cub::BlockScan<Counts, kScanThreads>;
  __shared__ typename Scan::TempStorage scan;
  Counts carried{0, 0};
  for (std::uint32_t from = 0; from < count; from += kScanThreads) {
    const std::uint32_t tile = from + threadIdx.x;
    Counts before, total;
    Scan(scan).ExclusiveScan(tile < count ? tiles[tile] : Counts{0, 0}, before, Counts{0, 0}, PlusCounts{}, total);
    if (tile < count) tiles[tile] = plus(carried, before);
    carried = plus(carried, total);
    __syncthreads();
  }
  if (threadIdx.x == 0) *kept = placeInOutput(carried, *cut);
}

__global__ void writePlaces(const float* values, std::uint32_t size, const Cut* cut, const Counts* tiles, std::uint32_t* places) {
  using Scan = cub::BlockScan<Counts, kThreads>;
  __shared__ typename Scan::TempStorage scan;
  const Cut known = *cut;
  Counts mine{0, 0}, before;
  const std::uint32_t from = blockIdx.x * kTile + threadIdx.x * kPerThread;
  for (std::uint32_t i = from; i < from + kPerThread && i < size; ++i) mine = plus(mine, of(keyOf(values[i]), known));
  Scan(scan).ExclusiveScan(mine, before, Counts{0, 0}, PlusCounts{});
  before = plus(tiles[blockIdx.x], before);
  for (std::uint32_t i = from; i < from + kPerThread && i < size; ++i) {
    const Counts self = of(keyOf(values[i]), known);
    if (keeps(self, before, known)) places[placeInOutput(before, known)] = i;
    before = plus(before, self);
  }
}

// Memory of the device, or pinned memory of the host, that grows and never shrinks.
template <class T, bool kPinned>
class Buffer {
 public:
  Buffer() = default;
  ~Buffer() { release(); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* get() const { return memory_; }
  void reserve(std::size_t count) {
    if (count <= room_) return;
    release();
    void* memory = nullptr;
    check(kPinned ? cudaMallocHost(&memory, count * sizeof(T)) : cudaMalloc(&memory, count * sizeof(T)), "memory");
    memory_ = static_cast<T*>(memory);
    room_ = count;
  }

 private:
  void release() {
    if (memory_ != nullptr) static_cast<void>(kPinned ? cudaFreeHost(memory_) : cudaFree(memory_));
    memory_ = nullptr;
    room_ = 0;
  }
  T* memory_ = nullptr;
  std::size_t room_ = 0;
};

class SelectOnDevice {
 public:
  explicit SelectOnDevice(int device) : device_(current(device)) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
    counted_.reserve(kBuckets);
    cut_.reserve(1);
    kept_.reserve(1);
    pinnedKept_.reserve(1);
    check(cudaMemsetAsync(counted_.get(), 0, kBuckets * sizeof(std::uint32_t), stream_), "histogram");
  }
  ~SelectOnDevice() { cudaStreamDestroy(stream_); }
  SelectOnDevice(const SelectOnDevice&) = delete;
  SelectOnDevice& operator=(const SelectOnDevice&) = delete;

  void places(const float* values, std::size_t count, std::size_t k, std::vector<std::uint32_t>& into) {
    into.clear();
    k = std::min(k, count);
    if (k == 0) return;
    PACELINE_CHECK(count <= std::size_t{1} << 31, "a tile's end fits 32 bits");
    check(cudaSetDevice(device_), "device");
    const auto size = static_cast<std::uint32_t>(count), tiles = (size + kTile - 1) / kTile;
    upload(values, count);
    tiles_.reserve(tiles);
    places_.reserve(k);
    pinnedPlaces_.reserve(k);
    *pinnedCut_.get() = {0, static_cast<std::uint32_t>(k)};
    check(cudaMemcpyAsync(cut_.get(), pinnedCut_.get(), sizeof(Cut), cudaMemcpyHostToDevice, stream_), "copy to the device");
    const unsigned blocks = std::min(tiles, 1024U);
    for (int digit = 0; digit < kDigits; ++digit) {
      histogram<<<blocks, kThreads, 0, stream_>>>(values_.get(), size, cut_.get(), digit, counted_.get());
      nextDigit<<<1, kScanThreads, 0, stream_>>>(counted_.get(), digit, cut_.get());
    }
    countTiles<<<tiles, kThreads, 0, stream_>>>(values_.get(), size, cut_.get(), tiles_.get());
    beforeTiles<<<1, kScanThreads, 0, stream_>>>(tiles_.get(), tiles, cut_.get(), kept_.get());
    writePlaces<<<tiles, kThreads, 0, stream_>>>(values_.get(), size, cut_.get(), tiles_.get(), places_.get());
    check(cudaGetLastError(), "kernels");
    check(cudaMemcpyAsync(pinnedKept_.get(), kept_.get(), sizeof(std::uint32_t), cudaMemcpyDeviceToHost, stream_), "copy from the device");
    check(cudaMemcpyAsync(pinnedPlaces_.get(), places_.get(), k * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, stream_), "copy from the device");
    check(cudaStreamSynchronize(stream_), "kernels");
    into.assign(pinnedPlaces_.get(), pinnedPlaces_.get() + *pinnedKept_.get());
  }

 private:
  // Through pinned memory in pieces, so that the copy out of the caller's vector and the one to the device overlap.
  void upload(const float* values, std::size_t size) {
    constexpr std::size_t kPiece = std::size_t{1} << 20;  // values
    values_.reserve(size);
    pinnedCut_.reserve(1);
    pinnedValues_.reserve(std::min(size, 2 * kPiece));
    for (std::size_t from = 0, turn = 0; from < size; from += kPiece, ++turn) {
      const std::size_t count = std::min(kPiece, size - from);
      float* half = pinnedValues_.get() + turn % 2 * kPiece;
      if (turn >= 2) check(cudaEventSynchronize(sent_[turn % 2].event), "copy to the device");
      std::copy_n(values + from, count, half);
      check(cudaMemcpyAsync(values_.get() + from, half, count * sizeof(float), cudaMemcpyHostToDevice, stream_), "copy to the device");
      check(cudaEventRecord(sent_[turn % 2].event, stream_), "event");
    }
  }

  static int current(int device) {
    check(cudaSetDevice(device), "device");
    return device;
  }

  struct Sent {
    Sent() { check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "event"); }
    ~Sent() { cudaEventDestroy(event); }
    cudaEvent_t event = nullptr;
  };

  int device_;  // first: the others are made on it
  cudaStream_t stream_ = nullptr;
  Buffer<float, false> values_;
  Buffer<std::uint32_t, false> counted_, kept_, places_;
  Buffer<Cut, false> cut_;
  Buffer<Counts, false> tiles_;
  Buffer<float, true> pinnedValues_;
  Buffer<std::uint32_t, true> pinnedKept_, pinnedPlaces_;
  Buffer<Cut, true> pinnedCut_;
  Sent sent_[2];
};

}  // namespace

DeviceSelect deviceSelect(const std::string& device) {
  if (device.compare(0, 5, "cuda:") != 0) return {};
  const auto select = std::make_shared<SelectOnDevice>(std::atoi(device.c_str() + 5));
  return [select](const float* values, std::size_t size, std::size_t k, std::vector<std::uint32_t>& places) { select->places(values, size, k, places); };
}

}  // namespace paceline
