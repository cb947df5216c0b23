// The parameter-server round by blocking TCP sockets alone, the limit of ours: the same processes and shards, but neither messages nor queues. A
// worker sends its shards by one thread and receives the means by another; the server adds up shard by shard as they arrive and answers each worker.
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "app/cluster/hosts/host.h"
#include "engine/comm/transport/layers.h"
#include "engine/core/base/error.h"
#include "engine/core/base/vec.h"
#include "tests/bench/bare_sockets.h"
#include "tests/bench/bench.h"
#include "tests/bench/ps_round.h"

namespace paceline::bench {
namespace {

constexpr int kWorkers = 2, kTurns = 5;

void serve() {
  const auto listening = Socket::listening(kWorkers);
  std::cout << listening->port() << std::endl;
  std::vector<std::unique_ptr<Socket>> workers;
  for (int i = 0; i < kWorkers; ++i) workers.push_back(listening->accept());
  std::vector<std::vector<float>> pushed(kWorkers, std::vector<float>(kLongestShard));
  std::vector<float> mean(kLongestShard);
  const float* const inputs[] = {pushed[0].data(), pushed[1].data()};
  for (int round = 0; round < kRounds; ++round)
    for (const ShardRange& shard : shardsOf(kRoundElements, {0})) {
      for (std::size_t i = 0; i < workers.size(); ++i) workers[i]->receive(std::span(pushed[i]).first(shard.size));
      sumOf<float>(inputs, 1.0F / kWorkers, std::span(mean).first(shard.size));
      for (const auto& worker : workers) worker->send(std::span(mean).first(shard.size));
    }
}

double train(int port) {
  const auto server = Socket::connected(port);
  std::vector<float> vector(kRoundElements, 1.0F);
  const auto shards = shardsOf(kRoundElements, {0});
  const auto part = [&](const ShardRange& shard) { return std::span(vector).subspan(shard.offset, shard.size); };
  std::vector<double> seconds;
  for (int round = 0; round < kRounds; ++round) {
    const double began = secondsNow();
    {
      std::jthread sender([&] {
        for (const ShardRange& shard : shards) server->send(part(shard));
      });
      for (const ShardRange& shard : shards) server->receive(part(shard));  // over what was sent: the server has had it
    }
    if (round >= kWarmUpRounds) seconds.push_back(secondsNow() - began);
  }
  if (vector.front() != 1.0F || vector.back() != 1.0F) throw Error(Errc::kFormat, "the mean of ones is not one");
  return median(seconds);
}

double socketRoundSeconds(const std::string& program) {
  const auto host = hosts::localHost();
  const auto line = [](hosts::Process& node) {
    auto text = node.readLine(120);
    if (!text) throw Error(Errc::kData, "a node of the round over bare sockets said nothing for 120 s");
    return *text;
  };
  const auto server = host->start({program, "--part", "socket_node", "server"});
  const std::string port = line(*server);
  std::vector<std::unique_ptr<hosts::Process>> workers;
  for (int i = 0; i < kWorkers; ++i) workers.push_back(host->start({program, "--part", "socket_node", port}));
  double slowest = 0;
  for (const auto& worker : workers) slowest = std::max(slowest, std::stod(line(*worker)));
  for (const auto& worker : workers) worker->wait();
  server->wait();
  return slowest;
}

}  // namespace

int socketNodePart(const std::string& port) {
  if (port == "server") serve();
  else std::cout << train(std::stoi(port)) << std::endl;
  return 0;
}

Result psRoundVsSockets(const std::string& program) {
  std::vector<double> ratios, ours, sockets;
  for (int turn = 0; turn < kTurns; ++turn) {
    ours.push_back(psRoundSeconds(program, "127.0.0.1", "plain"));
    sockets.push_back(socketRoundSeconds(program));
    ratios.push_back(sockets.back() / ours.back());
  }
  return {.id = "ps_round_vs_sockets", .value = median(ratios), .target = 1.0,
          .note = strCat("2 workers, 1 server (ours with 2 threads), 44.7 MB pushed and pulled over TCP loopback in shards of 512 kB, summation included: rate of ours over that of a server and "
                         "workers of blocking sockets alone, median of ", kTurns, " pairs"),
          .inputs = {{"round_s", median(ours)}, {"sockets_round_s", median(sockets)}, {"lowest_ratio", *std::ranges::min_element(ratios)}, {"highest_ratio", *std::ranges::max_element(ratios)}}};
}

}  // namespace paceline::bench
