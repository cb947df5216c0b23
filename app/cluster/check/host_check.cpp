#include <sys/utsname.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include <nlohmann/json.hpp>

#include "app/cluster/check/judge.h"
#include "app/cluster/deploy/deployment.h"
#include "app/cluster/deploy/files.h"
#include "app/cluster/hosts/access.h"
#include "app/cluster/hosts/facts.h"
#include "app/cluster/hosts/host.h"
#include "app/cluster/ssh/config.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/clock.h"
#include "engine/core/record/dates.h"
#include "engine/core/record/event.h"

namespace paceline::check {
namespace {

constexpr double kCommandSeconds = 30;
constexpr int kClockSamples = 12, kSpeedTries = 3;
constexpr double kAgainSeconds = 60;  // after which a disturbed speed of this computer is measured again

// Where the desktop's sentence says what is wrong, this says what to do.
struct Obstacle {
  const char *id, *why, *advice;
};
constexpr Obstacle kObstacles[] = {  // by ssh::SshStage
    {"reachable", "it cannot be reached", "is it switched on, are address and port right, does its SSH server run, does a firewall stand between?"},
    {"key", "its key is not accepted", "ask whoever looks after the host for its fingerprint before anything else"},
    {"authentication", "there is no login", "try the same with ssh in a terminal; user, identity and password are in this host's entry or asked for"}};

std::mutex measuringHere;  // held while this computer is measured: two measurements would disturb each other

// A disturbed measurement is repeated, but not beside a run, which it would disturb in turn. One tells the least that the host can do, so the
// highest counts when none is quiet.
Speed quietest(const std::function<Speed()>& measure, bool here) {
  std::unique_lock alone(measuringHere, std::defer_lock);
  if (here) alone.lock();
  Speed best = measure();
  for (int again = 1; again < kSpeedTries && !best.load.empty() && best.runs == 0; ++again)
    if (Speed now = measure(); now.gflops > 0 && (now.load.empty() || now.gflops > best.gflops)) best = std::move(now);
  return best;
}

// A check under way. What stops it is a line, never an exception.
class Check {
 public:
  Check(const CheckTools& tools, const hosts::HostEntry& entry, const std::function<void(const CheckLine&)>& onLine, std::stop_token stop, std::string only)
      : tools_(tools), entry_(entry), onLine_(onLine), stop_(std::move(stop)), only_(std::move(only)) {
    facts_ = hosts::loadFacts(entry.name).value_or(hosts::HostFacts{});
    facts_.name = entry.name;
    for (CheckLine& line : lines_)
      if (const CheckLine* old = before(line.id); old != nullptr && !only_.empty() && line.id != only_) line = *old;
  }

  std::vector<CheckLine> run() {
    // Each step is given its lines; one that ends the check says why on one of them.
    const bool all = only_.empty();
    const bool probing = all || (only_ != "clock" && only_ != "speed" && !isConnecting(only_));
    bool on = step({"reachable", "key", "authentication"}, [this] { return connect(); });
    on = on && step({"quoting"}, [this] { return quoting(); }) && step({"architecture"}, [this] { return system(); });
    if (on && (all || !isConnecting(only_)))
      on = step(probing ? std::vector<std::string>{"agent"} : std::vector<std::string>{}, [this] { return putAgent(); });
    if (on && probing) on = step({"libc", "libstdcxx", "libraries", "disk", "cpu", "memory", "gpu", "interface"}, [this] { return probe(); });
    if (on && (all || only_ == "clock")) on = step({"clock"}, [this] { return clock(); });
    if (on && (all || only_ == "speed")) on = step({"speed"}, [this] { return speed(); });
    skipRest();
    keep();
    return lines_;
  }

 private:
  static bool isConnecting(const std::string& id) {
    return id == "reachable" || id == "key" || id == "authentication" || id == "quoting" || id == "architecture";
  }

  CheckLine& at(const std::string& id) { return *std::ranges::find(lines_, id, &CheckLine::id); }
  const CheckLine* before(const std::string& id) const {
    const auto found = std::ranges::find(facts_.lines, id, &CheckLine::id);
    return found == facts_.lines.end() ? nullptr : &*found;
  }

  void tell(CheckLine line) {
    CheckLine& mine = at(line.id);
    mine = std::move(line);
    if (onLine_) onLine_(mine);
  }
  void tell(const std::string& id, CheckLine verdict) { tell(named(id, std::move(verdict))); }
  // False: what comes later cannot be checked; why_ says so.
  bool step(const std::vector<std::string>& ids, const std::function<bool()>& act) {
    if (stop_.stop_requested()) return endWith("stopped");
    for (const std::string& id : ids) {
      CheckLine line = plannedCheck(id);
      line.state = CheckState::kRunning;
      tell(std::move(line));
    }
    try {
      return act();
    } catch (const Error& error) {
      for (const std::string& id : ids) at(id).state = CheckState::kWaiting;
      if (error.code() == Errc::kStopped) return endWith("stopped");
      tell(ids.empty() ? only_ : ids.front(), bad("", error.what(), "check again"));
      return endWith(entry_.name + " did not answer");
    }
  }

