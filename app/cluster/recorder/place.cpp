#include "app/cluster/recorder/place.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/user_folders.h"

namespace paceline::recorder {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& what, const std::string& path) {
  throw Error(Errc::kHost, strCat("the recorder's ", what, " ", path, ": ", std::strerror(errno)));
}

// A folder that only this user can look into.
bool isPrivate(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::getuid() && (found.st_mode & 077) == 0;
}

// The recorder's folder first; behind it where one is that was started without, or before, the runtime folder.
std::vector<std::string> folders() {
  std::vector<std::string> found;
  const std::string given = environment("XDG_RUNTIME_DIR"), parent = given.empty() ? strCat("/run/user/", ::getuid()) : given;
  if (isPrivate(parent)) found.push_back(parent + "/paceline");
  found.push_back(userCacheFolder() + "/paceline/run");
  return found;
}

// A socket's address holds 107 bytes: it is named below an open folder, whatever that one's path is.
struct Address {
  Fd folder;
  sockaddr_un value{};

  Address(const std::string& path, const std::string& name) : folder(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    if (!folder) refuse("folder", path);
    value.sun_family = AF_UNIX;
    std::strncpy(value.sun_path, strCat("/proc/self/fd/", folder.get(), "/", name).c_str(), sizeof value.sun_path - 1);
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&value); }
};

bool isOurs(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::getuid();
}

Fd newSocket() {
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) refuse("socket", "cannot be made");
  return socket;
}

}  // namespace

std::string runtimeFolder() {
  const std::string folder = folders().front();
  std::error_code ignored;
  fs::create_directories(fs::path(folder).parent_path(), ignored);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) refuse("folder", folder);
  if (!isPrivate(folder)) throw Error(Errc::kHost, strCat("the recorder's folder ", folder, " must be yours and have mode 0700"));
  return folder;
}

std::string socketName(const std::string& storePath) {
  std::error_code ignored;
  const fs::path real = fs::weakly_canonical(storePath, ignored);
  return sha256Hex(ignored ? storePath : real.string()).substr(0, 24) + ".sock";
}

std::optional<Fd> connectTo(const std::string& storePath) {
  for (const std::string& folder : folders()) {
    if (!isPrivate(folder)) continue;
    const Address address(folder, socketName(storePath));
    Fd socket = newSocket();
    if (::connect(socket.get(), address.get(), sizeof address.value) == 0 && isOurs(socket.get())) return socket;
  }
  return std::nullopt;
}

Listener::Listener(const std::string& storePath) : name_(socketName(storePath)) { bind(); }

Listener::~Listener() {
  struct stat found {};
  if (::stat(path_.c_str(), &found) == 0 && found.st_ino == inode_) ::unlink(path_.c_str());
}

void Listener::bind() {
  const std::string folder = runtimeFolder();
  path_ = strCat(folder, "/", name_);
  const Address address(folder, name_);
  Fd socket = newSocket();
  ::unlink(path_.c_str());
  struct stat made {};
  if (::bind(socket.get(), address.get(), sizeof address.value) != 0 || ::chmod(path_.c_str(), 0600) != 0 || ::listen(socket.get(), 64) != 0 ||
      ::stat(path_.c_str(), &made) != 0)
    refuse("socket", path_);
  ::fcntl(socket.get(), F_SETFL, O_NONBLOCK);
  inode_ = made.st_ino;
  socket_ = std::move(socket);
}

std::optional<Fd> Listener::accept() const {
  Fd socket(::accept4(fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!socket || !isOurs(socket.get())) return std::nullopt;
  return socket;
}

void Listener::bindAgainWhenGone() {
  struct stat found {};
  try {
    if (path_ == strCat(runtimeFolder(), "/", name_) && ::stat(path_.c_str(), &found) == 0 && found.st_ino == inode_) return;
    bind();
  } catch (const Error&) {  // the folder may be there again the next time
  }
}

}  // namespace paceline::recorder
