// Lines that follow from the agent's probe (agent/README.md).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include <nlohmann/json.hpp>

#include "app/cluster/check/judge.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline::check {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kRoomForRecords = 1'000'000'000;  // spools and logs of some long runs
constexpr std::int64_t kLittleMemory = 1'000'000'000;

// Facts of a probe, whatever it holds: what is absent or of another type is "" or 0.
class Facts {
 public:
  explicit Facts(const std::string& probe) : json_(Json::parse(probe, nullptr, false)) {
    if (!json_.is_object()) json_ = Json::object();
  }
  std::string text(const char* name) const { return textIn(json_, name); }
  double number(const char* name) const { return numberIn(json_, name); }
  std::int64_t bytes(const char* name) const { return static_cast<std::int64_t>(std::clamp(number(name), 0.0, 9e18)); }
  const Json& list(const char* name) const { return json_.contains(name) && json_[name].is_array() ? json_[name] : nothing_; }
  const Json& at(const char* name) const { return json_.contains(name) ? json_[name] : nothing_; }

  static std::string textIn(const Json& json, const char* name) {
    return json.is_object() && json.contains(name) && json[name].is_string() ? quotable(json[name].get<std::string>(), 200) : "";
  }
  static double numberIn(const Json& json, const char* name) {
    return json.is_object() && json.contains(name) && json[name].is_number() ? json[name].get<double>() : 0;
  }

 private:
  Json json_;
  Json nothing_ = Json::array();
};

struct Subject {
  const CheckNeeds& needs;
  const hosts::HostEntry& entry;
  std::string dataAddress;
  Facts facts;
  bool bundle;
};

CheckLine lineOf(const char* id, CheckState state, std::string expected, std::string found, std::string advice = "") {
  CheckLine line = plannedCheck(id);
  line.state = state;
  line.expected = std::move(expected);
  line.found = std::move(found);
  line.advice = std::move(advice);
  return line;
}

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
    return lineOf("libc", CheckState::kBad, expected, strCat("musl", system.empty() ? "" : " (" + system + ")"),
                  "our programs need glibc; use a system that has it (as Debian, Ubuntu, Fedora, Rocky)");
  if (have.empty())
    return lineOf("libc", CheckState::kWarning, expected, "not found",
                  "it lies at an unusual place; whether programs start is seen when they are sent");
  const std::string found = strCat("glibc ", have, system.empty() ? "" : strCat(" (", system, ")"));
  if (!deploy::olderVersion(have, want)) return lineOf("libc", CheckState::kGood, expected, found);
  return lineOf("libc", CheckState::kBad, expected, found,
                strCat("it is too old for our programs; put a newer system on ", s.entry.name, ", or build Paceline on one as old as it is"));
}

CheckLine libstdcxx(const Subject& s) {
  const deploy::ElfNeeds& want = s.needs.programs;
  const std::string expected = strCat("GLIBCXX_", want.glibcxx, " and CXXABI_", want.cxxabi, " or newer");
  const std::string have = s.facts.text("glibcxx");
  const std::string found = have.empty() ? "none" : strCat("GLIBCXX_", have, ", CXXABI_", s.facts.text("cxxabi"));
  if (cxxFits(s.needs, s.facts)) return lineOf("libstdcxx", CheckState::kGood, expected, found);
  if (s.needs.bundleProblem.empty()) return lineOf("libstdcxx", CheckState::kGood, expected, strCat(found, "; ours is sent with the libraries"));
  return lineOf("libstdcxx", CheckState::kBad, expected, found,
                strCat("install a newer libstdc++ there; ours cannot be sent: ", s.needs.bundleProblem));
}

