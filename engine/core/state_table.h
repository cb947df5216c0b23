// What a node's checkpoint holds: named arrays, the Archives that fill them and read them back, and their form as bytes. Values; one thread.
// Reading trusts no byte: what is wrong throws Error{kFormat}, and memory is taken only for what is really there.
#pragma once

#include <bit>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "engine/core/archive.h"
#include "engine/core/run_spec.h"

namespace paceline {

// Written to disk; append only.
enum class ElementType : std::uint8_t { kFloat = 1, kDouble = 2, kWord = 3, kInteger = 4 };

class StateTable {
 public:
  struct Array {
    ElementType type = ElementType::kFloat;
    std::string bytes;  // raw little-endian elements
    bool operator==(const Array&) const = default;
  };
  std::map<std::string, Array, std::less<>> arrays;
  std::size_t bytes() const;  // of all elements
  bool operator==(const StateTable&) const = default;
};

class StateWriter final : public Archive {
 public:
  explicit StateWriter(StateTable& table) : table_(table) {}
  bool loading() const override { return false; }
  void reals(std::string_view name, std::vector<Real>& values) override;
  void fixed(std::string_view name, std::span<Real> values) override;
  void numbers(std::string_view name, std::vector<double>& values) override;
  void words(std::string_view name, std::vector<std::uint64_t>& values) override;
  void number(std::string_view name, double& value) override;
  void number(std::string_view name, std::int64_t& value) override;

 private:
  void put(std::string_view name, ElementType type, const void* data, std::size_t bytes);  // a name that is there already is our bug
  StateTable& table_;
};

class StateReader final : public Archive {
 public:
  explicit StateReader(const StateTable& table) : table_(table) {}
  bool loading() const override { return true; }
  void reals(std::string_view name, std::vector<Real>& values) override;
  void fixed(std::string_view name, std::span<Real> values) override;
  void numbers(std::string_view name, std::vector<double>& values) override;
  void words(std::string_view name, std::vector<std::uint64_t>& values) override;
  void number(std::string_view name, double& value) override;
  void number(std::string_view name, std::int64_t& value) override;
  void finish() const;  // throws for an array that nobody has read: it was saved by something that is not here now

 private:
  const std::string& bytesOf(std::string_view name, ElementType type);
  const StateTable& table_;
  std::set<std::string, std::less<>> read_;
};

// Puts a prefix before every name: one object's part of a node's state.
class ArchiveScope final : public Archive {
 public:
  ArchiveScope(Archive& below, std::string_view prefix) : below_(below), prefix_(prefix) { prefix_ += '/'; }
  bool loading() const override { return below_.loading(); }
  void reals(std::string_view name, std::vector<Real>& values) override { below_.reals(full(name), values); }
  void fixed(std::string_view name, std::span<Real> values) override { below_.fixed(full(name), values); }
  void numbers(std::string_view name, std::vector<double>& values) override { below_.numbers(full(name), values); }
  void words(std::string_view name, std::vector<std::uint64_t>& values) override { below_.words(full(name), values); }
  void number(std::string_view name, double& value) override { below_.number(full(name), value); }
  void number(std::string_view name, std::int64_t& value) override { below_.number(full(name), value); }

 private:
  std::string full(std::string_view name) const { return prefix_ + std::string(name); }
  Archive& below_;
  std::string prefix_;
};

// A hash of what a node's state depends on: the document without stop rules, evaluation, checkpoints, hosts, devices, threads and texts.
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

}  // namespace paceline
