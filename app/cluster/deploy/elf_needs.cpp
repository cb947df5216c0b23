#include "app/cluster/deploy/elf_needs.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "app/cluster/deploy/elf_file.h"

namespace paceline::deploy {
namespace {

std::vector<int> numbersOf(std::string_view version) {
  std::vector<int> numbers;
  while (!version.empty()) {
    const std::string_view part = version.substr(0, version.find('.'));
    std::from_chars(part.data(), part.data() + part.size(), numbers.emplace_back(0));
    version.remove_prefix(std::min(version.size(), part.size() + 1));
  }
  return numbers;
}

// "GLIBC_2.34" raises `highest` to "2.34"; "GLIBC_PRIVATE" and "GLIBC_ABI_DT_RELR" are no numbers.
void raise(std::string& highest, std::string_view version, std::string_view prefix) {
  if (!version.starts_with(prefix)) return;
  const std::string number(version.substr(prefix.size()));
  if (number.find_first_not_of("0123456789.") == std::string::npos && olderVersion(highest, number)) highest = number;
}

}  // namespace

bool olderVersion(const std::string& a, const std::string& b) { return numbersOf(a) < numbersOf(b); }

ElfNeeds elfNeeds(const std::vector<std::string>& paths) {
  ElfNeeds needs;
  for (const std::string& path : paths)
    for (const auto& [library, versions] : readElf(path).versions)
      for (const std::string& version : versions) {
        raise(needs.glibc, version, "GLIBC_");
        raise(needs.glibcxx, version, "GLIBCXX_");
        raise(needs.cxxabi, version, "CXXABI_");
      }
  return needs;
}

ElfNeeds elfNeeds(const std::string& path) { return elfNeeds(std::vector<std::string>{path}); }

}  // namespace paceline::deploy
