#include "app/ui/runs/lanes_view.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include "app/models/words.h"
#include "app/ui/palette/keys.h"
#include "app/ui/widgets/theme.h"

namespace paceline::runs {
namespace {

constexpr double kZoomStep = 1.25, kPanStep = 0.1, kLeastLength = 1e-6;
constexpr int kLeastRow = 8, kMostRow = 24, kMostLabels = 190;
constexpr qsizetype kTold = 8;  // lanes that a screen reader is told of one by one
constexpr int kNear = 3;  // px around the pointer in which a wait is meant

}  // namespace

LanesView::LanesView(QWidget* parent) : QAbstractScrollArea(parent) {
  setObjectName("lanes");
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setMouseTracking(true);
  setAccessibleName(tr("Timeline: who waits for whom"));
  palette::tellKeys(this, tr("Timeline"), {{tr("Space"), tr("Hold the part that is shown, or go on")}, {"+  -", tr("Zoom; so does the wheel, at the pointer")}, {tr("Left  Right"), tr("Move along; so does Shift with the wheel")}, {tr("Ctrl+Left  Ctrl+Right"), tr("The wait before, the next wait")},
                                       {tr("Up  Down"), tr("Another lane")}, {tr("Home  End"), tr("To the begin, to the end")}, {"0", tr("Show all")}});
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, [this] { layOut(), viewport()->update(); });
  describe();
}

QSize LanesView::minimumSizeHint() const { return {240, axis_ + 3 * kLeastRow}; }
std::size_t LanesView::spansWanted() const { return static_cast<std::size_t>(std::max(100, viewport()->width() - labels_)); }

// The keyboard's lane stays the same node's, whatever is folded now.
void LanesView::setTimeline(std::shared_ptr<const lanes::Timeline> timeline) {
  const std::string node = timeline_->lanes.empty() ? "" : timeline_->lanes[current_].node;
  timeline_ = std::move(timeline);
  const lanes::Lane* same = timeline_->find(node);
  current_ = same ? static_cast<std::size_t>(same - timeline_->lanes.data()) : 0;
  if (chosen_ && !timeline_->find(chosen_->node)) unchoose();
  layOut();
  if (all_) showAll();
  viewport()->update();
}

void LanesView::showAll() {
  (held_ ? goesOn_ : all_) = true;
  const Range whole{0, timeline_->end > 0 ? timeline_->end : 1};
  if (range_ == whole) return;
  range_ = whole;
  viewport()->update();
  describe();
  emit rangeChanged();
}

// Never further than what is recorded, with a margin.
void LanesView::moveTo(Range range) {
  const double end = std::max(timeline_->end, kLeastLength), length = std::clamp(range.length(), kLeastLength, end);
  range.begin = std::clamp(range.begin, 0.0, end - length);
  range.end = range.begin + length;
  setRange(range);
}

void LanesView::setRange(Range range) {
  if (range == range_ || !(range.length() > 0)) return;
  range_ = range;
  (held_ ? goesOn_ : all_) = range.begin <= 0 && range.end >= timeline_->end;
  viewport()->update();
  describe();
  emit rangeChanged();
}

// What is shown stays the same part of the time, as long as nobody moves it; it may be looked at in more detail.
void LanesView::setHeld(bool held) {
  if (std::exchange(held_, held) == held) return;
  if (held) goesOn_ = std::exchange(all_, false);
  describe();
  viewport()->update();
  emit rangeChanged();
  if (!held && std::exchange(goesOn_, false)) showAll();
  emit heldChanged(held);
}

void LanesView::setCursor(std::optional<double> seconds) {
  cursor_ = seconds;
  viewport()->update();
}

double LanesView::xAt(double seconds) const { return labels_ + (seconds - range_.begin) / range_.length() * std::max(1, viewport()->width() - labels_); }
double LanesView::secondsAt(double x) const { return range_.begin + (x - labels_) / std::max(1, viewport()->width() - labels_) * range_.length(); }

QRect LanesView::laneRect(std::size_t lane) const {
  return {labels_, static_cast<int>(lane) * row_ - verticalScrollBar()->value(), viewport()->width() - labels_, row_};
}

std::optional<std::size_t> LanesView::laneAt(int y) const {
  if (y < 0 || y >= viewport()->height() - axis_) return std::nullopt;
  const auto lane = static_cast<std::size_t>((y + verticalScrollBar()->value()) / row_);
  return lane < timeline_->lanes.size() ? std::optional(lane) : std::nullopt;
}

void LanesView::layOut() {
  const QFontMetrics metrics(widgets::Theme::instance().font(widgets::TextRole::kCaption));
  labels_ = metrics.horizontalAdvance("w00") + 16;
  for (const lanes::Lane& lane : timeline_->lanes) labels_ = std::clamp(metrics.horizontalAdvance(said(lane.name)) + 16, labels_, widgets::scaled(kMostLabels));
  axis_ = metrics.height() + 6;
  const int count = std::max<int>(1, static_cast<int>(timeline_->lanes.size())), room = std::max(1, viewport()->height() - axis_);
  row_ = std::clamp(room / count, kLeastRow, widgets::scaled(kMostRow));
  verticalScrollBar()->setPageStep(room);
  verticalScrollBar()->setRange(0, std::max(0, count * row_ - room));
}

