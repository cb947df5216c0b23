#include "app/cluster/check/tools.h"

#include <sys/utsname.h>

#include <filesystem>
#include <mutex>

#include "app/cluster/worker/catalog_source.h"
#include "app/cluster/deploy/deployment.h"
#include "app/cluster/hosts/access.h"
#include "app/cluster/hosts/command.h"
#include "app/cluster/hosts/facts.h"
#include "app/cluster/deploy/library_bundle.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

CheckNeeds ownNeeds() {
  CheckNeeds needs{.system = {}, .paceline = PACELINE_VERSION, .torch = {}, .programs = {}, .bundleProblem = {}};
  utsname here{};
  ::uname(&here);
  needs.system = strCat(here.sysname, " ", here.machine);
  const std::vector<std::string> programs{localProgram("paceline-agent"), localProgram("paceline-server"), localProgram("paceline-worker")};
  needs.programs = elfNeeds(programs);
  for (const std::string& program : programs) {
    std::error_code error;
    if (const auto size = std::filesystem::file_size(program, error); !error) needs.programBytes += static_cast<std::int64_t>(size);
  }
  needs.torch = describeWorker(localProgram("paceline-worker")).torch;
  return needs;
}

// Measured once per process, and kept: several hosts are checked at once, and their measurements here would disturb each other.
double ownSpeed(double seconds) {
  static std::mutex mutex;  // guards measured and makes the others wait
  static double measured = 0;
  const std::lock_guard lock(mutex);
  if (measured > 0) return measured;
  if (const auto facts = loadFacts("local"); facts && facts->speed > 0) return measured = facts->speed;
  try {
    const auto here = localHost();
    const CommandResult result = runOn(*here, {localProgram("paceline-agent"), "compute", strCat(seconds)}, {.silenceSeconds = 30});
    if (result.end.code == 0 && !result.lines.empty()) measured = speedOf(result.lines.back());
  } catch (const Error&) {  // then the host's number stands alone
  }
  return measured;
}

void addOwnBundle(CheckNeeds& needs) {
  try {
    needs.bundleBytes = libraryBundle()->bytes();
    if (const ElfNeeds bundle = bundleNeeds(); olderVersion(needs.programs.glibc, bundle.glibc)) needs.programs.glibc = bundle.glibc;
  } catch (const Error& error) {
    needs.bundleProblem = error.what();
  }
}

}  // namespace

CheckTools checkTools(const HostBook& book, const std::string& name, CredentialPrompts& prompts) {
  CheckTools tools;
  const bool here = book.require(name).kind == "local";
  tools.open = [book, name, &prompts] { return openHost(book, name, prompts); };
  tools.putAgent = [here](Host& host) { return here ? localProgram("paceline-agent") : deployAgent(host); };
  tools.needs = ownNeeds;
  tools.addBundle = addOwnBundle;
  tools.localSpeed = [seconds = tools.computeSeconds] { return ownSpeed(seconds); };
  return tools;
}

std::vector<CheckLine> checkHost(const HostBook& book, const std::string& name, CredentialPrompts& prompts,
                                 const std::function<void(const CheckLine&)>& onLine, std::stop_token stop, const std::string& only) {
  const HostEntry entry = book.require(name);
  return checkHostWith(checkTools(book, name, prompts), entry, onLine, std::move(stop), only);
}

}  // namespace paceline
