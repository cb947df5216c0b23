#include "engine/comm/sim/sim_world.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/comm/transport/transport.h"
#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "tests/comm/patience.h"
#include "tests/support/failure.h"

namespace paceline::tests {
namespace {

Message scalarMessage(std::vector<double> scalars = {}) {
  Message message;
  message.scalars = std::move(scalars);
  return message;
}

Emulate link(std::optional<double> mbps, double latencyMs) {
  Emulate emulate;
  emulate.bandwidthMbps = mbps;
  emulate.latencyMs = latencyMs;
  return emulate;
}

std::vector<Emulate> freeLinks(std::size_t count) { return std::vector<Emulate>(count); }

// Eight nodes that send, sleep and receive at random; every event of every node in the order in which it happened.
std::string wanderingTrace(std::uint64_t seed) {
  constexpr int kNodes = 8;
  sim::SimWorld world(std::vector<Emulate>(kNodes, link(10, 3)));
  std::string trace;
  std::vector<std::function<void()>> bodies;
  for (int n = 0; n < kNodes; ++n)
    bodies.push_back([&world, &trace, n, seed] {
      Rng rng = Rng::stream(seed, "node", static_cast<std::uint64_t>(n));
      for (int i = 0; i < 50; ++i) {
        world.wire(n).send(static_cast<int>(rng.below(kNodes)), scalarMessage({static_cast<double>(i)}));
        world.clock(n).sleepFor(rng.uniform() * 1e-3);
        const auto got = world.wire(n).receive(rng.uniform() * 1e-2);
        trace += strCat(n, "@", world.clock(n).now(), got ? strCat("<", got->from, ":", got->scalars[0]) : "-", "\n");
      }
    });
  world.run(bodies);
  return trace;
}

TEST(SimWorld, IsIdenticalToTheByteTwice) {
  const std::string once = wanderingTrace(1);
  EXPECT_EQ(once, wanderingTrace(1));
  EXPECT_NE(once, wanderingTrace(2));
}

TEST(SimWorld, AMessageTakesBothLinksAndTheLatency) {
  sim::SimWorld world({link(8, 50), link(16, 7)});  // 1e6 and 2e6 bytes a second; the receiver's latency is for what it sends
  const std::vector<Real> values(100000);
  const auto bytes = static_cast<double>(kHeaderBytes + values.size() * sizeof(Real));
  double arrived = 0;
  world.run({[&] {
               Message message;
               message.dense = Dense::borrowed(values);
               world.wire(0).send(1, std::move(message));
               EXPECT_EQ(world.clock(0).now(), 0);  // sending costs the sender nothing
             },
             [&] {
               EXPECT_EQ(world.wire(1).receive(kForever)->from, 0);
               arrived = world.clock(1).now();
             }});
  EXPECT_NEAR(arrived, bytes / 1e6 + 0.05 + bytes / 2e6, 1e-12);
  EXPECT_EQ(world.now(), arrived);
}

TEST(SimWorld, CopiesDensePartsWhenSent) {
  sim::SimWorld world({link({}, 1), {}});
  world.run({[&] {
               std::vector<Real> values{1, 2, 3};
               Message message;
               message.dense = Dense::borrowed(values);
               world.wire(0).send(1, std::move(message));
               values.assign(3, Real(9));
             },
             [&] { EXPECT_EQ(world.wire(1).receive(kForever)->dense.values()[0], Real(1)); }});
}

// Times at which each node hears of it, by one sendToAll() or by as many send().
std::vector<double> heardAt(bool atOnce, const std::vector<Emulate>& links) {
  sim::SimWorld world(links);
  std::vector<double> times(links.size(), -1);
  std::vector<int> all;
  for (int i = 0; i < static_cast<int>(links.size()); ++i) all.push_back(i);
  std::vector<std::function<void()>> bodies;
  bodies.push_back([&] {
    if (atOnce) return world.wire(0).sendToAll(all, scalarMessage());
    for (const int node : all)
      if (node != 0) world.wire(0).send(node, scalarMessage());
  });
  bodies.push_back([] {});  // done before it comes
  for (std::size_t node = 2; node < links.size(); ++node)
    bodies.push_back([&, node] {
      if (node == 3) world.clock(3).sleepFor(0.5);
      EXPECT_EQ(world.wire(static_cast<int>(node)).receive(kForever)->from, 0);
      times[node] = world.clock(static_cast<int>(node)).now();
    });
  world.run(std::move(bodies));
  return times;
}

TEST(SimWorld, AMessageToAllIsOneToEach) {
  const std::vector<std::vector<Emulate>> worlds = {freeLinks(5), std::vector<Emulate>(5, link({}, 30)), std::vector<Emulate>(5, link(0.01, 3))};
  for (const std::vector<Emulate>& links : worlds) {
    const std::vector<double> times = heardAt(true, links);
    EXPECT_EQ(times, heardAt(false, links));
    EXPECT_EQ(times[1], -1);
    EXPECT_GE(times[4], 0);
  }
}

TEST(SimWorld, AMessageDoesNotWakeASleeper) {
  sim::SimWorld world(freeLinks(2));
  world.run({[&] { world.wire(0).send(1, scalarMessage()); },
             [&] {
               world.clock(1).sleepFor(2);
               EXPECT_EQ(world.clock(1).now(), 2);
               EXPECT_TRUE(world.wire(1).receive(0));
             }});
}

TEST(SimWorld, ReceiveGivesUpInVirtualTime) {
  sim::SimWorld world({{}, link({}, 500)});
  world.run({[&] {
               EXPECT_FALSE(world.wire(0).receive(0.25));
               EXPECT_EQ(world.clock(0).now(), 0.25);
               EXPECT_TRUE(world.wire(0).receive(10));  // satisfied early
               EXPECT_EQ(world.clock(0).now(), 0.5);
               world.clock(0).sleepFor(20);             // its old timeout does not end this sleep
               EXPECT_EQ(world.clock(0).now(), 20.5);
             },
             [&] { world.wire(1).send(0, scalarMessage()); }});
}

TEST(SimWorld, WhatReachesAFinishedNodeIsDropped) {
  sim::SimWorld world(freeLinks(2));
  world.run({[&] {
               world.clock(0).sleepFor(1);
               world.wire(0).send(1, scalarMessage());
               world.clock(0).sleepFor(1);
             },
             [] {}});
  EXPECT_EQ(world.now(), 2);
}

TEST(SimWorld, NamesThoseThatWaitForever) {
  sim::SimWorld world(freeLinks(3), {"w0", "w1", "s0"});
  const auto wait = [&](int node) { return [&world, node] { world.wire(node).receive(kForever); }; };
  EXPECT_EQ(failureOf([&] { world.run({wait(0), [] {}, wait(2)}); }, Errc::kStopped),
            "simulation is stuck: w0, s0 wait for a message");
  sim::SimWorld other(freeLinks(2));
  EXPECT_EQ(failureOf([&] { other.run({[] {}, [&] { other.wire(1).receive(kForever); }}); }, Errc::kStopped),
            "simulation is stuck: node 1 waits for a message");
}

TEST(SimWorld, AFailingBodyEndsTheOthersAndIsReported) {
  sim::SimWorld world(freeLinks(3), {"w0", "w1", "w2"});
  std::string sleeper, receiver;
  EXPECT_EQ(failureOf(
                [&] {
                  world.run({[&] { sleeper = failureOf([&] { world.clock(0).sleepFor(100); }, Errc::kPeerLost); },
                             [&] {
                               world.clock(1).sleepFor(1);
                               throw Error(Errc::kData, "out of batches");
                             },
                             [&] { receiver = failureOf([&] { world.wire(2).receive(kForever); }, Errc::kPeerLost); }});
                },
                Errc::kData),
            "out of batches");
  EXPECT_EQ(sleeper, "w1 is gone: out of batches");
  EXPECT_EQ(receiver, "w1 is gone: out of batches");
  EXPECT_EQ(world.now(), 1);
}

TEST(SimWorld, AThousandNodesPassATokenRound) {
  static constexpr int kNodes = 1000;
  sim::SimWorld world(std::vector<Emulate>(kNodes, link({}, 1)));
  std::vector<std::function<void()>> bodies;
  for (int n = 0; n < kNodes; ++n)
    bodies.push_back([&world, n] {
      Wire& wire = world.wire(n);
      if (n == 0) wire.send(1, scalarMessage({1}));
      Message token = *wire.receive(kForever);
      EXPECT_EQ(token.scalars[0], n == 0 ? kNodes : n);
      token.scalars[0] += 1;
      if (n != 0) wire.send((n + 1) % kNodes, std::move(token));
    });
  world.run(bodies);
  EXPECT_NEAR(world.now(), kNodes * 1e-3, 1e-9);
}

TEST(SimWorld, TransportsWorkOverIt) {
  sim::SimWorld world({{}, link({}, 250)});
  world.run({[&] {
               Transport transport(world.wire(0), world.clock(0));
               EXPECT_EQ(transport.receiveFrom(1).from, 1);
               EXPECT_DOUBLE_EQ(transport.waitSeconds(), 0.25);
             },
             [&] { Transport(world.wire(1), world.clock(1)).send(0, scalarMessage()); }});
}

}  // namespace
}  // namespace paceline::tests
