#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "app/cluster/host.h"
#include "app/cluster/local_process.h"
#include "engine/core/error.h"

namespace paceline {
namespace {

class LocalHost final : public Host {
 public:
  std::string name() const override { return "local"; }

  std::unique_ptr<Process> start(const std::vector<std::string>& command) override { return std::make_unique<LocalProcess>(command); }

  void put(const std::vector<std::string>&, const std::function<void(double)>& progress) override {
    if (progress) progress(1);
  }

  std::string program(const std::string& name) const override {
    const char* given = std::getenv("PACELINE_BIN");
    std::error_code error;
    const std::filesystem::path folder =
        given != nullptr && *given != '\0' ? std::filesystem::path(given) : std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    const std::string path = (folder / name).string();
    if (::access(path.c_str(), X_OK) != 0)
      throw Error(Errc::kHost, strCat("local: ", name, " is not in ", folder.string(), "; set PACELINE_BIN to the folder that has it"));
    return path;
  }
};

}  // namespace

std::unique_ptr<Host> localHost() { return std::make_unique<LocalHost>(); }

}  // namespace paceline
