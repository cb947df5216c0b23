// What a wire says crossed its connection is what the kernel counted, to the byte, whatever protects it.
#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/comm/zmq/peer.h"
#include "engine/comm/zmq/zmq_wire.h"
#include "engine/core/base/clock.h"
#include "tests/comm/patience.h"
#include "tests/support/run_keys.h"

namespace paceline::tests {
namespace {

class CountedWay : public ::testing::TestWithParam<const char*> {
 protected:
  CountedWay() {
    const std::string mode = GetParam();
    const zeromq::WireLimits limits{.handshakeMs = static_cast<int>(kPatience * 1e3), .plainTcp = mode == "plain"};
    const std::vector<DataKeys> keys = mode == "plain" ? std::vector<DataKeys>(2) : runKeys(mode, 2);
    for (int i = 0; i < 2; ++i) wires_[i] = zeromq::bindZmqWire(i, "127.0.0.1", keys[static_cast<std::size_t>(i)], limits);
    const std::vector<std::string> endpoints{wires_[0]->endpoint(), wires_[1]->endpoint()};
    std::jthread other([&] { wires_[1]->connect(endpoints, {"w0", "s0"}); });
    wires_[0]->connect(endpoints, {"w0", "s0"});
  }
  void send(std::size_t values) {
    Message message;
    message.dense = Dense::copied(std::vector<Real>(values, Real(1)));
    wires_[0]->send(1, message);
    sent_ += static_cast<std::int64_t>(wireBytes(message));
    ASSERT_TRUE(wires_[1]->receive(kPatience));
  }

  std::unique_ptr<zeromq::BoundWire> wires_[2];
  std::int64_t sent_ = 0;
};

TEST_P(CountedWay, AreWhatTheKernelCounts) {
  const WayCounts before = wires_[0]->wayTo(1, true);
  EXPECT_GT(before.framed, 64);  // its greeting
  for (const std::size_t values : {0U, 1U, 10U, 40U, 46U, 47U, 48U, 60U, 1000U, 100'000U, 250'000U}) send(values);  // frames of either header among them
  const WayCounts after = wires_[0]->wayTo(1, true);
  ASSERT_TRUE(after.kernel);
  EXPECT_EQ(after.framed, *after.kernel);
  EXPECT_GT(after.framed - before.framed, sent_);
  EXPECT_LT(after.framed - before.framed, sent_ + 11 * 2 * (33 + 9) + 11 * 64);  // boxes, headers, seals and numbers
  EXPECT_EQ(after.shared, 0);
  EXPECT_TRUE(after.again);
}

// A connection's first byte is what was written first: what of it is the greeting is known before the kernel has it, so the two agree to the byte.
TEST(TcpState, CountsWhatWasWrittenAndNotTheSyn) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
  socklen_t length = sizeof address;
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), length), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  ASSERT_EQ(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length), 0);
  ASSERT_EQ(::connect(made, reinterpret_cast<sockaddr*>(&address), length), 0);
  const std::string endpoint = strCat("tcp://127.0.0.1:", ntohs(address.sin_port));
  const auto crossed = [&] {
    const std::optional<zeromq::TcpState> state = zeromq::tcpState(made, endpoint);
    return state ? state->ackedBytes + state->waitingBytes : ~std::uint64_t{0};
  };
  EXPECT_EQ(crossed(), 0);
  ASSERT_EQ(::send(made, "hello", 5, 0), 5);
  EXPECT_EQ(crossed(), 5);
  for (const int descriptor : {made, listener}) ::close(descriptor);
}

TEST_P(CountedWay, OfNobodyAreNone) {
  EXPECT_EQ(wires_[0]->wayTo(7).framed, 0);
  EXPECT_FALSE(wires_[0]->wayTo(0).kernel);
}

INSTANTIATE_TEST_SUITE_P(Wire, CountedWay, ::testing::Values("plain", "curve", "aes_gcm"), [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace paceline::tests
