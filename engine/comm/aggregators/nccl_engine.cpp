#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <cuda_runtime.h>
#include <nccl.h>

#include "engine/comm/aggregators/aggregation_engine.h"
#include "engine/core/base/error.h"
#include "engine/core/interface.h"

namespace paceline::aggregators {
namespace {

constexpr ncclDataType_t kReal = sizeof(Real) == 4 ? ncclFloat32 : ncclFloat64;

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw Error(Errc::kHost, strCat(what, ": ", cudaGetErrorString(status)));
}
void check(ncclResult_t status, const char* what) {
  if (status != ncclSuccess && status != ncclInProgress) throw Error(Errc::kHost, strCat(what, ": ", ncclGetErrorString(status)));
}

int deviceNumber(const std::string& device) {
  if (!device.starts_with("cuda")) throw Error(Errc::kSpec, strCat("engine \"nccl\" needs CUDA devices, a worker's is \"", device, "\""));
  return device.starts_with("cuda:") ? std::atoi(device.c_str() + 5) : 0;
}

class NcclAggregator final : public EngineAggregator {
 public:
  NcclAggregator(const AggregatorSetup& setup, NcclMethod method)
      : EngineAggregator(setup, "NCCL", method == NcclMethod::kRing ? "ring" : "tree"), method_(method), device_(deviceNumber(setup.device)), address_(setup.address) {}

  ~NcclAggregator() override {
    if (comm_ != nullptr) ncclCommDestroy(comm_);
    if (memory_ != nullptr) cudaFree(memory_);
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }

 private:
  void connect(Transport& transport, const EngineBarrier& barrier) override {
    ::setenv("NCCL_SOCKET_IFNAME", ("=" + interfaceAt(address_)).c_str(), 0);
    ::setenv("NCCL_ALGO", method_ == NcclMethod::kRing ? "Ring" : "Tree", 0);
    check(cudaSetDevice(device_), "CUDA device");
    check(cudaStreamCreate(&stream_), "CUDA stream");
    ncclUniqueId id{};
    std::vector<char> own;
    if (rank_ == 0) {
      check(ncclGetUniqueId(&id), "NCCL id");
      own.assign(id.internal, id.internal + sizeof id.internal);
    }
    const std::vector<char> first = barrier.tellAll(transport, own).front();
    if (first.size() != sizeof id.internal) throw Error(Errc::kFormat, strCat("worker 0 sent an NCCL id of ", first.size(), " bytes"));
    std::memcpy(id.internal, first.data(), sizeof id.internal);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    check(ncclCommInitRankConfig(&comm_, world_, id, rank_, &config), "NCCL communicator");
    await([] { return true; });
  }

  void allReduce(std::span<Real> data) override {
    if (data.size() > capacity_) {
      if (memory_ != nullptr) check(cudaFree(memory_), "device memory");
      memory_ = nullptr;
      check(cudaMalloc(&memory_, data.size_bytes()), "device memory");
      capacity_ = data.size();
    }
    check(cudaMemcpyAsync(memory_, data.data(), data.size_bytes(), cudaMemcpyHostToDevice, stream_), "copy to the device");
    check(ncclAllReduce(memory_, memory_, data.size(), kReal, ncclAvg, comm_, stream_), "NCCL all-reduce");
    await([] { return true; });
    check(cudaMemcpyAsync(data.data(), memory_, data.size_bytes(), cudaMemcpyDeviceToHost, stream_), "copy from the device");
    await([this] {
      const cudaError_t status = cudaStreamQuery(stream_);
      if (status != cudaErrorNotReady) check(status, "CUDA stream");
      return status == cudaSuccess;
    });
  }

  void disconnect() noexcept override {
    if (comm_ != nullptr) ncclCommAbort(comm_);
    comm_ = nullptr;
  }

  // Until NCCL has nothing in progress and done() says so.
  template <class Done>
  void await(Done done) {
    const auto deadline = std::chrono::steady_clock::now() + kEngineTimeout;
    while (true) {
      ncclResult_t state = ncclSuccess;
      check(ncclCommGetAsyncError(comm_, &state), "NCCL");
      check(state, "NCCL");
      if (state == ncclSuccess && done()) return;
      if (std::chrono::steady_clock::now() > deadline) throw Error(Errc::kHost, strCat("NCCL did nothing for ", kEngineTimeout.count(), " s"));
      std::this_thread::yield();
    }
  }

  NcclMethod method_;
  int device_;
  std::string address_;
  cudaStream_t stream_ = nullptr;
  ncclComm_t comm_ = nullptr;
  void* memory_ = nullptr;
  std::size_t capacity_ = 0;  // elements
};

}  // namespace

std::vector<AggregationEngine> withNccl(NcclMethod method, std::vector<AggregationEngine> engines) {
  engines.push_back({.id = "nccl", .makeWorker = [method](const AggregatorSetup& setup) { return std::make_unique<NcclAggregator>(setup, method); }});
  return engines;
}

}  // namespace paceline::aggregators
