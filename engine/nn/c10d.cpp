#include "engine/nn/c10d.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#ifdef USE_C10D_GLOO
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#endif
#ifdef USE_C10D_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif
#include <torch/version.h>

#include "engine/core/base/error.h"
#include "engine/core/interface.h"

namespace paceline {
namespace {

#if TORCH_VERSION_MAJOR >= 2
using Group = c10d::Backend;  // what a ProcessGroup hands its collectives to
#else
using Group = c10d::ProcessGroup;
#endif

// Where a group's ranks find each other. While the group connects, what its thread sets goes to all ranks and what it gets is waited for; everything else, as the
// keys by which NCCL's watchdog tells of an abort, stays here.
class BoardStore final : public c10d::Store {
 public:
  using Bytes = std::vector<std::uint8_t>;
  explicit BoardStore(Board& board) : board_(&board), owner_(std::this_thread::get_id()) {}

  void connected() {
    const std::lock_guard lock(mutex_);
    board_ = nullptr;
  }
  // A group tells the board's errors in words of its own.
  void rethrow() const {
    if (failed_) std::rethrow_exception(failed_);
  }

  void set(const std::string& key, const Bytes& value) override {
    if (Board* board = mine()) told([&] { board->tell(key, {value.begin(), value.end()}); });
    const std::lock_guard lock(mutex_);
    kept_[key] = value;
  }
  Bytes get(const std::string& key) override {
    if (!check({key}))
      if (Board* board = mine())
        told([&] {
          const std::vector<char> value = board->hear(key);
          const std::lock_guard lock(mutex_);
          kept_[key] = {value.begin(), value.end()};
        });
    const std::lock_guard lock(mutex_);
    const auto found = kept_.find(key);
    TORCH_CHECK(found != kept_.end(), "nobody has set \"", key, "\"");
    return found->second;
  }
  void wait(const std::vector<std::string>& keys) override {
    for (const std::string& key : keys) (void)get(key);
  }
  void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds&) override { wait(keys); }
  bool check(const std::vector<std::string>& keys) override {
    const std::lock_guard lock(mutex_);
    return std::ranges::all_of(keys, [this](const std::string& key) { return kept_.contains(key); });
  }
  std::int64_t add(const std::string& key, std::int64_t value) override {
    const std::lock_guard lock(mutex_);
    Bytes& text = kept_[key];
    const std::int64_t sum = std::strtoll(std::string(text.begin(), text.end()).c_str(), nullptr, 10) + value;
    const std::string now = std::to_string(sum);
    text.assign(now.begin(), now.end());
    return sum;
  }
  bool deleteKey(const std::string& key) override {
    const std::lock_guard lock(mutex_);
    return kept_.erase(key) > 0;
  }
  std::int64_t getNumKeys() override {
    const std::lock_guard lock(mutex_);
    return static_cast<std::int64_t>(kept_.size());
  }
  // Of LibTorch 2, which wants one; 1.13 has none to override.
  virtual c10::intrusive_ptr<c10d::Store> clone() { return c10::intrusive_ptr<c10d::Store>::reclaim_copy(this); }

 private:
  Board* mine() {
    const std::lock_guard lock(mutex_);
    return std::this_thread::get_id() == owner_ ? board_ : nullptr;
  }
  template <class Call>
  void told(const Call& call) {
    try {
      call();
    } catch (...) {
      failed_ = std::current_exception();
      throw;
    }
  }

  std::mutex mutex_;  // guards board_ and kept_: NCCL's watchdog is a thread of its own
  Board* board_;
  std::thread::id owner_;
  std::exception_ptr failed_;  // of the owner's thread
  std::map<std::string, Bytes> kept_;
};

// "[../gloo/transport/tcp/pair.cc:598] Connection closed by peer [127.0.0.1]:40123" -> what follows the place in the library's source.
std::string reasonOf(const std::exception& error) {
  const auto* ofTorch = dynamic_cast<const c10::Error*>(&error);
  std::string text = ofTorch ? ofTorch->what_without_backtrace() : error.what();
  text = text.substr(0, text.find('\n'));
  if (text.starts_with('['))
    if (const std::size_t end = text.find("] "); end != std::string::npos) text = text.substr(end + 2);
  return text;
}

#ifdef USE_C10D_GLOO
constexpr bool kHasGloo = true;
c10::intrusive_ptr<Group> glooGroup(const c10::intrusive_ptr<c10d::Store>& store, const CollectiveSetup& setup) {
  const auto options = c10d::ProcessGroupGloo::Options::create(setup.timeout);
  options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(setup.address));
  options->threads = 1;  // one collective at a time
  return c10::make_intrusive<c10d::ProcessGroupGloo>(store, setup.rank, setup.world, options);
}
#else
constexpr bool kHasGloo = false;
c10::intrusive_ptr<Group> glooGroup(const c10::intrusive_ptr<c10d::Store>&, const CollectiveSetup&) { return {}; }
#endif

