#include "agent/supervisor/supervise/up.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "engine/core/base/error.h"
#include "tests/agent/agent_fixture.h"

namespace paceline::tests {
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
  utsname name{};
  ASSERT_EQ(::uname(&name), 0);
  const std::string host = std::string(name.nodename).substr(0, std::string(name.nodename).find('.'));  // homes may be shared by hosts
  ::setenv("XDG_RUNTIME_DIR", (folder_ / "run").c_str(), 1);  // deleted at the end of the last session, so nothing is kept there
  ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
  EXPECT_EQ(agentPaths().folder, (folder_ / "cache" / "paceline" / "agent" / host).string());
  ::unsetenv("XDG_CACHE_HOME");
  ::setenv("HOME", folder_.c_str(), 1);
  EXPECT_EQ(agentPaths().folder, (folder_ / ".cache" / "paceline" / "agent" / host).string());
  ::unsetenv("XDG_RUNTIME_DIR");
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
}  // namespace paceline::tests
