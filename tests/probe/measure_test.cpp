#include "agent/supervisor/probe/measure.h"

#include <gmock/gmock.h>

#include "engine/core/base/error.h"
#include "tests/probe/agent_program.h"

namespace paceline::tests {
namespace {

const std::string kToken(32, 'a'), kOtherToken(32, 'b');

struct Listener {
  std::unique_ptr<hosts::Process> process;
  int port = 0;
};

Listener listen(const std::string& address = "127.0.0.1") {
  Listener listener{.process = startAgent({"listen", address})};
  listener.process->writeLine(kToken);
  listener.port = jsonLine(*listener.process)["port"].get<int>();
  return listener;
}

Json measureWith(const std::string& token, int port) {
  const auto process = startAgent({"measure", "127.0.0.1", std::to_string(port)});
  process->writeLine(token);
  return jsonLine(*process);
}

std::string errorsOf(const std::vector<std::string>& words, const std::string& input) {
  const auto process = startAgent(words);
  process->write(input);
  process->closeInput();
  return process->wait().errors;
}

TEST(Measure, DelayAndBothDirections) {
  const Listener listener = listen();
  const Json found = measureWith(kToken, listener.port);
  EXPECT_EQ(found["round_trips"], 200);
  EXPECT_GT(found["latency_ms"].get<double>(), 0);
  EXPECT_GT(found["mbps_to"].get<double>(), 10);  // loopback moves thousands
  EXPECT_GT(found["mbps_from"].get<double>(), 10);
  EXPECT_EQ(listener.process->wait().code, 0);
}

TEST(Measure, WhoHasNotTheTokenIsSentAwayAndTheNextIsServed) {
  const Listener listener = listen();
  EXPECT_EQ(measureWith(kOtherToken, listener.port)["problem"], "token");
  probe::MeasureSocket::connected("127.0.0.1", listener.port, 10).write("GET / HTTP/1.0\n", 15);
  EXPECT_TRUE(measureWith(kToken, listener.port).contains("latency_ms"));
}

TEST(Measure, ItServesOneMeasurementAndIsGone) {
  const Listener listener = listen();
  measureWith(kToken, listener.port);
  listener.process->wait();
  EXPECT_EQ(measureWith(kToken, listener.port), (Json{{"problem", "refused"}, {"detail", "Connection refused"}}));
}

TEST(Measure, SixteenStrangersAreTheEnd) {
  const Listener listener = listen();
  for (int i = 0; i < 16; ++i) probe::MeasureSocket::connected("127.0.0.1", listener.port, 10).write("x\n", 2);
  const hosts::ProcessEnd end = listener.process->wait();
  EXPECT_EQ(end.code, 1);
  EXPECT_EQ(end.errors, "paceline-agent: 16 connections to 127.0.0.1 came without the token\n");
}

TEST(Measure, ABadOrderFromOneWithTheTokenEndsTheMeasurement) {
  const Listener listener = listen();
  probe::MeasureSocket socket = probe::MeasureSocket::connected("127.0.0.1", listener.port, 10);
  const std::string words = "paceline-measure 1 " + kToken + "\n?";
  socket.write(words.data(), words.size());
  EXPECT_EQ(listener.process->wait().errors, "paceline-agent: measurement at 127.0.0.1: it says something else\n");
}

TEST(Measure, ABlockThatLiesAboutItsLengthIsRefused) {
  const Listener listener = listen();
  probe::MeasureSocket socket = probe::MeasureSocket::connected("127.0.0.1", listener.port, 10);
  const std::string words = "paceline-measure 1 " + kToken + "\nu\xff\xff\xff\xff";
  socket.write(words.data(), words.size());
  EXPECT_EQ(listener.process->wait().errors, "paceline-agent: measurement at 127.0.0.1: a block of 4294967295 bytes\n");
}

TEST(Measure, OnlyOneAddressIsListenedAtNeverAll) {
  const std::string token = kToken + "\n";
  EXPECT_EQ(errorsOf({"listen", "0.0.0.0"}, token), "paceline-agent: \"0.0.0.0\" stands for every interface; give the address of one\n");
  EXPECT_EQ(errorsOf({"listen", "::"}, token), "paceline-agent: \"::\" stands for every interface; give the address of one\n");
  EXPECT_EQ(errorsOf({"listen", "eth0"}, token), "paceline-agent: \"eth0\" is no IP address\n");
  EXPECT_EQ(errorsOf({"listen", "192.0.2.77"}, token), "paceline-agent: cannot listen at 192.0.2.77: Cannot assign requested address\n");
}

TEST(Measure, WithoutAProperTokenNothingStarts) {
  for (const std::string& bad : {std::string(), std::string("short\n"), std::string(32, '-') + "\n", std::string(200, 'a') + "\n"})
    EXPECT_EQ(errorsOf({"listen", "127.0.0.1"}, bad), "paceline-agent: the first line on stdin must be the token: 32 to 128 letters and digits\n");
  EXPECT_EQ(errorsOf({"measure", "127.0.0.1", "99999"}, kToken + "\n"), "paceline-agent: \"99999\" is no port\n");
}

}  // namespace
}  // namespace paceline::tests
