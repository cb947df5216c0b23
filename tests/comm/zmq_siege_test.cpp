// Strangers in great number cannot stop a run, nor fill its memory.
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include <sys/resource.h>

#include "engine/comm/zmq/zmq_wire.h"
#include "engine/core/base/error.h"
#include "tests/comm/patience.h"
#include "tests/support/run_keys.h"
#include "tests/support/siege.h"

namespace paceline::tests {
namespace {

// "VmRSS" or its peak "VmHWM", in MB.
double memory(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field + ":")) return std::stod(line.substr(field.size() + 1)) / 1024;
  return 0;
}

class Besieged : public ::testing::TestWithParam<const char*> {};

TEST_P(Besieged, NodesGoOnAndMemoryStaysBounded) {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_max < 4096) GTEST_SKIP() << "this user may open only " << files.rlim_max << " files";

  const std::vector<DataKeys> keys = runKeys(GetParam(), 2);
  auto server = zeromq::bindZmqWire(0, "127.0.0.1", keys[0]), worker = zeromq::bindZmqWire(1, "127.0.0.1", keys[1]);
  const std::vector<std::string> endpoints{server->endpoint(), worker->endpoint()};
  std::jthread other([&] { worker->connect(endpoints, {"s0", "w0"}); });
  server->connect(endpoints, {"s0", "w0"});
  other.join();
  Message push;
  push.dense = Dense::copied(std::vector<Real>(kShardBytes / sizeof(Real), Real(5)));
  const auto exchange = [&](int count) {
    for (int i = 0; i < count; ++i) {
      push.round = i;
      worker->send(0, push);
      const auto got = server->receive(kPatience);
      ASSERT_TRUE(got);
      ASSERT_EQ(got->round, i);
      ASSERT_EQ(got->dense.values().back(), Real(5));
    }
  };
  exchange(20);
  const double before = memory("VmRSS");
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak begins anew
  const Siege siege(server->endpoint(), {});
  // Until the first ones have been thrown out for being slow and have come again.
  while (siege.connections() < 2000) exchange(1);
  exchange(100);
  EXPECT_GE(server->counts().refusedConnections, 1000);
  EXPECT_EQ(server->counts().droppedMessages, 0);
  EXPECT_LT(memory("VmHWM") - before, 64) << "MB more than before";
}

INSTANTIATE_TEST_SUITE_P(Wire, Besieged, ::testing::Values("curve", "aes_gcm"), [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace paceline::tests
