// Which file a path names, and the files that only their library may open in this process: closing any descriptor of a file drops every POSIX
// lock that the process has on it. Of a SQLite database that is open here, other processes would then delete the log. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace paceline {

struct FileIdentity {
  std::uint64_t device = 0, inode = 0;
  bool operator==(const FileIdentity&) const = default;
};
std::optional<FileIdentity> fileIdentity(const std::string& path);  // opens nothing; nullopt: errno says why

// A database as it stands now, with its log and its index (`path`-wal, -shm), held as long as the object lives.
class HeldFile {
 public:
  HeldFile() = default;
  explicit HeldFile(const std::string& path);
  HeldFile(HeldFile&& other) noexcept;
  HeldFile& operator=(HeldFile&& other) noexcept;
  ~HeldFile();

 private:
  std::uint64_t key_ = 0;  // 0: holds nothing
};

bool isHeld(const std::string& path);  // by whatever name

}  // namespace paceline
