#include "tests/support/engine_contract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <barrier>
#include <cstring>
#include <thread>

#include "engine/comm/aggregators/aggregation_engine.h"
#include "engine/comm/zmq/zmq_wire.h"
#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;

std::vector<std::string> namesOf(int world) {
  std::vector<std::string> names;
  for (int rank = 0; rank < world; ++rank) names.push_back(strCat("w", rank));
  return names;
}

aggregators::AggregatorSetup setupOf(int rank, int world) {
  aggregators::AggregatorSetup setup;
  setup.rank = rank;
  std::vector<int> nodes;
  for (int i = 0; i < world; ++i) nodes.push_back(i);
  setup.workers = std::move(nodes);
  return setup;
}

// live(rank, transport, setup) on a thread per worker, each with a wire of its own.
void together(int world, const std::function<void(int, Transport&, aggregators::AggregatorSetup)>& live) {
  std::vector<std::string> endpoints(static_cast<std::size_t>(world));
  std::barrier bound(world);
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < world; ++rank)
    threads.emplace_back([&, rank] {
      const auto wire = zeromq::bindZmqWire(rank, "127.0.0.1", {}, {.plainTcp = true});
      endpoints[static_cast<std::size_t>(rank)] = wire->endpoint();
      bound.arrive_and_wait();
      wire->connect(endpoints, namesOf(world));
      const auto clock = steadyClock();
      Transport transport(*wire, *clock);
      live(rank, transport, setupOf(rank, world));
      for (int other = 0; other < world; ++other)
        if (other != rank) transport.send(other, {.kind = MessageKind::kBye});
    });
}

std::unique_ptr<aggregators::Aggregator> aggregatorOf(const EngineCase& of, const aggregators::AggregatorSetup& setup) {
  return aggregators::makeAggregator(*aggregators::findAggregator(of.aggregation), of.engine, setup);
}

Real contribution(int rank, std::int64_t round, std::size_t i) {
  return static_cast<Real>(static_cast<int>((i * 7 + static_cast<std::size_t>(rank) * 13 + static_cast<std::size_t>(round) * 5) % 101) - 50);
}

template <class Body>
std::pair<Errc, std::string> thrownBy(Body body) {
  try {
    body();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {Errc::kSpec, "nothing was thrown"};
}

// Worker 1, in a process of its own: says its endpoint, reads everybody's, and takes means until it is killed.
[[noreturn]] void takeMeansForEver(const EngineCase& of, int in, int out) {
  try {
    const auto wire = zeromq::bindZmqWire(1, "127.0.0.1", {}, {.plainTcp = true});
    char text[64] = {};
    std::strncpy(text, wire->endpoint().c_str(), sizeof text - 1);
    if (::write(out, text, sizeof text) != sizeof text || ::read(in, text, sizeof text) != sizeof text) ::_exit(2);
    wire->connect({text, ""}, {"w0", "w1"});
    const auto clock = steadyClock();
    Transport transport(*wire, *clock);
    const auto aggregator = aggregatorOf(of, setupOf(1, 2));
    std::vector<Real> data(1'000'000);
    for (std::int64_t round = 1;; ++round) aggregator->mean(transport, round, data);
  } catch (const std::exception&) {
  }
  ::_exit(1);
}

}  // namespace

