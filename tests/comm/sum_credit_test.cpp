// How far a worker may be ahead with its parts of a sum, and that nobody waits for ever.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <numeric>
#include <set>
#include <vector>

#include "engine/comm/transport/layers.h"
#include "engine/comm/transport/sum_credit.h"
#include "engine/core/base/rng.h"

namespace paceline::tests {
namespace {

constexpr int kServer = 7;

Message part(std::int64_t round, int shard, std::int32_t priority) { return {.kind = MessageKind::kReduce, .shard = shard, .round = round, .priority = priority}; }
Message sum(std::int64_t round, int shard) { return {.kind = MessageKind::kReduced, .from = kServer, .shard = shard, .round = round}; }

// An exchange of 10 shards, each of which is answered `latency` after it left, one every `gap` seconds.
void exchange(SumCredit& credit, std::int64_t round, double gap, double latency) {
  for (int shard = 0; shard < 10; ++shard) {
    const double now = shard * gap;
    credit.left(kServer, part(round, shard, shard + 1), now);
    credit.came(sum(round, shard), now + latency);
  }
}

// How many leave, one after the other in order, when nothing is answered.
int allowed(SumCredit& credit, std::int64_t round) {
  int count = 0;
  while (count < 50 && credit.allows(kServer, part(round, count, count + 1))) credit.left(kServer, part(round, count, count + 1), 0), ++count;
  return count;
}

TEST(SumCredit, TheFirstExchangeIsFree) {
  SumCredit credit;
  EXPECT_EQ(allowed(credit, 1), 50);
}

TEST(SumCredit, IsAQuarterMoreThanAWayHoldsAndThreeAtLeast) {
  for (const auto& [latency, most] : {std::pair(0.5, 3), std::pair(1.0, 3), std::pair(2.5, 4), std::pair(7.5, 10)}) {
    SumCredit credit;
    exchange(credit, 1, 1, latency);
    EXPECT_EQ(allowed(credit, 2), most) << latency;
    EXPECT_EQ(allowed(credit, 3), most) << "an exchange without answers tells nothing";
  }
}

// Sends as soon as it may; a link takes one shard a second, an answer comes `latency` seconds after its shard has left at the earliest.
double exchangeOfMany(SumCredit& credit, std::int64_t round, double latency) {
  constexpr int kShards = 200;
  std::deque<std::pair<double, int>> answers;  // when, and of which shard
  double now = 0, linkFreeAt = 0;
  for (int shard = 0; shard < kShards || !answers.empty();) {
    if (shard < kShards && credit.allows(kServer, part(round, shard, shard + 1))) {
      credit.left(kServer, part(round, shard, shard + 1), now);
      linkFreeAt = std::max(now, linkFreeAt) + 1;
      answers.emplace_back(linkFreeAt - 1 + latency, shard++);
      continue;
    }
    now = answers.front().first;
    credit.came(sum(round, answers.front().second), now);
    answers.pop_front();
  }
  return now;
}

TEST(SumCredit, OfALongWayGrowsAgainAfterADisturbance) {
  SumCredit credit;
  exchange(credit, 1, 1, 0.5);  // as if a way held nothing
  std::vector<double> seconds;
  for (int round = 2; round < 14; ++round) seconds.push_back(exchangeOfMany(credit, round, 20));
  EXPECT_GT(seconds.front(), 1000);  // three on a way that holds twenty
  EXPECT_LT(seconds.back(), 1.05 * (200 + 20));
  EXPECT_TRUE(std::ranges::is_sorted(seconds, std::greater()));
}

TEST(SumCredit, AnAnswerMakesRoomForOne) {
  SumCredit credit;
  exchange(credit, 1, 1, 0.5);
  ASSERT_EQ(allowed(credit, 2), 3);
  EXPECT_FALSE(credit.came(sum(2, 9), 1)) << "of a shard that has not left";
  EXPECT_FALSE(credit.came(sum(1, 0), 1)) << "of another exchange";
  EXPECT_FALSE(credit.allows(kServer, part(2, 3, 4)));
  EXPECT_TRUE(credit.came(sum(2, 0), 1));
  EXPECT_TRUE(credit.allows(kServer, part(2, 3, 4)));
}

TEST(SumCredit, WhatComesFirstInOrderIsNotHeldBack) {
  SumCredit credit;
  exchange(credit, 1, 1, 0.5);
  for (const int shard : {6, 7, 8}) credit.left(kServer, part(2, shard, shard + 1), 0);
  EXPECT_FALSE(credit.allows(kServer, part(2, 9, 10)));
  EXPECT_FALSE(credit.allows(kServer, part(2, 20, 8)));
  EXPECT_TRUE(credit.allows(kServer, part(2, 5, 6)));
}

TEST(SumCredit, OtherMessagesAndOtherNodesAreFree) {
  SumCredit credit;
  exchange(credit, 1, 1, 0.5);
  ASSERT_EQ(allowed(credit, 2), 3);
  EXPECT_TRUE(credit.allows(kServer + 1, part(2, 3, 4)));
  EXPECT_TRUE(credit.allows(kServer, {.kind = MessageKind::kPush, .shard = 3, .round = 2, .priority = 4}));
}

// Workers whose shards become final in any order and at any time, each of which sends any that it may, not only the one with the smallest priority.
TEST(SumCredit, NobodyWaitsForEver) {
  Rng rng = Rng::stream(3, "credit");
  for (int trial = 0; trial < 1000; ++trial) {
    const int shards = 1 + static_cast<int>(rng.below(40)), workers = 2 + static_cast<int>(rng.below(4));
    struct Worker {
      SumCredit credit;
      std::vector<int> coming;  // not final yet
      std::set<int> ready, sent;
    };
    std::vector<Worker> all(static_cast<std::size_t>(workers));
    for (Worker& worker : all) {
      exchange(worker.credit, 1, 1, 0.5);
      worker.coming.resize(static_cast<std::size_t>(shards));
      std::iota(worker.coming.begin(), worker.coming.end(), 0);
      for (std::size_t i = worker.coming.size(); i > 1; --i) std::swap(worker.coming[i - 1], worker.coming[rng.below(i)]);
    }
    std::set<int> answered;
    const auto priorityOf = [&](int shard) { return pushPriority(static_cast<std::size_t>(shard), static_cast<std::size_t>(shards)); };
    bool moved = true;
    while (moved) {
      moved = false;
      for (Worker& worker : all) {
        if (!worker.coming.empty()) {
          moved = true;
          if (rng.below(3) == 0) worker.ready.insert(worker.coming.back()), worker.coming.pop_back();
        }
        std::vector<int> may;
        for (const int shard : worker.ready)
          if (worker.credit.allows(kServer, part(2, shard, priorityOf(shard)))) may.push_back(shard);
        if (may.empty()) continue;
        const int shard = may[rng.below(may.size())];
        worker.credit.left(kServer, part(2, shard, priorityOf(shard)), 0);
        worker.ready.erase(shard), worker.sent.insert(shard), moved = true;
      }
      for (int shard = 0; shard < shards; ++shard) {
        if (answered.contains(shard) || !std::ranges::all_of(all, [&](const Worker& worker) { return worker.sent.contains(shard); })) continue;
        for (Worker& worker : all) EXPECT_TRUE(worker.credit.came(sum(2, shard), 1));
        answered.insert(shard), moved = true;
      }
    }
    ASSERT_EQ(static_cast<int>(answered.size()), shards) << "trial " << trial << ", " << workers << " workers";
  }
}

}  // namespace
}  // namespace paceline::tests
