// Two nodes in network namespaces of their own with a real, slow link between them. Needs root, ip and tc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <barrier>
#include <thread>

#include "engine/comm/zmq/zmq_wire.h"
#include "engine/core/base/error.h"
#include "agent/supervisor/fd.h"
#include "tests/comm/patience.h"
#include "tests/support/run_keys.h"

namespace paceline::tests {
namespace {

using ::testing::StartsWith;

// Two namespaces joined by 100 Mbit/s in each direction.
class SlowLink : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!command("ip netns add " + space(0)) || !command("ip netns add " + space(1)))
      GTEST_SKIP() << "this user cannot make network namespaces";
    ASSERT_TRUE(command(strCat("ip -n ", space(0), " link add veth0 type veth peer name veth0 netns ", space(1))));
    for (int i = 0; i < 2; ++i) {
      const std::string inside = strCat("ip -n ", space(i), " ");
      ASSERT_TRUE(command(strCat(inside, "addr add ", address(i), "/24 dev veth0")));
      ASSERT_TRUE(command(inside + "link set veth0 up"));
      ASSERT_TRUE(command(strCat("ip netns exec ", space(i), " sysctl -qw net.ipv4.tcp_congestion_control=reno")));
      if (!command(strCat("tc -n ", space(i), " qdisc add dev veth0 root tbf rate 100mbit burst 256kb latency 100ms")))
        GTEST_SKIP() << "this kernel shapes no traffic (tc tbf)";
    }
  }
  void TearDown() override {
    for (int i = 0; i < 2; ++i) command("ip netns del " + space(i));
  }

  // What the two do, each as a thread in its namespace with a connected wire.
  template <class Zero, class One>
  void run(const zeromq::WireLimits& limits, Zero zero, One one) {
    std::vector<DataKeys> keys = runKeys("curve", 2);
    std::vector<std::string> endpoints(2);
    std::barrier bound(2);
    const auto live = [&](int self, auto body) {
      const Fd name(::open(strCat("/run/netns/", space(self)).c_str(), O_RDONLY | O_CLOEXEC));
      ASSERT_EQ(::setns(name.get(), CLONE_NEWNET), 0);  // of this thread and those that it starts
      auto wire = zeromq::bindZmqWire(self, address(self), keys[static_cast<std::size_t>(self)], limits);
      endpoints[static_cast<std::size_t>(self)] = wire->endpoint();
      bound.arrive_and_wait();
      wire->connect(endpoints, {"w0", "w1"});
      try {
        body(std::move(wire));
      } catch (const Error& error) {
        ADD_FAILURE() << "w" << self << ": " << error.what();
      }
    };
    std::jthread other([&] { live(1, one); });
    std::jthread first([&] { live(0, zero); });
  }

  static bool command(const std::string& line) { return std::system((line + " 2>/dev/null").c_str()) == 0; }
  static std::string space(int i) { return strCat("plw", ::getpid(), "-", i); }
  static std::string address(int i) { return strCat("10.78.0.", i + 1); }

  static Message shard(const std::vector<Real>& values, std::int64_t round) {
    Message message;
    message.round = round;
    message.dense = Dense::borrowed(values);
    return message;
  }
};

using Wire1 = std::unique_ptr<zeromq::BoundWire>;
constexpr int kShards = 30;  // 2.5 s of this link
const std::vector<Real> kThrees(kShardBytes / sizeof(Real), Real(3));

TEST_F(SlowLink, AnOrderlyEndTakesTheTimeItNeeds) {
  run({.lingerMs = 1000},
      [](Wire1 wire) {
        for (int i = 0; i < kShards; ++i) {
          const auto got = wire->receive(kPatience);
          ASSERT_TRUE(got);
          EXPECT_EQ(got->round, i);
          EXPECT_EQ(got->dense.values().back(), Real(3));
        }
        EXPECT_EQ(wire->receive(kPatience)->kind, MessageKind::kBye);
        EXPECT_FALSE(wire->receive(1.0));
      },
      [](Wire1 wire) {
        for (int i = 0; i < kShards; ++i) wire->send(0, shard(kThrees, i));
        wire->send(0, {.kind = MessageKind::kBye});
      });  // and goes at once
}

TEST_F(SlowLink, BothMayEndAtOnceWithMuchUnderWay) {
  const auto sendAndGo = [](Wire1 wire) {
    const int other = 1 - wire->self();
    for (int i = 0; i < kShards; ++i) wire->send(other, shard(kThrees, i));
    wire->settle();  // nobody reads any more, and yet everything must go
    wire->send(other, {.kind = MessageKind::kBye});
    int shards = 0;
    std::optional<Message> got;
    while ((got = wire->receive(kPatience)) && got->kind != MessageKind::kBye) ++shards;
    EXPECT_EQ(shards, kShards);
  };
  run({.sendQueue = 4, .receiveQueue = 4, .lingerMs = 1000}, sendAndGo, sendAndGo);
}

TEST_F(SlowLink, ANodeThatReadsNothingForLongIsNotLost) {
  std::barrier done(2);
  run({.receiveQueue = 2, .silentMs = 1000},
      [&](Wire1 wire) {
        done.arrive_and_wait();  // "computes"
        for (int i = 0; i < kShards; ++i) EXPECT_EQ(wire->receive(kPatience)->round, i);
        wire->send(1, {.kind = MessageKind::kBye});
      },
      [&](Wire1 wire) {
        for (int i = 0; i < kShards; ++i) wire->send(0, shard(kThrees, i));
        EXPECT_FALSE(wire->receive(6.0));  // its queues, ours and the kernels' are full for most of this
        done.arrive_and_wait();
        EXPECT_EQ(wire->receive(kPatience)->kind, MessageKind::kBye);
      });
}

TEST_F(SlowLink, AHostThatAnswersNothingIsGone) {
  run({.lingerMs = 500, .silentMs = 1000},
      [&](Wire1 wire) {
        EXPECT_TRUE(wire->receive(kPatience));
        ASSERT_TRUE(command(strCat("tc -n ", space(0), " qdisc replace dev veth0 root tbf rate 8bit burst 1 latency 1ms")));  // not a word any more
        try {
          while (wire->receive(kForever)) {  // what had come before
          }
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), Errc::kPeerLost);
        }
      },
      [&](Wire1 wire) {
        try {
          for (int i = 0; i < kShards; ++i) wire->send(0, shard(kThrees, i));
          wire->receive(kForever);
          ADD_FAILURE() << "no message, no error";
        } catch (const Error& error) {
          EXPECT_THAT(error.what(), StartsWith("w0 is gone: its host has not answered for "));
        }
      });
}

}  // namespace
}  // namespace paceline::tests
