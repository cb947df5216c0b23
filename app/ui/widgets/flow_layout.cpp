#include "app/ui/widgets/flow_layout.h"

#include <algorithm>

#include <QWidget>

#include "app/ui/widgets/theme.h"

namespace paceline::widgets {

FlowLayout::FlowLayout(std::initializer_list<QWidget*> widgets) {
  setContentsMargins(0, 0, 0, 0);
  for (QWidget* each : widgets) addWidget(each);
}

FlowLayout::~FlowLayout() = default;

QLayoutItem* FlowLayout::itemAt(int index) const { return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr; }

QLayoutItem* FlowLayout::takeAt(int index) {
  if (index < 0 || index >= count()) return nullptr;
  QLayoutItem* taken = items_[static_cast<std::size_t>(index)].release();
  items_.erase(items_.begin() + index);
  return taken;
}

QSize FlowLayout::sizeHint() const {
  QSize all(0, 0);
  for (const auto& item : items_)
    if (!item->isEmpty()) all = QSize(all.width() + (all.width() > 0 ? kGap : 0) + item->sizeHint().width(), std::max(all.height(), item->sizeHint().height()));
  return all;
}

QSize FlowLayout::minimumSize() const {
  QSize least(0, 0);
  for (const auto& item : items_)
    if (!item->isEmpty()) least = least.expandedTo(item->sizeHint());
  return least;
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

// What stands in one line has one middle: words beside a field are lower than it.
int FlowLayout::arrange(const QRect& rect, bool move) const {
  int x = rect.x(), y = rect.y(), high = 0;
  std::vector<std::pair<QLayoutItem*, QRect>> line;
  const auto place = [&] {
    for (const auto& [item, at] : line)
      if (move) item->setGeometry(at.translated(0, (high - at.height()) / 2));
    line.clear();
  };
  for (const auto& item : items_) {
    if (item->isEmpty()) continue;
    const QSize size = item->sizeHint();
    if (x > rect.x() && x + size.width() > rect.x() + rect.width()) place(), x = rect.x(), y += high + kGap, high = 0;
    line.emplace_back(item.get(), QRect(QPoint(x, y), size));
    x += size.width() + kGap;
    high = std::max(high, size.height());
  }
  place();
  return y + high - rect.y();
}

}  // namespace paceline::widgets
