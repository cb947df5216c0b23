#include "engine/runtime/checkpoints.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <iomanip>
#include <limits>

#include "engine/core/base/disk.h"
#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/replace_file.h"
#include "engine/runtime/losses/rejoin.h"
#include "engine/runtime/setup.h"

namespace paceline {
namespace {

constexpr std::size_t kKeptGenerations = 2;
constexpr std::string_view kPrefix = "round-", kSuffix = ".checkpoint";
constexpr int kDigits = 12;

// Beside a node's state, and no part of it:
constexpr const char* kKernels = "kernels";  // NodeRun::kernels, a letter an element
constexpr const char* kLost = "lost";        // in the coordinator's: nodes that the run went on without

void putNumbers(StateTable& table, const char* name, const std::vector<std::int64_t>& numbers) {
  if (!numbers.empty()) table.put(name, ElementType::kInteger, numbers.data(), numbers.size() * sizeof(std::int64_t));
}

std::vector<std::int64_t> numbersOf(std::string_view bytes) {
  std::vector<std::int64_t> numbers(bytes.size() / sizeof(std::int64_t));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(std::int64_t));
  return numbers;
}

std::set<int> lostIn(const StateTable& table) {
  std::set<int> lost;
  if (const auto found = table.arrays.find(kLost); found != table.arrays.end())
    for (const std::int64_t node : numbersOf(found->second.bytes)) lost.insert(static_cast<int>(node));
  return lost;
}

}  // namespace

CheckpointFolder::CheckpointFolder(std::string path, StateOwner owner) : path_(std::move(path)), owner_(std::move(owner)) {}

std::string CheckpointFolder::fileOf(std::int64_t round) const {
  return strCat(path_, "/", kPrefix, std::setw(kDigits), std::setfill('0'), round, kSuffix);
}

void CheckpointFolder::save(std::int64_t round, const StateTable& table) {
  if (disk::makeFolders(path_) != 0) disk::refuse("cannot make " + path_, errno);
  const std::string file = fileOf(round);
  try {
    replaceFile(file, stateBytes(owner_, round, table), 0600);
  } catch (const Error&) {
    remove(file);  // it may not survive a power cut, so it does not count
    throw;
  }
}

void CheckpointFolder::keep(std::int64_t round) {
  std::size_t kept = 0;
  for (const std::int64_t there : rounds())
    if (there > round || ++kept > kKeptGenerations) drop(there);
}

void CheckpointFolder::drop(std::int64_t round) { remove(fileOf(round)); }

// Failing to remove costs disk, nothing else.
void CheckpointFolder::remove(const std::string& file) const noexcept {
  disk::remove(file);
}

