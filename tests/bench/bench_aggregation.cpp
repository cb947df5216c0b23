// Every aggregation's bus bandwidth, ours beside Gloo's, LibTorch's c10d and bare sockets, in the same processes and in turn: n workers and a server, each a
// process of its own, all over TCP on the loopback interface. The others are called directly and have memory of their own: no copies, no mean, no barriers of ours.
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
#include "engine/comm/aggregators/message_board.h"
#include "engine/comm/zmq/zmq_wire.h"
#include "engine/core/base/error.h"
#include "engine/core/base/freed_memory.h"
#include "engine/nn/c10d.h"
#include "tests/bench/bare_sockets.h"
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

// Adds up, does not divide: ones become powers of the world's size. Bare sockets add up nothing.
struct ForeignSum {
  std::string name;
  std::vector<Real> memory;
  std::function<void()> run{};  // goes before its memory
  bool adds = true;
  int runs = 0;

  void check(std::size_t world) const {
    const auto sum = static_cast<Real>(std::pow(world, adds ? runs : 0));
    if (memory[memory.size() / 3] != sum || memory.back() != sum) throw Error(Errc::kFormat, strCat("the sum of ones by ", name, " is not ", sum));
  }
};

std::shared_ptr<ForeignSum> foreignSum(const char* name, std::size_t elements) {
  return std::make_shared<ForeignSum>(ForeignSum{.name = name, .memory = std::vector<Real>(elements, Real(1))});
}

template <class Algorithm>
std::shared_ptr<ForeignSum> glooSum(const char* name, const std::shared_ptr<gloo::Context>& context, std::size_t elements) {
  auto sum = foreignSum(name, elements);
  const auto algorithm = std::make_shared<Algorithm>(context, std::vector<Real*>{sum->memory.data()}, static_cast<int>(elements));
  sum->run = [algorithm] { algorithm->run(); };
  return sum;
}

std::unique_ptr<Collective> c10dOf(Transport& transport, const aggregators::AggregatorSetup& setup) {
  aggregators::MessageBoard board(transport, setup.workers, setup.rank);
  auto collective = c10dCollective()({.rank = setup.rank, .world = static_cast<int>(setup.workers.size()), .timeout = std::chrono::seconds(120)}, board);
  board.close();
  return collective;
}

std::unique_ptr<SocketMesh> socketMesh(Transport& transport, const aggregators::AggregatorSetup& setup) {
  aggregators::MessageBoard board(transport, setup.workers, setup.rank);
  auto mesh = std::make_unique<SocketMesh>(board, setup.rank, static_cast<int>(setup.workers.size()));
  board.close();
  return mesh;
}

// What a part of this bench measures beside our own aggregations.
struct Foreign {
  std::shared_ptr<::gloo::rendezvous::Context> gloo{};
  std::unique_ptr<Collective> c10d{};
  std::unique_ptr<SocketMesh> sockets{};

  std::vector<std::shared_ptr<ForeignSum>> sums(std::size_t elements) const {
    std::vector<std::shared_ptr<ForeignSum>> all;
    if (gloo) all = {glooSum<::gloo::AllreduceRingChunked<Real>>("gloo_ring", gloo, elements), glooSum<::gloo::AllreduceHalvingDoubling<Real>>("gloo_halving_doubling", gloo, elements)};
    if (c10d) {
      const auto sum = all.emplace_back(foreignSum("c10d", elements));
      sum->run = [group = c10d.get(), memory = std::span(sum->memory)] { group->sum(memory); };
    }
    if (sockets) {
      const auto moved = all.emplace_back(foreignSum("sockets", elements));
      moved->adds = false;
      moved->run = [mesh = sockets.get(), memory = std::span(moved->memory)] { mesh->exchange(memory); };
    }
    return all;
  }
};

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

// Which methods a measurement takes in turn. With a server alone: see ownMethods().
enum class Measured { kServer, kGloo, kC10d };  // kGloo: those without a server, Gloo's and bare sockets; kC10d: c10d's, too
constexpr const char* kMeasured[] = {"server", "gloo", "c10d"};

