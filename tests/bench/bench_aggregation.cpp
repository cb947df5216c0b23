// Every aggregation's bus bandwidth, ours beside Gloo's, in the same processes and in turn: n workers and a server, each a process of its
// own, both over TCP on the loopback interface. Gloo is called directly and adds up memory of its own: no copies, no mean, no barriers of ours.
// Bus bandwidth as NCCL's tests define it: bytes / seconds * 2 (n-1) / n, the rate of the links if the all-reduce were optimal, whatever the method.
#include <cmath>
#include <csignal>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>

#include <gloo/allreduce_halving_doubling.h>
#include <gloo/allreduce_ring_chunked.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>

#include "app/cluster/hosts/host.h"
#include "engine/comm/aggregators/aggregation_engine.h"
#include "engine/comm/zmq/zmq_wire.h"
#include "engine/core/base/error.h"
#include "engine/core/base/freed_memory.h"
#include "tests/bench/bench.h"
#include "tests/bench/temp_folder.h"

namespace paceline::bench {
namespace {

constexpr const char* kAddress = "127.0.0.1";
constexpr std::size_t kMegabytes[] = {1, 45, 100};
constexpr int kWarmUp = 2;
int repeatsOf(std::size_t megabytes) { return megabytes == 1 ? 40 : 7; }

struct Method {
  std::string name;
  std::function<void(std::int64_t)> reduce;  // of that round, once
};

std::shared_ptr<gloo::rendezvous::Context> glooContext(const std::string& folder, const aggregators::AggregatorSetup& setup) {
  gloo::transport::tcp::attr address(kAddress);
  std::shared_ptr<gloo::transport::Device> device = gloo::transport::tcp::CreateDevice(address);
  auto context = std::make_shared<gloo::rendezvous::Context>(setup.rank, static_cast<int>(setup.workers.size()));
  gloo::rendezvous::FileStore store(folder);
  context->connectFullMesh(store, device);
  return context;
}

// Adds up, does not divide: ones become powers of the world's size.
struct GlooSum {
  std::vector<Real> memory;
  std::unique_ptr<gloo::Algorithm> algorithm{};  // goes before its memory
  int runs = 0;

