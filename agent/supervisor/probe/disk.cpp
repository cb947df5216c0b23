#include "agent/supervisor/probe/facts.h"

#include <sys/quota.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/core/base/error.h"
#include "engine/core/base/user_folders.h"

namespace paceline::probe {
namespace {

// The block device below a folder: quotas are asked of it by name.
std::string deviceOf(const std::string& folder) {
  struct stat status{};
  if (::stat(folder.c_str(), &status) != 0) return "";
  const std::string wanted = strCat(major(status.st_dev), ":", minor(status.st_dev));
  std::ifstream mounts("/proc/self/mountinfo");  // "36 35 98:0 /root /mnt options ... - ext4 /dev/sda1 options"
  for (std::string line; std::getline(mounts, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream head(line), tail(line.substr(dash + 3));
    std::string id, parent, number, type, device;
    head >> id >> parent >> number;
    tail >> type >> device;
    if (number == wanted && device.starts_with('/')) return device;
  }
  return "";
}

std::optional<std::int64_t> quotaLeft(const std::string& device) {
  dqblk quota{};
  if (device.empty() || ::quotactl(QCMD(Q_GETQUOTA, USRQUOTA), device.c_str(), static_cast<int>(::geteuid()), reinterpret_cast<caddr_t>(&quota)) != 0)
    return std::nullopt;
  constexpr std::uint32_t kBoth = QIF_BLIMITS | QIF_SPACE;
  const std::uint64_t limit = quota.dqb_bhardlimit != 0 ? quota.dqb_bhardlimit : quota.dqb_bsoftlimit;  // in KiB
  if ((quota.dqb_valid & kBoth) != kBoth || limit == 0) return std::nullopt;
  const std::uint64_t bytes = limit << 10;
  return bytes > quota.dqb_curspace ? static_cast<std::int64_t>(bytes - quota.dqb_curspace) : 0;
}

}  // namespace

DiskFacts diskFacts(const std::string& folder) {
  DiskFacts facts;
  std::error_code error;
  std::filesystem::path existing = folder;
  while (!std::filesystem::is_directory(existing, error) && existing.has_relative_path()) existing = existing.parent_path();
  facts.folder = existing.string();
  struct statvfs disk{};
  if (::statvfs(facts.folder.c_str(), &disk) != 0) return facts;
  facts.totalBytes = static_cast<std::int64_t>(disk.f_blocks) * static_cast<std::int64_t>(disk.f_frsize);
  facts.freeBytes = static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize);
  facts.quotaFreeBytes = quotaLeft(deviceOf(facts.folder));
  return facts;
}

std::string defaultCacheFolder() {
  const std::string cache = userCacheFolder();
  return cache.empty() ? "" : cache + "/paceline";
}

}  // namespace paceline::probe
