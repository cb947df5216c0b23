#include "tests/support/listening.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <arpa/inet.h>

namespace paceline::tests {
namespace {

namespace fs = std::filesystem;

std::set<std::string> socketInodes(const fs::path& process) {
  std::set<std::string> inodes;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(process / "fd", error)) {
    const std::string target = fs::read_symlink(entry.path(), error).string();
    if (target.starts_with("socket:[")) inodes.insert(target.substr(8, target.size() - 9));
  }
  return inodes;
}

// The kernel writes addresses as 32-bit words of its own byte order.
std::string addressText(const std::string& hex) {
  std::array<std::uint32_t, 4> words{};
  const std::size_t count = hex.size() / 8;
  for (std::size_t i = 0; i < count && i < words.size(); ++i) words[i] = static_cast<std::uint32_t>(std::stoul(hex.substr(i * 8, 8), nullptr, 16));
  char text[INET6_ADDRSTRLEN] = "";
  inet_ntop(count == 1 ? AF_INET : AF_INET6, words.data(), text, sizeof text);
  return text;
}

}  // namespace

std::vector<pid_t> childrenOf(pid_t parent) {
  std::vector<pid_t> children;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    std::ifstream status(entry.path() / "status");
    for (std::string line; std::getline(status, line);)
      if (line == "PPid:\t" + std::to_string(parent)) children.push_back(static_cast<pid_t>(std::stol(entry.path().filename())));
  }
  return children;
}

std::vector<std::string> listeningAddresses(pid_t process) {
  const fs::path folder = fs::path("/proc") / std::to_string(process);
  const std::set<std::string> own = socketInodes(folder);
  std::vector<std::string> found;
  for (const char* table : {"net/tcp", "net/tcp6"}) {
    std::ifstream in(folder / table);
    std::string line;
    std::getline(in, line);  // the heading
    while (std::getline(in, line)) {
      std::istringstream columns(line);
      std::string slot, local, remote, state, queues, timer, retransmits, user, timeout, inode;
      columns >> slot >> local >> remote >> state >> queues >> timer >> retransmits >> user >> timeout >> inode;
      if (state == "0A" && own.contains(inode)) found.push_back(addressText(local.substr(0, local.find(':'))));
    }
  }
  return found;
}

bool isEveryInterface(const std::string& address) { return address == "0.0.0.0" || address == "::" || address == "::ffff:0.0.0.0"; }

}  // namespace paceline::tests
