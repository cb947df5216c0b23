#include <limits>
#include <map>

#include <gloo/allreduce_halving_doubling.h>
#include <gloo/allreduce_ring_chunked.h>
#include <gloo/rendezvous/context.h>
#include <gloo/transport/tcp/device.h>

#include "engine/comm/aggregators/aggregation_engine.h"
#include "engine/core/base/error.h"

namespace paceline::aggregators {
namespace {

// Where Gloo puts every rank's addresses, under its number, and finds the others': in messages of the run. It also counts the ranks on its
// own host by the host names under "rank_N", which over TCP decides nothing.
class MessageStore final : public ::gloo::rendezvous::Store {
 public:
  MessageStore(Transport& transport, const EngineBarrier& barrier, int rank) : transport_(transport), barrier_(barrier), rank_(strCat(rank)) {}

  void set(const std::string& key, const std::vector<char>& data) override {
    (key == rank_ ? own_ : hostName_) = data;
    if (key == rank_) all_ = barrier_.tellAll(transport_, own_);
  }
  std::vector<char> get(const std::string& key) override {
    if (key.starts_with("rank_")) return hostName_;
    const std::vector<char>& data = all_.at(static_cast<std::size_t>(std::stoul(key)));
    if (data.size() != own_.size())
      throw Error(Errc::kFormat, strCat("worker ", key, " sent Gloo addresses of ", data.size(), " bytes, ", own_.size(), " are due"));
    return data;
  }
  void wait(const std::vector<std::string>&) override {}

 private:
  Transport& transport_;
  const EngineBarrier& barrier_;
  std::string rank_;
  std::vector<char> own_, hostName_;
  std::vector<std::vector<char>> all_;
};

class GlooAggregator final : public EngineAggregator {
 public:
  GlooAggregator(const AggregatorSetup& setup, GlooMethod method)
      : EngineAggregator(setup, "Gloo", method == GlooMethod::kRing ? "ring" : "binary_blocks"), method_(method), address_(setup.address) {}

 private:
  void connect(Transport& transport, const EngineBarrier& barrier) override {
    try {
      std::shared_ptr<::gloo::transport::Device> device = ::gloo::transport::tcp::CreateDevice(::gloo::transport::tcp::attr(address_.c_str()));
      auto context = std::make_shared<::gloo::rendezvous::Context>(rank_, world_);
      context->setTimeout(kEngineTimeout);
      MessageStore store(transport, barrier, rank_);
      context->connectFullMesh(store, device);
      context_ = std::move(context);
    } catch (const ::gloo::Exception& error) {
      throw Error(Errc::kHost, strCat("Gloo cannot connect worker ", rank_, " to the others: ", error.what()));
    }
  }

  void allReduce(std::span<Real> data) override {
    Sized& sized = bySize_[data.size()];
    if (!sized.algorithm) prepare(sized, data.size());
    std::copy(data.begin(), data.end(), sized.memory.begin());
    sized.algorithm->run();
    const Real share = Real(1) / static_cast<Real>(world_);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = sized.memory[i] * share;
  }

  void disconnect() noexcept override {
    bySize_.clear();
    if (context_) context_->closeConnections();
  }

  // Memory of its own: Gloo ties an algorithm to an address, on all ranks at once, and the caller's may differ from call to call. Kept by
  // size: a round may aggregate several vectors.
  struct Sized {
    std::vector<Real> memory;
    std::unique_ptr<::gloo::Algorithm> algorithm;  // goes before its memory
  };

  void prepare(Sized& sized, std::size_t size) {
    if (size > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw Error(Errc::kSpec, strCat("Gloo adds at most 2^31 - 1 elements, the vector has ", size));
    sized.memory.resize(size);
    const std::vector<Real*> pointers{sized.memory.data()};
    const int count = static_cast<int>(size);
    if (method_ == GlooMethod::kRing) sized.algorithm = std::make_unique<::gloo::AllreduceRingChunked<Real>>(context_, pointers, count);
    else sized.algorithm = std::make_unique<::gloo::AllreduceHalvingDoubling<Real>>(context_, pointers, count);
  }

  GlooMethod method_;
  std::string address_;
  std::shared_ptr<::gloo::rendezvous::Context> context_;
  std::map<std::size_t, Sized> bySize_;  // goes before the context
};

}  // namespace

AggregationEngine glooEngine(GlooMethod method) {
  return {.id = "gloo", .makeWorker = [method](const AggregatorSetup& setup) { return std::make_unique<GlooAggregator>(setup, method); }};
}

}  // namespace paceline::aggregators
