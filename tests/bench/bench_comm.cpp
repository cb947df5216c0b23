// What the wire and the server's sum reach, over a raw ZeroMQ stream and a non-temporal triad of the same run.
#include <iostream>
#include <limits>
#include <memory>
#include <string>

#include <immintrin.h>

#include "app/cluster/hosts/host.h"
#include "engine/comm/aggregators/aggregator.h"
#include "engine/comm/shm/shared_wire.h"
#include "engine/comm/transport/send_vector.h"
#include "tests/bench/stream_bench.h"
#include "engine/comm/zmq/zmq_wire.h"
#include "engine/core/base/error.h"
#include "engine/core/base/freed_memory.h"
#include "engine/core/base/vec.h"
#include "engine/core/base/vector_memory.h"
#include "engine/runtime/shard_groups.h"
#include "tests/bench/bench.h"
#include "tests/bench/ps_round.h"
#include "tests/support/run_keys.h"

namespace paceline::bench {
namespace {

constexpr std::size_t kElements = kRoundElements;
constexpr double kPsRoundBytes = 4.0 * kElements * sizeof(float);  // 2 workers, both ways
constexpr int kServerThreads = 2;
const std::vector<std::string> kNames{"s0", "w0", "w1"};

struct Free {
  void operator()(float* memory) const { std::free(memory); }
};
using Buffer = std::unique_ptr<float, Free>;

Buffer filled(std::size_t elements, float value) {
  const std::size_t bytes = (elements * sizeof(float) + 63) / 64 * 64;
  Buffer buffer(static_cast<float*>(std::aligned_alloc(64, bytes)));
  std::fill_n(buffer.get(), elements, value);
  return buffer;
}

__attribute__((target("avx2"))) void triadAvx2(float* a, const float* b, const float* c, std::size_t n) {
  const __m256 s = _mm256_set1_ps(3.0F);
  for (std::size_t i = 0; i + 8 <= n; i += 8)
    _mm256_stream_ps(a + i, _mm256_add_ps(_mm256_load_ps(b + i), _mm256_mul_ps(s, _mm256_load_ps(c + i))));
  _mm_sfence();
}

void triad(float* a, const float* b, const float* c, std::size_t n) {
  if (__builtin_cpu_supports("avx2")) return triadAvx2(a, b, c, n);
  for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + 3.0F * c[i];
}

// Best of several: both sides of the ratio are limits of the machine, and it is shared.
template <class Work>
double bestSeconds(int repeats, Work work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeats; ++i) {
    const double began = secondsNow();
    work();
    best = std::min(best, secondsNow() - began);
  }
  return best;
}

void serveRounds(Wire& wire, const aggregators::AggregatorSetup& setup) {
  struct WireOutbox final : Outbox {
    explicit WireOutbox(Wire& w) : wire(w) {}
    void send(int to, Message message) override { wire.send(to, std::move(message)); }
    double now() const override { return secondsNow(); }
    Wire& wire;
  } outbox(wire);
  std::vector<std::unique_ptr<ServerAlgorithm>> halves(shardsOf(kElements, setup.servers).size());
  ShardGroups groups(kServerThreads, [&wire] { wire.wake(); });
  for (std::size_t byes = 0; byes < setup.workers.size();) {
    groups.sendTo(outbox);
    auto message = wire.receive(std::numeric_limits<double>::infinity());
    if (!message) continue;
    if (message->kind == MessageKind::kBye) {
      ++byes;
      continue;
    }
    auto& half = halves.at(static_cast<std::size_t>(message->shard));
    if (!half) half = aggregators::findAggregator("server")->makeServer(setup);
    const std::int32_t shard = message->shard;
    const std::size_t bytes = wireBytes(*message);
    groups.post(shard, bytes, 0, [&half, given = std::move(*message)](Outbox& out) mutable { half->onMessage(std::move(given), out); });
  }
}

// As with a step's gradient: sent from where it lies; a round ends when the worker has the whole mean where a step reads it.
double trainRounds(Wire& wire, aggregators::AggregatorSetup setup, int node) {
  setup.rank = node - 1;
  const auto clock = steadyClock();
  Transport transport(wire, *clock);
  const auto aggregator = aggregators::findAggregator("server")->makeWorker(setup);
  aggregators::ShardedMean& mean = *aggregator->sharded();
  const std::vector<Real> ones(kElements, 1);
  SendVector data = SendVector::zeros(ones);
  std::vector<double> seconds;
  for (int round = 1; round <= kRounds; ++round) {
    data.renew();
    std::ranges::copy(ones, data.span().begin());
    const double began = secondsNow();
    const std::size_t shards = mean.shards(kElements).size();
    std::vector<bool> answered(shards);
    mean.begin(round);
    for (std::size_t s = 0; s < shards; ++s) mean.sendShard(transport, round, s, data, data.owner());
    bool right = true;
    for (std::size_t s = 0; s < shards; ++s) {
      const Message reply = transport.receive();
      mean.shardOf(transport, reply, round, kElements, answered);
      right = right && reply.dense.values().front() == 1 && reply.dense.values().back() == 1;
    }
    mean.end();
    if (round > kWarmUpRounds) seconds.push_back(secondsNow() - began);
    if (!right) throw Error(Errc::kFormat, "the mean of ones is not one");
  }
  transport.send(0, {.kind = MessageKind::kBye});
  return median(seconds);
}

}  // namespace

