#include "engine/comm/aggregators/message_board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/comm/sim/sim_world.h"
#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;

void inSim(int world, const std::function<void(int rank, Transport&, const NodeList&)>& live) {
  sim::SimWorld sim{std::vector<Emulate>(static_cast<std::size_t>(world))};
  std::vector<int> nodes;
  for (int rank = 0; rank < world; ++rank) nodes.push_back(rank);
  const NodeList workers(nodes);
  std::vector<std::function<void()>> bodies;
  for (int rank = 0; rank < world; ++rank)
    bodies.push_back([&, rank] {
      Transport transport(sim.wire(rank), sim.clock(rank));
      live(rank, transport, workers);
    });
  sim.run(bodies);
}

std::string errorOf(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(MessageBoard, WhatOneTellsAllHearInAnyOrder) {
  inSim(4, [](int rank, Transport& transport, const NodeList& workers) {
    aggregators::MessageBoard board(transport, workers, rank);
    const std::vector<char> value(static_cast<std::size_t>(rank), static_cast<char>(250 + rank));  // of rank 0 nothing
    board.tell(strCat("address ", rank), value);
    for (int other = 3; other >= 0; --other)
      EXPECT_EQ(board.hear(strCat("address ", other)), std::vector<char>(static_cast<std::size_t>(other), static_cast<char>(250 + other)));
    board.close();
  });
}

// Gloo's first rank asks for fewer keys than its last.
TEST(MessageBoard, LeavesNothingUnderWayWhenItCloses) {
  inSim(3, [](int rank, Transport& transport, const NodeList& workers) {
    aggregators::MessageBoard board(transport, workers, rank);
    board.tell(strCat("host ", rank), {'h'});
    if (rank == 2) {
      EXPECT_EQ(board.hear("host 0"), std::vector<char>{'h'});
    }
    board.close();
    transport.send((rank + 1) % 3, {.kind = MessageKind::kReduce, .round = 7});
    const Message got = transport.receive();
    EXPECT_EQ(got.kind, MessageKind::kReduce);
    EXPECT_EQ(got.round, 7);
  });
}

TEST(MessageBoard, NamesAWorkerThatIsElsewhere) {
  inSim(2, [](int rank, Transport& transport, const NodeList& workers) {
    if (rank == 1) return transport.send(0, {.kind = MessageKind::kReduce, .round = 3});
    aggregators::MessageBoard board(transport, workers, rank);
    EXPECT_THAT(errorOf([&] { (void)board.hear("address 1"); }), HasSubstr("node 1 sent a reduce where its address was due"));
  });
}

TEST(MessageBoard, DoesNotWaitForAKeyThatNobodyCanTellAnyMore) {
  inSim(2, [](int rank, Transport& transport, const NodeList& workers) {
    aggregators::MessageBoard board(transport, workers, rank);
    if (rank == 1) return board.close();
    EXPECT_EQ(errorOf([&] { (void)board.hear("address 1"); }), "no worker has told \"address 1\"");
    board.close();
  });
}

TEST(MessageBoard, RefusesBytesThatAreNoKeyAndValue) {
  inSim(2, [](int rank, Transport& transport, const NodeList& workers) {
    const std::vector<Real> bad{'k', 'e', 'y'};
    if (rank == 1) return transport.send(0, {.kind = MessageKind::kExchange, .dense = Dense::copied(bad)});
    aggregators::MessageBoard board(transport, workers, rank);
    EXPECT_EQ(errorOf([&] { (void)board.hear("key"); }), "node 1 told a value without a key");
  });
}

}  // namespace
}  // namespace paceline::tests
