// Walks an action through every fault of its sockets (socket_faults.h). Header-only.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>

#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "tests/support/socket_faults.h"

namespace paceline::tests {

inline std::ptrdiff_t openDescriptors(const std::string& process = "self") {
  return std::distance(std::filesystem::directory_iterator("/proc/" + process + "/fd"), std::filesystem::directory_iterator());
}

// Waits for threads that still close theirs.
inline void expectNoMoreDescriptors(std::ptrdiff_t before, const std::string& where, const std::string& process = "self") {
  constexpr double kGuard = 30;  // s, against hanging only
  for (const double until = steadySeconds() + kGuard; openDescriptors(process) > before && steadySeconds() < until;) ::poll(nullptr, 0, 1);
  EXPECT_LE(openDescriptors(process), before) << "descriptors are left open by " << where;
}

// `action` again and again until all its calls have failed. After each, and after the one in which none failed, `look` gets where it was ("recv at ...:
// Connection reset by peer") and what the Error said ("": none). Of itself: EINTR is never an error, others are one sentence, no descriptor
// stays open. Returns how many faults there were.
inline int failEverySocketCall(SocketFaults& faults, const std::function<void()>& action,
                               const std::function<void(const std::vector<SocketFaultHit>& hits, const std::string& where, const std::string& sentence)>& look) {
  constexpr int kMostFailures = 3;
  action();  // what is made once in a process
  const std::ptrdiff_t before = openDescriptors();
  const auto* result = ::testing::UnitTest::GetInstance()->current_test_info()->result();
  for (int count = 0;;) {
    std::string sentence, where;
    faults.begin();
    try {
      action();
    } catch (const Error& error) {
      sentence = error.what();
    }
    const std::vector<SocketFaultHit> hits = faults.end();
    bool onlyInterrupted = true;
    for (const SocketFaultHit& hit : hits) {
      where += strCat(where.empty() ? "" : "; ", hit.call, " at ", hit.where, ": ", std::strerror(hit.reason));
      onlyInterrupted = onlyInterrupted && hit.reason == EINTR;
    }
    if (hits.empty()) where = "no call failed";
    EXPECT_TRUE(sentence.empty() || !onlyInterrupted) << sentence << " at " << where;
    if (!sentence.empty() && hits.empty()) return count;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    look(hits, where, sentence);
    expectNoMoreDescriptors(before, where);
    count += static_cast<int>(hits.size());
    if (hits.empty() || result->total_part_count() > kMostFailures) return count;
  }
}

}  // namespace paceline::tests
