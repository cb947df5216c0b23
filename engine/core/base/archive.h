// What a checkpoint holds of one object: the object names its state once, and the same lines save and load it. A name is unique within
// its object. Loading a name that is missing or of another size throws Error{kFormat} that says which. One thread.
//   void state(Archive& archive) override { archive.reals("velocity", velocity_); archive.number("steps", steps_); }
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/core/base/real.h"

namespace paceline {

class Archive {
 public:
  virtual ~Archive() = default;
  virtual bool loading() const = 0;
  virtual void reals(std::string_view name, std::vector<Real>& values) = 0;    // loading sets the size
  virtual void fixed(std::string_view name, std::span<Real> values) = 0;       // loading must find this size
  virtual void numbers(std::string_view name, std::vector<double>& values) = 0;
  virtual void words(std::string_view name, std::vector<std::uint64_t>& values) = 0;  // random streams, permutations, flags
  virtual void number(std::string_view name, double& value) = 0;
  virtual void number(std::string_view name, std::int64_t& value) = 0;
};

}  // namespace paceline
