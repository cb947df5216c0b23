#include "app/cluster/check/judge.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline::check {
namespace {

constexpr double kMuchClockOffset = 1;  // s; runs use differences only, so more is worth a word, not a refusal

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

std::string byteName(unsigned char byte) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%02x", static_cast<unsigned>(byte));
  return text;
}

}  // namespace

std::vector<CheckLine> plannedChecks() {
  std::vector<CheckLine> lines;
  for (const Planned& each : kPlanned) lines.push_back(plannedCheck(each.id));
  return lines;
}

CheckLine plannedCheck(const std::string& id) {
  for (const Planned& each : kPlanned)
    if (id == each.id) return {.id = id, .title = each.title, .state = CheckState::kWaiting, .expected = {}, .found = {}, .advice = {}};
  std::vector<std::string> ids;
  for (const Planned& each : kPlanned) ids.emplace_back(each.id);
  throw Error(Errc::kUsage, strCat("check \"", quotable(id), "\" is not known; have ", listed(ids)));
}

CheckLine judgeQuoting(const std::string& sent, const std::string& received) {
  CheckLine line = plannedCheck("quoting");
  line.expected = "every byte of an argument arrives";
  if (sent == received) {
    line.state = CheckState::kGood;
    line.found = strCat("all ", sent.size(), " bytes came back");
    return line;
  }
  if (received.ends_with("\n" + sent)) {
    line.state = CheckState::kWarning;
    line.found = strCat("all bytes came back, behind ", received.size() - sent.size(), " that the login shell prints by itself");
    line.advice = "let ~/.bashrc and the like print only where there is a terminal";
    return line;
  }
  const auto [a, b] = std::mismatch(sent.begin(), sent.end(), received.begin(), received.end());
  line.state = CheckState::kBad;
  line.found = a == sent.end() ? strCat(received.size() - sent.size(), " bytes too many came back")
                               : strCat("byte ", byteName(static_cast<unsigned char>(*a)), " did not arrive as it was sent");
  line.advice = "the login shell there changes arguments; make /bin/sh or bash the login shell of this user (chsh), or log in as another one";
  return line;
}

CheckLine judgeSystem(const CheckNeeds& needs, const std::string& uname) {
  CheckLine line = plannedCheck("architecture");
  line.expected = needs.system;
  line.found = uname.empty() ? "no answer" : quotable(uname);
  line.state = uname == needs.system ? CheckState::kGood : CheckState::kBad;
  if (line.state == CheckState::kBad)
    line.advice = strCat("our programs are built for ", needs.system, "; use such a machine, or build Paceline on one like this host");
  return line;
}

ClockOffset offsetOf(const std::vector<ClockSample>& samples) {
  const auto trip = [](const ClockSample& sample) { return sample.heardHere - sample.askedHere; };
  const auto best = std::min_element(samples.begin(), samples.end(), [&](const auto& a, const auto& b) { return trip(a) < trip(b); });
  if (best == samples.end()) return {};
  return {.seconds = best->host - (best->askedHere + best->heardHere) / 2, .error = trip(*best) / 2};
}

CheckLine judgeClock(const ClockOffset& offset) {
  CheckLine line = plannedCheck("clock");
  line.expected = strCat("within ", kMuchClockOffset, " s of this computer's");
  line.found = strCat(seconds(std::fabs(offset.seconds)), offset.seconds < 0 ? " behind" : " ahead", ", told within ", seconds(offset.error));
  line.state = std::fabs(offset.seconds) > kMuchClockOffset ? CheckState::kWarning : CheckState::kGood;
  if (line.state == CheckState::kWarning)
    line.advice = "runs use differences of times and allow for this offset, so they are right; set the clock all the same (timedatectl set-ntp true)";
  return line;
}

double speedOf(const std::string& compute) {
  const auto json = nlohmann::json::parse(compute, nullptr, false);
  if (!json.is_object() || !json.contains("gflops_all") || !json["gflops_all"].is_number()) return 0;
  const double speed = json["gflops_all"].get<double>();
  return std::isfinite(speed) && speed > 0 ? speed : 0;
}

CheckLine judgeSpeed(const CheckNeeds& needs, const hosts::HostEntry& entry, const std::string& compute) {
  CheckLine line = plannedCheck("speed");
  const bool here = entry.name == "local";
  line.expected = here || needs.localSpeed <= 0 ? "a number to share work by" : strCat("this computer has ", gflops(needs.localSpeed));
  const double speed = speedOf(compute);
  if (speed <= 0) {
    line.state = CheckState::kBad;
    line.found = "no answer that makes sense";
    line.advice = "check again; is the host out of memory or overloaded?";
    return line;
  }
  const auto json = nlohmann::json::parse(compute, nullptr, false);
  const bool hasThreads = json.contains("threads") && json["threads"].is_number_integer();
  line.state = CheckState::kGood;
  line.found =
      strCat(gflops(speed), hasThreads ? strCat(" with ", json["threads"].get<std::int64_t>(), json["threads"] == 1 ? " thread" : " threads") : "",
             here || needs.localSpeed <= 0 ? "" : strCat(", ", fixed(speed / needs.localSpeed, 2), " times this computer"));
  return line;
}

}  // namespace paceline::check
