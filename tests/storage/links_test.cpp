// Both ends' records of a link, put together.
#include "storage/summary/links.h"

#include <gtest/gtest.h>

namespace paceline::tests {
namespace {

store::LinkRow told(const std::string& node, LinkRecord record) { return {.node = node, .seq = 1, .record = std::move(record)}; }

const std::vector<store::NodeRow> kNodes = [] {
  std::vector<store::NodeRow> nodes(3);
  nodes[0].id = "s0", nodes[0].role = "server", nodes[1].id = "w0", nodes[1].role = "worker", nodes[2].id = "w1", nodes[2].role = "worker";
  return nodes;
}();

TEST(Links, AreSummedFromBothEnds) {
  const std::vector<summary::Way> ways = summary::waysOf({told("w0", {.peer = "s0", .messagesSent = 2, .messagesReceived = 1, .valuesSent = 80, .bytesSent = 200, .bytesReceived = 90, .framedSent = 210, .kernelSent = 200}),
                                                          told("w0", {.peer = "s0", .messagesSent = 1, .bytesSent = 100, .sharedSent = 7, .framedSent = 110, .kernelSent = 120, .retransmitted = 5}),
                                                          told("s0", {.peer = "w0", .messagesSent = 1, .messagesReceived = 3, .bytesSent = 90, .bytesReceived = 300})});
  ASSERT_EQ(ways.size(), 2U);
  EXPECT_EQ(ways[1].from, "w0");
  EXPECT_EQ(ways[1].messages, 3);
  EXPECT_EQ(ways[1].values, 80);
  EXPECT_EQ(ways[1].bytes, 300);
  EXPECT_EQ(ways[1].shared, 7);
  EXPECT_EQ(ways[1].framed, 320);
  EXPECT_EQ(ways[1].kernel, 320);
  EXPECT_EQ(ways[1].again, 5);
  EXPECT_EQ(ways[1].bytesReceived, 300);
  EXPECT_FALSE(ways[0].kernel);
  EXPECT_EQ(ways[0].messagesReceived, 1);
  EXPECT_TRUE(summary::unevenWays(ways, kNodes).empty());
}

TEST(Links, WhatDidNotComeIsSaid) {
  const auto sentences = [](std::int64_t messages, std::int64_t bytes) {
    return summary::unevenWays(summary::waysOf({told("w1", {.peer = "s0", .messagesSent = 3, .bytesSent = 300}), told("s0", {.peer = "w1", .messagesReceived = messages, .bytesReceived = bytes})}), kNodes);
  };
  EXPECT_TRUE(sentences(3, 300).empty());
  EXPECT_EQ(sentences(2, 200), (std::vector<std::string>{"w1 sent s0 3 messages of 300 bytes, and 2 of 200 bytes came"}));
  EXPECT_EQ(sentences(4, 400).size(), 1U);  // twice is no better
}

// What a lost process sent, nobody has told.
TEST(Links, OfAWorkerThatWasStartedAgainAreNotCompared) {
  store::NoticeRow again, server;
  again.node = "w1", server.node = "s0";
  for (store::NoticeRow* row : {&again, &server}) row->record.reason = "restarted";
  EXPECT_EQ(summary::startedAgain(kNodes, {again, server}), std::set<std::string>{"w1"});
  const auto ways = summary::waysOf({told("w1", {.peer = "s0", .messagesSent = 3, .bytesSent = 300}), told("s0", {.peer = "w1", .messagesReceived = 5, .bytesReceived = 500})});
  EXPECT_TRUE(summary::unevenWays(ways, kNodes, {"w1"}).empty());
  EXPECT_EQ(summary::unevenWays(ways, kNodes, {"w0"}).size(), 1U);
}

// Answers that the stop overtook are on their way for ever.
TEST(Links, OnlyWhatServersReceiveIsCertain) {
  EXPECT_TRUE(summary::unevenWays(summary::waysOf({told("s0", {.peer = "w1", .messagesSent = 3, .bytesSent = 300}), told("w1", {.peer = "s0", .messagesReceived = 2, .bytesReceived = 200})}), kNodes).empty());
}

}  // namespace
}  // namespace paceline::tests