void LanesView::resizeEvent(QResizeEvent*) {
  layOut();
  emit rangeChanged();  // more or less detail
}

void LanesView::zoom(double factor, double at) {
  const double length = range_.length() / factor;
  moveTo({at - (at - range_.begin) / factor, at - (at - range_.begin) / factor + length});
}

void LanesView::pan(double share) { moveTo({range_.begin + share * range_.length(), range_.end + share * range_.length()}); }

void LanesView::wheelEvent(QWheelEvent* event) {
  const double turns = (event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x()) / 120.0;
  if (event->modifiers() & Qt::ShiftModifier) pan(-kPanStep * turns);
  else if (event->angleDelta().y() == 0) pan(-kPanStep * turns);
  else zoom(std::pow(kZoomStep, turns), secondsAt(std::max<double>(labels_, event->position().x())));
  event->accept();
}

void LanesView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  dragged_ = event->position();
  draggedRange_ = range_;
  moved_ = false;
}

void LanesView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (dragged_ && (moved_ || std::abs(at.x() - dragged_->x()) > kNear)) {
    moved_ = true;
    const double by = (dragged_->x() - at.x()) / std::max(1, viewport()->width() - labels_) * draggedRange_.length();
    moveTo({draggedRange_.begin + by, draggedRange_.end + by});
    return;
  }
  const double seconds = secondsAt(at.x());
  setCursor(at.x() >= labels_ ? std::optional(seconds) : std::nullopt);
  emit cursorMoved(cursor_);
  const std::optional<std::size_t> lane = laneAt(static_cast<int>(at.y()));
  if (lane && cursor_) emit told(wordsAt(*lane, seconds));
}

// A wait is chosen where one is near; elsewhere the choice goes.
void LanesView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !dragged_) return;
  dragged_.reset();
  if (std::exchange(moved_, false)) return;
  const std::optional<std::size_t> lane = laneAt(static_cast<int>(event->position().y()));
  if (!lane) return unchoose();
  current_ = *lane;
  for (int off = 0; off <= kNear; ++off)
    for (const int side : {-1, 1})
      if (const lanes::Gap* gap = lanes::gapAt(timeline_->lanes[*lane], secondsAt(event->position().x() + side * off))) return choose(*lane, *gap);
  unchoose();
}

void LanesView::mouseDoubleClickEvent(QMouseEvent*) { showAll(); }

bool LanesView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) {
    setCursor(std::nullopt);
    emit cursorMoved(std::nullopt);
    emit told(sentence_);
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void LanesView::keyPressEvent(QKeyEvent* event) {
  const bool seen = cursor_ && *cursor_ >= range_.begin && *cursor_ <= range_.end;
  const double middle = seen ? *cursor_ : (range_.begin + range_.end) / 2;
  const bool waits = event->modifiers() & Qt::ControlModifier;
  switch (event->key()) {
    case Qt::Key_Space: return setHeld(!held_);
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(kZoomStep, middle); break;
    case Qt::Key_Minus: zoom(1 / kZoomStep, middle); break;
    case Qt::Key_Left: if (waits) return chooseNext(-1); pan(-kPanStep); break;
    case Qt::Key_Right: if (waits) return chooseNext(1); pan(kPanStep); break;
    case Qt::Key_Home: moveTo({0, range_.length()}); break;
    case Qt::Key_End: moveTo({timeline_->end - range_.length(), timeline_->end}); break;
    case Qt::Key_0: showAll(); break;
    case Qt::Key_Up: chooseLane(-1); break;
    case Qt::Key_Down: chooseLane(1); break;
    default: return QAbstractScrollArea::keyPressEvent(event);
  }
  tellMiddle();
}

// What the pointer tells where it stands, the keys tell of their lane in the middle of the view.
void LanesView::tellMiddle() {
  if (timeline_->lanes.empty()) return;
  setCursor((range_.begin + range_.end) / 2);
  emit cursorMoved(cursor_);
  words_ = wordsAt(current_, *cursor_);
  describe();
  emit told(words_);
}

void LanesView::chooseLane(int step) {
  if (timeline_->lanes.empty()) return;
  current_ = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(current_) + step, 0, static_cast<std::ptrdiff_t>(timeline_->lanes.size()) - 1));
  const int top = static_cast<int>(current_) * row_, room = viewport()->height() - axis_;
  QScrollBar* bar = verticalScrollBar();
  if (top < bar->value()) bar->setValue(top);
  if (top + row_ > bar->value() + room) bar->setValue(top + row_ - room);
  viewport()->update();
}

