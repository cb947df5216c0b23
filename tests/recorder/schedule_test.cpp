#include "app/cluster/recorder/entry_work.h"

#include <gtest/gtest.h>

#include <map>

namespace paceline::recorder {
namespace {

std::map<std::int64_t, std::string> waits(const std::vector<Waiter>& queue, int cores = 2) {
  std::map<std::int64_t, std::string> found;
  for (const Turn& turn : turns(queue, cores)) found[turn.id] = turn.waits;
  return found;
}

TEST(Turns, AHostTrainsOneRunAtATime) {
  EXPECT_EQ(waits({{.id = 1, .label = "a", .hosts = {"x"}, .begun = true}, {.id = 2, .label = "b", .hosts = {"x"}}, {.id = 3, .label = "c", .hosts = {"y"}}}),
            (std::map<std::int64_t, std::string>{{2, "waits for a on x"}, {3, ""}}));
}

TEST(Turns, WhoWaitsKeepsItsHostsFromThoseBehind) {
  EXPECT_EQ(waits({{.id = 1, .label = "a", .hosts = {"x"}, .begun = true}, {.id = 2, .label = "b", .hosts = {"x", "y"}}, {.id = 3, .label = "c", .hosts = {"y"}}}),
            (std::map<std::int64_t, std::string>{{2, "waits for a on x"}, {3, "waits for b on y"}}));
}

TEST(Turns, NowGoesBeside) {
  EXPECT_EQ(waits({{.id = 1, .label = "a", .hosts = {"x"}, .begun = true}, {.id = 2, .label = "b", .hosts = {"x"}, .now = true}}),
            (std::map<std::int64_t, std::string>{{2, ""}}));
}

TEST(Turns, SimulationsWaitForEachOtherOnly) {
  const std::vector<Waiter> queue = {{.id = 1, .label = "a", .hosts = {"x"}, .begun = true},
                                     {.id = 2, .label = "s", .hosts = {}, .simulation = true, .begun = true},
                                     {.id = 3, .label = "t", .hosts = {}, .simulation = true},
                                     {.id = 4, .label = "u", .hosts = {}, .simulation = true}};
  EXPECT_EQ(waits(queue), (std::map<std::int64_t, std::string>{{3, ""}, {4, "waits for other simulations"}}));
}

// At once, and threads of each one that begins.
std::pair<int, int> divided(int waiting, int begun, int cores) {
  std::vector<Waiter> queue;
  for (int i = 0; i < begun + waiting; ++i) queue.push_back({.id = i, .label = "s", .hosts = {}, .simulation = true, .begun = i < begun});
  int begins = 0, threads = 0;
  for (const Turn& turn : turns(queue, cores))
    if (turn.waits.empty()) ++begins, threads = turn.threads;
  return {begins, threads};
}

TEST(Turns, ALoneSimulationHasAllCores) { EXPECT_EQ(divided(1, 0, 8), std::pair(1, 8)); }
TEST(Turns, FewSimulationsShareTheCores) { EXPECT_EQ(divided(3, 0, 8), std::pair(3, 2)); }
TEST(Turns, OfManyEachHasOneCore) { EXPECT_EQ(divided(20, 0, 8), std::pair(8, 1)); }
TEST(Turns, TheLastOfManyGetsWhatIsItsPartBesideThoseThatRun) { EXPECT_EQ(divided(1, 3, 8), std::pair(1, 2)); }
TEST(Turns, OneCoreIsNotLeftToOneLongSimulation) { EXPECT_EQ(divided(3, 0, 1), std::pair(2, 1)); }

TEST(Turns, WhoIsHeldNeitherBeginsNorKeepsHosts) {
  const auto found = waits({{.id = 1, .label = "a", .hosts = {"x"}, .held = true}, {.id = 2, .label = "b", .hosts = {"x"}}});
  EXPECT_NE(found.at(1), "");
  EXPECT_EQ(found.at(2), "");
}

}  // namespace
}  // namespace paceline::recorder
