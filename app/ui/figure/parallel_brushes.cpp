#include "app/ui/figure/parallel_brushes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QKeyEvent>
#include <QMouseEvent>

#include "app/models/words.h"
#include "app/ui/palette/keys.h"
#include "app/ui/widgets/theme.h"

namespace paceline::figure {
namespace {

constexpr int kHalfWidth = 9;     // px, of a handle
constexpr double kGripPx = 5;     // around the ends of a part
constexpr double kNewPx = 3;      // a drag shorter than that is a click
constexpr double kKeyStep = 0.05;  // of an axis of numbers
constexpr int kPartAlpha = 70;
constexpr double kReachPx = 5;  // around a line

bool sameAxes(const Figure& a, const Figure& b) { return std::ranges::equal(a.axes, b.axes, {}, &Axis::title, &Axis::title); }

}  // namespace

ParallelBrushes::ParallelBrushes(QWidget* over) : QWidget(over) {
  setObjectName("parallelBrushes");
  setMouseTracking(true);
  setAccessibleName(tr("Axes of the parallel coordinates"));
  palette::tellKeys(this, tr("Parallel coordinates"), {{tr("Tab  Left  Right"), tr("Another axis")}, {tr("Up  Down"), tr("Choose a part of the axis, or move it")}, {tr("Shift+Up  Shift+Down"), tr("Move its upper end")}, {tr("Ctrl+Up  Ctrl+Down"), tr("Move its lower end")}, {"Esc", tr("All of the axis again")}, {"Return", tr("Compare the runs within")}});
}

void ParallelBrushes::setFigure(std::shared_ptr<const Figure> figure, const ParallelLook& look) {
  if (!sameAxes(*figure, *figure_)) brushes_.assign(figure->axes.size(), std::nullopt);
  figure_ = std::move(figure), look_ = look;
  point(std::nullopt);
  while (handles_.size() > figure_->axes.size()) delete handles_.back(), handles_.pop_back();
  while (handles_.size() < figure_->axes.size()) handles_.push_back(new AxisHandle(*this, handles_.size()));
  layOut();
  follow();
}

void ParallelBrushes::setArea(const QRectF& area) {
  area_ = area;
  layOut();
}

void ParallelBrushes::layOut() {
  places_ = placesOf(*figure_, area_, look_);
  for (std::size_t i = 0; i < handles_.size(); ++i) {
    const int half = std::max(3, std::min(kHalfWidth, static_cast<int>(places_.spacing / 2) - 1));
    handles_[i]->setGeometry(QRect(QPoint(static_cast<int>(places_.x[i]) - half, static_cast<int>(places_.top) - kHalfWidth), QPoint(static_cast<int>(places_.x[i]) + half, static_cast<int>(places_.bottom) + kHalfWidth)));
    handles_[i]->show();
  }
  update();
}

// What is within now, said to who listens and to screen readers.
void ParallelBrushes::follow() {
  within_ = linesWithin(*figure_, brushes_);
  point(std::nullopt);
  for (AxisHandle* handle : handles_) handle->describe(), handle->update();
  update();
  emit changed();
}

bool ParallelBrushes::brushed() const {
  return std::ranges::any_of(brushes_, [](const std::optional<AxisPart>& part) { return part.has_value(); });
}

std::vector<std::string> ParallelBrushes::runsWithin() const {
  std::vector<std::string> runs;
  for (const std::size_t line : within_) runs.push_back(figure_->lines[line].runId);
  return runs;
}

void ParallelBrushes::setPart(std::size_t axis, std::optional<AxisPart> part) {
  if (axis >= brushes_.size() || brushes_[axis] == part) return;
  brushes_[axis] = part;
  follow();
}

void ParallelBrushes::clear() {
  if (!brushed()) return;
  brushes_.assign(brushes_.size(), std::nullopt);
  follow();
}

void ParallelBrushes::goTo(std::size_t axis) {
  if (axis < handles_.size()) handles_[axis]->setFocus(Qt::TabFocusReason);
}

double ParallelBrushes::step(std::size_t axis) const {
  const std::size_t words = figure_->axes[axis].categories.size();
  return words > 1 ? 1.0 / static_cast<double>(words - 1) : kKeyStep;
}

void ParallelBrushes::paintEvent(QPaintEvent*) {
  if (figure_->axes.empty()) return;
  QPainter painter(this);
  if (brushed()) {
    paintLines(painter, *figure_, places_, within_, look_, false);
    paintAxes(painter, *figure_, places_, area_, look_);
  }
  painter.setRenderHint(QPainter::Antialiasing);
  if (pointed_) paintLine(painter, *figure_, places_, *pointed_, QPen(chartColours(look_.style, look_.dark).text, 2.5));
}

void ParallelBrushes::mouseMoveEvent(QMouseEvent* event) { point(lineAt(*figure_, places_, within_, event->position(), kReachPx)); }

void ParallelBrushes::leaveEvent(QEvent* event) {
  point(std::nullopt);
  QWidget::leaveEvent(event);
}

void ParallelBrushes::point(std::optional<std::size_t> line) {
  if (std::exchange(pointed_, line) == line) return;
  QString words;
  if (line) {
    words = qtext(figure_->lines[*line].label);
    for (std::size_t axis = 0; axis < figure_->axes.size(); ++axis) words += QString("\n%1: %2").arg(qtext(figure_->axes[axis].title), valueText(figure_->axes[axis], figure_->lines[*line].y[axis]));
  }
  setToolTip(words);
  update();
}

AxisHandle::AxisHandle(ParallelBrushes& brushes, std::size_t axis) : QWidget(&brushes), brushes_(brushes), axis_(axis) {
  setObjectName(QString("axis%1").arg(axis));
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::CrossCursor);
}

