// Which of a file's hosts are new to a book, and under which names.
#include <algorithm>
#include <cctype>
#include <set>

#include "app/cluster/interop/host_import.h"
#include "engine/core/base/error.h"

namespace paceline::interop {
namespace {

constexpr std::size_t kMaxName = 64;

// Letters, digits, '_', '-', '.', not '-' first; at most kMaxName.
std::string plainName(std::string_view wanted) {
  std::string name;
  for (const char c : wanted.substr(0, kMaxName)) name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || (c == '-' && !name.empty()) ? c : '_';
  return name.empty() ? "host" : name;
}

std::string uniqueName(const hosts::HostRegistry& book, const std::set<std::string>& taken, const std::string& wanted) {
  const std::string plain = plainName(wanted);
  std::string name = plain;
  for (int n = 2; book.find(name) != nullptr || taken.contains(name); ++n) {
    const std::string suffix = strCat("-", n);
    name = plain.substr(0, kMaxName - suffix.size()) + suffix;
  }
  return name;
}

}  // namespace

HostAdditions additionsTo(const hosts::HostRegistry& book, const std::vector<ImportedHost>& hosts, const hosts::HostEntry& model) {
  HostAdditions additions;
  std::set<std::string> taken;
  for (const ImportedHost& host : hosts) {
    hosts::HostEntry entry = model;
    entry.address = host.address;
    if (!host.user.empty()) entry.user = host.user;
    const auto& known = book.entries();
    const auto same = std::find_if(known.begin(), known.end(), [&](const hosts::HostEntry& other) { return other.kind == entry.kind && other.address == entry.address && other.user == entry.user; });
    if (same != known.end()) {
      additions.knownAlready.push_back(same->name);
      continue;
    }
    entry.name = uniqueName(book, taken, host.name);
    taken.insert(entry.name);
    additions.entries.push_back(std::move(entry));
    additions.slots.push_back(host.slots);
  }
  return additions;
}

}  // namespace paceline::interop