std::vector<std::int64_t> CheckpointFolder::rounds() const {
  std::vector<std::int64_t> found;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(path_, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (name.size() < kPrefix.size() + kSuffix.size() + std::size_t{kDigits} || !name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    std::int64_t round = 0;
    const char* const last = name.data() + name.size() - kSuffix.size();
    const auto [end_, problem] = std::from_chars(name.data() + kPrefix.size(), last, round);
    if (problem == std::errc() && end_ == last && round > 0) found.push_back(round);
  }
  std::sort(found.rbegin(), found.rend());
  return found;
}

StateTable CheckpointFolder::load(std::int64_t round) const {
  const std::string name = fileOf(round);
  const std::optional<std::string> bytes = fileText(name, std::numeric_limits<std::size_t>::max() / 2);  // as large as the model and its method make it
  if (!bytes) disk::refuse("cannot read " + name, errno);
  try {
    SavedState saved = parseState(*bytes);
    if (saved.owner.node != owner_.node) throw Error(Errc::kFormat, strCat("it is of node \"", saved.owner.node, "\", not of \"", owner_.node, "\""));
    if (saved.owner.config != owner_.config) throw Error(Errc::kFormat, "it is of a run that is configured differently");
    if (saved.round != round) throw Error(Errc::kFormat, strCat("it is of round ", saved.round));
    return std::move(saved.table);
  } catch (const Error& error) {
    throw Error(error.code(), strCat("checkpoint ", name, " cannot be used: ", error.what()));
  }
}

NodeCheckpoints::NodeCheckpoints(const NodeRun& run, State state, Send send) : run_(run), state_(std::move(state)), send_(std::move(send)) {}

void NodeCheckpoints::obey(int coordinator, const SnapshotStep& step) {
  std::visit(Overloaded{[&](const Save& order) {
                          const std::optional<std::int64_t> bytes = save(order.round);
                          send_(coordinator, snapshotMessage(Saved{.round = order.round, .done = bytes.has_value(), .bytes = bytes.value_or(0)}));
                        },
                        [&](const Go& order) {
                          settle(order.round, order.complete);
                          ++goes_;
                        },
                        [&](const Load& order) {
                          load(order.round);
                          send_(coordinator, snapshotMessage(Loaded{order.round}));
                        },
                        [](const auto&) {}},
             step);
}

std::optional<std::int64_t> NodeCheckpoints::save(std::int64_t round, const std::set<int>& lost) {
  StateTable table;
  StateWriter writer(table);
  state_(writer);
  putNumbers(table, kKernels, {run_.kernels.begin(), run_.kernels.end()});
  putNumbers(table, kLost, {lost.begin(), lost.end()});
  try {
    if (run_.checkpoints) run_.checkpoints->save(round, table);
    return static_cast<std::int64_t>(table.bytes());
  } catch (const Error& error) {
    emitNotice(run_, "log", strCat("the checkpoint of round ", round, " is not saved: ", error.what()), "warn", "checkpoint");
    return std::nullopt;
  }
}

void NodeCheckpoints::settle(std::int64_t round, bool complete) {
  if (!run_.checkpoints || round == 0) return;
  if (complete) run_.checkpoints->keep(round);
  else run_.checkpoints->drop(round);
}

Holds NodeCheckpoints::held() {
  Holds sound;
  for (const std::int64_t round : run_.resume->rounds()) {
    try {
      lostAt_[round] = lostIn(run_.resume->load(round));
      sound.rounds.push_back(round);
    } catch (const Error& error) {
      emitNotice(run_, "log", error.what(), "warn", "checkpoint");
    }
    if (sound.rounds.size() + 1 == kMaxScalars) break;
  }
  return sound;
}

// The same bits come of the same kernels only.
void NodeCheckpoints::compareKernels(const std::vector<std::int64_t>& saved) const {
  std::string before;
  for (const std::int64_t letter : saved) before += letter >= ' ' && letter <= '~' ? static_cast<char>(letter) : '?';
  if (before != run_.kernels && !run_.kernels.empty())
    emitNotice(run_, "log", strCat("goes on with other kernels, so not with the same bits: ", run_.kernels, "; before: ", before), "warn", "kernels");
}

void NodeCheckpoints::load(std::int64_t round, const std::set<int>& lost) {
  StateTable table = run_.resume->load(round);
  table.arrays.erase(kLost);
  auto kernels = table.arrays.extract(kKernels);
  if (kernels) compareKernels(numbersOf(kernels.mapped().bytes));
  take(table, strCat("checkpoint of round ", round, " in ", run_.resume->path()));
  if (!run_.checkpoints || run_.checkpoints->path() == run_.resume->path()) return;
  if (kernels) table.arrays.insert(std::move(kernels));
  putNumbers(table, kLost, {lost.begin(), lost.end()});
  keepCopy(round, table);
}

void NodeCheckpoints::take(const StateTable& table, const std::string& source) {
  StateReader reader(table);
  try {
    state_(reader);
    reader.finish();
  } catch (const Error& error) {
    throw Error(error.code(), strCat(source, " cannot be used: ", error.what()));
  }
}

// So that the new run can be resumed from its first moment on.
void NodeCheckpoints::keepCopy(std::int64_t round, const StateTable& table) const {
  try {
    run_.checkpoints->save(round, table);
  } catch (const Error& error) {
    emitNotice(run_, "log", strCat("the checkpoint of round ", round, " is not copied: ", error.what()), "warn", "checkpoint");
  }
}

std::string NodeCheckpoints::stateFor(std::int64_t round) const { return stateBytes(run_.resume->owner(), round, run_.resume->load(round)); }

std::string NodeCheckpoints::stateNow(std::int64_t round) const {
  StateTable table;
  StateWriter writer(table);
  state_(writer);
  return stateBytes({.node = run_.spec.nodes.at(static_cast<std::size_t>(run_.node)).id, .config = ""}, round, table);
}

void NodeCheckpoints::joinNow(std::int64_t round, const std::string& state, const AlgorithmDef& algorithm, std::int64_t rounds, std::optional<std::int64_t> samples) {
  const SavedState coordinators = parseState(state);
  StateTable fresh;
  StateWriter writer(fresh);
  state_(writer);
  const std::optional<StateTable> before = newestOwn();
  StateTable table = joined({.like = coordinators.table, .fresh = fresh, .before = before ? &*before : nullptr, .node = run_.node, .algorithm = algorithm, .samples = samples});
  if (rounds > round) {
    table.arrays.erase("rounds");
    table.put("rounds", ElementType::kInteger, &rounds, sizeof rounds);
  }
  take(table, strCat("what the coordinator sent of round ", round));
}

// Where it is in its data and its random numbers is nobody else's to know.
std::optional<StateTable> NodeCheckpoints::newestOwn() const {
  for (const CheckpointFolder* folder : std::initializer_list<const CheckpointFolder*>{run_.checkpoints, run_.resume}) {
    if (!folder) continue;
    for (const std::int64_t round : folder->rounds()) {
      try {
        return folder->load(round);
      } catch (const Error& error) {
        emitNotice(run_, "log", error.what(), "warn", "checkpoint");
      }
    }
  }
  return std::nullopt;
}

void NodeCheckpoints::join(std::int64_t round, const std::string& state, const AlgorithmDef& algorithm) {
  SavedState coordinators = parseState(state);
  if (coordinators.owner.config != run_.resume->owner().config || coordinators.round != round)
    throw Error(Errc::kFormat, strCat("the coordinator sent a state of round ", coordinators.round, " where one of round ", round, " of this configuration was due"));
  coordinators.table.arrays.erase(kKernels);
  coordinators.table.arrays.erase(kLost);
  StateTable fresh, before;
  StateWriter writer(fresh);
  state_(writer);
  const std::vector<std::int64_t> own = held().rounds;
  if (!own.empty()) before = run_.resume->load(own.front());
  const StateTable table = joined({.like = coordinators.table, .fresh = fresh, .before = own.empty() ? nullptr : &before, .node = run_.node, .algorithm = algorithm});
  take(table, strCat("what the coordinator sent of round ", round));
  if (run_.checkpoints) keepCopy(round, table);
}

}  // namespace paceline
