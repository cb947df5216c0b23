#include "app/cluster/check/tools.h"

#include <sys/utsname.h>

#include <filesystem>
#include <mutex>

#include "app/cluster/worker/worker_answer.h"
#include "app/cluster/deploy/deployment.h"
#include "app/cluster/hosts/access.h"
#include "app/cluster/hosts/command.h"
#include "app/cluster/hosts/facts.h"
#include "app/cluster/deploy/library_bundle.h"
#include "engine/core/base/error.h"

namespace paceline::check {
namespace {

CheckNeeds ownNeeds() {
  CheckNeeds needs{.system = {}, .paceline = PACELINE_VERSION, .torch = {}, .programs = {}, .bundleProblem = {}};
  utsname here{};
  ::uname(&here);
  needs.system = strCat(here.sysname, " ", here.machine);
  const std::vector<std::string> programs{hosts::localProgram("paceline-agent"), hosts::localProgram("paceline-server"), hosts::localProgram("paceline-worker")};
  needs.programs = deploy::elfNeeds(programs);
  for (const std::string& program : programs) {
    std::error_code error;
    if (const auto size = std::filesystem::file_size(program, error); !error) needs.programBytes += static_cast<std::int64_t>(size);
  }
  needs.torch = worker::describeWorker(hosts::localProgram("paceline-worker")).torch;
  return needs;
}

// Measured once per process, and kept: several hosts are checked at once, and their measurements here would disturb each other.
double ownSpeed(double seconds) {
  static std::mutex mutex;  // guards measured and makes the others wait
  static double measured = 0;
  const std::lock_guard lock(mutex);
  if (measured > 0) return measured;
  if (const auto facts = hosts::loadFacts("local"); facts && facts->speed > 0) return measured = facts->speed;
  try {
    const auto here = hosts::localHost();
    const hosts::CommandResult result = hosts::runOn(*here, {hosts::localProgram("paceline-agent"), "compute", strCat(seconds)}, {.silenceSeconds = 30});
    if (result.end.code == 0 && !result.lines.empty()) measured = speedOf(result.lines.back());
  } catch (const Error&) {  // then the host's number stands alone
  }
  return measured;
}

void addOwnBundle(CheckNeeds& needs) {
  try {
    needs.bundleBytes = deploy::libraryBundle()->bytes();
    if (const deploy::ElfNeeds bundle = deploy::bundleNeeds(); deploy::olderVersion(needs.programs.glibc, bundle.glibc)) needs.programs.glibc = bundle.glibc;
  } catch (const Error& error) {
    needs.bundleProblem = error.what();
  }
}

}  // namespace

CheckTools checkTools(const hosts::HostRegistry& book, const std::string& name, hosts::CredentialPrompts& prompts) {
  CheckTools tools;
  const bool here = book.require(name).kind == "local";
  tools.open = [book, name, &prompts] { return hosts::openHost(book, name, prompts); };
  tools.putAgent = [here](hosts::Host& host) { return here ? hosts::localProgram("paceline-agent") : deploy::deployAgent(host); };
  tools.needs = ownNeeds;
  tools.addBundle = addOwnBundle;
  tools.localSpeed = [seconds = tools.computeSeconds] { return ownSpeed(seconds); };
  return tools;
}

std::vector<CheckLine> checkHost(const hosts::HostRegistry& book, const std::string& name, hosts::CredentialPrompts& prompts,
                                 const std::function<void(const CheckLine&)>& onLine, std::stop_token stop, const std::string& only) {
  const hosts::HostEntry entry = book.require(name);
  return checkHostWith(checkTools(book, name, prompts), entry, onLine, std::move(stop), only);
}

}  // namespace paceline::check
