#include "app/ui/figure/label_map.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "app/ui/figure/figure_style.h"
#include "app/ui/widgets/controls.h"

namespace paceline::figure {
namespace {

constexpr int kRows = 48;  // that are drawn; more are counted in a line of words
constexpr int kRoomy = 16;  // up to so many rows have room for a name and numbers
constexpr double kRow = 18, kThinRow = 8;
constexpr int kNames = 56, kTotals = 60, kWords = 24, kLeastWidth = 220;
constexpr double kNumberWidth = 30;  // of a cell that has room for "6000"

}  // namespace

LabelMap::LabelMap() {
  setObjectName("labelMap");
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, qOverload<>(&QWidget::update));
}

int LabelMap::rows() const { return std::min(kRows, static_cast<int>(split_.counts.size())); }

int LabelMap::columns() const {
  std::size_t most = 0;
  for (const LabelCounts& counts : split_.counts) most = std::max(most, counts.size());
  return static_cast<int>(most);
}

double LabelMap::rowHeight() const { return rows() <= kRoomy ? kRow * std::max(1.0, widgets::Theme::instance().scale()) : kThinRow; }

std::int64_t LabelMap::count(int row, int column) const {
  const LabelCounts& counts = split_.counts[static_cast<std::size_t>(row)];
  return static_cast<std::size_t>(column) < counts.size() ? counts[static_cast<std::size_t>(column)] : 0;
}

QSize LabelMap::sizeHint() const { return {kLeastWidth, static_cast<int>(std::ceil(std::max(3, rows()) * rowHeight())) + kWords}; }

QRectF LabelMap::cells() const { return {kNames, 0, std::max(1.0, width() - 1.0 * kNames - kTotals), rows() * rowHeight()}; }

QRectF LabelMap::cell(int row, int column) const {
  const QRectF all = cells();
  const double wide = all.width() / std::max(1, columns());
  return {all.left() + column * wide, row * rowHeight(), wide, rowHeight()};
}

void LabelMap::show(worker::SplitCounts split) {
  const bool sameRows = split.counts.size() == split_.counts.size();
  split_ = std::move(split);
  most_ = 0;
  for (const LabelCounts& counts : split_.counts)
    for (const std::int64_t each : counts) most_ = std::max(most_, each);
  choose(-1, -1);
  if (!sameRows) updateGeometry();
  update();
}

void LabelMap::setStale(bool stale) {
  stale_ = stale;
  update();
}

void LabelMap::setWords(const QString& words) {
  words_ = words;
  setAccessibleDescription(words);
  update();
}

void LabelMap::choose(int row, int column) {
  row_ = row, column_ = column;
  setAccessibleDescription(words());
  update();
}

QString LabelMap::words() const {
  if (row_ < 0 || column_ < 0) return words_;
  const LabelCounts& counts = split_.counts[static_cast<std::size_t>(row_)];
  return tr("%1, class %2: %3 of its %4 samples")
      .arg(QString::fromStdString(split_.workers[static_cast<std::size_t>(row_)]))
      .arg(column_)
      .arg(exactNumber(static_cast<double>(count(row_, column_))), exactNumber(static_cast<double>(sampleCount(counts))));
}

void LabelMap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setOpacity(stale_ ? 0.4 : 1);
  paintCells(painter);
  paintNames(painter);
  painter.setOpacity(1);
  widgets::paintFoot(painter, this, kWords, words(), row_ >= 0 ? widgets::Token::kText : widgets::Token::kTextMuted, Qt::AlignLeft | Qt::AlignVCenter);
}

void LabelMap::paintCells(QPainter& painter) const {
  const widgets::Theme& theme = widgets::Theme::instance();
  const QColor none = theme.colour(widgets::Token::kSurfaceSunken), full = theme.colour(widgets::Token::kAccent);
  painter.setFont(theme.font(widgets::TextRole::kCaption));
  for (int row = 0; row < rows(); ++row)
    for (int column = 0; column < columns(); ++column) {
      const std::int64_t samples = count(row, column);
      const double share = most_ > 0 ? static_cast<double>(samples) / static_cast<double>(most_) : 0;
      const QRectF place = cell(row, column), inside = place.width() > 4 ? place.adjusted(0.5, 0.5, -0.5, -0.5) : place;
      const QColor fill = samples == 0 ? none : widgets::mixed(none, full, 0.12 + 0.88 * share);
      painter.fillRect(inside, fill);
      if (samples == 0 || place.width() < kNumberWidth || place.height() < kRow) continue;
      painter.setPen(share > 0.55 ? theme.colour(widgets::Token::kAccentText) : theme.colour(widgets::Token::kText));
      painter.drawText(inside, Qt::AlignCenter, shortNumber(static_cast<double>(samples)));
    }
  if (row_ < 0) return;
  painter.setPen(QPen(theme.colour(widgets::Token::kText), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(cell(row_, column_));
}

void LabelMap::paintNames(QPainter& painter) const {
  const widgets::Theme& theme = widgets::Theme::instance();
  painter.setFont(theme.font(widgets::TextRole::kCaption));
  if (rows() > kRoomy) {
    painter.setPen(theme.colour(widgets::Token::kTextMuted));
    const std::size_t hidden = split_.counts.size() - static_cast<std::size_t>(rows());
    const QRectF place(0, 0, kNames - 6, rows() * rowHeight());
    return painter.drawText(place, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                            hidden == 0 ? tr("%n worker(s)", nullptr, rows()) : tr("%1 of %2 workers").arg(rows()).arg(split_.counts.size()));
  }
  for (int row = 0; row < rows(); ++row) {
    const double top = row * rowHeight();
    const auto index = static_cast<std::size_t>(row);
    painter.setPen(theme.colour(widgets::Token::kText));
    const QString name = painter.fontMetrics().elidedText(QString::fromStdString(split_.workers[index]), Qt::ElideMiddle, kNames - 8);
    painter.drawText(QRectF(0, top, kNames - 8, rowHeight()), Qt::AlignLeft | Qt::AlignVCenter, name);
    painter.setPen(theme.colour(widgets::Token::kTextMuted));
    painter.drawText(QRectF(width() - kTotals, top, kTotals, rowHeight()), Qt::AlignRight | Qt::AlignVCenter,
                     exactNumber(static_cast<double>(sampleCount(split_.counts[index]))));
  }
}

void LabelMap::mouseMoveEvent(QMouseEvent* event) {
  const QRectF all = cells();
  if (!all.contains(event->position()) || columns() == 0) return choose(-1, -1);
  const int row = static_cast<int>(event->position().y() / rowHeight());
  const int column = static_cast<int>((event->position().x() - all.left()) / all.width() * columns());
  choose(std::min(row, rows() - 1), std::min(column, columns() - 1));
}

void LabelMap::keyPressEvent(QKeyEvent* event) {
  const int down = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
  const int right = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
  if (rows() == 0 || columns() == 0 || (down == 0 && right == 0)) return QWidget::keyPressEvent(event);
  if (row_ < 0) return choose(0, 0);
  choose(std::clamp(row_ + down, 0, rows() - 1), std::clamp(column_ + right, 0, columns() - 1));
}

}  // namespace paceline::figure
