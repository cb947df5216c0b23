// A network between two nodes that spoils what it carries, by seed. Whatever it does: what arrives is what was sent, in its order, and who does
// not get all of it says which peer is gone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "engine/comm/zmq/zmq_wire.h"
#include "engine/core/base/error.h"
#include "tests/comm/patience.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/run_keys.h"

namespace paceline::tests {
namespace {

using ::testing::Combine;
using ::testing::StartsWith;
using ::testing::Values;

constexpr std::int64_t kMessages = 150;
constexpr std::size_t kCount = 5000;

Real valueOf(std::int64_t round, std::size_t i) { return Real(static_cast<std::int64_t>(i % 1000) - round); }  // integers: sums of them are exact

class Faults : public ::testing::Test {
 protected:
  void connect(const std::string& mode, const FaultPlan& plan) {
    const std::vector<DataKeys> keys = runKeys(mode, 2);
    worker_ = zeromq::bindZmqWire(0, "127.0.0.1", keys[0]);
    server_ = zeromq::bindZmqWire(1, "127.0.0.1", keys[1]);
    proxy_.emplace(server_->endpoint(), plan);
    const std::vector<std::string> endpoints{worker_->endpoint(), proxy_->endpoint()}, names{"w0", "s0"};
    std::jthread other([&] { server_->connect(endpoints, names); });
    worker_->connect(endpoints, names);
  }

  // Gradients to the server, then its answer. "": all is well; else what the worker says, who then leaves.
  std::string pushAll(std::int64_t messages = kMessages) {
    try {
      for (std::int64_t round = 0; round < messages; ++round) {
        while (worker_->receive(0)) {
        }
        Message push;
        push.round = round;
        push.dense = Dense::made(kCount, [&](std::span<Real> values) {
          for (std::size_t i = 0; i < values.size(); ++i) values[i] = valueOf(round, i);
        });
        worker_->send(1, std::move(push));
      }
      EXPECT_EQ(worker_->receive(kForever)->round, kMessages);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::kPeerLost) << error.what();
      worker_.reset();
      return error.what();
    }
  }

  // How many arrived; `failure`: what the server says, "" when it has answered.
  std::int64_t takeAll(std::string& failure) {
    std::int64_t round = 0;
    try {
      for (; round < kMessages; ++round) {
        const std::optional<Message> push = server_->receive(kForever);
        EXPECT_EQ(push->round, round);
        bool exact = push->dense.values().size() == kCount;
        for (std::size_t i = 0; exact && i < kCount; ++i) exact = push->dense.values()[i] == valueOf(round, i);
        EXPECT_TRUE(exact) << "round " << round;
      }
      Message answer;
      answer.round = kMessages;
      server_->send(0, std::move(answer));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::kPeerLost) << error.what();
      failure = error.what();
      server_.reset();
    }
    return round;
  }

  std::unique_ptr<zeromq::BoundWire> worker_, server_;
  std::optional<FaultProxy> proxy_;
};

class Spoilt : public Faults, public ::testing::WithParamInterface<std::tuple<const char*, Fault, std::uint64_t>> {};

TEST_P(Spoilt, NothingWrongArrivesAndThePeerIsNamed) {
  const auto& [mode, fault, seed] = GetParam();
  connect(mode, {.seed = seed, .faults = {fault}, .every = 200'000, .after = 2000, .most = 1});
  std::string workerSays, serverSays;
  std::jthread other([&, this] { workerSays = pushAll(); });
  const std::int64_t arrived = takeAll(serverSays);
  other.join();
  EXPECT_EQ(proxy_->faults(), 1);
  EXPECT_LT(arrived, kMessages);
  EXPECT_THAT(workerSays, StartsWith("s0 is gone: "));
  EXPECT_THAT(serverSays, StartsWith("w0 is gone: "));
}

std::string nameOf(const ::testing::TestParamInfo<Spoilt::ParamType>& info) {
  constexpr const char* kNames[] = {"flip", "leave_out", "repeat", "swap", "cut"};
  return strCat(std::get<0>(info.param), "_", kNames[static_cast<int>(std::get<1>(info.param))], "_", std::get<2>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Wire, Spoilt,
                         Combine(Values("curve", "aes_gcm"), Values(Fault::kFlip, Fault::kLeaveOut, Fault::kRepeat, Fault::kSwap, Fault::kCut),
                                 Values(std::uint64_t{1}, std::uint64_t{2})),
                         nameOf);

class Borne : public Faults, public ::testing::WithParamInterface<const char*> {};

TEST_P(Borne, DelaysChangeNothing) {
  connect(GetParam(), {.seed = 1, .faults = {Fault::kDelay}, .every = 150'000, .delaySeconds = 0.01});
  std::string workerSays, serverSays;
  std::jthread other([&, this] { workerSays = pushAll(); });
  EXPECT_EQ(takeAll(serverSays), kMessages) << serverSays;
  other.join();
  EXPECT_EQ(workerSays, "");
  EXPECT_GT(proxy_->faults(), 5);
}

TEST_P(Borne, ASlowLinkChangesNothing) {
  connect(GetParam(), {.bytesPerSecond = 3'000'000});
  std::string workerSays, serverSays;
  std::jthread other([&, this] { workerSays = pushAll(); });
  EXPECT_EQ(takeAll(serverSays), kMessages) << serverSays;
  other.join();
  EXPECT_EQ(workerSays, "");
}

// Before a connection is made nothing is lost: it is tried again.
TEST_P(Borne, ASpoiltHandshakeIsMadeAgain) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    connect(GetParam(), {.seed = seed, .faults = {Fault::kFlip, Fault::kCut, Fault::kRepeat}, .every = 20, .most = 3});
    std::string workerSays, serverSays;
    std::jthread other([&, this] { workerSays = pushAll(); });
    EXPECT_EQ(takeAll(serverSays), kMessages) << serverSays;
    other.join();
    EXPECT_EQ(workerSays, "");
    EXPECT_EQ(proxy_->faults(), 3);
  }
}

// Both wait for each other, and the server for the rest of a frame.
TEST_P(Borne, AMessageThatLacksBytesIsNotWaitedForThoughNothingFollows) {
  connect(GetParam(), {});
  proxy_->once(Fault::kLeaveOut, 1000, 700);
  std::string workerSays, serverSays;
  std::jthread other([&, this] { workerSays = pushAll(1); });
  EXPECT_EQ(takeAll(serverSays), 0);
  other.join();
  EXPECT_THAT(workerSays, StartsWith("s0 is gone: "));
  EXPECT_THAT(serverSays, StartsWith("w0 is gone: "));
}

INSTANTIATE_TEST_SUITE_P(Wire, Borne, Values("curve", "aes_gcm"), [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace paceline::tests