  void check(std::size_t world) const {
    const auto sum = static_cast<Real>(std::pow(world, runs));
    if (memory[memory.size() / 3] != sum || memory.back() != sum) throw Error(Errc::kFormat, strCat("Gloo's sum of ones is not ", sum));
  }
};

template <class Algorithm>
std::shared_ptr<GlooSum> glooSum(const std::shared_ptr<gloo::Context>& context, std::size_t elements) {
  auto sum = std::make_shared<GlooSum>(GlooSum{.memory = std::vector<Real>(elements, Real(1))});
  sum->algorithm = std::make_unique<Algorithm>(context, std::vector<Real*>{sum->memory.data()}, static_cast<int>(elements));
  return sum;
}

// With a server alone: its workers take messages from whoever sends, and must not meet those of the next method.
std::vector<Method> ownMethods(const aggregators::AggregatorSetup& setup, bool byServer, Transport& transport, std::span<Real> data) {
  std::vector<Method> methods;
  for (const aggregators::AggregatorDef& def : aggregators::aggregators()) {
    if (def.needsServer != byServer) continue;
    const std::shared_ptr<aggregators::Aggregator> aggregator = aggregators::makeAggregator(def, "paceline", setup);
    methods.push_back({def.id, [aggregator, &transport, data](std::int64_t round) { aggregator->mean(transport, round, data); }});
  }
  return methods;
}

std::string orderLine() {
  std::string text;
  if (!std::getline(std::cin, text)) throw Error(Errc::kFormat, "a node of the aggregation bench misses its orders");
  return text;
}

void serve(Wire& wire, const aggregators::AggregatorSetup& setup) {
  struct WireOutbox final : Outbox {
    explicit WireOutbox(Wire& below) : wire(below) {}
    void send(int to, Message message) override { wire.send(to, std::move(message)); }
    double now() const override { return secondsNow(); }
    Wire& wire;
  } outbox(wire);
  std::map<std::int32_t, std::unique_ptr<ServerAlgorithm>> halves;
  for (std::size_t byes = 0; byes < setup.workers.size();) {
    auto message = wire.receive(std::numeric_limits<double>::infinity());
    if (!message) continue;
    if (message->kind == MessageKind::kBye) {
      ++byes;
      continue;
    }
    auto& half = halves[message->shard];
    if (!half) half = aggregators::findAggregator("server")->makeServer(setup);
    half->onMessage(std::move(*message), outbox);
  }
}

// Lines "METHOD MEGABYTES SECONDS": medians of this worker; a tree's root is through before its leaves. Gloo's ranks find each other in `glooFolder`.
void measureMeans(Wire& wire, const aggregators::AggregatorSetup& setup, bool byServer, const std::string& glooFolder) {
  const auto clock = steadyClock();
  Transport transport(wire, *clock);
  const aggregators::EngineBarrier together(setup);
  const std::shared_ptr<gloo::Context> context = byServer ? nullptr : glooContext(glooFolder, setup);
  std::int64_t round = 0;
  for (const std::size_t megabytes : kMegabytes) {
    const std::size_t elements = megabytes * 1'000'000 / sizeof(Real);
    std::vector<Real> data(elements, Real(1));
    std::vector<Method> methods = ownMethods(setup, byServer, transport, data);
    std::vector<std::shared_ptr<GlooSum>> sums;
    if (context) sums = {glooSum<gloo::AllreduceRingChunked<Real>>(context, elements), glooSum<gloo::AllreduceHalvingDoubling<Real>>(context, elements)};
    for (const auto& sum : sums)
      methods.push_back({sum == sums.front() ? "gloo_ring" : "gloo_halving_doubling", [sum](std::int64_t) { sum->algorithm->run(), ++sum->runs; }});
    std::map<std::string, std::vector<double>> seconds;
    for (int repeat = 0; repeat < kWarmUp + repeatsOf(megabytes); ++repeat)
      for (const Method& method : methods) {  // in turn, so that all see the same machine
        if (!byServer) (void)together.allGood(transport, ++round, true);  // nobody is still in the method before
        const double began = secondsNow();
        method.reduce(++round);
        if (repeat >= kWarmUp) seconds[method.name].push_back(secondsNow() - began);
      }
    if (data[elements / 3] != 1 || data.back() != 1) throw Error(Errc::kFormat, "the mean of ones is not one");
    for (const auto& sum : sums) sum->check(setup.workers.size());
    if (context) (void)together.allGood(transport, ++round, true);  // nobody's memory goes while another's Gloo still writes to it
    for (const Method& method : methods)
      std::cout << method.name << ' ' << megabytes << ' ' << median(seconds[method.name]) << std::endl;
  }
  for (int other = 0; other <= static_cast<int>(setup.workers.size()); ++other)
    if (other != setup.rank) transport.send(other, {.kind = MessageKind::kBye});
}

using Seconds = std::map<std::pair<std::string, std::size_t>, double>;  // by method and megabytes, of the slowest worker

void measureWith(const std::string& program, int workers, bool byServer, Seconds& seconds) {
  const TempFolder folder{};
  const auto host = hosts::localHost();
  std::vector<std::unique_ptr<hosts::Process>> nodes;
  std::vector<std::string> endpoints;
  const auto line = [](hosts::Process& node) {
    auto text = node.readLine(300);
    if (!text) throw Error(Errc::kData, "a node of the aggregation bench said nothing for 300 s");
    return *text;
  };
  for (int node = 0; node <= workers; ++node) {
    nodes.push_back(host->start({program, "--part", "aggregation_node", std::to_string(node)}));
    nodes.back()->writeLine(std::to_string(workers));
    nodes.back()->writeLine(byServer ? "server" : "peers");
    nodes.back()->writeLine(folder.path);
    endpoints.push_back(line(*nodes.back()));
  }
  for (auto& node : nodes)
    for (const std::string& endpoint : endpoints) node->writeLine(endpoint);
  const std::size_t rows = std::size(kMegabytes) * (byServer ? 1 : aggregators::aggregators().size() - 1 + 2);
  for (std::size_t row = 0; row < rows; ++row)
    for (int worker = 0; worker < workers; ++worker) {
      std::istringstream words(line(*nodes[static_cast<std::size_t>(worker)]));
      std::string method;
      std::size_t megabytes = 0;
      double took = 0;
      if (!(words >> method >> megabytes >> took)) throw Error(Errc::kFormat, strCat("a node of the aggregation bench printed \"", words.str(), "\""));
      double& slowest = seconds[{method, megabytes}];
      slowest = std::max(slowest, took);
    }
  for (auto& node : nodes) node->wait();
}

}  // namespace

int aggregationNodePart(int node) {
  keepFreedMemory();
  std::signal(SIGPIPE, SIG_IGN);
  const int workers = std::stoi(orderLine());
  const bool byServer = orderLine() == "server";
  aggregators::AggregatorSetup setup;
  setup.rank = node;
  setup.servers = {workers};
  std::vector<std::string> names;
  for (int i = 0; i <= workers; ++i) names.push_back(strCat(i < workers ? "w" : "s", i));
  std::vector<int> nodes;
  for (int i = 0; i < workers; ++i) nodes.push_back(i);
  setup.workers = std::move(nodes);
  const std::string glooFolder = orderLine();
  zeromq::WireLimits limits = zeromq::limitsFor(names.size());
  limits.plainTcp = true;
  const auto wire = zeromq::bindZmqWire(node, kAddress, {}, limits);
  std::cout << wire->endpoint() << std::endl;
  std::vector<std::string> endpoints(names.size());
  for (std::string& endpoint : endpoints) endpoint = orderLine();
  wire->connect(endpoints, names);
  if (node == workers) serve(*wire, setup);
  else measureMeans(*wire, setup, byServer, glooFolder);
  return 0;
}

Result aggregationVsGloo(const std::string& program) {
  Result result{.id = "aggregation_vs_gloo", .value = std::numeric_limits<double>::infinity(), .target = 1.5,
                .note = "smallest over n and sizes of (best of ring, butterfly, binary blocks, tree) over (best of Gloo's ring and halving-doubling); inputs: bus "
                        "bandwidth in GB/s by the slowest worker, processes of their own on this host, all over loopback TCP, in turn; ours are means, Gloo's sums without copies",
                .inputs = {}};
  for (const int workers : {2, 4}) {
    Seconds seconds;
    for (const bool byServer : {false, true}) measureWith(program, workers, byServer, seconds);
    const double factor = 2.0 * (workers - 1) / workers;
    for (const std::size_t megabytes : kMegabytes) {
      double ours = 0, gloo = 0;
      for (const auto& [key, took] : seconds) {
        if (key.second != megabytes) continue;
        const double bandwidth = static_cast<double>(megabytes) * 1e6 / took * factor;
        result.inputs.emplace_back(strCat("n", workers, "_", megabytes, "mb_", key.first), bandwidth / 1e9);
        if (key.first.starts_with("gloo")) gloo = std::max(gloo, bandwidth);
        else if (key.first != "server") ours = std::max(ours, bandwidth);
      }
      result.inputs.emplace_back(strCat("n", workers, "_", megabytes, "mb_ratio"), ours / gloo);
      result.value = std::min(result.value, ours / gloo);
    }
  }
  return result;
}

}  // namespace paceline::bench
