#include "engine/comm/message.h"

#include <algorithm>

namespace paceline {

Dense Dense::copied(std::span<const Real> values) {
  if (values.empty()) return {};
  std::shared_ptr<Real[]> memory = std::make_shared_for_overwrite<Real[]>(values.size());
  std::copy(values.begin(), values.end(), memory.get());
  const std::span<const Real> view(memory.get(), values.size());
  return shared(view, std::move(memory));
}

std::size_t wireBytes(const Message& message) {
  return kHeaderBytes + message.scalars.size() * sizeof(double) + message.dense.values().size_bytes();
}

}  // namespace paceline
