#include "tests/bench/stream_bench.h"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <zmq.hpp>

#include "engine/core/base/error.h"
#include "tests/bench/bench.h"

namespace paceline::tests {
namespace {

constexpr int kQueue = 64;         // frames on each side
constexpr int kSendTimeoutMs = 100;

void keepSending(const std::string& endpoint, std::size_t frameBytes, const std::atomic<bool>& done) {
  std::vector<char> memory(frameBytes, 1);
  zmq::context_t context;
  zmq::socket_t push(context, zmq::socket_type::push);
  push.set(zmq::sockopt::linger, 0);
  push.set(zmq::sockopt::sndhwm, kQueue);
  push.set(zmq::sockopt::sndtimeo, kSendTimeoutMs);
  push.connect(endpoint);
  zmq::message_t frame;
  while (!done) {
    if (frame.size() == 0) frame.rebuild(memory.data(), memory.size(), [](void*, void*) {}, nullptr);
    (void)push.send(frame, zmq::send_flags::none);  // a refused frame is offered again
  }
  push.close();
  context.close();  // ZeroMQ reads `memory` until here
}

}  // namespace

double rawStreamBytesPerSecond(double seconds, std::size_t frameBytes) {
  using Steady = std::chrono::steady_clock;
  PACELINE_CHECK(frameBytes > 0, "frames of the raw stream");
  try {
    zmq::context_t context;
    zmq::socket_t pull(context, zmq::socket_type::pull);
    pull.set(zmq::sockopt::linger, 0);
    pull.set(zmq::sockopt::rcvhwm, kQueue);
    pull.bind("tcp://127.0.0.1:*");
    std::atomic<bool> done = false;
    std::jthread sender([&, endpoint = pull.get(zmq::sockopt::last_endpoint)] { keepSending(endpoint, frameBytes, done); });
    zmq::message_t frame;
    (void)pull.recv(frame);
    const auto began = Steady::now();
    std::size_t bytes = 0;
    double took = 0;
    while (took < seconds) {
      (void)pull.recv(frame);
      bytes += frame.size();
      took = std::chrono::duration<double>(Steady::now() - began).count();
    }
    done = true;
    return static_cast<double>(bytes) / took;
  } catch (const zmq::error_t& error) {
    throw bench::Lacking(strCat("cannot stream over the loopback interface: ", error.what()));
  }
}

}  // namespace paceline::tests
