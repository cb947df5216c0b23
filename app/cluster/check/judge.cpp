#include "app/cluster/check/judge.h"

#include <algorithm>
#include <cmath>

#include "app/cluster/hosts/host.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/json/json_text.h"

namespace paceline::check {
namespace {

constexpr double kMuchClockOffset = 1;  // s; runs use differences only, so more is worth a word, not a refusal
constexpr std::int64_t kRoomForRecords = 1'000'000'000;  // spools and logs of some long runs
constexpr std::int64_t kLittleMemory = 1'000'000'000;
constexpr double kMany = 1e6;  // threads, CPUs, runs
constexpr double kQuietCpus = 0.15, kQuietShare = 0.05;  // of others: what daemons take, and a login; more shows in the speed

struct Planned {
  const char *id, *title;
};
constexpr Planned kPlanned[] = {{"reachable", "Reachable"},
                                {"key", "Host key"},
                                {"authentication", "Login"},
                                {"quoting", "Arguments survive"},
                                {"architecture", "Architecture"},
                                {"libc", "C library"},
                                {"libstdcxx", "C++ library"},
                                {"libraries", "LibTorch"},
                                {"disk", "Disk"},
                                {"cpu", "CPUs"},
                                {"memory", "Memory"},
                                {"gpu", "GPUs"},
                                {"interface", "Data interface"},
                                {"clock", "Clock"},
                                {"agent", "Agent"},
                                {"speed", "Speed"}};

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string seconds(double value) {
  const double size = std::fabs(value);
  if (size >= 1) return fixed(value, 1) + " s";
  if (size >= 1e-3) return fixed(value * 1e3, 1) + " ms";
  return fixed(value * 1e6, 0) + " us";
}

std::string gflops(double value) { return fixed(value, value < 10 ? 1 : 0) + " GFLOP/s"; }

CheckLine verdict(CheckState state, const std::string& expected, const std::string& found, const std::string& advice = "") {
  return {.id = {}, .title = {}, .state = state, .expected = expected, .found = found, .advice = advice};
}

// Facts of the agent's probe (agent/README.md), whatever it holds: what is absent or of another type is "", 0 or an empty list.
class Facts {
 public:
  explicit Facts(const std::string& probe) : json_(jsonOrNull(probe)) {}
  std::string text(const char* name) const { return textIn(json_, name); }
  double number(const char* name) const { return numberIn(json_, name); }
  std::int64_t bytes(const char* name) const { return wholeIn(json_, name); }
  Json at(const char* name) const { return json_.is_object() ? json_.value(name, Json()) : Json(); }
  Json list(const char* name) const {
    Json list = at(name);
    return list.is_array() ? list : Json::array();
  }

