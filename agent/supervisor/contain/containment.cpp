#include "agent/supervisor/contain/containment.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "engine/core/base/error.h"

namespace paceline::contain {
namespace {

constexpr ContainmentKind kBestFirst[] = {ContainmentKind::kPidNamespace, ContainmentKind::kCgroup, ContainmentKind::kSubreaper};
constexpr int kProbeCode = 42;

// Nothing of its own: what a node leaves is adopted by the supervisor and found there by its mark.
class Subreaper : public Containment {
 public:
  pid_t start(const std::function<void()>& program) override {
    const pid_t child = ::fork();
    if (child < 0) throw Error(Errc::kHost, strCat("cannot fork: ", std::strerror(errno)));
    if (child == 0) program();
    return child;
  }
  void killAll() override {}
  bool empty() override { return true; }
};

// In a process of its own, so that every child there is one of the trial.
[[noreturn]] void tryOut(ContainmentKind kind) {
  try {
    const auto containment = makeContainment(kind, "trial");
    const pid_t child = containment->start([] { ::_exit(kProbeCode); });
    int status = 0;
    const bool ran = ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == kProbeCode;
    containment->killAll();
    for (pid_t pid; (pid = ::waitpid(-1, nullptr, 0)) > 0;) containment->reaped(pid);
    ::_exit(ran && containment->empty() ? 0 : 1);
  } catch (const std::exception&) {
    ::_exit(1);
  }
}

std::optional<ContainmentKind> asked() {
  const char* value = std::getenv("PACELINE_CONTAINMENT");
  if (value == nullptr || *value == '\0') return std::nullopt;
  const std::string name = value;
  if (name == "pidns") return ContainmentKind::kPidNamespace;
  if (name == "cgroup") return ContainmentKind::kCgroup;
  if (name == "subreaper") return ContainmentKind::kSubreaper;
  throw Error(Errc::kHost, strCat("PACELINE_CONTAINMENT \"", name, "\" is not known; have pidns, cgroup, subreaper"));
}

}  // namespace

std::string nameOf(ContainmentKind kind) {
  switch (kind) {
    case ContainmentKind::kPidNamespace: return "pid namespace";
    case ContainmentKind::kCgroup: return "cgroup";
    case ContainmentKind::kSubreaper: return "child sub-reaper";
  }
  return "";
}

bool works(ContainmentKind kind) {
  if (kind == ContainmentKind::kSubreaper) return true;
  const pid_t trial = ::fork();
  if (trial < 0) return false;
  if (trial == 0) tryOut(kind);
  int status = 0;
  while (::waitpid(trial, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

ContainmentKind bestContainment() {
  if (const auto kind = asked()) {
    if (!works(*kind)) throw Error(Errc::kHost, strCat("PACELINE_CONTAINMENT: a ", nameOf(*kind), " cannot be made here"));
    return *kind;
  }
  for (const ContainmentKind kind : kBestFirst)
    if (works(kind)) return kind;
  return ContainmentKind::kSubreaper;
}

std::string containmentOf() {
  try {
    return nameOf(bestContainment());
  } catch (const Error& error) {
    return error.what();
  }
}

std::unique_ptr<Containment> makeContainment(ContainmentKind kind, const std::string& name) {
  switch (kind) {
    case ContainmentKind::kPidNamespace: return makePidNamespace();
    case ContainmentKind::kCgroup: return makeCgroup(name);
    case ContainmentKind::kSubreaper: break;
  }
  return std::make_unique<Subreaper>();
}

}  // namespace paceline::contain
