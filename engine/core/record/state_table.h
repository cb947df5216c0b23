// What a node's checkpoint holds: named arrays, and their form as bytes. Values; one thread.
// Reading trusts no byte: what is wrong throws Error{kFormat}, and memory is taken only for what is really there.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

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

}  // namespace paceline
