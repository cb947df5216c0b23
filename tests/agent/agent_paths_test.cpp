#include "agent/supervisor/agent_paths.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "engine/core/error.h"
#include "tests/agent/agent_fixture.h"

namespace paceline {
namespace {

class AgentPaths_ : public AgentTest {};

mode_t modeOf(const std::string& path) {
  struct stat status{};
  ::stat(path.c_str(), &status);
  return status.st_mode & 0777;
}

TEST_F(AgentPaths_, FolderIsForItsOwnerOnly) {
  EXPECT_EQ(modeOf(agentPaths().folder), 0700U);
  ::chmod(agentPaths().folder.c_str(), 0755);
  EXPECT_EQ(modeOf(agentPaths().folder), 0700U);
}

TEST_F(AgentPaths_, OrderOfPlaces) {
  ::unsetenv("PACELINE_AGENT_DIR");
  ::setenv("XDG_RUNTIME_DIR", (folder_ / "run").c_str(), 1);
  EXPECT_EQ(agentPaths().folder, (folder_ / "run" / "paceline").string());
  ::unsetenv("XDG_RUNTIME_DIR");
  ::setenv("HOME", folder_.c_str(), 1);
  EXPECT_EQ(agentPaths().folder, (folder_ / ".cache" / "paceline" / "agent").string());
}

TEST_F(AgentPaths_, APathTooLongForASocketIsSaidClearly) {
  ::setenv("PACELINE_AGENT_DIR", (folder_ / std::string(100, 'x')).c_str(), 1);
  try {
    agentPaths();
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("107"));
    EXPECT_THAT(error.what(), testing::HasSubstr("PACELINE_AGENT_DIR"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / std::string(100, 'x')));
}

}  // namespace
}  // namespace paceline
