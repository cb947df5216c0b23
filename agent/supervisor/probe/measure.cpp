#include "agent/supervisor/probe/measure.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <unistd.h>
#include <vector>

#include <nlohmann/json.hpp>

#include "agent/supervisor/probe/measure_socket.h"
#include "agent/supervisor/supervise/client.h"
#include "engine/core/base/error.h"
#include "engine/core/record/event.h"

// The conversation: "paceline-measure 1 TOKEN\n" is answered by "ok\n" or "no\n". Then one letter at a time from the one that connected:
// 'p' is echoed; 'u' is followed by a flow and answered by its rate as a line; 'd' is answered by a flow; 'q' ends. A flow is blocks of
// {length, u32 little-endian, at most kBlock} and that many bytes; length 0 ends it.

namespace paceline::probe {

namespace {

constexpr int kRoundTrips = 200, kFewestRoundTrips = 8;
constexpr int kStrangers = 16;  // without the token; then it ends
constexpr std::size_t kBlock = 256 << 10, kLongestLine = 256;
constexpr double kWaitSeconds = 20, kLineSeconds = 2, kConnectSeconds = 5, kWholeSeconds = 30, kPingSeconds = 5;
// A flow: TCP has found its pace after kWarmSeconds; the end is left out too, where a lost last segment would cost a retransmission's wait.
constexpr double kFlowSeconds = 0.75, kWarmSeconds = 0.2, kCountedSeconds = 0.45;

MeasureClock::time_point after(double seconds) {
  return MeasureClock::now() + std::chrono::duration_cast<MeasureClock::duration>(std::chrono::duration<double>(seconds));
}
double between(MeasureClock::time_point begin, MeasureClock::time_point end) { return std::chrono::duration<double>(end - begin).count(); }

std::string tokenFromInput() {
  ::alarm(static_cast<unsigned>(kWaitSeconds + kWholeSeconds) + 5);  // whatever happens, even without a token: this process ends
  std::string token;
  std::getline(std::cin, token);
  const bool good = token.size() >= 32 && token.size() <= 128 && std::all_of(token.begin(), token.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  if (!good) throw Error(Errc::kUsage, "the first line on stdin must be the token: 32 to 128 letters and digits");
  return token;
}

std::string greeting(const std::string& token) { return strCat("paceline-measure 1 ", token); }

bool same(const std::string& a, const std::string& b) {  // in a time that says nothing about where they differ
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) difference |= static_cast<unsigned>(a[i] ^ b[i]);
  return difference == 0;
}

void sendFlow(MeasureSocket& socket) {
  std::vector<char> block(4 + kBlock);
  const auto put = [&block](std::uint32_t length) {
    for (int i = 0; i < 4; ++i) block[static_cast<std::size_t>(i)] = static_cast<char>(length >> (8 * i));
  };
  put(kBlock);
  for (const auto end = after(kFlowSeconds); MeasureClock::now() < end;) socket.write(block.data(), block.size());
  put(0);
  socket.write(block.data(), 4);
}

std::uint32_t readLength(MeasureSocket& socket) {
  unsigned char bytes[4];
  socket.read(bytes, sizeof bytes);
  const std::uint32_t length = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | static_cast<std::uint32_t>(bytes[3]) << 24;
  if (length > kBlock) throw MeasureError("lost", strCat("a block of ", length, " bytes"));
  return length;
}

// Mbit/s as it arrives here: what the sender hands to its kernel says nothing about the link.
double receiveFlow(MeasureSocket& socket) {
  std::vector<char> buffer(kBlock);
  MeasureClock::time_point first{}, last{}, warm{}, counted{};
  double total = 0, warmBytes = 0, countedBytes = 0;
  for (std::uint32_t length = readLength(socket); length > 0; length = readLength(socket))
    while (length > 0) {
      const std::size_t got = socket.readSome(buffer.data(), length);
      length -= static_cast<std::uint32_t>(got);
      last = MeasureClock::now();
      if (total == 0) first = last;
      total += static_cast<double>(got);
      if (warmBytes == 0 && between(first, last) >= kWarmSeconds) warm = last, warmBytes = total;
      if (warmBytes > 0 && between(warm, last) <= kCountedSeconds) counted = last, countedBytes = total;
    }
  const bool enough = warmBytes > 0 && between(warm, counted) > kCountedSeconds / 2;
  const double bytes = enough ? countedBytes - warmBytes : total, seconds = enough ? between(warm, counted) : between(first, last);
  return seconds > 0 ? bytes * 8 / seconds / 1e6 : 0;
}

void serve(MeasureSocket& socket) {
  while (true) {
    char order = 0;
    socket.read(&order, 1);
    if (order == 'q') return;
    if (order == 'p') {
      socket.write(&order, 1);
    } else if (order == 'u') {
      const std::string rate = strCat(receiveFlow(socket), "\n");
      socket.write(rate.data(), rate.size());
    } else if (order == 'd') {
      sendFlow(socket);
    } else {
      throw MeasureError("lost", "it says something else");
    }
  }
}

bool admits(MeasureSocket& peer, const std::string& token) {
  peer.deadline(after(kLineSeconds));
  try {
    const bool good = same(peer.readLine(kLongestLine), greeting(token));
    peer.write(good ? "ok\n" : "no\n", 3);
    return good;
  } catch (const MeasureError&) {  // gone, or silent
    return false;
  }
}

nlohmann::json roundTrips(MeasureSocket& socket) {
  std::vector<double> seconds;
  const auto enough = after(kPingSeconds);
  while (seconds.size() < kRoundTrips && (seconds.size() < kFewestRoundTrips || MeasureClock::now() < enough)) {
    char byte = 'p';
    const auto begin = MeasureClock::now();
    socket.write(&byte, 1);
    socket.read(&byte, 1);
    seconds.push_back(between(begin, MeasureClock::now()));
  }
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2), seconds.end());
  return {{"latency_ms", seconds[seconds.size() / 2] * 1e3 / 2}, {"round_trips", seconds.size()}};
}