void expectExactMeansAndBookedBytes(const EngineCase& of, int world) {
  constexpr std::size_t kSizes[] = {1, 2, 3, 17, 1000, 1000, 10000, 300'000, 3};  // also the same again, and shorter
  std::vector<std::vector<std::vector<Real>>> means(static_cast<std::size_t>(world));
  std::vector<std::vector<std::int64_t>> booked(static_cast<std::size_t>(world));
  together(world, [&](int rank, Transport& transport, aggregators::AggregatorSetup setup) {
    setup.book = [&, rank](std::int64_t bytes) { booked[static_cast<std::size_t>(rank)].push_back(bytes); };
    const auto aggregator = aggregatorOf(of, setup);
    std::int64_t round = 0;
    for (const std::size_t size : kSizes) {
      std::vector<Real> data(size);
      ++round;
      for (std::size_t i = 0; i < size; ++i) data[i] = contribution(rank, round, i);
      aggregator->mean(transport, round, data);
      means[static_cast<std::size_t>(rank)].push_back(std::move(data));
    }
  });
  for (int rank = 0; rank < world; ++rank)
    for (std::size_t k = 0; k < std::size(kSizes); ++k) {
      const std::vector<Real>& mean = means[static_cast<std::size_t>(rank)][k];
      for (std::size_t i = 0; i < mean.size(); ++i) {
        Real sum = 0;
        for (int other = 0; other < world; ++other) sum += contribution(other, static_cast<std::int64_t>(k) + 1, i);
        ASSERT_EQ(mean[i], sum * (Real(1) / static_cast<Real>(world))) << "rank " << rank << ", " << mean.size() << " elements, at " << i;
      }
      EXPECT_EQ(booked[static_cast<std::size_t>(rank)][k],
                static_cast<std::int64_t>(aggregators::findAggregator(of.formula)->cost(rank, world, mean.size()).elementsSent * sizeof(Real)));
    }
}

// As the worker's loop does: a stop ends a round that the sender does not take part in, and no round that it did.
void expectAStopToEndTheWaitForWorkersThatDoNotCome(const EngineCase& of) {
  together(3, [&](int rank, Transport& transport, const aggregators::AggregatorSetup& setup) {
    const auto aggregator = aggregatorOf(of, setup);
    std::int64_t round = 1;
    bool stopped = false;
    const auto endIfStopped = [&] {
      if (stopped && round > 1) throw Error(Errc::kStopped, "the run ended with round 1");
    };
    transport.onControl([&](const Message& message) {
      stopped = stopped || message.kind == MessageKind::kStop;
      endIfStopped();
    });
    std::vector<Real> data(1000, Real(rank));
    aggregator->mean(transport, round, data);
    ++round;
    if (rank == 0) {
      for (const int worker : {1, 2}) transport.send(worker, {.kind = MessageKind::kStop});
      return;
    }
    const auto next = [&] {
      endIfStopped();
      aggregator->mean(transport, round, data);
    };
    EXPECT_EQ(thrownBy(next).first, Errc::kStopped);
  });
}

void expectAWorkerThatIsElsewhereToBeNamed(const EngineCase& of) {
  together(2, [&](int rank, Transport& transport, const aggregators::AggregatorSetup& setup) {
    const auto aggregator = aggregatorOf(of, setup);
    std::vector<Real> data(1000);
    aggregator->mean(transport, 1, data);
    const auto [code, text] = thrownBy([&] { aggregator->mean(transport, rank == 0 ? 2 : 3, data); });
    EXPECT_EQ(code, Errc::kFormat);
    EXPECT_THAT(text, HasSubstr(rank == 0 ? "node 1 sent a reduce of round 3" : "node 0 sent a reduce of round 2"));
  });
}

void expectAWorkerKilledInACollectiveToBeNamed(const EngineCase& of) {
  ::signal(SIGPIPE, SIG_IGN);  // as nodes do
  int toChild[2], fromChild[2];
  ASSERT_EQ(::pipe(toChild), 0);
  ASSERT_EQ(::pipe(fromChild), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) takeMeansForEver(of, toChild[0], fromChild[1]);
  const auto wire = zeromq::bindZmqWire(0, "127.0.0.1", {}, {.plainTcp = true});
  char text[64] = {}, own[64] = {};
  std::strncpy(own, wire->endpoint().c_str(), sizeof own - 1);
  ASSERT_EQ(::read(fromChild[0], text, sizeof text), static_cast<ssize_t>(sizeof text));
  ASSERT_EQ(::write(toChild[1], own, sizeof own), static_cast<ssize_t>(sizeof own));
  wire->connect({"", text}, {"w0", "w1"});
  const auto clock = steadyClock();
  Transport transport(*wire, *clock);
  const auto aggregator = aggregatorOf(of, setupOf(0, 2));
  std::vector<Real> data(1'000'000);
  std::barrier warm(2);
  std::jthread killer([&] {
    warm.arrive_and_wait();
    ::kill(child, SIGKILL);  // wherever the two are by then
  });
  const auto [code, error] = thrownBy([&] {
    for (std::int64_t round = 1;; ++round) {
      aggregator->mean(transport, round, data);
      if (round == 3) warm.arrive_and_wait();
    }
  });
  EXPECT_EQ(code, Errc::kPeerLost) << error;
  EXPECT_THAT(error, HasSubstr("w1"));
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
  for (const int fd : {toChild[0], toChild[1], fromChild[0], fromChild[1]}) ::close(fd);
}

}  // namespace paceline::tests