CheckLine libraries(const Subject& s) {
  const std::string expected = strCat("LibTorch", s.needs.torch.empty() ? "" : " " + s.needs.torch);
  const std::string file = s.facts.text("torch_library"), version = s.facts.text("torch_version");
  const std::string found = file.empty() ? "none" : strCat(version.empty() ? "" : version + ", ", file);
  const bool given = !s.entry.libraries.empty(), inGiven = given && file.starts_with(s.entry.libraries);
  if (given && !inGiven)
    return lineOf("libraries", CheckState::kBad, strCat(expected, " in ", s.entry.libraries), strCat("no libtorch_cpu.so in ", s.entry.libraries),
                  "name the folder that has libtorch_cpu.so (its lib folder), or none to use the system's or have ours sent");
  if (given && !torchFits(s.needs, s.facts))
    return lineOf("libraries", CheckState::kBad, strCat(expected, " in ", s.entry.libraries), found,
                  strCat("our worker is built with LibTorch ", s.needs.torch, "; name a folder with that release, or none to have ours sent"));
  if (!s.bundle) return lineOf("libraries", CheckState::kGood, expected, found);
  if (!s.needs.bundleProblem.empty())
    return lineOf("libraries", CheckState::kBad, expected, found,
                  strCat("install LibTorch ", s.needs.torch, " there; ours cannot be sent: ", s.needs.bundleProblem));
  const std::string size = s.needs.bundleBytes > 0 ? strCat(" (", bytesText(s.needs.bundleBytes), ")") : "";
  return lineOf("libraries", CheckState::kWarning, expected, found,
                strCat("ours", size, " is sent before the first run there; to avoid that, install LibTorch ", s.needs.torch, " on ", s.entry.name));
}

CheckLine disk(const Subject& s) {
  const std::int64_t need = s.needs.programBytes + (s.bundle ? s.needs.bundleBytes : 0), have = s.facts.bytes("cache_free_bytes");
  const std::string folder = s.facts.text("cache_folder");
  if (folder.empty())
    return lineOf("disk", CheckState::kBad, strCat(bytesText(need), " free"), "neither HOME nor XDG_CACHE_HOME is set there",
                  "set XDG_CACHE_HOME in this host's env to a folder that may be written");
  const bool quota = s.facts.at("cache_quota_free_bytes").is_number() && s.facts.bytes("cache_quota_free_bytes") <= have;
  const std::string expected = strCat(bytesText(need), " free for our programs in ", folder);
  const std::string found = strCat(bytesText(have), quota ? " left of the user's quota" : " free");
  const std::string advice = strCat("free some there (paceline hosts clean ", s.entry.name,
                                    " removes old versions and records), or set XDG_CACHE_HOME in this host's env to a folder on another disk");
  if (have < need) return lineOf("disk", CheckState::kBad, expected, found, advice);
  if (have < need + kRoomForRecords)
    return lineOf("disk", CheckState::kWarning, expected, found, strCat("little is left for the records of runs; ", advice));
  return lineOf("disk", CheckState::kGood, expected, found);
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
  if (usable < 1) return lineOf("cpu", CheckState::kWarning, expected, "not known", "the host does not say; give its nodes one thread each");
  if (quota > 0 && quota < installed)
    return lineOf("cpu", CheckState::kWarning, expected, found,
                  strCat("a control group grants ", quota, " CPUs' worth of time; nodes with more threads together only wait"));
  if (s.needs.system.ends_with("x86_64") && std::ranges::find(flags, "avx2") == flags.end())
    return lineOf("cpu", CheckState::kWarning, expected, found, "without AVX2 training is several times slower than on other machines");
  return lineOf("cpu", CheckState::kGood, expected, found);
}

CheckLine memory(const Subject& s) {
  const std::int64_t total = s.facts.bytes("memory_total_bytes"), limit = s.facts.bytes("memory_limit_bytes");
  std::int64_t free = s.facts.bytes("memory_free_bytes");
  if (limit > 0) free = std::min(free, limit);
  const std::string expected = strCat(bytesText(kLittleMemory), " free");
  if (total <= 0) return lineOf("memory", CheckState::kWarning, expected, "not known", "the host does not say; watch the first run");
  const std::string found =
      strCat(bytesText(free), " free of ", bytesText(total), limit > 0 && limit < total ? strCat(", a control group allows ", bytesText(limit)) : "");
  if (free < kLittleMemory)
    return lineOf("memory", CheckState::kWarning, expected, found,
                  "a worker alone needs some 200 MB before its model; end other programs or use a smaller model");
  return lineOf("memory", CheckState::kGood, expected, found);
}

