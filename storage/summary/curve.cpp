#include "storage/summary/curve.h"

#include "engine/core/base/error.h"

namespace paceline::summary {

CurvePoint Curve::operator[](std::size_t i) const {
  CurvePoint point;
  eachMember([&]<class Member>(Column column, Member& member) {
    if (const Cells& cells = this->cells(column); !cells.empty()) member = std::bit_cast<Member>(cells[i]);
  }, point);
  return point;
}

void Curve::push_back(const CurvePoint& point) { set(size_++, point); }

void Curve::set(std::size_t i, const CurvePoint& point) {
  eachMember([&](Column column, const auto& member) {
    const auto at = static_cast<std::size_t>(column);
    Cells& cells = cells_[at];
    if (cells.empty() && cellOf(member) == kFreshCells[at]) return;
    cells.resize(size_, kFreshCells[at]);
    cells[i] = cellOf(member);
  }, point);
}

void Curve::setCells(Column column, Cells cells) {
  PACELINE_CHECK(cells.empty() || cells.size() == size_, "a cell for every point");
  cells_[static_cast<std::size_t>(column)] = std::move(cells);
}

void Curve::keepOnly(const std::set<Column>& columns) {
  for (std::size_t at = 0; at < kColumns; ++at) {
    if (!columns.contains(static_cast<Column>(at))) Cells().swap(cells_[at]);
    cells_[at].shrink_to_fit();
  }
}

}  // namespace paceline::summary
