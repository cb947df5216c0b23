// What a node's checkpoint holds: named arrays, and their form as bytes. Values; one thread.
// Reading trusts no byte: what is wrong throws Error{kFormat}, and memory is taken only for what is really there.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "engine/core/base/archive.h"
#include "engine/core/base/error.h"
#include "engine/core/spec/run_spec.h"

namespace paceline {

class StateTable {
 public:
  struct Array {
    ElementType type = ElementType::kFloat;
    std::string bytes;  // raw little-endian elements
    bool operator==(const Array&) const = default;
  };
  std::map<std::string, Array, std::less<>> arrays;
  void put(std::string_view name, ElementType type, const void* data, std::size_t bytes);  // a name that is there already is our bug
  const std::string& at(std::string_view name, ElementType type) const;
  std::size_t bytes() const;  // of all elements
  bool operator==(const StateTable&) const = default;
};

// A hash of what a node's state depends on: the document without stop rules, evaluation, checkpoints, node_silent_s, hosts, devices, threads and texts.
std::string stateConfig(const RunSpec& spec);

// Whose state it is. A checkpoint is loaded by the same node of a run of the same configuration.
struct StateOwner {
  std::string node;
  std::string config;  // a hash of what the state depends on
  bool operator==(const StateOwner&) const = default;
};

// "PACELNCK", version, owner, round, arrays, then the SHA-256 (hex) of all that: engine/runtime/README.md has the layout.
std::string stateBytes(const StateOwner& owner, std::int64_t round, const StateTable& table);
struct SavedState {
  StateOwner owner;
  std::int64_t round = 0;
  StateTable table;
};
SavedState parseState(std::string_view bytes);

// The Archives that fill a checkpoint's table and read it back. What does not fit throws Error{kFormat}. One thread; they borrow the table.
class StateWriter final : public Archive {
 public:
  explicit StateWriter(StateTable& table) : table_(table) {}
  bool loading() const override { return false; }
  void items(std::string_view name, ElementType type, void* values, std::size_t count) override { table_.put(name, type, values, count * sizeOf(type)); }
  std::size_t savedCount(std::string_view, ElementType) override { return 0; }

 private:
  StateTable& table_;
};

class StateReader final : public Archive {
 public:
  explicit StateReader(const StateTable& table) : table_(table) {}
  bool loading() const override { return true; }
  void items(std::string_view name, ElementType type, void* values, std::size_t count) override;
  std::size_t savedCount(std::string_view name, ElementType type) override { return table_.at(name, type).size() / sizeOf(type); }
  void finish() const;  // throws for an array that nobody has read: it was saved by something that is not here now

 private:
  const StateTable& table_;
  std::set<std::string, std::less<>> read_;
};

// Puts a prefix before every name: one object's part of a node's state.
class ArchiveScope final : public Archive {
 public:
  ArchiveScope(Archive& below, std::string_view prefix) : below_(below), prefix_(prefix) { prefix_ += '/'; }
  bool loading() const override { return below_.loading(); }
  void items(std::string_view name, ElementType type, void* values, std::size_t count) override { below_.items(full(name), type, values, count); }
  std::size_t savedCount(std::string_view name, ElementType type) override { return below_.savedCount(full(name), type); }

 private:
  std::string full(std::string_view name) const { return prefix_ + std::string(name); }
  Archive& below_;
  std::string prefix_;
};

}  // namespace paceline
