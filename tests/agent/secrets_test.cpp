// Keys pass through a host's supervisor on their way to its nodes: none stays in its memory.
#include <gtest/gtest.h>

#include "tests/agent/agent_fixture.h"
#include "tests/support/copies_in.h"

namespace paceline::tests {
namespace {

class Secrets : public AgentTest {};

TEST_F(Secrets, NoCopyOfAKeyStaysInTheSupervisor) {
#ifdef PACELINE_SANITIZED
  GTEST_SKIP() << "here a sanitizer has the functions that overwrite memory";
#endif
  up();
  Desktop desk = desktop();
  ASSERT_TRUE(launch(desk, "r", {{"hang"}, {"hang"}})["ok"]);
  std::string key = "S3cr";
  for (int i = 0; i < 36; ++i) key += static_cast<char>('a' + (7 * i) % 26);  // nowhere whole in a program
  const std::string line = Json{{"kind", "prepare"}, {"keys", {{"mode", "curve"}, {"secret", key}}}, {"spec", std::string(5000, 'x')}}.dump();
  for (const char* node : {"n0", "n1"})
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(desk.ask({{"request", "input"}, {"run", "r"}, {"node", node}, {"line", line}})["ok"]);
  ASSERT_TRUE(desk.ask({{"request", "list"}})["ok"]);  // what is to be written is written
  EXPECT_EQ(copiesIn(desk.supervisor(), key), 0);
  EXPECT_EQ(copiesIn(desk.supervisor(), key.substr(0, 20)), 0);
}

}  // namespace
}  // namespace paceline::tests
