#include "app/ui/clusters/link_matrix.h"

#include <algorithm>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include "app/models/words.h"

namespace paceline::clusters {
namespace {

constexpr int kTop = 32, kCellHeight = 44, kLeastCell = 88, kMostCell = 140, kLeastHead = 72, kMostHead = 180, kIcon = 14;
constexpr double kInk = 4.5;  // contrast of text

int channel(int a, int b, double t) { return static_cast<int>(a + (b - a) * t + 0.5); }

}  // namespace

LinkMatrix::LinkMatrix(LinksModel& links, QWidget* parent) : QAbstractScrollArea(parent), links_(links) {
  setObjectName("linkMatrix");
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName("Links between hosts");
  viewport()->setMouseTracking(true);
  connect(&links_, &LinksModel::changed, viewport(), qOverload<>(&QWidget::update));
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, &LinkMatrix::layoutCells);
}

void LinkMatrix::setHosts(const std::vector<std::string>& hosts) {
  if (hosts == hosts_) return;
  hosts_ = hosts;
  layoutCells();
}

void LinkMatrix::layoutCells() {
  const QFontMetrics metrics(widgets::Theme::instance().font(widgets::TextRole::kBody));
  const int count = static_cast<int>(hosts_.size());
  head_ = kLeastHead;
  for (const std::string& host : hosts_) head_ = std::max(head_, metrics.horizontalAdvance(qtext(host)) + 24);
  head_ = std::min(head_, kMostHead);
  cellWidth_ = count == 0 ? kLeastCell : std::clamp((viewport()->width() - head_) / count, kLeastCell, kMostCell);
  horizontalScrollBar()->setRange(0, std::max(0, head_ + count * cellWidth_ - viewport()->width()));
  horizontalScrollBar()->setPageStep(viewport()->width());
  horizontalScrollBar()->setSingleStep(cellWidth_);
  verticalScrollBar()->setRange(0, std::max(0, kTop + count * kCellHeight - viewport()->height()));
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(kCellHeight);
  viewport()->update();
}

void LinkMatrix::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  layoutCells();
}

QRect LinkMatrix::cell(int from, int to) const {
  return {head_ + to * cellWidth_ - horizontalScrollBar()->value(), kTop + from * kCellHeight - verticalScrollBar()->value(), cellWidth_, kCellHeight};
}

std::pair<int, int> LinkMatrix::cellAt(const QPoint& at) const {
  if (at.x() < head_ || at.y() < kTop) return {-1, -1};
  const int to = (at.x() - head_ + horizontalScrollBar()->value()) / cellWidth_;
  const int from = (at.y() - kTop + verticalScrollBar()->value()) / kCellHeight;
  const int count = static_cast<int>(hosts_.size());
  return from < count && to < count ? std::pair(from, to) : std::pair(-1, -1);
}

// Between the colour of surfaces and the accent. In the middle neither light nor dark text can be read: such shades step aside, down in the
// lower half of the scale and up in the upper one, so that a faster link never looks slower.
QColor LinkMatrix::shade(double level, const widgets::Theme& theme) {
  const QColor low = theme.colour(widgets::Token::kSurfaceRaised), high = theme.colour(widgets::Token::kAccent);
  const auto mixed = [&](double t) { return QColor(channel(low.red(), high.red(), t), channel(low.green(), high.green(), t), channel(low.blue(), high.blue(), t)); };
  int percent = static_cast<int>(8 + 92 * level);  // whole ones: all that step aside arrive at the same
  QColor made = mixed(percent / 100.0);
  while (widgets::contrastRatio(inkOn(made, theme), made) < kInk && percent > 0 && percent < 100) made = mixed((percent += level < 0.5 ? -1 : 1) / 100.0);
  return made;
}

QColor LinkMatrix::inkOn(const QColor& background, const widgets::Theme& theme) {
  const QColor ink = theme.colour(widgets::Token::kText), inverse = theme.colour(widgets::Token::kAccentText);
  if (widgets::contrastRatio(ink, background) >= kInk) return ink;
  return widgets::contrastRatio(inverse, background) > widgets::contrastRatio(ink, background) ? inverse : ink;
}

