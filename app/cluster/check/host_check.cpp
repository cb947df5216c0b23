#include "app/cluster/check/host_check.h"

#include <algorithm>
#include <ctime>
#include <optional>

#include <nlohmann/json.hpp>

#include "app/cluster/hosts/access.h"
#include "app/cluster/check/tools.h"
#include "app/cluster/hosts/command.h"
#include "app/cluster/hosts/facts.h"
#include "app/cluster/ssh/error.h"
#include "engine/core/base/error.h"
#include "engine/core/record/event.h"
#include "engine/core/base/text.h"

namespace paceline::check {
namespace {

constexpr double kCommandSeconds = 30;
constexpr int kClockSamples = 12;

std::string allBytes() {
  std::string bytes;
  for (int byte = 1; byte < 256; ++byte) bytes += static_cast<char>(byte);
  return bytes;
}

// Where the desktop's sentence says what is wrong, this says what to do.
std::string adviceFor(const std::string& id) {
  if (id == "reachable") return "is it switched on, are address and port right, does its SSH server run, does a firewall stand between?";
  if (id == "key") return "ask whoever looks after the host for its fingerprint before anything else";
  if (id == "authentication") return "try the same with ssh in a terminal; user, identity and password are in this host's entry or asked for";
  return "";
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
  void bad(const std::string& id, const std::string& found, const std::string& advice, const std::string& expected = "") {
    CheckLine line = plannedCheck(id);
    line.state = CheckState::kBad;
    line.expected = expected;
    line.found = found;
    line.advice = advice;
    tell(std::move(line));
  }
  void good(const std::string& id, const std::string& expected, const std::string& found) {
    CheckLine line = plannedCheck(id);
    line.state = CheckState::kGood;
    line.expected = expected;
    line.found = found;
    tell(std::move(line));
  }

  // False: what comes later cannot be checked; why_ says so.
  bool step(const std::vector<std::string>& ids, const std::function<bool()>& act) {
    if (stop_.stop_requested()) {
      why_ = "stopped";
      return false;
    }
    for (const std::string& id : ids) {
      CheckLine line = plannedCheck(id);
      line.state = CheckState::kRunning;
      tell(std::move(line));
    }
    try {
      return act();
    } catch (const Error& error) {
      for (const std::string& id : ids) at(id).state = CheckState::kWaiting;
      why_ = error.code() == Errc::kStopped ? "stopped" : strCat(entry_.name, " did not answer");
      if (error.code() != Errc::kStopped) bad(ids.empty() ? only_ : ids.front(), error.what(), "check again");
      return false;
    }
  }

  bool connect() {
    if (entry_.kind == "local") {
      host_ = tools_.open();
      for (const char* id : {"reachable", "key", "authentication"}) good(id, "not needed", "this computer");
      return true;
    }
    try {
      host_ = tools_.open();
    } catch (const ssh::SshError& error) {
      return refused(error.stage() == ssh::SshStage::kReach ? "reachable" : error.stage() == ssh::SshStage::kKey ? "key" : "authentication", error.what());
    } catch (const Error& error) {
      if (error.code() == Errc::kStopped) throw;
      return refused("reachable", error.what());
    }
    good("reachable", "an answer", strCat(entry_.address.empty() ? entry_.name : entry_.address, " answers"));
    good("key", "a known key", entry_.kind == "slurm" && entry_.address.empty() ? "not needed" : "its key is known");
    good("authentication", "a login", entry_.user.empty() ? "logged in" : strCat("logged in as ", entry_.user));
    return true;
  }

  bool refused(const std::string& id, const std::string& sentence) {
    if (id != "reachable") good("reachable", "an answer", strCat(entry_.address, " answers"));
    if (id == "authentication") good("key", "a known key", "its key is known");
    bad(id, sentence, adviceFor(id));
    why_ = id == "reachable" ? "it cannot be reached" : id == "key" ? "its key is not accepted" : "there is no login";
    return false;
  }

  hosts::CommandResult command(const std::vector<std::string>& words) { return hosts::runOn(*host_, words, {.silenceSeconds = kCommandSeconds, .stop = stop_}); }

  std::string answer(const std::vector<std::string>& words) {  // its last line
    const hosts::CommandResult result = command(words);
    if (result.end.code != 0 || result.lines.empty()) throw Error(Errc::kHost, strCat(entry_.name, ": ", words.front(), ": ", result.said()));
    return result.lines.back();
  }

  bool quoting() {
    const std::string sent = allBytes();
    const hosts::CommandResult result = command({"printf", "%s\n", sent});
    std::string received;
    for (std::size_t i = 0; i < result.lines.size(); ++i) received += (i == 0 ? "" : "\n") + result.lines[i];
    tell(judgeQuoting(sent, received));
    if (at("quoting").state != CheckState::kBad) return true;
    why_ = "arguments do not survive";
    return false;
  }

  bool system() {
    needs_ = tools_.needs();
    tell(judgeSystem(needs_, answer({"uname", "-s", "-m"})));
    if (at("architecture").state == CheckState::kGood) return true;
    why_ = "our programs do not run on such a machine";
    return false;
  }

  bool putAgent() {
    try {
      agent_ = tools_.putAgent(*host_);
      return true;
    } catch (const Error& error) {
      if (error.code() == Errc::kStopped) throw;
      const bool full = error.code() == Errc::kNoSpace;
      at("agent").state = CheckState::kWaiting;
      bad(full ? "disk" : "agent", error.what(),
          full ? "free some there, or set XDG_CACHE_HOME in this host's env to a folder on another disk" : "check again");
      why_ = "the agent could not be sent";
      return false;
    }
  }

  bool probe() {
    std::vector<std::string> words{agent_, "probe"};
    if (!entry_.libraries.empty()) words.insert(words.begin(), {"env", strCat("LD_LIBRARY_PATH=", entry_.libraries)});
    facts_.probe = answer(words);
    if (needsBundle(needs_, facts_.probe) && tools_.addBundle) tools_.addBundle(needs_);
    for (CheckLine& line : judgeProbe(needs_, entry_, hosts::dataAddressOf(entry_), facts_.probe)) tell(std::move(line));
    return true;
  }

  double hostTime(hosts::Process& clock) {  // a login shell may have printed something of its own first
    std::string last;
    for (int line = 0; line < 50; ++line) {
      const std::optional<std::string> said = clock.readLine(kCommandSeconds);
      if (!said) break;
      const auto json = nlohmann::json::parse(*said, nullptr, false);
      if (json.is_object() && json.contains("unix_s") && json["unix_s"].is_number()) return json["unix_s"].get<double>();
      last = *said;
    }
    throw Error(Errc::kHost, strCat(entry_.name, ": its clock gives no answer", last.empty() ? "" : strCat(": ", quotable(last))));
  }

  bool clock() {
    const auto process = host_->start({agent_, "clock"});
    std::vector<ClockSample> samples;
    for (int i = 0; i < kClockSamples && !stop_.stop_requested(); ++i) {
      ClockSample sample{.askedHere = unixNow()};
      process->writeLine("");
      sample.host = hostTime(*process);
      sample.heardHere = unixNow();
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
    const std::string said = answer({agent_, "compute", strCat(tools_.computeSeconds)});
    facts_.speed = speedOf(said);
    tell(judgeSpeed(needs_, entry_, said));
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
    facts_.checkedUtc = utcText(static_cast<double>(std::time(nullptr)));
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

}  // namespace

std::vector<CheckLine> checkHostWith(const CheckTools& tools, const hosts::HostEntry& entry, const std::function<void(const CheckLine&)>& onLine,
                                     std::stop_token stop, const std::string& only) {
  if (!only.empty()) plannedCheck(only);  // throws for one that is not known
  return Check(tools, entry, onLine, std::move(stop), only).run();
}

}  // namespace paceline::check