CheckLine gpu(const Subject& s) {
  std::vector<std::string> names;
  for (const Json& each : s.facts.list("gpus")) {
    const auto bytes = static_cast<std::int64_t>(Facts::numberIn(each, "memory_bytes"));
    names.push_back(strCat(Facts::textIn(each, "name"), bytes > 0 ? strCat(" with ", bytesText(bytes)) : ""));
  }
  std::string problem;
  for (const Json& each : s.facts.list("problems"))
    if (each.is_string() && (each.get<std::string>().starts_with("nvml") || each.get<std::string>().starts_with("gpus")))
      problem = quotable(each.get<std::string>(), 200);
  const std::string driver = s.facts.text("gpu_driver"),
                    found = names.empty() ? "none" : strCat(listed(names), driver.empty() ? "" : ", driver " + driver);
  if (!problem.empty())
    return lineOf("gpu", CheckState::kWarning, "any", found, strCat("the driver does not answer as it should (", problem, "); try nvidia-smi there"));
  return lineOf("gpu", CheckState::kGood, "any", found);
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
      all.push_back({.interface = Facts::textIn(each, "name"), .address = address, .up = flag("up"), .far = flag("up") && !local});
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
    return lineOf("interface", CheckState::kBad, expected, strCat(found->interface, " ", wanted, " is down"),
                  strCat("bring it up (ip link set ", found->interface, " up), or ", choose));
  if (found != all.end()) return lineOf("interface", CheckState::kGood, expected, strCat(found->interface, " ", wanted));
  if (chosen) return lineOf("interface", CheckState::kBad, expected, has, choose);
  if (s.entry.name == "local")
    return lineOf("interface", CheckState::kGood, expected, strCat(has, "; the one with the way to the other hosts is used"));
  if (wanted.empty()) return lineOf("interface", CheckState::kWarning, expected, has, choose);
  return lineOf("interface", CheckState::kWarning, expected, strCat(wanted, " is not its own address; ", has), choose);
}

CheckLine agent(const Subject& s) {
  const std::string version = s.facts.text("paceline"), expected = "version " + s.needs.paceline;
  const Json& supervisor = s.facts.at("supervisor");
  const std::string running = Facts::textIn(supervisor, "version");
  const double runs = Facts::numberIn(supervisor, "active_runs");
  if (version != s.needs.paceline)
    return lineOf("agent", CheckState::kBad, expected, version.empty() ? "no answer that makes sense" : "version " + version,
                  "check again: ours is sent anew");
  if (running.empty() || running == s.needs.paceline)
    return lineOf("agent", CheckState::kGood, expected,
                  strCat("version ", version, running.empty() ? ", no supervisor runs" : strCat(", its supervisor runs, ", runs, " active runs")));
  const std::string found = strCat("version ", version, ", but a supervisor of version ", running, " runs, ", runs, " active runs");
  if (runs > 0)
    return lineOf("agent", CheckState::kBad, expected, found,
                  strCat("wait for its runs or stop them with the Paceline that began them; it makes way when it has none"));
  return lineOf("agent", CheckState::kGood, expected, strCat(found, "; it makes way for ours at the next run"));
}

}  // namespace

bool needsBundle(const CheckNeeds& needs, const std::string& probe) {
  const Facts facts(probe);
  return !torchFits(needs, facts) || !cxxFits(needs, facts);
}

std::vector<CheckLine> judgeProbe(const CheckNeeds& needs, const hosts::HostEntry& entry, const std::string& dataAddress, const std::string& probe) {
  const Subject subject{.needs = needs, .entry = entry, .dataAddress = dataAddress, .facts = Facts(probe), .bundle = needsBundle(needs, probe)};
  std::vector<CheckLine> lines;
  for (const auto judge : {libc, libstdcxx, libraries, disk, cpu, memory, gpu, interface, agent}) lines.push_back(judge(subject));
  return lines;
}

std::vector<InterfaceAddress> addressesIn(const std::string& probe) {
  std::vector<InterfaceAddress> far, all;
  for (const Address& each : everyAddress(Facts(probe))) {
    if (!each.up) continue;
    all.push_back({each.interface, each.address});
    if (each.far) far.push_back(all.back());
  }
  return far.empty() ? all : far;
}

}  // namespace paceline::check