QString LinkMatrix::describe(int from, int to) const {
  if (from < 0 || to < 0) return {};
  const std::string &a = hosts_[static_cast<std::size_t>(from)], &b = hosts_[static_cast<std::size_t>(to)];
  if (from == to) return qtext(a);
  const QString pair = qtext(a) + " → " + qtext(b);
  const check::LinkMeasure* link = links_.at(a, b);
  if (!link) return pair + "\nnot measured";
  if (!link->reachable) return pair + "\nunreachable: " + qtext(link->problem);
  return QString("%1\n%2 Mbit/s\n%3 ms one way (half the round trip's median)").arg(pair).arg(link->mbps, 0, 'f', 1).arg(link->latencyMs, 0, 'f', 3);
}

bool LinkMatrix::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto [from, to] = cellAt(help->pos());
  QToolTip::showText(help->globalPos(), describe(from, to), viewport(), from < 0 ? QRect() : cell(from, to));
  return true;
}

void LinkMatrix::setCurrent(int from, int to) {
  const int last = static_cast<int>(hosts_.size()) - 1;
  if (last < 0) return;
  from_ = std::clamp(from, 0, last);
  to_ = std::clamp(to, 0, last);
  const QRect at = cell(from_, to_);
  QScrollBar *across = horizontalScrollBar(), *down = verticalScrollBar();
  if (at.left() < head_) across->setValue(across->value() + at.left() - head_);
  if (at.right() > viewport()->width()) across->setValue(across->value() + at.right() - viewport()->width());
  if (at.top() < kTop) down->setValue(down->value() + at.top() - kTop);
  if (at.bottom() > viewport()->height()) down->setValue(down->value() + at.bottom() - viewport()->height());
  setAccessibleDescription(describe(from_, to_));
  viewport()->update();
}

void LinkMatrix::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left: return setCurrent(from_, to_ - 1);
    case Qt::Key_Right: return setCurrent(from_, to_ + 1);
    case Qt::Key_Up: return setCurrent(from_ - 1, to_);
    case Qt::Key_Down: return setCurrent(from_ + 1, to_);
    case Qt::Key_Space: {
      const QRect at = cell(from_, to_);
      return QToolTip::showText(viewport()->mapToGlobal(at.center()), describe(from_, to_), viewport(), at);
    }
    default: QAbstractScrollArea::keyPressEvent(event);
  }
}

void LinkMatrix::mousePressEvent(QMouseEvent* event) {
  const auto [from, to] = cellAt(event->pos());
  if (from >= 0) setCurrent(from, to);
}

void LinkMatrix::paintEvent(QPaintEvent* event) {
  QPainter painter(viewport());
  painter.setClipRect(QRect(head_, kTop, viewport()->width() - head_, viewport()->height() - kTop));
  paintCells(painter, event->rect());
  painter.setClipping(false);
  paintHeads(painter);
}

void LinkMatrix::paintHeads(QPainter& painter) const {
  const widgets::Theme& theme = widgets::Theme::instance();
  painter.setFont(theme.font(widgets::TextRole::kBody));
  painter.setPen(theme.colour(widgets::Token::kText));
  const auto elided = [&painter](const std::string& host, int width) { return painter.fontMetrics().elidedText(qtext(host), Qt::ElideRight, width); };
  painter.save();
  painter.setClipRect(QRect(head_, 0, viewport()->width() - head_, kTop));
  for (int i = 0; i < static_cast<int>(hosts_.size()); ++i) {
    const QRect at = cell(0, i);
    painter.drawText(QRect(at.left() + 4, 0, cellWidth_ - 8, kTop), Qt::AlignCenter, elided(hosts_[static_cast<std::size_t>(i)], cellWidth_ - 8));
  }
  painter.setClipRect(QRect(0, kTop, head_, viewport()->height() - kTop));
  for (int i = 0; i < static_cast<int>(hosts_.size()); ++i)
    painter.drawText(QRect(0, cell(i, 0).top(), head_ - 12, kCellHeight), Qt::AlignRight | Qt::AlignVCenter,
                     elided(hosts_[static_cast<std::size_t>(i)], head_ - 16));
  painter.restore();
  painter.setFont(theme.font(widgets::TextRole::kCaption));
  painter.setPen(theme.colour(widgets::Token::kTextMuted));
  painter.drawText(QRect(0, 0, head_ - 12, kTop), Qt::AlignRight | Qt::AlignVCenter, "from \\ to");
}

