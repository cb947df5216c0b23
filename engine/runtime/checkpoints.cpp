#include "engine/runtime/checkpoints.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <iomanip>
#include <limits>

#include "engine/core/base/disk.h"
#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/replace_file.h"
#include "engine/runtime/setup.h"

namespace paceline {
namespace {

constexpr std::size_t kKeptGenerations = 2;
constexpr std::string_view kPrefix = "round-", kSuffix = ".checkpoint";
constexpr int kDigits = 12;

constexpr const char* kKernels = "kernels";  // NodeRun::kernels, a letter an element

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

std::optional<std::int64_t> NodeCheckpoints::save(std::int64_t round) {
  StateTable table;
  StateWriter writer(table);
  state_(writer);
  if (!run_.kernels.empty()) {
    const std::vector<std::int64_t> letters(run_.kernels.begin(), run_.kernels.end());
    table.put(kKernels, ElementType::kInteger, letters.data(), letters.size() * sizeof(std::int64_t));
  }
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

Holds NodeCheckpoints::held() const {
  Holds sound;
  for (const std::int64_t round : run_.resume->rounds()) {
    try {
      run_.resume->load(round);
      sound.rounds.push_back(round);
    } catch (const Error& error) {
      emitNotice(run_, "log", error.what(), "warn", "checkpoint");
    }
    if (sound.rounds.size() + 1 == kMaxScalars) break;
  }
  return sound;
}

// The same bits come of the same kernels only.
void NodeCheckpoints::compareKernels(std::string_view saved) const {
  std::string before;
  for (std::size_t at = 0; at + sizeof(std::int64_t) <= saved.size(); at += sizeof(std::int64_t)) before += saved[at] >= ' ' && saved[at] <= '~' ? saved[at] : '?';
  if (before != run_.kernels && !run_.kernels.empty())
    emitNotice(run_, "log", strCat("goes on with other kernels, so not with the same bits: ", run_.kernels, "; before: ", before), "warn", "kernels");
}

void NodeCheckpoints::load(std::int64_t round) {
  StateTable table = run_.resume->load(round);
  auto kernels = table.arrays.extract(kKernels);  // no part of the state
  if (kernels) compareKernels(kernels.mapped().bytes);
  StateReader reader(table);
  try {
    state_(reader);
    reader.finish();
  } catch (const Error& error) {
    throw Error(error.code(), strCat("checkpoint of round ", round, " in ", run_.resume->path(), " cannot be used: ", error.what()));
  }
  if (!run_.checkpoints || run_.checkpoints->path() == run_.resume->path()) return;
  if (kernels) table.arrays.insert(std::move(kernels));
  try {  // the new run can be resumed from its first moment on
    run_.checkpoints->save(round, table);
  } catch (const Error& error) {
    emitNotice(run_, "log", strCat("the checkpoint of round ", round, " is not copied: ", error.what()), "warn", "checkpoint");
  }
}

}  // namespace paceline