double rateOf(const std::string& line) {
  double rate = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), rate);
  if (error != std::errc() || end != line.data() + line.size() || !(rate >= 0)) throw MeasureError("lost", "it says something else");
  return rate;
}

nlohmann::json measure(const std::string& host, int port, const std::string& token) {
  MeasureSocket socket = MeasureSocket::connected(host, port, kConnectSeconds);
  socket.deadline(after(kWholeSeconds));
  const std::string hello = greeting(token) + "\n";
  socket.write(hello.data(), hello.size());
  if (socket.readLine(kLongestLine) != "ok") throw MeasureError("token", "the token was refused");
  nlohmann::json found = roundTrips(socket);
  socket.write("u", 1);
  sendFlow(socket);
  found["mbps_to"] = rateOf(socket.readLine(kLongestLine));
  socket.write("d", 1);
  found["mbps_from"] = receiveFlow(socket);
  socket.write("q", 1);
  return found;
}

}  // namespace

void listenForMeasure(const std::string& address) {
  const std::string token = tokenFromInput();
  try {
    MeasureSocket socket = MeasureSocket::listening(address);
    std::cout << nlohmann::json{{"address", address}, {"port", socket.port()}}.dump() << std::endl;
    const auto until = after(kWaitSeconds);
    for (int strangers = 0; strangers < kStrangers; ++strangers) {
      MeasureSocket peer = socket.accept(until);
      if (!admits(peer, token)) continue;
      peer.deadline(after(kWholeSeconds));
      return serve(peer);
    }
    throw Error(Errc::kHost, strCat(kStrangers, " connections to ", address, " came without the token"));
  } catch (const MeasureError& error) {
    if (error.kind() == "address") throw Error(Errc::kUsage, error.what());
    throw Error(Errc::kHost, strCat("measurement at ", address, ": ", error.what()));
  }
}

std::string measureJson(const std::string& host, const std::string& port) {
  const std::string token = tokenFromInput();
  int number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (error != std::errc() || end != port.data() + port.size() || number < 1 || number > 65535)
    throw Error(Errc::kUsage, strCat("\"", port, "\" is no port"));
  try {
    return measure(host, number, token).dump();
  } catch (const MeasureError& failed) {
    if (failed.kind() == "address") throw Error(Errc::kUsage, failed.what());
    return nlohmann::json{{"problem", failed.kind()}, {"detail", failed.what()}}.dump();
  }
}

void answerClock() {
  for (std::string line; std::getline(std::cin, line);)
    std::cout << nlohmann::json{{"unix_s", unixNow()}, {"monotonic_s", steadySeconds()}}.dump() << std::endl;
}

}  // namespace paceline::probe
