// Faults at the door to the disk (engine/core/base/disk.h), one call at a time: it fails, or the process ends before it. Tests with one thread. Header-only.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/base/disk.h"

namespace paceline::tests {

// While it lives, the `at`-th call from now (1: the next) has the errno `outcome`, once; with kKill the process ends there.
class DiskFault {
 public:
  static constexpr int kKill = -1;

  DiskFault(int at, int outcome) {
    left = at, result = outcome, name = "";
    disk::fault = [](const char* call) {
      if (--left != 0) return 0;
      if (result == kKill) ::_exit(9);
      name = call;
      return result;
    };
  }
  ~DiskFault() { disk::fault = nullptr; }
  DiskFault(const DiskFault&) = delete;
  DiskFault& operator=(const DiskFault&) = delete;

  std::string hit() const { return name; }  // the call; "": there were not so many

 private:
  static inline int left = 0, result = 0;
  static inline const char* name = "";
};

// `action` again and again, each of its calls failing once with each of these reasons. After each, and after the one in which none failed,
// `look` gets where it was ("fsync, call 3: ...") and what the Error said ("": none). Returns how many calls an action has.
inline int failEveryCall(const std::function<void()>& action, const std::function<void(const std::string& where, const std::string& sentence)>& look,
                         const std::vector<int>& reasons = {ENOSPC, EIO, EDQUOT, EFBIG, EROFS, EMFILE, EINTR}) {
  int calls = 0;
  for (const int reason : reasons)
    for (int at = 1;; ++at) {
      std::string sentence, hit;
      {
        const DiskFault fault(at, reason);
        try {
          action();
        } catch (const Error& error) {
          sentence = error.what();
          EXPECT_EQ(error.code(), reason == ENOSPC || reason == EDQUOT ? Errc::kNoSpace : Errc::kFile) << sentence;
        }
        hit = fault.hit();
      }
      if (hit.empty()) {
        look("no call failed", sentence);
        break;
      }
      calls = std::max(calls, at);
      const std::string where = strCat(hit, ", call ", at, ": ", std::strerror(reason));
      EXPECT_TRUE(sentence.empty() || reason != EINTR) << sentence << " at " << where;
      const bool saidOtherwise = (reason == ENOSPC && sentence.ends_with(" is full")) || (reason == EDQUOT && sentence.ends_with(" is used up"));
      EXPECT_TRUE(sentence.empty() || saidOtherwise || sentence.find(std::strerror(reason)) != std::string::npos) << sentence << " at " << where;
      EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
      look(where, sentence);
    }
  return calls;
}

// The same with an end of the process before each call, and `look` after each. `action` runs in a child.
inline int killBeforeEveryCall(const std::function<void()>& action, const std::function<void(const std::string& where)>& look) {
  for (int at = 1;; ++at) {
    const pid_t child = ::fork();
    if (child == 0) {
      const DiskFault fault(at, DiskFault::kKill);
      try {
        action();
      } catch (const std::exception&) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child) throw Error(Errc::kHost, "cannot fork");
    EXPECT_TRUE(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 9)) << "call " << at << ", status " << status;
    look(strCat("killed before call ", at));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 9) return at - 1;
  }
}

}  // namespace paceline::tests
