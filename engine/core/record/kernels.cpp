#include "engine/core/record/kernels.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "engine/core/base/error.h"
#include "engine/core/base/user_folders.h"

namespace paceline {
namespace {

constexpr const char* kWithAvx512[] = {"SkylakeX", "Cooperlake", "Sapphirerapids"};  // of OpenBLAS
constexpr const char* kWithAvx2[] = {"Haswell", "Zen", "Excavator"};
constexpr const char* kAvx512[] = {"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"};

bool sameWord(std::string_view one, std::string_view other) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(one, other, [&](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

std::string kernelsText(const Variables& chosen, const std::string& torch, int threads) {
  std::string text;
  for (const auto& [name, value] : chosen) text += strCat(name, "=", value, " ");
  return strCat(text, "(LibTorch ", torch, ", ", threads, threads == 1 ? " thread)" : " threads)");
}

Variables kernelVariables(std::string_view text) {
  const std::set<std::string_view> known{kOpenBlasVariable, kAtenVariable, kOneDnnVariable, kOneDnnPrecisionVariable};
  std::istringstream words{std::string(text.substr(0, text.find('(')))};
  Variables found;
  for (std::string word; words >> word;)
    if (const std::size_t equals = word.find('='); equals != std::string::npos && known.contains(std::string_view(word).substr(0, equals)))
      found[word.substr(0, equals)] = word.substr(equals + 1);
  return found;
}

std::vector<std::string> cpuFlags() {
  std::ifstream file("/proc/cpuinfo");
  std::vector<std::string> flags;
  for (std::string line; flags.empty() && std::getline(file, line);) {
    if (!line.starts_with("flags") && !line.starts_with("Features")) continue;  // the latter on ARM
    std::istringstream words(line.substr(std::min(line.size(), line.find(':') + 1)));
    flags.assign(std::istream_iterator<std::string>(words), {});
  }
  return flags;
}

Variables kernelsFor(const std::vector<std::string>& cpuFlags, const Variables& given) {
  const auto has = [&](const char* flag) { return std::ranges::find(cpuFlags, flag) != cpuFlags.end(); };
  const bool avx512 = std::ranges::all_of(kAvx512, has), avx2 = has("avx2");
  const auto wish = [&](const char* name) {
    const auto found = given.find(name);
    return found == given.end() ? std::string() : found->second;
  };
  const auto wishedOf = [&](const auto& cores) { return std::ranges::any_of(cores, [&](const char* core) { return sameWord(core, wish(kOpenBlasVariable)); }); };
  Variables changes;
  if (avx512 && wish(kOpenBlasVariable).empty()) changes[kOpenBlasVariable] = kWithAvx512[0];
  if ((!avx512 && wishedOf(kWithAvx512)) || (!avx2 && wishedOf(kWithAvx2))) changes[kOpenBlasVariable] = "";
  if ((!avx512 && sameWord(wish(kAtenVariable), "avx512")) || (!avx2 && sameWord(wish(kAtenVariable), "avx2"))) changes[kAtenVariable] = "";
  return changes;
}

Variables kernelsHere() {
  Variables given;
  for (const char* variable : {kOpenBlasVariable, kAtenVariable}) given[variable] = environment(variable);
  return kernelsFor(cpuFlags(), given);
}

}  // namespace paceline
