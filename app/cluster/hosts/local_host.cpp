#include <unistd.h>

#include <filesystem>

#include "app/cluster/hosts/host.h"
#include "app/cluster/hosts/local_process.h"
#include "app/cluster/hosts/ready_host.h"
#include "engine/core/base/error.h"
#include "engine/core/base/user_folders.h"

namespace paceline::hosts {
namespace {

class LocalHost final : public Host {
 public:
  LocalHost(std::string name, std::map<std::string, std::string> env) : name_(std::move(name)), env_(std::move(env)) {}
  std::string name() const override { return name_; }
  std::unique_ptr<Process> start(const std::vector<std::string>& command) override { return std::make_unique<LocalProcess>(command, env_, name_); }

 private:
  std::string name_;
  std::map<std::string, std::string> env_;
};

}  // namespace

std::unique_ptr<Host> localHost(const std::string& name, const std::map<std::string, std::string>& env) {
  return std::make_unique<LocalHost>(name, env);
}

Installation localInstallation() {
  const std::string given = environment("PACELINE_BIN");
  std::error_code error;
  const std::filesystem::path folder =
      !given.empty() ? std::filesystem::path(given) : std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  return {.folder = folder.string(), .env = {}};
}

std::string localProgram(const std::string& name) {
  const Installation here = localInstallation();
  if (::access(here.program(name).c_str(), X_OK) != 0)
    throw Error(Errc::kHost, strCat("local: ", name, " is not in ", here.folder, "; set PACELINE_BIN to the folder that has it"));
  return here.program(name);
}

HostOpener localOpener() {
  return [](const std::string& name, const HostNeeds&) -> ReadyHost {
    if (name != "local") throw Error(Errc::kHost, strCat("host \"", name, "\" is not known; have local"));
    for (const char* program : {"paceline-agent", "paceline-server", "paceline-worker"}) localProgram(program);
    return {.host = localHost(), .installation = localInstallation(), .dataAddress = ""};
  };
}

}  // namespace paceline::hosts
