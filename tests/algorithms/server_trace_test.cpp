// The asynchronous servers against traces worked out by hand: every number below is exact in binary.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/algorithms/algorithm.h"
#include "engine/algorithms/asgd.h"
#include "engine/core/base/error.h"
#include "tests/algorithms/traced_server.h"

namespace paceline::tests {
namespace {

// Two workers; one shard of one value that starts at 1; rate 0.5.
class Server {
 public:
  explicit Server(const std::string& id, const Params& given = {}) : server_(id, given, 2, {1}) {}

  // A gradient computed at `version`; what the server answers.
  Message push(int node, double gradient, std::int64_t version) {
    return server_.pushAt(node - TracedServer::kFirstNode, gradient, version).back();
  }

 private:
  TracedServer server_;
};

double valueOf(const Message& reply) { return static_cast<double>(reply.dense.values()[0]); }

void expectReply(const Message& reply, double value, std::int64_t version, double staleness) {
  EXPECT_EQ(reply.kind, MessageKind::kReply);
  EXPECT_EQ(valueOf(reply), value);
  EXPECT_EQ(reply.version, version);
  ASSERT_EQ(reply.scalars.size(), 2u);
  EXPECT_EQ(reply.scalars[0], staleness);
  EXPECT_EQ(reply.scalars[1], 4 * static_cast<double>(version));  // every push brought four samples
}

TEST(Asgd, FollowsTheHandTrace) {
  Server server("asgd");
  expectReply(server.push(5, 2, 0), 0, 1, 0);   // 1 - 0.5 * 2
  expectReply(server.push(6, 4, 0), -2, 2, 1);  // 0 - 0.5 * 4, one update since it pulled
  expectReply(server.push(6, -1, 2), -1.5, 3, 0);
  expectReply(server.push(5, 3, 1), -3, 4, 2);  // two updates by the other
}

Params dc(const std::string& variant, double lambda) { return Params({{"lambda", lambda}, {"variant", variant}}); }

TEST(DcAsgd, PaperVariantFollowsTheHandTrace) {
  Server server("dc_asgd", dc("paper", 0.5));
  expectReply(server.push(5, 2, 0), 0, 1, 0);  // w = backup: plain step. backup_5 = 0
  // worker 6 pulled 1: g + 0.5 * 16 * (0 - 1) = 4 - 8 = -4; 0 - 0.5 * -4 = 2. backup_6 = 2
  expectReply(server.push(6, 4, 0), 2, 2, 1);
  // worker 5 pulled 0: 1 + 0.5 * 1 * (2 - 0) = 2; 2 - 1 = 1. backup_5 = 1
  expectReply(server.push(5, 1, 1), 1, 3, 1);
  // worker 5 again, nobody between: plain step
  expectReply(server.push(5, 2, 3), 0, 4, 0);
  // worker 6 pulled 2: 2 + 0.5 * 4 * (0 - 2) = -2; 0 + 1 = 1
  expectReply(server.push(6, 2, 2), 1, 5, 2);
}

TEST(DcAsgd, MxnetVariantFollowsTheHandTrace) {
  Server server("dc_asgd", dc("mxnet", 0.5));
  expectReply(server.push(5, 2, 0), 0, 1, 0);  // previous = w at first. previous = 1 now
  // 4 + 0.5 * 16 * (0 - 1) = -4; 0 + 2 = 2. previous = 0
  expectReply(server.push(6, 4, 0), 2, 2, 1);
  // 1 + 0.5 * 1 * (2 - 0) = 2; 2 - 1 = 1. previous = 2
  expectReply(server.push(5, 1, 1), 1, 3, 1);
  // compensated although nobody was between: 2 + 0.5 * 4 * (1 - 2) = 0; stays 1. previous = 1
  expectReply(server.push(5, 2, 3), 1, 4, 0);
  expectReply(server.push(6, 2, 2), 0, 5, 2);  // w = previous: plain step
}

// lambda 2, m 0.95, steps of 0.5.
TEST(DcAsgd, AdaptiveVariantFollowsTheHandTrace) {
  Server server("dc_asgd", dc("adaptive", 2));
  constexpr double kClose = 1e-5;
  // mean square 0.05 * 4 = 0.2; w = backup: plain step, 1 - 0.5 * 2
  EXPECT_NEAR(valueOf(server.push(5, 2, 0)), 0, kClose);
  // worker 6 pulled 1: mean square 0.19 + 0.05 * 13 = 0.84, lambda 2 / sqrt(0.84): g + lambda * 13 * (0 - 1)
  const double g = std::sqrt(13.0), w = -0.5 * (g - 2 / std::sqrt(0.84) * 13);
  EXPECT_NEAR(valueOf(server.push(6, g, 0)), w, kClose);
  // worker 5 pulled 0: mean square 0.798 + 0.05 * 4 = 0.998: 2 + lambda * 4 * (w - 0)
  const double last = w - 0.5 * (2 + 2 / std::sqrt(0.998) * 4 * w);  // about -38, where floats are 4e-6 apart
  EXPECT_NEAR(valueOf(server.push(5, 2, 1)), last, 1e-6 * std::abs(last));
}

TEST(PushServers, RefuseAGradientThatIsNotFiniteAndNameTheWorker) {
  for (const char* id : {"asgd", "dc_asgd", "ssp"})
    for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
      Server server(id);
      try {
        server.push(6, bad, 0);
        ADD_FAILURE() << id << " took " << bad;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), Errc::kData);
        EXPECT_NE(std::string(error.what()).find("worker 1 (node 6) pushed a gradient"), std::string::npos) << error.what();
      }
    }
}

TEST(DcAsgd, RepliesStayAsTheyWereSent) {
  Server server("dc_asgd", dc("paper", 0));
  const Message first = server.push(5, 2, 0);
  for (int i = 0; i < 5; ++i) server.push(6, 1, 0);
  EXPECT_EQ(valueOf(first), 0);
}

TEST(Asgd, RefusesAPushOfTheWrongSize) {
  RecordedOutbox out;
  const Params params;
  const auto half = findAlgorithm("asgd")->makeServer({.params = params, .workers = {5}});
  const std::vector<Real> one{1}, two{1, 2};
  half->onMessage({.kind = MessageKind::kInit, .from = 5, .scalars = {}, .dense = Dense::copied(one)}, out);
  EXPECT_THROW(half->onMessage({.kind = MessageKind::kPush, .from = 5, .scalars = {0.5, 4}, .dense = Dense::copied(two)}, out),
               Error);
  for (const std::vector<double>& scalars : {std::vector<double>{}, {0.5}, {0.5, -1}, {0.5, std::nan("")}, {std::nan(""), 4}, {HUGE_VAL, 4}, {0.5, 4, 4}})
    EXPECT_THROW(half->onMessage({.kind = MessageKind::kPush, .from = 5, .scalars = scalars, .dense = Dense::copied(one)}, out), Error);
  EXPECT_THROW(half->onMessage({.kind = MessageKind::kPush, .from = 9, .scalars = {0.5, 4}, .dense = Dense::copied(one)}, out),
               Error);
  EXPECT_THROW(half->onMessage({.kind = MessageKind::kAsk, .from = 5, .scalars = {0.5, 4}, .dense = {}}, out), Error);
}

TEST(DcAsgdStep, WithoutLambdaIsAsgdStep) {
  const std::vector<Real> w{1, Real(-0.3), 7}, g{Real(0.1), 5, -2}, backup{9, 9, 9};
  std::vector<Real> a(3), b(3);
  asgdStep(w, g, Real(0.032), a);
  dcAsgdStep(w, g, backup, Real(0.032), 0, b);
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace paceline::tests
