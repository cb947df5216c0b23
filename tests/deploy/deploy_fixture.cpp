#include "tests/deploy/deploy_fixture.h"

#include <fstream>

namespace paceline::tests {

DeployTest::DeployTest() {
  std::filesystem::remove(folder_ / "bin" / "paceline-worker");
  put("bin/paceline-worker", contentOf(fakeNode()) + "worker", true);
}

std::unique_ptr<hosts::Host> DeployTest::gpu1(const std::map<std::string, std::string>& env) const {
  std::map<std::string, std::string> all = env;
  all.emplace("XDG_CACHE_HOME", (folder_ / "gpu1").string());
  return hosts::localHost("gpu1", all);
}

std::filesystem::path DeployTest::put(const std::string& name, const std::string& content, bool executable) const {
  const std::filesystem::path path = folder_ / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
  if (executable) std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

std::map<std::string, std::string> DeployTest::withTools(const std::map<std::string, std::string>& tools) const {
  for (const auto& [name, script] : tools) put("tools/" + name, script, true);
  return {{"PATH", strCat((folder_ / "tools").string(), ":", std::getenv("PATH"))}};
}

}  // namespace paceline::tests
