#include "engine/core/base/held_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace paceline {
namespace {

struct Held {
  std::string path;
  FileIdentity file;
};
std::mutex mutex;  // guards the two below
std::map<std::uint64_t, Held> held;
std::uint64_t newest = 0;

}  // namespace

std::optional<FileIdentity> fileIdentity(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return std::nullopt;
  return FileIdentity{.device = found.st_dev, .inode = found.st_ino};
}

HeldFile::HeldFile(const std::string& path) {
  const auto file = fileIdentity(path);
  if (!file) return;
  const std::lock_guard lock(mutex);
  held[key_ = ++newest] = {path, *file};
}

HeldFile::HeldFile(HeldFile&& other) noexcept : key_(std::exchange(other.key_, 0)) {}

HeldFile& HeldFile::operator=(HeldFile&& other) noexcept {
  std::swap(key_, other.key_);
  return *this;
}

HeldFile::~HeldFile() {
  if (key_ == 0) return;
  const std::lock_guard lock(mutex);
  held.erase(key_);
}

bool isHeld(const std::string& path) {
  const std::lock_guard lock(mutex);
  if (held.empty()) return false;
  const auto asked = fileIdentity(path);
  return asked && std::ranges::any_of(held, [&asked](const auto& entry) {
           const Held& each = entry.second;
           return each.file == asked || fileIdentity(each.path + "-wal") == asked || fileIdentity(each.path + "-shm") == asked;
         });
}

}  // namespace paceline
