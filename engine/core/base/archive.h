// What a checkpoint holds of one object: the object names its state once, and the same lines save and load it. A name is unique within
// its object. Loading a name that is missing or of another size throws Error{kFormat} that says which. One thread.
//   void state(Archive& archive) override { archive.reals("velocity", velocity_); archive.number("steps", steps_); }
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/core/base/vec.h"

namespace paceline {

// Written to disk; append only.
enum class ElementType : std::uint8_t { kFloat = 1, kDouble = 2, kWord = 3, kInteger = 4 };
inline constexpr ElementType kRealElement = sizeof(Real) == 4 ? ElementType::kFloat : ElementType::kDouble;
constexpr std::size_t sizeOf(ElementType type) { return type == ElementType::kFloat ? 4 : 8; }

class Archive {
 public:
  virtual ~Archive() = default;
  virtual bool loading() const = 0;
  void reals(std::string_view name, std::vector<Real>& values) { sized(name, kRealElement, values); }  // loading sets the size
  void fixed(std::string_view name, std::span<Real> values) { items(name, kRealElement, values.data(), values.size()); }  // must find this size
  void fixed(std::string_view name, std::vector<Real>& values, std::size_t size) {  // loading must find `size`, and makes the vector so long
    if (loading()) values.resize(size);
    fixed(name, values);
  }
  void fixedOrNone(std::string_view name, std::vector<Real>& values, std::size_t size) {  // the same, or none: a vector that was not begun
    fixed(name, values, loading() && savedCount(name, kRealElement) == 0 ? 0 : size);
  }
  void fixedNumbers(std::string_view name, std::span<double> values) { items(name, ElementType::kDouble, values.data(), values.size()); }
  void numbers(std::string_view name, std::vector<double>& values) { sized(name, ElementType::kDouble, values); }
  void words(std::string_view name, std::vector<std::uint64_t>& values) { sized(name, ElementType::kWord, values); }  // random streams, flags
  void number(std::string_view name, double& value) { items(name, ElementType::kDouble, &value, 1); }
  void number(std::string_view name, std::int64_t& value) { items(name, ElementType::kInteger, &value, 1); }

  // Saves so many elements, or loads them: exactly so many must be there.
  virtual void items(std::string_view name, ElementType type, void* values, std::size_t count) = 0;
  virtual std::size_t savedCount(std::string_view name, ElementType type) = 0;  // asked when loading

 private:
  template <class T>
  void sized(std::string_view name, ElementType type, std::vector<T>& values) {
    if (loading()) values.resize(savedCount(name, type));
    items(name, type, values.data(), values.size());
  }
};

}  // namespace paceline
