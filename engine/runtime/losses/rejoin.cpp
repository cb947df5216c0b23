#include "engine/runtime/losses/rejoin.h"

#include <algorithm>

#include "engine/runtime/books/others_samples.h"

namespace paceline {
namespace {

// How WorkerLoop::state() names its parts.
constexpr const char* kOwn[] = {"objective/", "pacer/", "context/random"};
constexpr const char* kUnsent[] = {"wire/", "transport/"};  // error feedback, traffic, messages that were kept

bool isOne(const std::string& name, std::string_view part) { return name == part || (part.ends_with('/') && name.starts_with(part)); }
bool isAnyOf(const std::string& name, const auto& parts) {
  return std::ranges::any_of(parts, [&](const char* part) { return isOne(name, part); });
}
bool isAlgorithms(const std::string& name, const std::vector<std::string>& arrays) {
  return std::ranges::any_of(arrays, [&](const std::string& array) { return name == "algorithm/" + array; });
}

std::int64_t samplesOf(const StateTable& coordinator, int node) {
  OthersSamples others;
  StateReader reader(coordinator);
  others.state(reader);
  const auto found = others.of.find(node);
  return found == others.of.end() ? 0 : found->second;
}

}  // namespace

StateTable joined(const Joining& joining) {
  const StateTable& own = joining.before ? *joining.before : joining.fresh;
  StateTable table;
  for (const auto& [name, array] : joining.like.arrays) {
    if (isAnyOf(name, kOwn) || isAnyOf(name, kUnsent)) continue;
    StateTable::Array& taken = table.arrays[name] = array;
    if (isAlgorithms(name, joining.algorithm.owed)) std::ranges::fill(taken.bytes, '\0');
    if (const auto found = own.arrays.find(name); joining.before && found != own.arrays.end() && isAlgorithms(name, joining.algorithm.own)) taken = found->second;
  }
  for (const auto& [name, array] : own.arrays)
    if (isAnyOf(name, kOwn)) table.arrays[name] = array;
  for (const auto& [name, array] : joining.fresh.arrays)
    if (isAnyOf(name, kUnsent)) table.arrays[name] = array;
  const std::int64_t samples = joining.samples ? *joining.samples : samplesOf(joining.like, joining.node);
  for (const char* name : {"context/samples", "context/samples_agreed"}) {  // all that it had told is counted
    table.arrays.erase(name);
    table.put(name, ElementType::kInteger, &samples, sizeof samples);
  }
  return table;
}

std::vector<Packed> statePieces(const std::string& bytes) {
  std::vector<Packed> pieces;
  for (std::size_t begin = 0; begin < bytes.size(); begin += kMaxPackedBytes) {
    const auto* first = reinterpret_cast<const std::byte*>(bytes.data()) + begin;
    pieces.push_back(Packed::of(Packing::kState, 1, {first, first + std::min(kMaxPackedBytes, bytes.size() - begin)}));
  }
  return pieces;
}

}  // namespace paceline
