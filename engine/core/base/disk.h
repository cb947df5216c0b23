// The one door to the disk: every call that makes, changes, syncs, renames or removes a file which outlives its process goes through here, so that
// tests can let each of them fail, or end the process before it (tests/support/disk_faults.h). Like the system calls of these names: negative and
// errno when they fail; interrupted ones are made again. Any thread.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "engine/core/base/error.h"

namespace paceline::disk {

// For tests; set while no other thread is in here. Asked before every call; an errno that it returns is that call's outcome.
using Fault = int (*)(const char* call);
inline Fault fault = nullptr;

int open(const std::string& path, int flags, mode_t mode = 0);  // O_CLOEXEC is added
bool writeAll(int fd, std::string_view bytes);                  // false: not all of it was taken, errno says why
ssize_t write(int fd, std::string_view bytes);                  // may take a part
ssize_t pwrite(int fd, std::string_view bytes, off_t at);       // may take a part
int truncate(int fd, off_t length);
int chmod(int fd, mode_t mode);
int sync(int fd);            // the file with what is needed to find it. After a failure the bytes may be lost although a second call succeeds
int syncData(int fd);        // fdatasync
int syncFileSystem(int fd);  // all that was written to the file system of `fd`, by anybody; its errors are told
int close(int fd);           // closed whatever it returns
int rename(const std::string& from, const std::string& to);
int exchange(const std::string& one, const std::string& other);  // both names at once; EINVAL, ENOSYS: this file system or kernel cannot
int link(const std::string& from, const std::string& to);
int remove(const std::string& file);
int makeFolder(const std::string& path, mode_t mode = 0777);
int makeFolders(const std::string& path);       // with those above it; those that are there stay as they are
int syncFolder(const std::string& path);        // names in it survive a power cut. File systems that know no such thing succeed
std::string folderOf(const std::string& path);  // "." for a bare name

// Error{kNoSpace} where the disk or the quota is full, else Error{kFile}: "<what>: <the system's reason>".
[[noreturn]] void refuse(const std::string& what, int reason);

// At the start of every program: a file that may not grow (ulimit -f) is an error of the call that writes it, not the end of the process.
void tellFileSizeLimits();

}  // namespace paceline::disk