void AxisHandle::describe() {
  const Axis& axis = brushes_.figure_->axes[axis_];
  const std::optional<AxisPart>& part = brushes_.brushes_[axis_];
  setAccessibleName(tr("Axis %1").arg(said(axis.title)));
  const QString words = part ? partText(axis, *part) : tr("all of it");
  setAccessibleDescription(tr("%1; %2 of %3 runs within").arg(words).arg(brushes_.within_.size()).arg(brushes_.figure_->lines.size()));
  setToolTip(QString("%1: %2").arg(said(axis.title), words));
}

double AxisHandle::shareAt(double y) const { return std::clamp(brushes_.places_.shareAt(y + geometry().top()), 0.0, 1.0); }
double AxisHandle::yOf(double share) const { return brushes_.places_.bottom - share * (brushes_.places_.bottom - brushes_.places_.top) - geometry().top(); }

void AxisHandle::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const widgets::Theme& theme = widgets::Theme::instance();
  const QColor accent = theme.colour(widgets::Token::kAccent);
  if (const std::optional<AxisPart>& part = brushes_.brushes_[axis_]) {
    QColor fill = accent;
    fill.setAlpha(kPartAlpha);
    const QRectF shown = QRectF(QPointF(1.5, yOf(part->high) - 2), QPointF(width() - 1.5, yOf(part->low) + 2));
    painter.fillRect(shown, fill);
    painter.setPen(QPen(accent, 1));
    painter.drawRect(shown);
  }
  if (!hasFocus()) return;
  painter.setPen(QPen(accent, 2));
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
}

AxisHandle::Grip AxisHandle::gripAt(double y) const {
  const std::optional<AxisPart>& part = brushes_.brushes_[axis_];
  if (!part) return Grip::kNew;
  const double low = yOf(part->low), high = yOf(part->high);
  const bool grips = low - high > 3 * kGripPx;  // else there would be nothing to move it by
  if (grips && std::abs(y - low) <= kGripPx) return Grip::kLow;
  if (grips && std::abs(y - high) <= kGripPx) return Grip::kHigh;
  return y >= high - kGripPx && y <= low + kGripPx ? Grip::kWhole : Grip::kNew;
}

void AxisHandle::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  grip_ = gripAt(event->position().y());
  from_ = shareAt(event->position().y());
  before_ = brushes_.brushes_[axis_];
}

void AxisHandle::mouseMoveEvent(QMouseEvent* event) {
  if (grip_ == Grip::kNone) return;
  const double now = shareAt(event->position().y());
  if (grip_ == Grip::kNew && std::abs(yOf(now) - yOf(from_)) < kNewPx) return;
  AxisPart part = before_.value_or(AxisPart());
  if (grip_ == Grip::kNew) part = {.low = std::min(from_, now), .high = std::max(from_, now)};
  if (grip_ == Grip::kLow) part.low = std::min(now, part.high);
  if (grip_ == Grip::kHigh) part.high = std::max(now, part.low);
  if (grip_ == Grip::kWhole) {
    const double by = std::clamp(now - from_, -part.low, 1 - part.high);
    part.low += by, part.high += by;
  }
  brushes_.setPart(axis_, part);
}

void AxisHandle::mouseReleaseEvent(QMouseEvent*) { grip_ = Grip::kNone; }

void AxisHandle::mouseDoubleClickEvent(QMouseEvent*) {
  grip_ = Grip::kNone;
  brushes_.setPart(axis_, std::nullopt);
}

// The first key chooses: the upper half by Up, the lower one by Down; of words the last or the first.
void AxisHandle::moveBy(double low, double high) {
  const std::optional<AxisPart>& now = brushes_.brushes_[axis_];
  const bool words = !brushes_.figure_->axes[axis_].categories.empty(), up = low + high > 0;
  AxisPart part = now.value_or(words ? up ? AxisPart{.low = 1, .high = 1} : AxisPart{.low = 0, .high = 0} : up ? AxisPart{.low = 0.5, .high = 1} : AxisPart{.low = 0, .high = 0.5});
  if (now && low != 0 && high != 0) {
    const double by = std::clamp(low, -part.low, 1 - part.high);
    part.low += by, part.high += by;
  } else if (now) {
    part.low = std::clamp(part.low + low, 0.0, part.high);
    part.high = std::clamp(part.high + high, part.low, 1.0);
  }
  brushes_.setPart(axis_, part);
}

void AxisHandle::keyPressEvent(QKeyEvent* event) {
  const double step = brushes_.step(axis_) * (event->key() == Qt::Key_Down ? -1 : 1);
  const bool shift = (event->modifiers() & Qt::ShiftModifier) != 0, control = (event->modifiers() & Qt::ControlModifier) != 0;
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down: return moveBy(shift ? 0 : step, control ? 0 : step);
    case Qt::Key_Left: return axis_ > 0 ? brushes_.goTo(axis_ - 1) : void();
    case Qt::Key_Right: return brushes_.goTo(axis_ + 1);
    case Qt::Key_Return:
    case Qt::Key_Enter: emit brushes_.entered(); return;
    case Qt::Key_Escape:
      if (brushes_.brushes_[axis_]) return brushes_.setPart(axis_, std::nullopt);
      break;
    default: break;
  }
  QWidget::keyPressEvent(event);
}

}  // namespace paceline::figure