  bool connect() {
    if (entry_.kind == "local") {
      host_ = tools_.open();
      for (const char* id : {"reachable", "key", "authentication"}) tell(id, good("not needed", "this computer"));
      return true;
    }
    const bool exec = entry_.kind == "exec";
    try {
      host_ = tools_.open();
    } catch (const ssh::SshError& error) {
      return refused(error.stage(), error.what());
    } catch (const Error& error) {
      if (error.code() == Errc::kStopped) throw;
      return refused(ssh::SshStage::kReach, error.what());
    }
    if (exec && !givesShell()) return endWith("its command gives no shell");
    tell("reachable", good("an answer", strCat(entry_.address.empty() ? entry_.name : entry_.address, " answers")));
    tell("key", good("a known key", exec || (entry_.kind == "slurm" && entry_.address.empty()) ? "not needed" : "its key is known"));
    tell("authentication", good("a login", exec ? "its command gives a shell" : entry_.user.empty() ? "logged in" : strCat("logged in as ", entry_.user)));
    return true;
  }

  // Opening such a host runs nothing yet.
  bool givesShell() {
    try {
      command({"true"});
      return true;
    } catch (const Error& error) {
      if (error.code() == Errc::kStopped) throw;
      tell("reachable", bad("", error.what(), strCat("try its command in a terminal: ", entry_.command, " /bin/sh")));
      return false;
    }
  }

  bool refused(ssh::SshStage stage, const std::string& sentence) {
    if (stage != ssh::SshStage::kReach) tell("reachable", good("an answer", strCat(entry_.address, " answers")));
    if (stage == ssh::SshStage::kAuthenticate) tell("key", good("a known key", "its key is known"));
    const Obstacle& met = kObstacles[static_cast<std::size_t>(stage)];
    tell(met.id, bad("", sentence, met.advice));
    return endWith(met.why);
  }

  bool endWith(const std::string& why) {
    why_ = why;
    return false;
  }

  hosts::CommandResult command(const std::vector<std::string>& words) { return hosts::runOn(*host_, words, {.silenceSeconds = kCommandSeconds, .stop = stop_}); }

  std::string answer(const std::vector<std::string>& words) {  // its last line
    const hosts::CommandResult result = command(words);
    if (result.end.code != 0 || result.lines.empty()) throw Error(Errc::kHost, strCat(entry_.name, ": ", words.front(), ": ", result.said()));
    return result.lines.back();
  }

  bool quoting() {
    std::string sent;
    for (int byte = 1; byte < 256; ++byte) sent += static_cast<char>(byte);
    tell(judgeQuoting(sent, command({"printf", "%s\n", sent}).text()));
    return at("quoting").state != CheckState::kBad || endWith("arguments do not survive");
  }

  bool system() {
    needs_ = tools_.needs();
    tell(judgeSystem(needs_, answer({"uname", "-s", "-m"})));
    return at("architecture").state == CheckState::kGood || endWith("our programs do not run on such a machine");
  }

  bool putAgent() {
    try {
      agent_ = tools_.putAgent(*host_);
      return true;
    } catch (const Error& error) {
      if (error.code() == Errc::kStopped) throw;
      const bool full = error.code() == Errc::kNoSpace;
      at("agent").state = CheckState::kWaiting;
      tell(full ? "disk" : "agent",
           bad("", error.what(), full ? "free some there, or set XDG_CACHE_HOME in this host's env to a folder on another disk" : "check again"));
      return endWith("the agent could not be sent");
    }
  }

  bool probe() {
    std::vector<std::string> words{agent_, "probe"};
    if (!entry_.libraries.empty()) words.insert(words.begin(), {"env", strCat("LD_LIBRARY_PATH=", entry_.libraries)});
    facts_.probe = answer(words);
    if (needsBundle(needs_, facts_.probe) && tools_.addBundle) tools_.addBundle(needs_);
    for (CheckLine& line : judgeProbe(needs_, entry_, hosts::dataAddressOf(entry_, *host_), facts_.probe)) tell(std::move(line));
    return true;
  }

  double hostTime(hosts::Process& clock) {
    const double time = numberIn(answerOf(clock, kCommandSeconds).value_or(nlohmann::json()), "unix_s");
    if (time <= 0) throw Error(Errc::kHost, strCat(entry_.name, ": its clock gives no answer"));
    return time;
  }