// Lines on stdin: address to bind, protection, own secret and everybody's public keys (unless plain), everybody's endpoints.
int psNodePart(int node) {
  keepFreedMemory();
  const auto line = [] {
    std::string text;
    if (!std::getline(std::cin, text)) throw Error(Errc::kFormat, "a node of the parameter-server round misses its orders");
    return text;
  };
  const std::string address = line();
  DataKeys keys;
  keys.mode = line();
  const bool shares = keys.mode == kSharedMemory;
  if (shares) keys.mode = "plain";
  if (keys.mode != "plain") {
    keys.secret = line();
    for (std::size_t i = 0; i < kNames.size(); ++i) keys.publics.push_back(line());
  }
  const shm::VectorArena arena;
  if (shares) useVectorMemory([arena](std::size_t bytes) { return arena.allocate(bytes); });
  const auto wire = zeromq::bindZmqWire(node, address, keys, {.plainTcp = true});
  std::optional<shm::SharedWire> shared;
  if (shares) shared.emplace(*wire, arena, wire->endpoint());
  std::cout << wire->endpoint() << std::endl;
  std::vector<std::string> endpoints(kNames.size());
  for (std::string& endpoint : endpoints) endpoint = line();
  wire->connect(endpoints, kNames);
  if (shared) shared->connect(endpoints);
  Wire& top = shared ? static_cast<Wire&>(*shared) : *wire;
  const aggregators::AggregatorSetup setup{.rank = 0, .workers = {1, 2}, .servers = {0}};
  if (node == 0) serveRounds(top, setup);
  else std::cout << trainRounds(top, setup, node) << std::endl;
  return 0;
}

double psRoundSeconds(const std::string& program, const std::string& address, const std::string& mode) {
  const auto host = hosts::localHost();
  const std::vector<DataKeys> keys = tests::runKeys(mode == kSharedMemory ? "plain" : mode, kNames.size());
  std::vector<std::unique_ptr<hosts::Process>> nodes;
  std::vector<std::string> endpoints;
  auto line = [&](hosts::Process& node) {
    auto text = node.readLine(120);
    if (!text) throw Error(Errc::kData, "a node of the parameter-server round said nothing for 120 s");
    return *text;
  };
  for (int node = 0; node < 3; ++node) {
    nodes.push_back(host->start({program, "--part", "ps_node", std::to_string(node)}));
    nodes.back()->writeLine(address);
    nodes.back()->writeLine(mode);
    if (mode != "plain" && mode != kSharedMemory) {
      const DataKeys& own = keys[static_cast<std::size_t>(node)];
      nodes.back()->writeLine(own.secret);
      for (const std::string& key : own.publics) nodes.back()->writeLine(key);
    }
    endpoints.push_back(line(*nodes.back()));
  }
  for (auto& node : nodes)
    for (const std::string& endpoint : endpoints) node->writeLine(endpoint);
  const double first = std::stod(line(*nodes[1])), second = std::stod(line(*nodes[2]));
  for (auto& node : nodes) node->wait();
  return std::max(first, second);
}

Result psRoundVsStream(const std::string& program) {
  const double round = psRoundSeconds(program, "127.0.0.1", "plain"), bytes = kPsRoundBytes;
  const double stream = tests::rawStreamBytesPerSecond(3.0, std::size_t{1} << 20);
  return {.id = "ps_round_vs_stream", .value = bytes / round / stream, .target = 0.5,
          .note = "2 workers, 1 server with 2 threads, processes of their own, 44.7 MB over TCP loopback; bytes both ways over the median of 20 rounds, "
                  "summation included, over a raw ZeroMQ TCP stream of 1 MB frames",
          .inputs = {{"round_s", round}, {"bytes_per_round", bytes}, {"stream_bytes_per_s", stream}}};
}

Result serverSumVsTriad() {
  std::vector<Buffer> inputs;
  for (int i = 0; i < 4; ++i) inputs.push_back(filled(kElements, static_cast<float>(i)));
  const Buffer out = filled(kElements, 0.0F);
  const float* const pointers[] = {inputs[0].get(), inputs[1].get(), inputs[2].get(), inputs[3].get()};
  double sum = std::numeric_limits<double>::infinity(), triadTime = sum;
  for (int turn = 0; turn < 5; ++turn) {  // in turn, so that both see the same machine
    sum = std::min(sum, bestSeconds(4, [&] { sumOf<float>(pointers, 0.25F, {out.get(), kElements}); }));
    triadTime = std::min(triadTime, bestSeconds(4, [&] { triad(out.get(), pointers[0], pointers[1], kElements); }));
  }
  sumOf<float>(pointers, 0.25F, {out.get(), kElements});
  if (out.get()[kElements / 2] != 1.5F) throw Error(Errc::kFormat, "the sum of four vectors is wrong");
  const double bytes = kElements * sizeof(float);
  const double sumRate = 5 * bytes / sum, triadRate = 3 * bytes / triadTime;
  return {.id = "server_sum_vs_triad", .value = sumRate / triadRate, .target = 0.7,
          .note = "mean of 4 vectors of 11 175 370 floats (5 streams) over a = b + s*c with non-temporal stores (3 streams), bytes/s, one thread, best of 20",
          .inputs = {{"sum_bytes_per_s", sumRate}, {"triad_bytes_per_s", triadRate}}};
}

}  // namespace paceline::bench
