#include "storage/store/owner.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"

namespace paceline::store {
namespace {

// Field 22 of /proc/PID/stat, proc(5). The name in field 2 may hold anything: fields are counted after its last ")".
std::optional<std::int64_t> startOf(std::int64_t pid) {
  const std::string stat = fileText("/proc/" + std::to_string(pid) + "/stat").value_or("");
  const std::size_t name = stat.rfind(')');
  if (name == std::string::npos) return std::nullopt;
  std::istringstream fields(stat.substr(name + 1));
  std::string field;
  fields >> field;  // 3: state
  if (field == "Z" || field == "X") return std::nullopt;
  for (int skipped = 4; skipped < 22; ++skipped) fields >> field;
  std::int64_t start = 0;
  fields >> start;
  return fields ? std::optional(start) : std::nullopt;
}

// What the holder wrote: "1234 paceline run".
std::string holderOf(int descriptor) {
  char text[200] = {};
  const ssize_t length = ::pread(descriptor, text, sizeof text - 1, 0);
  std::string line(text, length > 0 ? static_cast<std::size_t>(length) : 0);
  line = line.substr(0, line.find('\n'));
  const std::size_t space = line.find(' ');
  if (line.empty()) return "another process";
  return space == std::string::npos ? "process " + line
                                    : strCat("process ", line.substr(0, space), " (", line.substr(space + 1), ")");
}

}  // namespace

ProcessIdentity thisProcess() {
  const std::int64_t pid = ::getpid();
  return {.pid = pid, .start = startOf(pid).value_or(0)};
}

bool isAlive(const ProcessIdentity& process) { return process.pid > 0 && startOf(process.pid) == process.start; }

std::string thisProgram() {
  const std::string line = fileText("/proc/self/cmdline").value_or("");  // arguments, each ended by a zero
  std::string program = line.substr(0, line.find('\0'));
  program = program.substr(program.rfind('/') + 1);
  if (program.size() + 1 >= line.size() || line.find('\0') == std::string::npos) return program;
  const std::size_t second = line.find('\0') + 1;
  const std::string word = line.substr(second, line.find('\0', second) - second);
  const bool subcommand =
      !word.empty() && word.size() < 20 && std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return subcommand ? program + " " + word : program;
}

std::string realPath(const std::string& path) {
  std::error_code unknown;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, unknown);
  return unknown ? path : real.string();
}

LockFile::LockFile(const std::string& store) : store_(store), path_(realPath(store) + ".lock") { take(); }

void LockFile::takeAgainWhenGone() {
  if (fileIdentity(path_) != taken_) take();
}

void LockFile::take() {
  Fd file(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file) {
    const Errc code = errno == ENOSPC || errno == EDQUOT ? Errc::kNoSpace : Errc::kStore;
    throw Error(code, strCat(path_, ": cannot be made: ", std::strerror(errno)));
  }
  ::fchmod(file.get(), 0600);  // of a file that an earlier version made
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
    throw Error(Errc::kLocked, strCat(store_, ": in use by ", holderOf(file.get()), "; close it or use another --store"));
  // Only for the message that the next one gets: the lock is the kernel's, so a failure to write is none of ours.
  const std::string line = strCat(thisProcess().pid, " ", thisProgram(), "\n");
  if (::ftruncate(file.get(), 0) == 0) static_cast<void>(!::pwrite(file.get(), line.data(), line.size(), 0));
  std::swap(file_, file);
  taken_ = fileIdentity(path_);
}

// The file stays: removing it would let two processes lock two different files of this name.
LockFile::~LockFile() { static_cast<void>(!::ftruncate(file_.get(), 0)); }

}  // namespace paceline::store
