// How lanes look: every pixel has the colour of the phase that took most of its time, as strong as it was at work.
#include <algorithm>
#include <array>
#include <cmath>

#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>

#include "app/models/words.h"
#include "app/ui/runs/lanes_view.h"
#include "app/ui/runs/time_use.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/theme.h"

namespace paceline::runs {
namespace {

constexpr float kFaintest = 0.12F;  // of a colour: a server that has little to do is seen

template <std::size_t Colours>
using Shares = std::array<float, Colours>;  // of a pixel's time

// One row of pixels between two moments. add(share, span) adds the span's part of a pixel's time.
template <std::size_t Colours, class Span>
QImage rowOf(const std::vector<Span>& spans, const std::array<QRgb, Colours>& colours, const LanesView::Range& range, int width, const auto& add) {
  const QColor nothing = widgets::Theme::instance().colour(widgets::Token::kSurfaceRaised);
  std::vector<Shares<Colours>> pixels(static_cast<std::size_t>(width), Shares<Colours>{});
  const double perSecond = width / range.length();
  auto span = std::ranges::upper_bound(spans, range.begin, {}, &Span::end);
  for (; span != spans.end() && span->begin < range.end; ++span) {
    const double from = std::max(0.0, (span->begin - range.begin) * perSecond), to = std::min<double>(width, (span->end - range.begin) * perSecond);
    for (auto x = static_cast<int>(from); x < width && x < to; ++x)
      add(pixels[static_cast<std::size_t>(x)], *span, static_cast<float>(std::min(to, x + 1.0) - std::max(from, static_cast<double>(x))));
  }
  QImage row(width, 1, QImage::Format_RGB32);
  auto* out = reinterpret_cast<QRgb*>(row.scanLine(0));
  for (int x = 0; x < width; ++x) {
    const Shares<Colours>& shares = pixels[static_cast<std::size_t>(x)];
    const auto most = std::ranges::max_element(shares);
    float covered = 0;
    for (const float share : shares) covered += share;
    const QColor colour(colours[static_cast<std::size_t>(most - shares.begin())]);
    out[x] = covered <= 0 ? nothing.rgb() : covered >= 0.995F ? colour.rgb() : widgets::mixed(nothing, colour, std::max(covered, kFaintest)).rgb();
  }
  return row;
}

QImage phasesOf(const lanes::Lane& lane, const LanesView::Range& range, int width) {
  std::array<QRgb, lanes::kPhaseCount> colours{};
  for (std::size_t i = 0; i < colours.size(); ++i) colours[i] = phaseColour(static_cast<lanes::Phase>(i)).rgb();
  return rowOf(lane.spans, colours, range, width, [](Shares<lanes::kPhaseCount>& pixel, const lanes::Span& span, float time) {
    pixel[static_cast<std::size_t>(span.phase)] += time * static_cast<float>(span.share);
  });
}

QImage linkOf(const lanes::Lane& lane, const LanesView::Range& range, int width) {
  return rowOf(lane.exchanges, std::array{exchangeColour().rgb()}, range, width, [](Shares<1>& pixel, const lanes::Exchange&, float time) { pixel[0] += time; });
}

// Steps of 1, 2 or 5 that leave room for their numbers.
double stepOf(double length, int room) {
  const double least = length / std::max(1, room);
  const double ten = std::pow(10, std::floor(std::log10(least)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * ten >= least) return step * ten;
  return 10 * ten;
}

}  // namespace

void LanesView::paintEvent(QPaintEvent*) {
  const widgets::Theme& theme = widgets::Theme::instance();
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), theme.colour(widgets::Token::kSurface));
  painter.setFont(theme.font(widgets::TextRole::kCaption));
  painter.save();
  painter.setClipRect(0, 0, viewport()->width(), viewport()->height() - axis_);
  for (std::size_t lane = 0; lane < timeline_->lanes.size(); ++lane) paintLane(painter, lane);
  paintChosen(painter);
  if (cursor_ && *cursor_ >= range_.begin && *cursor_ <= range_.end) {
    painter.setPen(QPen(theme.colour(widgets::Token::kText), 1));
    painter.drawLine(QPointF(xAt(*cursor_), 0), QPointF(xAt(*cursor_), viewport()->height()));
  }
  painter.restore();
  paintAxis(painter);
  if (!hasFocus()) return;
  painter.setPen(QPen(theme.colour(widgets::Token::kAccent), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
}

void LanesView::paintLane(QPainter& painter, std::size_t index) const {
  const widgets::Theme& theme = widgets::Theme::instance();
  const lanes::Lane& lane = timeline_->lanes[index];
  const QRect rect = laneRect(index);
  if (rect.bottom() < 0 || rect.top() > viewport()->height()) return;
  const bool current = hasFocus() && index == current_;
  if (row_ >= painter.fontMetrics().height() - 4 || index % static_cast<std::size_t>(1 + painter.fontMetrics().height() / row_) == 0) {
    painter.setPen(theme.colour(current ? widgets::Token::kAccent : widgets::Token::kTextMuted));
    const QRect label(4, rect.top() - 4, labels_ - 12, rect.height() + 8);
    painter.drawText(label, Qt::AlignVCenter | Qt::AlignRight, painter.fontMetrics().elidedText(said(lane.name), Qt::ElideMiddle, label.width()));
  }
  const double ratio = viewport()->devicePixelRatioF();
  const int pixels = std::max(1, static_cast<int>(rect.width() * ratio)), height = std::max(2, rect.height() - 2), link = linkHeight();
  painter.drawImage(QRect(rect.left(), rect.top() + 1, rect.width(), height - link), phasesOf(lane, range_, pixels));
  if (link > 0) painter.drawImage(QRect(rect.left(), rect.top() + 1 + height - link, rect.width(), link), linkOf(lane, range_, pixels));
}

int LanesView::linkHeight() const {
  const bool exchanged = std::ranges::any_of(timeline_->lanes, [](const lanes::Lane& lane) { return !lane.exchanges.empty(); });
  return exchanged ? std::max(2, row_ / 6) : 0;
}

void LanesView::paintAxis(QPainter& painter) const {
  const widgets::Theme& theme = widgets::Theme::instance();
  const int top = viewport()->height() - axis_;
  painter.fillRect(0, top, viewport()->width(), axis_, theme.colour(widgets::Token::kSurface));
  painter.setPen(theme.colour(widgets::Token::kTextMuted));
  const double step = stepOf(range_.length(), (viewport()->width() - labels_) / std::max(1, painter.fontMetrics().horizontalAdvance("0000.000 s")));
  for (double at = std::ceil(range_.begin / step) * step; at <= range_.end; at += step) {
    const double x = xAt(at);
    painter.drawLine(QPointF(x, top), QPointF(x, top + 3));
    const QString text = QString::number(std::abs(at) < step / 2 ? 0 : at, 'g', 7) + " s";
    const int width = painter.fontMetrics().horizontalAdvance(text);
    painter.drawText(QPointF(std::clamp<double>(x - width / 2.0, labels_, std::max(labels_, viewport()->width() - width)), top + 3 + painter.fontMetrics().ascent()), text);
  }
  if (!held_) return;
  painter.setPen(theme.colour(widgets::Token::kWarn));
  painter.drawText(QRect(4, top, labels_ - 12, axis_), Qt::AlignVCenter | Qt::AlignRight, tr("held"));
}

// From whom was waited for to the end of the wait, which has a frame.
void LanesView::paintChosen(QPainter& painter) const {
  if (!chosen_) return;
  const lanes::Lane* waited = timeline_->find(chosen_->node);
  const lanes::Lane* other = timeline_->find(chosen_->gap.whom);
  if (!waited) return;
  const QColor ink = widgets::Theme::instance().colour(widgets::Token::kBad);
  const QRect rect = laneRect(static_cast<std::size_t>(waited - timeline_->lanes.data()));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(ink, 2));
  painter.setBrush(Qt::NoBrush);
  const double begin = xAt(chosen_->gap.begin), end = xAt(chosen_->gap.end);
  painter.drawRect(QRectF(begin, rect.top() + 1, std::max(2.0, end - begin), rect.height() - 2));
  if (!other || other == waited) return;
  const QRect theirs = laneRect(static_cast<std::size_t>(other - timeline_->lanes.data()));
  const bool down = theirs.top() < rect.top();
  const double x = std::min(std::round(end), viewport()->width() - 1.0);  // whole pixels, and inside where the wait ends at the view's edge
  const QPointF from(x, theirs.center().y()), to(x, down ? rect.top() + 1 : rect.bottom() - 1);
  painter.drawLine(from, to);
  const double back = down ? -7 : 7;
  QPainterPath head(to);
  head.lineTo(to + QPointF(-4, back));
  head.lineTo(to + QPointF(4, back));
  head.closeSubpath();
  painter.fillPath(head, ink);
  painter.setBrush(ink);
  painter.drawEllipse(from, 3, 3);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace paceline::runs
