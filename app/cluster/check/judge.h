// Parts of the checks. Judges are pure functions from a host's answers to lines of the check list, so that every sentence has a test; any thread; no
// text of a host makes them throw. Checks and measurements take their hosts, clocks and programs from outside, so that tests put in their own.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/cluster/check/host_check.h"
#include "app/cluster/deploy/elf.h"
#include "app/cluster/hosts/facts.h"
#include "app/cluster/hosts/host.h"

namespace paceline::check {

// A host's answer to `compute` (agent/README.md).
struct Speed {
  double gflops = 0;         // of all threads; 0: no answer that makes sense
  std::int64_t threads = 0;  // 0: not said
  std::int64_t runs = 0;     // that its supervisor had meanwhile
  std::string load;          // what disturbed it, as behind "while": "other work took 1.4 of its 2 CPUs"; "": nothing
};
Speed speedOf(const std::string& compute);

// What our programs want of a host.
struct CheckNeeds {
  std::string system;    // as `uname -s -m` says: "Linux x86_64"
  std::string paceline;  // our version
  std::string torch;     // that our worker was built with: "1.13.0"; "": not known, any will do
  deploy::ElfNeeds programs;     // of the C and C++ libraries
  std::int64_t programBytes = 0, bundleBytes = 0;  // room they take; 0: not known
  std::string bundleProblem;                       // why no bundle of libraries can be made here
  Speed localSpeed{};                              // of this computer
};

// One answer to `paceline-agent clock`: when we asked and heard (seconds since 1970 here) and what its clock said.
struct ClockSample {
  double askedHere = 0, host = 0, heardHere = 0;
};
struct ClockOffset {
  double seconds = 0;  // host minus here
  double error = 0;    // at most: half the shortest round trip
};
ClockOffset offsetOf(const std::vector<ClockSample>& samples);  // of the sample with the shortest round trip; none: 0 and 0

CheckLine plannedCheck(const std::string& id);  // waiting
CheckLine good(const std::string& expected, const std::string& found);
CheckLine warning(const std::string& expected, const std::string& found, const std::string& advice);
CheckLine bad(const std::string& expected, const std::string& found, const std::string& advice);
CheckLine named(const std::string& id, CheckLine verdict);  // a verdict as the line of this check

// Of an object that may hold anything: "" and 0 where there is no such text or number.
std::string textIn(const nlohmann::json& json, const char* name, std::size_t limit = 200);
double numberIn(const nlohmann::json& json, const char* name);
std::int64_t wholeIn(const nlohmann::json& json, const char* name, double most = 9e18);  // 0 to `most`: a host says what it likes
// The next object that an agent prints, past what a login shell may have printed by itself; nullopt: none came.
std::optional<nlohmann::json> answerOf(hosts::Process& agent, double seconds);

// Bytes 1 to 255 as an argument, and as they came back.
CheckLine judgeQuoting(const std::string& sent, const std::string& received);
CheckLine judgeSystem(const CheckNeeds& needs, const std::string& uname);

// `probe`: the agent's JSON text. Lines libc, libstdcxx, libraries, disk, cpu, memory, gpu, interface, agent, in this order. `dataAddress`: where other
// hosts would look for it when the entry names none.
std::vector<CheckLine> judgeProbe(const CheckNeeds& needs, const hosts::HostEntry& entry, const std::string& dataAddress, const std::string& probe);
bool needsBundle(const CheckNeeds& needs, const std::string& probe);  // its libraries do not do for our worker

CheckLine judgeClock(const ClockOffset& offset);
CheckLine judgeSpeed(const CheckNeeds& needs, const hosts::HostEntry& entry, const Speed& speed, const hosts::HostFacts* stays = nullptr);  // stays: with a better one from before

// The dependencies of checkHost.
struct CheckTools {
  std::function<std::unique_ptr<hosts::Host>()> open;           // throws Error, SshError
  std::function<std::string(hosts::Host&)> putAgent;            // its path there; throws Error
  std::function<CheckNeeds()> needs;                     // of our programs; throws Error when they are not there
  std::function<void(CheckNeeds&)> addBundle;            // sets bundleBytes or bundleProblem: takes a while, asked for only when one is needed
  std::function<Speed()> localSpeed;                     // of this computer; 0: cannot be measured. Not asked for "local"
  double computeSeconds = 2;
};

std::vector<CheckLine> checkHostWith(const CheckTools& tools, const hosts::HostEntry& entry, const std::function<void(const CheckLine&)>& onLine,
                                     std::stop_token stop, const std::string& only);

// A host with our agent on it. Used by one thread at a time.
struct MeasuredHost {
  std::unique_ptr<hosts::Host> host;
  std::string agent;    // its path there
  std::string address;  // of its data interface; "": none is known
};

// Called from several threads at once, once for every name. Throws Error: all links of this host have this problem.
using MeasuredHostOpener = std::function<MeasuredHost(const std::string& name)>;

// onLink is called from the calling thread. Returns the links in the order of names; after `stop` those not measured say so.
std::vector<LinkMeasure> measureLinksWith(const MeasuredHostOpener& open, const std::vector<std::string>& names,
                                          const std::function<void(const LinkMeasure&)>& onLink, std::stop_token stop);

// What the agent's `measure` said, as a sentence for people; "" when it measured. Pure.
std::string linkProblem(const std::string& from, const std::string& to, const std::string& address, const std::string& said);

}  // namespace paceline::check
