// What a node's checkpoint holds: named arrays, and their form as bytes. Values; one thread.
// Reading trusts no byte: what is wrong throws Error{kFormat}, and memory is taken only for what is really there.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "engine/core/base/archive.h"
#include "engine/core/base/error.h"
#include "engine/core/spec/run_spec.h"

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
  void put(std::string_view name, ElementType type, const void* data, std::size_t bytes);  // a name that is there already is our bug
  const std::string& at(std::string_view name, ElementType type) const;
  std::size_t bytes() const;  // of all elements
  bool operator==(const StateTable&) const = default;
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

// The Archives that fill a checkpoint's table and read it back. Header-only: they depend on Real, and core has no twin with
// Real = double. What does not fit throws Error{kFormat}. One thread; they borrow the table.
inline constexpr ElementType kRealElement = sizeof(Real) == 4 ? ElementType::kFloat : ElementType::kDouble;

class StateWriter final : public Archive {
 public:
  explicit StateWriter(StateTable& table) : table_(table) {}
  bool loading() const override { return false; }
  void reals(std::string_view name, std::vector<Real>& values) override { fixed(name, values); }
  void fixed(std::string_view name, std::span<Real> values) override { table_.put(name, kRealElement, values.data(), values.size_bytes()); }
  void numbers(std::string_view name, std::vector<double>& values) override {
    table_.put(name, ElementType::kDouble, values.data(), values.size() * sizeof(double));
  }
  void words(std::string_view name, std::vector<std::uint64_t>& values) override {
    table_.put(name, ElementType::kWord, values.data(), values.size() * sizeof(std::uint64_t));
  }
  void number(std::string_view name, double& value) override { table_.put(name, ElementType::kDouble, &value, sizeof value); }
  void number(std::string_view name, std::int64_t& value) override { table_.put(name, ElementType::kInteger, &value, sizeof value); }

 private:
  StateTable& table_;
};

class StateReader final : public Archive {
 public:
  explicit StateReader(const StateTable& table) : table_(table) {}
  bool loading() const override { return true; }
  void reals(std::string_view name, std::vector<Real>& values) override { takeAll(name, kRealElement, values); }
  void fixed(std::string_view name, std::span<Real> values) override { take(name, kRealElement, values.data(), values.size(), sizeof(Real)); }
  void numbers(std::string_view name, std::vector<double>& values) override { takeAll(name, ElementType::kDouble, values); }
  void words(std::string_view name, std::vector<std::uint64_t>& values) override { takeAll(name, ElementType::kWord, values); }
  void number(std::string_view name, double& value) override { take(name, ElementType::kDouble, &value, 1, sizeof value); }
  void number(std::string_view name, std::int64_t& value) override { take(name, ElementType::kInteger, &value, 1, sizeof value); }

  // Throws for an array that nobody has read: it was saved by something that is not here now.
  void finish() const {
    for (const auto& [name, array] : table_.arrays)
      if (!read_.contains(name)) throw Error(Errc::kFormat, strCat("the checkpoint has \"", name, "\", which nothing here takes"));
  }

 private:
  const std::string& bytesOf(std::string_view name, ElementType type) {
    const std::string& bytes = table_.at(name, type);
    read_.emplace(name);
    return bytes;
  }
  template <class T>
  void takeAll(std::string_view name, ElementType type, std::vector<T>& values) {
    values.resize(bytesOf(name, type).size() / sizeof(T));
    take(name, type, values.data(), values.size(), sizeof(T));
  }
  void take(std::string_view name, ElementType type, void* values, std::size_t count, std::size_t size) {
    const std::string& bytes = bytesOf(name, type);
    if (bytes.size() != count * size)
      throw Error(Errc::kFormat, strCat("\"", name, "\" has ", bytes.size() / size, " elements in the checkpoint, ", count, " here"));
    if (count > 0) std::memcpy(values, bytes.data(), bytes.size());
  }

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

}  // namespace paceline