#ifdef USE_C10D_NCCL
constexpr bool kHasNccl = true;
c10::intrusive_ptr<Group> ncclGroup(const c10::intrusive_ptr<c10d::Store>& store, const CollectiveSetup& setup) {
  for (const char* blocking : {"NCCL_BLOCKING_WAIT", "TORCH_NCCL_BLOCKING_WAIT"}) ::setenv(blocking, "1", 0);  // wait() ends with the collective, or at the timeout with an error
  ::setenv("NCCL_SOCKET_IFNAME", ("=" + interfaceAt(setup.address)).c_str(), 0);
  const auto options = c10d::ProcessGroupNCCL::Options::create();
  options->timeout = setup.timeout;
  return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, setup.rank, setup.world, options);
}
#else
constexpr bool kHasNccl = false;
c10::intrusive_ptr<Group> ncclGroup(const c10::intrusive_ptr<c10d::Store>&, const CollectiveSetup&) { return {}; }
#endif

// A group is of one kind at all ranks, so all hear of all devices. Throws Error{kUnsupported} at all ranks where there is no group for them.
bool byNccl(const CollectiveSetup& setup, Board& board) {
  const auto keyOf = [](int rank) { return strCat("paceline/device/", rank); };
  board.tell(keyOf(setup.rank), {setup.device.begin(), setup.device.end()});
  for (int rank = 0; rank < setup.world; ++rank) {
    const std::vector<char> device = board.hear(keyOf(rank));
    if (kHasNccl && std::string(device.begin(), device.end()).starts_with("cuda")) continue;
    if (!kHasGloo) throw Error(Errc::kUnsupported, strCat("engine \"c10d\" has only NCCL in this program, for CUDA devices; worker ", rank, " computes on \"", std::string(device.begin(), device.end()), "\""));
    return false;
  }
  return true;
}

class C10dCollective final : public Collective {
 public:
  C10dCollective(const CollectiveSetup& setup, Board& board) {
    const auto store = c10::make_intrusive<BoardStore>(board);
    try {
      const bool nccl = byNccl(setup, board);
      group_ = nccl ? ncclGroup(store, setup) : glooGroup(store, setup);
      if (nccl) device_ = c10::Device(setup.device);
      float one = 1;
      if (nccl) reduce({&one, 1});  // NCCL connects with the first collective
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      store->rethrow();
      throw Error(Errc::kHost, strCat("c10d cannot connect worker ", setup.rank, " to the others: ", reasonOf(error)));
    }
    store->connected();
  }

  void sum(std::span<Real> data) override {
    try {
      reduce(data);
    } catch (const std::exception& error) {
      throw Error(Errc::kHost, reasonOf(error));
    }
  }

 private:
  void reduce(std::span<float> data) {
    at::Tensor here = at::from_blob(data.data(), {static_cast<std::int64_t>(data.size())}, at::kFloat);
    std::vector<at::Tensor> tensors{here.to(device_)};  // on the CPU `here` itself
    group_->allreduce(tensors)->wait();
    if (device_ != here.device()) here.copy_(tensors.front());
  }

  c10::Device device_ = c10::kCPU;
  c10::intrusive_ptr<Group> group_;
};

}  // namespace

CollectiveFactory c10dCollective() {
  return [](const CollectiveSetup& setup, Board& board) -> std::unique_ptr<Collective> { return std::make_unique<C10dCollective>(setup, board); };
}

}  // namespace paceline