  bool clock() {
    const auto process = host_->start({agent_, "clock"});
    std::vector<ClockSample> samples;
    const Dates here;  // a round trip stays one when this computer's clock is set meanwhile
    for (int i = 0; i < kClockSamples && !stop_.stop_requested(); ++i) {
      ClockSample sample{.askedHere = here.now()};
      process->writeLine("");
      sample.host = hostTime(*process);
      sample.heardHere = here.now();
      samples.push_back(sample);
    }
    process->closeInput();
    if (stop_.stop_requested()) throw Error(Errc::kStopped, "stopped");
    const ClockOffset offset = offsetOf(samples);
    facts_.clockOffsetSeconds = offset.seconds;
    facts_.clockErrorSeconds = offset.error;
    tell(judgeClock(offset));
    return true;
  }

  bool speed() {
    if (entry_.name != "local" && tools_.localSpeed) needs_.localSpeed = tools_.localSpeed();
    const Speed found = quietest([this] { return speedOf(answer({agent_, "compute", strCat(tools_.computeSeconds)})); }, entry_.kind == "local");
    const bool taken = found.gflops <= 0 || hosts::takeSpeed(facts_, found.gflops, found.load, utcText(unixNow()));
    tell(judgeSpeed(needs_, entry_, found, taken ? nullptr : &facts_));
    return true;
  }

  void skipRest() {
    for (CheckLine& line : lines_) {
      const bool open = line.state == CheckState::kWaiting || line.state == CheckState::kRunning;
      if (!open || (why_.empty() && line.id != only_)) continue;
      line.state = CheckState::kSkipped;
      line.found = strCat("not checked: ", why_.empty() ? "not asked for" : why_);
      if (onLine_) onLine_(line);
    }
  }

  void keep() {
    facts_.checkedUtc = utcText(unixNow());
    facts_.lines = lines_;
    try {
      hosts::keepFacts(facts_);
    } catch (const Error&) {  // a cache: what was found is told all the same
    }
  }

  const CheckTools& tools_;
  const hosts::HostEntry& entry_;
  const std::function<void(const CheckLine&)>& onLine_;
  std::stop_token stop_;
  std::string only_, why_;
  std::vector<CheckLine> lines_ = plannedChecks();
  hosts::HostFacts facts_;
  std::unique_ptr<hosts::Host> host_;
  CheckNeeds needs_;
  std::string agent_;
};

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

// Measured once per process, and kept: several hosts are checked at once. What other work disturbed is kept for a minute.
Speed ownSpeed(double seconds) {
  static std::mutex mutex;  // guards measured, until and makes the others wait
  static Speed measured;
  static double until = 0;
  const std::lock_guard lock(mutex);
  if (measured.gflops > 0 && (measured.load.empty() || steadySeconds() < until)) return measured;
  if (const auto facts = hosts::loadFacts("local"); facts && facts->speed > 0 && facts->speedLoad.empty()) return measured = {.gflops = facts->speed, .load = {}};
  try {
    const auto here = hosts::localHost();
    measured = quietest([&] {
      const hosts::CommandResult result = hosts::runOn(*here, {hosts::localProgram("paceline-agent"), "compute", strCat(seconds)}, {.silenceSeconds = 30});
      return result.end.code == 0 && !result.lines.empty() ? speedOf(result.lines.back()) : Speed();
    }, true);
  } catch (const Error&) {  // then the host's number stands alone
  }
  until = steadySeconds() + kAgainSeconds;
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

std::vector<CheckLine> checkHostWith(const CheckTools& tools, const hosts::HostEntry& entry, const std::function<void(const CheckLine&)>& onLine,
                                     std::stop_token stop, const std::string& only) {
  if (!only.empty()) plannedCheck(only);  // throws for one that is not known
  return Check(tools, entry, onLine, std::move(stop), only).run();
}

std::vector<CheckLine> checkHost(const hosts::HostRegistry& book, const std::string& name, hosts::CredentialPrompts& prompts,
                                 const std::function<void(const CheckLine&)>& onLine, std::stop_token stop, const std::string& only) {
  const hosts::HostEntry entry = book.require(name);
  CheckTools tools;
  tools.open = [&] { return hosts::openHost(book, name, prompts); };
  tools.putAgent = [&](hosts::Host& host) { return entry.kind == "local" ? hosts::localProgram("paceline-agent") : deploy::deployAgent(host); };
  tools.needs = ownNeeds;
  tools.addBundle = addOwnBundle;
  tools.localSpeed = [&] { return ownSpeed(tools.computeSeconds); };
  return checkHostWith(tools, entry, onLine, std::move(stop), only);
}

}  // namespace paceline::check
