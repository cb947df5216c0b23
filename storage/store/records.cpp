#include "storage/store/records.h"

#include <array>
#include <chrono>
#include <mutex>
#include <random>

namespace paceline::store {
namespace {

constexpr std::array<const char*, 11> kStateNames = {"draft",    "checking", "deploying", "starting", "running", "stopping",
                                                     "finished", "stopped",  "failed",    "stale",    "imported"};

// Crockford's base 32: no i, l, o, u, so an id is never misread.
constexpr std::string_view kDigits = "0123456789abcdefghjkmnpqrstvwxyz";

std::string digits(std::uint64_t value, std::size_t count) {
  std::string text(count, '0');
  for (std::size_t i = count; i-- > 0; value >>= 5) text[i] = kDigits[value & 31];
  return text;
}

}  // namespace

const char* stateName(RunState state) { return kStateNames.at(static_cast<std::size_t>(state)); }

std::string reasonText(const std::string& reason) {
  constexpr std::pair<const char*, const char*> kWords[] = {
      {"rounds", "reached its rounds"}, {"seconds", "reached its time"}, {"samples", "reached its samples"}, {"accuracy", "reached its accuracy"}, {"patience", "got no better for its patience"},
      {"asked", "stopped on request"}, {"search", "given up by its search"}, {"failure", "failed"}, {"desktop_lost", "nobody followed it"}, {"shutdown", "its host shut down"}};
  for (const auto& [id, words] : kWords)
    if (reason == id) return words;
  return reason;
}

std::optional<RunState> stateFromName(std::string_view name) {
  for (std::size_t i = 0; i < kStateNames.size(); ++i)
    if (kStateNames[i] == name) return static_cast<RunState>(i);
  return std::nullopt;
}

// 10 digits of milliseconds since 1970, then 10 of chance. Within one process later ids are larger even in one millisecond.
std::string newRunId() {
  static std::mutex mutex;  // guards the two below
  static std::uint64_t lastTime = 0, lastTail = 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto time = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
  std::random_device entropy;
  const std::uint64_t chance = (std::uint64_t{entropy()} << 17 ^ entropy()) & ((std::uint64_t{1} << 49) - 1);  // room to count up
  const std::lock_guard lock(mutex);
  lastTail = time > lastTime ? chance : lastTail + 1;
  lastTime = std::max(time, lastTime);
  return digits(lastTime, 10) + digits(lastTail, 10);
}

}  // namespace paceline::store