// Lines "METHOD MEGABYTES SECONDS": medians of this worker; a tree's root is through before its leaves. Gloo's ranks find each other in `glooFolder`.
void measureMeans(Wire& wire, const aggregators::AggregatorSetup& setup, Measured what, const std::string& glooFolder) {
  const auto clock = steadyClock();
  Transport transport(wire, *clock);
  const aggregators::EngineBarrier together(setup);
  const bool byServer = what == Measured::kServer;
  Foreign foreign;
  if (!byServer) foreign.gloo = glooContext(glooFolder, setup);
  if (!byServer) foreign.sockets = socketMesh(transport, setup);
  if (what == Measured::kC10d) foreign.c10d = c10dOf(transport, setup);
  std::int64_t round = 0;
  for (const std::size_t megabytes : kMegabytes) {
    const std::size_t elements = megabytes * 1'000'000 / sizeof(Real);
    std::vector<Real> data(elements, Real(1));
    std::vector<Method> methods = ownMethods(setup, byServer, transport, data);
    const std::vector<std::shared_ptr<ForeignSum>> sums = foreign.sums(elements);
    for (const auto& sum : sums) methods.push_back({sum->name, [sum](std::int64_t) { sum->run(), ++sum->runs; }});
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
    if (!sums.empty()) (void)together.allGood(transport, ++round, true);  // nobody's memory goes while another's library still writes to it
    for (const Method& method : methods)
      std::cout << method.name << ' ' << megabytes << ' ' << median(seconds[method.name]) << std::endl;
  }
  for (int other = 0; other <= static_cast<int>(setup.workers.size()); ++other)
    if (other != setup.rank) transport.send(other, {.kind = MessageKind::kBye});
}

using Seconds = std::map<std::pair<std::string, std::size_t>, double>;  // by method and megabytes, of the slowest worker

void measureWith(const std::string& program, int workers, Measured what, Seconds& seconds) {
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
    nodes.back()->writeLine(kMeasured[static_cast<int>(what)]);
    nodes.back()->writeLine(folder.path);
    endpoints.push_back(line(*nodes.back()));
  }
  for (auto& node : nodes)
    for (const std::string& endpoint : endpoints) node->writeLine(endpoint);
  const std::size_t rows = std::size(kMegabytes) * (what == Measured::kServer ? 1 : aggregators::aggregators().size() - 1 + (what == Measured::kC10d ? 4 : 3));
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
  const auto what = static_cast<Measured>(std::ranges::find(kMeasured, orderLine()) - std::begin(kMeasured));
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
  else measureMeans(*wire, setup, what, glooFolder);
  return 0;
}

namespace {

// Ours over `other`, whose methods' names begin with that, into the result's inputs and smallest value.
Result oursOver(const std::string& other, const std::string& program, Measured peers, Result result) {
  for (const int workers : {2, 4}) {
    Seconds seconds;
    for (const Measured what : {peers, Measured::kServer}) measureWith(program, workers, what, seconds);
    const double factor = 2.0 * (workers - 1) / workers;
    for (const std::size_t megabytes : kMegabytes) {
      double ours = 0;
      std::map<std::string, double> theirs;  // best by library
      for (const auto& [key, took] : seconds) {
        if (key.second != megabytes) continue;
        const double bandwidth = static_cast<double>(megabytes) * 1e6 / took * factor;
        result.inputs.emplace_back(strCat("n", workers, "_", megabytes, "mb_", key.first), bandwidth / 1e9);
        const std::string library = key.first.substr(0, key.first.find('_'));
        if (library == "gloo" || library == "c10d" || library == "sockets") theirs[library] = std::max(theirs[library], bandwidth);
        else if (key.first != "server") ours = std::max(ours, bandwidth);
      }
      for (const auto& [library, best] : theirs) result.inputs.emplace_back(strCat("n", workers, "_", megabytes, "mb_ratio", library == other ? "" : "_" + library), ours / best);
      result.inputs.emplace_back(strCat("n", workers, "_", megabytes, "mb_limit"), theirs.at("sockets") / theirs.at(other));
      result.value = std::min(result.value, ours / theirs.at(other));
    }
  }
  return result;
}

}  // namespace

Result aggregationVsGloo(const std::string& program) {
  return oursOver("gloo", program, Measured::kGloo,
                  {.id = "aggregation_vs_gloo", .value = std::numeric_limits<double>::infinity(), .target = 1.5,
                   .note = "smallest over n and sizes of (best of ring, butterfly, binary blocks, tree) over (best of Gloo's ring and halving-doubling); inputs: bus "
                           "bandwidth in GB/s by the slowest worker, processes of their own on this host, all over loopback TCP, in turn; ours are means, Gloo's sums without copies; "
                           "sockets: the butterfly's bytes over bare sockets, nothing added up; limit: these over Gloo's best",
                   .inputs = {}});
}

Result aggregationVsC10d(const std::string& program) {
  if (!c10dCollective()) throw Lacking("this LibTorch has no c10d");
  return oursOver("c10d", program, Measured::kC10d,
                  {.id = "aggregation_vs_c10d", .value = std::numeric_limits<double>::infinity(), .target = 1,
                   .note = "smallest over n and sizes of (best of ring, butterfly, binary blocks, tree) over the all-reduce of LibTorch's c10d (Gloo); inputs as of "
                           "aggregation_vs_gloo, and the ratio to Gloo called without c10d; ours are means, theirs sums without copies",
                   .inputs = {}});
}

}  // namespace paceline::bench
