// Numbers over a run, point by point, kept in columns: who needs two of a point's eleven holds two. Values; any thread.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <vector>

#include "engine/core/json/describe.h"

namespace paceline::summary {

struct CurvePoint {
  std::int64_t round = 0;
  double seconds = 0;       // since start, when the evaluation began
  double publishedSeconds = 0;  // end of that round, rounded to whole seconds: what ESync's drawer has on its x-axis
  std::int64_t samples = 0;  // trained by all workers by then
  std::int64_t bytes = 0;    // sent + received by all workers by then
  double accuracy = 0, loss = 0;
  double consensus = std::numeric_limits<double>::quiet_NaN();  // of evaluations of the mean: root mean squared distance of the workers to it
  double kept = std::numeric_limits<double>::quiet_NaN();       // in `exchanged` only: fraction sent
  double value = std::numeric_limits<double>::quiet_NaN();      // in `metrics` only
  double validation = std::numeric_limits<double>::quiet_NaN();  // accuracy over what was held out
};

enum class Column { kRound, kSeconds, kPublishedSeconds, kSamples, kBytes, kAccuracy, kLoss, kConsensus, kKept, kValue, kValidation };
inline constexpr std::size_t kColumns = 11;
// Written to disk; append only.
constexpr std::array<const char*, kColumns> wordsOf(Column) { return {"round", "t_s", "published_t_s", "samples", "bytes", "accuracy", "loss", "consensus", "kept", "value", "validation"}; }

// Calls visit(column, member) for every member of a point.
template <class Visit, Of<CurvePoint> Point>
constexpr void eachMember(Visit&& visit, Point& point) {
  visit(Column::kRound, point.round), visit(Column::kSeconds, point.seconds), visit(Column::kPublishedSeconds, point.publishedSeconds);
  visit(Column::kSamples, point.samples), visit(Column::kBytes, point.bytes), visit(Column::kAccuracy, point.accuracy), visit(Column::kLoss, point.loss);
  visit(Column::kConsensus, point.consensus), visit(Column::kKept, point.kept), visit(Column::kValue, point.value), visit(Column::kValidation, point.validation);
}

using Cells = std::vector<std::int64_t>;  // of a column, one for every point: a whole number, or the bits of a double
constexpr std::int64_t cellOf(std::int64_t value) { return value; }
constexpr std::int64_t cellOf(double value) { return std::bit_cast<std::int64_t>(value); }

// Of each column, in their order: what a fresh point has, and whether that is a whole number.
inline constexpr auto kFreshCells = [] {
  std::array<std::int64_t, kColumns> fresh{};
  const CurvePoint point;
  eachMember([&](Column column, const auto& member) { fresh[static_cast<std::size_t>(column)] = cellOf(member); }, point);
  return fresh;
}();
inline constexpr auto kWholeColumns = [] {
  std::array<bool, kColumns> whole{};
  const CurvePoint point;
  eachMember([&]<class Member>(Column column, const Member&) { whole[static_cast<std::size_t>(column)] = std::integral<Member>; }, point);
  return whole;
}();

class Curve {
 public:
  class Iterator;
  Curve() = default;
  explicit Curve(std::size_t points) : size_(points) {}  // all as a fresh CurvePoint

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  CurvePoint operator[](std::size_t i) const;
  CurvePoint front() const { return (*this)[0]; }
  CurvePoint back() const { return (*this)[size_ - 1]; }
  double number(Column column, std::size_t i) const {
    const auto at = static_cast<std::size_t>(column);
    const std::int64_t cell = cells_[at].empty() ? kFreshCells[at] : cells_[at][i];
    return kWholeColumns[at] ? static_cast<double>(cell) : std::bit_cast<double>(cell);
  }
  // Which evaluation is the best, and when a target is reached: over what was held out, where samples were, else over the test set.
  bool isValidated() const { return !cells(Column::kValidation).empty(); }
  double deciding(std::size_t i) const { return number(isValidated() ? Column::kValidation : Column::kAccuracy, i); }
  Iterator begin() const;
  Iterator end() const;

  void push_back(const CurvePoint& point);
  void set(std::size_t i, const CurvePoint& point);

  // A column in which every point has what a fresh CurvePoint has takes no room: its cells are empty.
  const Cells& cells(Column column) const { return cells_[static_cast<std::size_t>(column)]; }
  void setCells(Column column, Cells cells);  // none, or as many as there are points
  void keepOnly(const std::set<Column>& columns);

 private:
  std::size_t size_ = 0;
  std::array<Cells, kColumns> cells_;
};

class Curve::Iterator {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = CurvePoint;
  Iterator() = default;
  Iterator(const Curve* curve, std::size_t at) : curve_(curve), at_(at) {}
  CurvePoint operator*() const { return (*curve_)[at_]; }
  Iterator& operator++() { return ++at_, *this; }
  Iterator operator++(int) { return {curve_, at_++}; }
  bool operator==(const Iterator&) const = default;

 private:
  const Curve* curve_ = nullptr;
  std::size_t at_ = 0;
};
inline Curve::Iterator Curve::begin() const { return {this, 0}; }
inline Curve::Iterator Curve::end() const { return {this, size_}; }

}  // namespace paceline::summary