 private:
  Json json_;
};

struct Subject {
  const CheckNeeds& needs;
  const hosts::HostEntry& entry;
  std::string dataAddress;
  Facts facts;
  bool bundle;
};

bool sameRelease(const std::string& a, const std::string& b) {  // of LibTorch: its binary interface is that of major.minor
  int majorA = -1, minorA = -1, majorB = -2, minorB = -2;
  return std::sscanf(a.c_str(), "%d.%d", &majorA, &minorA) == 2 && std::sscanf(b.c_str(), "%d.%d", &majorB, &minorB) == 2 && majorA == majorB &&
         minorA == minorB;
}

bool torchFits(const CheckNeeds& needs, const Facts& facts) {
  if (facts.text("torch_library").empty()) return false;
  const std::string version = facts.text("torch_version");
  return version.empty() || needs.torch.empty() || sameRelease(version, needs.torch);
}

bool cxxFits(const CheckNeeds& needs, const Facts& facts) {
  return !deploy::olderVersion(facts.text("glibcxx"), needs.programs.glibcxx) && !deploy::olderVersion(facts.text("cxxabi"), needs.programs.cxxabi);
}

CheckLine libc(const Subject& s) {
  const std::string have = s.facts.text("libc"), want = s.needs.programs.glibc, system = s.facts.text("os");
  const std::string expected = want.empty() ? "none is needed" : strCat("glibc ", want, " or newer");
  if (have == "musl")
    return bad(expected, strCat("musl", system.empty() ? "" : " (" + system + ")"),
                  "our programs need glibc; use a system that has it (as Debian, Ubuntu, Fedora, Rocky)");
  if (have.empty()) return warning(expected, "not found", "it lies at an unusual place; whether programs start is seen when they are sent");
  const std::string found = strCat("glibc ", have, system.empty() ? "" : strCat(" (", system, ")"));
  if (!deploy::olderVersion(have, want)) return good(expected, found);
  return bad(expected, found, strCat("it is too old for our programs; put a newer system on ", s.entry.name, ", or build Paceline on one as old as it is"));
}

CheckLine libstdcxx(const Subject& s) {
  const deploy::ElfNeeds& want = s.needs.programs;
  const std::string expected = strCat("GLIBCXX_", want.glibcxx, " and CXXABI_", want.cxxabi, " or newer");
  const std::string have = s.facts.text("glibcxx");
  const std::string found = have.empty() ? "none" : strCat("GLIBCXX_", have, ", CXXABI_", s.facts.text("cxxabi"));
  if (cxxFits(s.needs, s.facts)) return good(expected, found);
  if (s.needs.bundleProblem.empty()) return good(expected, strCat(found, "; ours is sent with the libraries"));
  return bad(expected, found, strCat("install a newer libstdc++ there; ours cannot be sent: ", s.needs.bundleProblem));
}

CheckLine libraries(const Subject& s) {
  const std::string expected = strCat("LibTorch", s.needs.torch.empty() ? "" : " " + s.needs.torch);
  const std::string file = s.facts.text("torch_library"), version = s.facts.text("torch_version");
  const std::string found = file.empty() ? "none" : strCat(version.empty() ? "" : version + ", ", file);
  const bool given = !s.entry.libraries.empty(), inGiven = given && file.starts_with(s.entry.libraries);
  if (given && !inGiven)
    return bad(strCat(expected, " in ", s.entry.libraries), strCat("no libtorch_cpu.so in ", s.entry.libraries),
                  "name the folder that has libtorch_cpu.so (its lib folder), or none to use the system's or have ours sent");
  if (given && !torchFits(s.needs, s.facts))
    return bad(strCat(expected, " in ", s.entry.libraries), found,
                  strCat("our worker is built with LibTorch ", s.needs.torch, "; name a folder with that release, or none to have ours sent"));
  if (!s.bundle) return good(expected, found);
  if (!s.needs.bundleProblem.empty())
    return bad(expected, found, strCat("install LibTorch ", s.needs.torch, " there; ours cannot be sent: ", s.needs.bundleProblem));
  const std::string size = s.needs.bundleBytes > 0 ? strCat(" (", bytesText(s.needs.bundleBytes), ")") : "";
  return warning(expected, found,
                strCat("ours", size, " is sent before the first run there; to avoid that, install LibTorch ", s.needs.torch, " on ", s.entry.name));
}

CheckLine disk(const Subject& s) {
  const std::int64_t need = s.needs.programBytes + (s.bundle ? s.needs.bundleBytes : 0), have = s.facts.bytes("cache_free_bytes");
  const std::string folder = s.facts.text("cache_folder");
  if (folder.empty())
    return bad(strCat(bytesText(need), " free"), "neither HOME nor XDG_CACHE_HOME is set there",
                  "set XDG_CACHE_HOME in this host's env to a folder that may be written");
  const bool quota = s.facts.at("cache_quota_free_bytes").is_number() && s.facts.bytes("cache_quota_free_bytes") <= have;
  const std::string expected = strCat(bytesText(need), " free for our programs in ", folder);
  const std::string found = strCat(bytesText(have), quota ? " left of the user's quota" : " free");
  const std::string advice = strCat("free some there (paceline hosts clean ", s.entry.name,
                                    " removes old versions and records), or set XDG_CACHE_HOME in this host's env to a folder on another disk");
  if (have < need) return bad(expected, found, advice);
  if (have < need + kRoomForRecords) return warning(expected, found, strCat("little is left for the records of runs; ", advice));
  return good(expected, found);
}

CheckLine cpu(const Subject& s) {
  const double installed = s.facts.number("cpus_installed"), usable = s.facts.number("cpus_usable"), quota = s.facts.number("cpu_quota");
  std::vector<std::string> flags;
  for (const Json& flag : s.facts.list("cpu_flags"))
    if (flag.is_string()) flags.push_back(quotable(flag.get<std::string>()));
  const std::string model = s.facts.text("cpu_model");
  const std::string found = strCat(usable, usable == installed ? "" : strCat(" of ", installed), model.empty() ? "" : ", " + model,
                                   flags.empty() ? "" : strCat(" (", listed(flags), ")"));
  const std::string expected = "at least 1";
  if (usable < 1) return warning(expected, "not known", "the host does not say; give its nodes one thread each");
  if (quota > 0 && quota < installed)
    return warning(expected, found, strCat("a control group grants ", quota, " CPUs' worth of time; nodes with more threads together only wait"));
  if (s.needs.system.ends_with("x86_64") && std::ranges::find(flags, "avx2") == flags.end())
    return warning(expected, found, "without AVX2 training is several times slower than on other machines");
  return good(expected, found);
}

CheckLine memory(const Subject& s) {
  const std::int64_t total = s.facts.bytes("memory_total_bytes"), limit = s.facts.bytes("memory_limit_bytes");
  std::int64_t free = s.facts.bytes("memory_free_bytes");
  if (limit > 0) free = std::min(free, limit);
  const std::string expected = strCat(bytesText(kLittleMemory), " free");
  if (total <= 0) return warning(expected, "not known", "the host does not say; watch the first run");
  const std::string found =
      strCat(bytesText(free), " free of ", bytesText(total), limit > 0 && limit < total ? strCat(", a control group allows ", bytesText(limit)) : "");
  if (free < kLittleMemory) return warning(expected, found, "a worker alone needs some 200 MB before its model; end other programs or use a smaller model");
  return good(expected, found);
}

CheckLine gpu(const Subject& s) {
  std::vector<std::string> names;
  for (const Json& each : s.facts.list("gpus")) {
    const std::int64_t bytes = wholeIn(each, "memory_bytes");
    names.push_back(strCat(textIn(each, "name"), bytes > 0 ? strCat(" with ", bytesText(bytes)) : ""));
  }
  std::string problem;
  for (const Json& each : s.facts.list("problems"))
    if (each.is_string() && (each.get<std::string>().starts_with("nvml") || each.get<std::string>().starts_with("gpus")))
      problem = quotable(each.get<std::string>(), 200);
  const std::string driver = s.facts.text("gpu_driver"),
                    found = names.empty() ? "none" : strCat(listed(names), driver.empty() ? "" : ", driver " + driver);
  if (!problem.empty()) return warning("any", found, strCat("the driver does not answer as it should (", problem, "); try nvidia-smi there"));
  return good("any", found);
}

struct Address {
  std::string interface, address;
  bool up = false, far = false;  // far: other hosts can have a way to it
};

std::vector<Address> everyAddress(const Facts& facts) {
  std::vector<Address> all;
  for (const Json& each : facts.list("interfaces")) {
    if (!each.is_object() || !each.contains("addresses") || !each["addresses"].is_array()) continue;
    const auto flag = [&](const char* name) { return each.contains(name) && each[name] == true; };
    for (const Json& text : each["addresses"]) {
      if (!text.is_string()) continue;
      const std::string address = quotable(text.get<std::string>());
      const bool local = flag("loopback") || address.starts_with("fe80:") || address.starts_with("169.254.");
      all.push_back({.interface = textIn(each, "name"), .address = address, .up = flag("up"), .far = flag("up") && !local});
    }
  }
  return all;
}

std::string listedFar(const std::vector<Address>& all) {
  std::vector<std::string> words;
  for (const Address& each : all)
    if (each.far) words.push_back(strCat(each.interface, " ", each.address));
  return listed(words);
}

CheckLine interface(const Subject& s) {
  const std::vector<Address> all = everyAddress(s.facts);
  const bool chosen = !s.entry.dataAddress.empty();
  const std::string wanted = chosen ? s.entry.dataAddress : s.dataAddress, expected = chosen ? wanted : "an address that the other hosts reach";
  const std::string has = strCat("it has ", listedFar(all)), choose = "choose one of its addresses as its data address";
  const auto found = std::ranges::find(all, wanted, &Address::address);
  if (found != all.end() && !found->up)
    return bad(expected, strCat(found->interface, " ", wanted, " is down"), strCat("bring it up (ip link set ", found->interface, " up), or ", choose));
  if (found != all.end()) return good(expected, strCat(found->interface, " ", wanted));
  if (chosen) return bad(expected, has, choose);
  if (s.entry.name == "local") return good(expected, strCat(has, "; the one with the way to the other hosts is used"));
  if (wanted.empty()) return warning(expected, has, choose);
  return warning(expected, strCat(wanted, " is not its own address; ", has), choose);
}

CheckLine agent(const Subject& s) {
  const std::string version = s.facts.text("paceline"), expected = "version " + s.needs.paceline;
  const Json supervisor = s.facts.at("supervisor");
  const std::string running = textIn(supervisor, "version");
  const double runs = numberIn(supervisor, "active_runs");
  if (version != s.needs.paceline) return bad(expected, version.empty() ? "no answer that makes sense" : "version " + version, "check again: ours is sent anew");
  if (running.empty() || running == s.needs.paceline)
    return good(expected, strCat("version ", version, running.empty() ? ", no supervisor runs" : strCat(", its supervisor runs, ", runs, " active runs")));
  const std::string found = strCat("version ", version, ", but a supervisor of version ", running, " runs, ", runs, " active runs");
  if (runs > 0) return bad(expected, found, strCat("wait for its runs or stop them with the Paceline that began them; it makes way when it has none"));
  return good(expected, strCat(found, "; it makes way for ours at the next run"));
}

}  // namespace

std::string textIn(const Json& json, const char* name, std::size_t limit) {
  return json.is_object() && json.contains(name) && json[name].is_string() ? quotable(json[name].get<std::string>(), limit) : "";
}

double numberIn(const Json& json, const char* name) {
  return json.is_object() && json.contains(name) && json[name].is_number() ? json[name].get<double>() : 0;
}

std::int64_t wholeIn(const Json& json, const char* name, double most) { return static_cast<std::int64_t>(std::clamp(numberIn(json, name), 0.0, most)); }

std::optional<Json> answerOf(hosts::Process& agent, double seconds) {
  for (int line = 0; line < 50; ++line) {
    const std::optional<std::string> said = agent.readLine(seconds);
    if (!said) break;
    if (Json json = jsonOrNull(*said); json.is_object()) return json;
  }
  return std::nullopt;
}

std::vector<CheckLine> plannedChecks() {
  std::vector<CheckLine> lines;
  for (const Planned& each : kPlanned) lines.push_back({.id = each.id, .title = each.title, .expected = {}, .found = {}, .advice = {}});
  return lines;
}

CheckLine plannedCheck(const std::string& id) {
  const std::vector<CheckLine> all = plannedChecks();
  if (const auto found = std::ranges::find(all, id, &CheckLine::id); found != all.end()) return *found;
  std::vector<std::string> ids;
  for (const CheckLine& each : all) ids.push_back(each.id);
  throw Error(Errc::kUsage, strCat("check \"", quotable(id), "\" is not known; have ", listed(ids)));
}

CheckLine named(const std::string& id, CheckLine verdict) {
  const CheckLine planned = plannedCheck(id);
  verdict.id = planned.id;
  verdict.title = planned.title;
  return verdict;
}

CheckLine good(const std::string& expected, const std::string& found) { return verdict(CheckState::kGood, expected, found); }
CheckLine warning(const std::string& expected, const std::string& found, const std::string& advice) { return verdict(CheckState::kWarning, expected, found, advice); }
CheckLine bad(const std::string& expected, const std::string& found, const std::string& advice) { return verdict(CheckState::kBad, expected, found, advice); }

CheckLine judgeQuoting(const std::string& sent, const std::string& received) {
  const std::string expected = "every byte of an argument arrives";
  if (sent == received) return named("quoting", good(expected, strCat("all ", sent.size(), " bytes came back")));
  if (received.ends_with("\n" + sent))
    return named("quoting", warning(expected,
                  strCat("all bytes came back, behind ", received.size() - sent.size(), " that the login shell prints by itself"),
                  "let ~/.bashrc and the like print only where there is a terminal"));
  const auto [a, b] = std::mismatch(sent.begin(), sent.end(), received.begin(), received.end());
  char byte[8];
  std::snprintf(byte, sizeof byte, "0x%02x", a == sent.end() ? 0U : static_cast<unsigned char>(*a));
  return named("quoting", bad(expected,
                a == sent.end() ? strCat(received.size() - sent.size(), " bytes too many came back") : strCat("byte ", byte, " did not arrive as it was sent"),
                "the login shell there changes arguments; make /bin/sh or bash the login shell of this user (chsh), or log in as another one"));
}

CheckLine judgeSystem(const CheckNeeds& needs, const std::string& uname) {
  if (uname == needs.system) return named("architecture", good(needs.system, quotable(uname)));
  return named("architecture", bad(needs.system, uname.empty() ? "no answer" : quotable(uname),
                strCat("our programs are built for ", needs.system, "; use such a machine, or build Paceline on one like this host")));
}

ClockOffset offsetOf(const std::vector<ClockSample>& samples) {
  const auto trip = [](const ClockSample& sample) { return sample.heardHere - sample.askedHere; };
  const auto best = std::min_element(samples.begin(), samples.end(), [&](const auto& a, const auto& b) { return trip(a) < trip(b); });
  if (best == samples.end()) return {};
  return {.seconds = best->host - (best->askedHere + best->heardHere) / 2, .error = trip(*best) / 2};
}

CheckLine judgeClock(const ClockOffset& offset) {
  const std::string expected = strCat("within ", kMuchClockOffset, " s of this computer's");
  const std::string found = strCat(seconds(std::fabs(offset.seconds)), offset.seconds < 0 ? " behind" : " ahead", ", told within ", seconds(offset.error));
  if (std::fabs(offset.seconds) <= kMuchClockOffset) return named("clock", good(expected, found));
  return named("clock", warning(expected, found,
                "runs use differences of times and allow for this offset, so they are right; set the clock all the same (timedatectl set-ntp true)"));
}

Speed speedOf(const std::string& compute) {
  const Json json = jsonOrNull(compute);
  Speed speed{.gflops = numberIn(json, "gflops_all"), .threads = wholeIn(json, "threads", kMany), .runs = wholeIn(json, "active_runs", kMany), .load = {}};
  if (!std::isfinite(speed.gflops) || speed.gflops <= 0) return {};
  const std::int64_t cpus = wholeIn(json, "cpus", kMany);
  const auto threads = static_cast<double>(speed.threads), idle = std::max(0.0, static_cast<double>(cpus) - threads);
  const double others = numberIn(json, "others_cpus"), tolerated = idle + std::max(kQuietCpus, kQuietShare * threads);
  if (speed.runs > 0) speed.load = speed.runs == 1 ? "a run was active there" : strCat(speed.runs, " runs were active there");
  if (cpus > 0 && others > tolerated) speed.load += strCat(speed.runs > 0 ? " and " : "", "other work took ", fixed(others, 1), " of its ", cpus, cpus == 1 ? " CPU" : " CPUs");
  return speed;
}

CheckLine judgeSpeed(const CheckNeeds& needs, const hosts::HostEntry& entry, const Speed& speed, const hosts::HostFacts* stays) {
  const Speed& here = needs.localSpeed;
  const bool alone = entry.name == "local" || here.gflops <= 0;
  const std::string expected = alone ? "a number to share work by" : strCat("this computer has ", here.load.empty() ? "" : "at least ", gflops(here.gflops));
  if (speed.gflops <= 0)
    return named("speed", bad(expected, "no answer that makes sense", "check again; is the host out of memory or overloaded?"));
  const std::string found = strCat(gflops(speed.gflops), speed.threads > 0 ? strCat(" with ", speed.threads, speed.threads == 1 ? " thread" : " threads") : "");
  if (speed.load.empty())
    return named("speed", good(expected, strCat(found, alone || !here.load.empty() ? "" : strCat(", ", fixed(speed.gflops / here.gflops, 2), " times this computer"))));
  const std::string before = stays == nullptr ? "" : strCat("; ", stays->speedLoad.empty() ? "" : "at least ", gflops(stays->speed), " of ", stays->speedUtc.empty() ? "an earlier check" : stays->speedUtc, " are kept");
  return named("speed", warning(expected, strCat(found, " while ", speed.load, before), "a busy host shows less than it can do; check its speed again when it is quiet"));
}

bool needsBundle(const CheckNeeds& needs, const std::string& probe) {
  const Facts facts(probe);
  return !torchFits(needs, facts) || !cxxFits(needs, facts);
}

std::vector<CheckLine> judgeProbe(const CheckNeeds& needs, const hosts::HostEntry& entry, const std::string& dataAddress, const std::string& probe) {
  const Subject subject{.needs = needs, .entry = entry, .dataAddress = dataAddress, .facts = Facts(probe), .bundle = needsBundle(needs, probe)};
  using Judge = CheckLine (*)(const Subject&);
  const std::pair<const char*, Judge> judges[] = {{"libc", libc},     {"libstdcxx", libstdcxx}, {"libraries", libraries}, {"disk", disk},  {"cpu", cpu},
                                                  {"memory", memory}, {"gpu", gpu},             {"interface", interface}, {"agent", agent}};
  std::vector<CheckLine> lines;
  for (const auto& [id, judge] : judges) lines.push_back(named(id, judge(subject)));
  return lines;
}

}  // namespace paceline::check