void LinkMatrix::paintCells(QPainter& painter, const QRect& clip) const {
  const widgets::Theme& theme = widgets::Theme::instance();
  const int count = static_cast<int>(hosts_.size());
  for (int from = 0; from < count; ++from)
    for (int to = 0; to < count; ++to) {
      const QRect rect = cell(from, to);
      if (!rect.intersects(clip)) continue;
      const QRect inner = rect.adjusted(1, 1, -1, -1);
      if (from == to) {
        painter.fillRect(inner, theme.colour(widgets::Token::kSurfaceSunken));
      } else {
        paintLink(painter, inner, links_.at(hosts_[static_cast<std::size_t>(from)], hosts_[static_cast<std::size_t>(to)]));
      }
      if (hasFocus() && from == from_ && to == to_) {
        painter.setPen(QPen(theme.colour(widgets::Token::kText), 2));
        painter.drawRect(inner.adjusted(0, 0, -1, -1));
      }
    }
}

void LinkMatrix::paintLink(QPainter& painter, const QRect& rect, const check::LinkMeasure* link) const {
  const widgets::Theme& theme = widgets::Theme::instance();
  const bool known = link && link->reachable;
  const QColor background = known ? shade(linkLevel(link->mbps), theme) : theme.colour(widgets::Token::kSurfaceRaised);
  painter.fillRect(rect, background);
  painter.setFont(theme.font(widgets::TextRole::kBody));
  if (!link) {
    painter.setPen(theme.colour(widgets::Token::kTextMuted));
    return painter.drawText(rect, Qt::AlignCenter, "—");
  }
  if (!link->reachable) {
    const QColor bad = theme.colour(widgets::Token::kBad);
    painter.setFont(theme.font(widgets::TextRole::kCaption));
    const int width = painter.fontMetrics().horizontalAdvance("unreachable") + kIcon + 4, left = rect.center().x() - width / 2;
    painter.drawPixmap(QRect(left, rect.center().y() - kIcon / 2, kIcon, kIcon),
                       widgets::iconPixmap("failed", bad, kIcon, viewport()->devicePixelRatioF()));
    painter.setPen(bad);
    return painter.drawText(QRect(left + kIcon + 4, rect.top(), width, rect.height()), Qt::AlignVCenter | Qt::AlignLeft, "unreachable");
  }
  painter.setPen(inkOn(background, theme));
  const QRect upper(rect.left(), rect.top() + 4, rect.width(), rect.height() / 2 - 2), lower(rect.left(), rect.center().y(), rect.width(), rect.height() / 2 - 3);
  painter.drawText(upper, Qt::AlignCenter, linkSpeedText(link->mbps));
  painter.setFont(theme.font(widgets::TextRole::kCaption));
  painter.drawText(lower, Qt::AlignCenter, linkLatencyText(link->latencyMs));
}

LinkScale::LinkScale(QWidget* parent) : QWidget(parent) {
  setFixedSize(360, 20);
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, qOverload<>(&QWidget::update));
}

void LinkScale::paintEvent(QPaintEvent*) {
  const widgets::Theme& theme = widgets::Theme::instance();
  QPainter painter(this);
  painter.setFont(theme.font(widgets::TextRole::kCaption));
  constexpr int kSteps = 4;
  const double speeds[kSteps] = {10, 100, 1000, 10000};
  for (int i = 0; i < kSteps; ++i) {
    const QRect rect(i * width() / kSteps, 0, width() / kSteps, height());
    const QColor background = LinkMatrix::shade(linkLevel(speeds[i]), theme);
    painter.fillRect(rect, background);
    painter.setPen(LinkMatrix::inkOn(background, theme));
    painter.drawText(rect, Qt::AlignCenter, linkSpeedText(speeds[i]));
  }
}

}  // namespace paceline::clusters