// The one behind or before the chosen one; the first that is shown where none is chosen.
void LanesView::chooseNext(int step) {
  if (timeline_->lanes.empty()) return;
  const lanes::Lane& lane = timeline_->lanes[current_];
  const bool here = chosen_ && chosen_->node == lane.node;
  const double from = here ? chosen_->gap.begin : step > 0 ? range_.begin : range_.end;
  const auto after = std::ranges::upper_bound(lane.gaps, from, {}, &lanes::Gap::begin);
  const auto before = std::ranges::lower_bound(lane.gaps, from, {}, &lanes::Gap::begin);
  if (step > 0 ? after == lane.gaps.end() : before == lane.gaps.begin()) return;
  const lanes::Gap& gap = step > 0 ? *after : *(before - 1);
  choose(current_, gap);
  if (gap.begin < range_.begin || gap.end > range_.end) moveTo({gap.begin - range_.length() / 2, gap.begin + range_.length() / 2});
}

void LanesView::choose(std::size_t lane, const lanes::Gap& gap) {
  chosen_ = Chosen{.node = timeline_->lanes[lane].node, .gap = gap};
  words_.clear();
  sentence_ = (gap.rounds > 1 ? tr("%1 (%2; zoom in to see why)") : QString("%1 (%2)")).arg(said(lanes::sentenceOf(*timeline_, timeline_->lanes[lane], gap)), said(lanes::roundsText(gap.round, gap.rounds)));
  describe();
  viewport()->update();
  emit told(sentence_);
}

void LanesView::unchoose() {
  chosen_.reset();
  sentence_.clear();
  describe();
  viewport()->update();
  emit told({});
}

// "3 lanes: w0 waits 12.0 %, w1 waits 0.4 %, s0"
QString LanesView::lanesWords() const {
  QStringList told;
  for (const lanes::Lane& lane : timeline_->lanes) {
    if (told.size() == kTold) break;
    double waited = 0;
    for (const lanes::Span& span : lane.spans)
      if (span.phase == lanes::Phase::kWait) waited += span.end - span.begin;
    told << (waited > 0 && timeline_->end > 0 ? tr("%1 waits %2").arg(said(lane.name), percentText(waited / timeline_->end)) : said(lane.name));
  }
  if (timeline_->lanes.size() > static_cast<std::size_t>(kTold)) told << tr("and %1 more").arg(timeline_->lanes.size() - static_cast<std::size_t>(kTold));
  return tr("%n lane(s): %1", nullptr, static_cast<int>(timeline_->lanes.size())).arg(told.join(", "));
}

void LanesView::describe() {
  QStringList words{tr("%1 to %2 s of %3 s").arg(range_.begin, 0, 'g', 6).arg(range_.end, 0, 'g', 6).arg(timeline_->end, 0, 'g', 6)};
  if (!timeline_->lanes.empty()) words.prepend(lanesWords());
  if (held_) words << tr("held still");
  if (!words_.isEmpty()) words << words_;
  if (!sentence_.isEmpty()) words << sentence_;
  setAccessibleDescription(words.join("; "));
}

// "w1, round 148: compute 0.31 s, wait 0.61 s" of what is around the moment; sums where rounds are merged.
QString LanesView::wordsAt(std::size_t index, double seconds) const {
  const lanes::Lane& lane = timeline_->lanes[index];
  const lanes::Span* span = lanes::spanAt(lane, seconds);
  const QString name = said(lane.name);
  const lanes::Exchange* exchange = lanes::exchangeAt(lane, seconds);
  const QString underWay = !exchange ? QString() : tr("; exchange of %1 under way for %2, %3")
      .arg(said(lanes::roundsText(exchange->round, exchange->rounds)), qtext(lanes::secondsText(exchange->end - exchange->begin)), bytesText(static_cast<double>(exchange->bytes)));
  if (!span) return tr("%1: nothing recorded here").arg(name) + underWay;
  if (span->phase == lanes::Phase::kHostLoad) return tr("%1: %2 % busy for %3, with all that ran there").arg(name).arg(qRound(100 * span->share)).arg(qtext(lanes::secondsText(span->end - span->begin)));
  if (span->round == 0) return tr("%1: %2 % busy for %3").arg(name).arg(qRound(100 * span->share)).arg(qtext(lanes::secondsText(span->end - span->begin)));
  QStringList parts;
  const auto of = static_cast<std::size_t>(span - lane.spans.data());
  std::size_t first = of, last = of;
  while (first > 0 && lane.spans[first - 1].round == span->round) --first;
  while (last + 1 < lane.spans.size() && lane.spans[last + 1].round == span->round) ++last;
  for (std::size_t i = first; i <= last; ++i)
    parts << QString("%1 %2").arg(said(lanes::lookOf(lane.spans[i].phase).name), qtext(lanes::secondsText(lane.spans[i].end - lane.spans[i].begin)));
  return QString("%1, %2: %3").arg(name, said(lanes::roundsText(span->round, span->rounds)), parts.join(", ")) + underWay;
}

}  // namespace paceline::runs
