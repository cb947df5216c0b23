#include <algorithm>
#include <cmath>

#include <QCoreApplication>

#include <qcustomplot.h>

#include "app/ui/figure/figure_layout.h"
#include "app/models/words.h"
#include "app/ui/figure/figure_plot.h"
#include "app/ui/figure/figure_plottables.h"

namespace paceline::figure {
namespace {

constexpr std::size_t kBandPoints = 600;

QVector<double> vector(const std::vector<double>& v) { return {v.begin(), v.end()}; }

}  // namespace

FigurePlot::FigurePlot(QWidget* parent) : plot_(new QCustomPlot(parent)), owned_(parent == nullptr) {
  plot_->setAutoAddPlottableToLegend(false);
  plot_->setPlottingHint(QCP::phFastPolylines, true);
  plot_->setMouseTracking(true);
  plot_->plotLayout()->setAutoMargins(QCP::msNone), plot_->plotLayout()->setMargins(QMargins(4, 4, 4, 6));
  plot_->layer("overlay")->setMode(QCPLayer::lmBuffered);
  plot_->setSelectionRectMode(QCP::srmZoom);
  QObject::connect(plot_, &QCustomPlot::afterLayout, plot_, [this] { placeLabels(); });
  QObject::connect(plot_->selectionRect(), &QCPSelectionRect::accepted, plot_, [this] { zoomed_ = true; });
  QObject::connect(plot_, &QCustomPlot::mouseDoubleClick, plot_, [this] { resetZoom(); });
  QObject::connect(plot_, &QCustomPlot::mouseWheel, plot_, [this](QWheelEvent* event) {
    if (!figure_ || !figure_->axes.empty()) return;
    zoomed_ = true;
    const QCPRange now = plot_->xAxis->range();
    const AxisRange next = panned({now.lower, now.upper}, xRange(*figure_), -event->angleDelta().y() / 1200.0);
    plot_->xAxis->setRange(next.low, next.high);
    replot(false);
  });
  QObject::connect(plot_->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), plot_, [this] {
    if (figure_ == nullptr || (drawn_.empty() && figure_->spans.empty())) return;
    feed();
    if (onViewChanged) onViewChanged();
  });
}

FigurePlot::~FigurePlot() {
  if (!plot_) return;
  plot_->disconnect();
  if (owned_) delete plot_.data();
}

void FigurePlot::draw(std::shared_ptr<const Figure> figure, const FigurePaint& paint) {
  drawn_.clear(), barTexts_.clear();  // they point into the figure that goes
  if (!figure_ || figure->id != figure_->id) zoomed_ = false;
  figure_ = std::move(figure);
  paint_ = paint;
  colours_ = chartColours(paint_.style, paint_.dark);
  hover_ = nullptr;
  plot_->clearPlottables(), plot_->clearItems();
  plot_->setBackground(colours_.background);
  styleAxis(plot_->xAxis, figure_->x);
  styleAxis(plot_->yAxis, figure_->y);
  const bool parallel = !figure_->axes.empty();
  plot_->xAxis->setVisible(!parallel), plot_->yAxis->setVisible(!parallel);
  plot_->setSelectionRectMode(parallel ? QCP::srmNone : QCP::srmZoom);
  plot_->xAxis->grid()->setVisible(figure_->bars.empty());
  plot_->yAxis->grid()->setVisible(figure_->spans.empty());
  plot_->yAxis->setRangeReversed(!figure_->spans.empty());
  plot_->selectionRect()->setPen(QPen(colours_.muted, 1));
  plot_->selectionRect()->setBrush(QColor(colours_.muted.red(), colours_.muted.green(), colours_.muted.blue(), 40));
  if (!zoomed_) setFullRange();
  addSpans();
  for (const Band& band : figure_->bands) addBand(band);  // painted below the lines, named after them
  if (parallel) addParallel();
  else
    for (const Line& line : figure_->lines) addLine(line);
  for (const BandEntry& entry : bandEntries(*figure_)) addBandEntry(entry);
  addBars();
  for (const Reference& reference : figure_->references) addReference(reference);
  addPublished();
  arrange();
  feed();
}

void FigurePlot::setFullRange() {
  const AxisRange x = xRange(*figure_), y = yRange(*figure_);
  plot_->xAxis->setRange(x.low, x.high);
  plot_->yAxis->setRange(y.low, y.high);
}

void FigurePlot::styleAxis(QCPAxis* axis, const Axis& spec) {
  const bool bare = axis == plot_->yAxis && paint_.style == FigureStyle::kModern;
  axis->setLabel(paint_.thumbnail ? QString() : qtext(spec.title));
  axis->setTickLabels(!paint_.thumbnail);
  axis->setLabelFont(paint_.font), axis->setTickLabelFont(paint_.font);
  axis->setLabelColor(colours_.muted), axis->setTickLabelColor(colours_.muted);
  axis->setBasePen(bare ? QPen(Qt::NoPen) : QPen(colours_.axis, 1));
  axis->setTickPen(Qt::NoPen), axis->setSubTicks(false), axis->setTickLength(0, 0);  // the grid and the labels are enough
  axis->setTickLabelPadding(6), axis->setLabelPadding(6), axis->setTickLabelRotation(0);
  axis->grid()->setPen(QPen(colours_.grid, 1)), axis->grid()->setZeroLinePen(QPen(colours_.grid, 1));
  axis->setScaleType(spec.log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  axis->setNumberFormat("gb");
  axis->setTicker(spec.log ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog) : QSharedPointer<QCPAxisTicker>(new ShortTicker));
}

QCPGraph* FigurePlot::addFaint(QColor colour) {
  colour.setAlphaF(0.25);
  QCPGraph* graph = plot_->addGraph();
  graph->setPen(QPen(colour, 1));
  return graph;
}

void FigurePlot::addLine(const Line& line) {
  const SeriesLook look = lookOf(line);
  if (line.faint) return drawn_.push_back({&line, addFaint(look.colour), nullptr, nullptr});
  QCPGraph* raw = line.rawX.empty() ? nullptr : addFaint(look.colour);
  QCPGraph* graph = plot_->addGraph();
  graph->setPen(linePen(look));
  addMarkers(line, look);
  auto* label = new QCPItemText(plot_);
  label->setText(qtext(line.label));
  label->setFont(paint_.font), label->setColor(look.colour);
  label->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  label->setClipToAxisRect(false);
  label->position->setType(QCPItemPosition::ptAbsolute);
  drawn_.push_back({&line, graph, raw, label});
}

void FigurePlot::addMarkers(const Line& line, const SeriesLook& look) {
  const bool open = look.marker == Marker::kCross || look.marker == Marker::kPlus;
  const QCPScatterStyle scatter(markerPath(look.marker, look.markerSize), QPen(look.colour, open ? 1.5 : 0.5),
                                open ? QBrush(Qt::NoBrush) : QBrush(look.colour), look.markerSize);
  auto* marks = new Markers(plot_->xAxis, plot_->yAxis);
  marks->setPen(Qt::NoPen);
  marks->setLineStyle(QCPGraph::lsNone);
  marks->setScatterStyle(scatter);
  if (look.markerSize > 0 && !paint_.thumbnail)
    for (const std::size_t i : markerIndices(line)) marks->addData(line.x[i], line.y[i]);
  QCPGraph* entry = plot_->addGraph();  // empty: in the legend it shows line and marker together
  entry->setPen(linePen(look));
  entry->setScatterStyle(scatter);
  entry->setName(qtext(line.label));
  if (!line.label.empty()) entry->addToLegend();
}

QColor FigurePlot::bandColour(std::optional<int> series) const {
  QColor fill = series ? seriesLook(*series, paint_.style, paint_.dark).colour : colours_.muted;
  fill.setAlphaF(series ? 0.18F : 0.3F);
  return fill;
}

void FigurePlot::addBandEntry(const BandEntry& entry) {
  QCPGraph* graph = plot_->addGraph();
  graph->setPen(Qt::NoPen), graph->setBrush(bandColour(entry.series));
  graph->setName(qtext(entry.words));
  graph->addToLegend();
}

void FigurePlot::addBand(const Band& band) {
  const std::size_t step = std::max<std::size_t>(1, band.x.size() / kBandPoints);
  QVector<double> x, low, high;
  for (std::size_t i = 0; i < band.x.size(); i += step) x << band.x[i], low << band.lower[i], high << band.upper[i];
  QCPGraph *below = plot_->addGraph(), *above = plot_->addGraph();
  for (QCPGraph* edge : {below, above}) edge->setPen(Qt::NoPen), edge->setData(x, edge == below ? low : high, true);
  above->setBrush(bandColour(band.series));
  above->setChannelFillGraph(below);
}

void FigurePlot::addReference(const Reference& reference) {
  const QPen pen(colours_.reference, 1, Qt::DashLine);
  auto* line = new QCPItemStraightLine(plot_);
  line->setPen(pen);
  for (QCPItemPosition* point : {line->point1, line->point2}) point->setTypeX(QCPItemPosition::ptAxisRectRatio);
  line->point1->setCoords(0, reference.value), line->point2->setCoords(1, reference.value);
  QCPGraph* entry = plot_->addGraph();
  entry->setPen(pen), entry->setName(qtext(reference.label));
  entry->addToLegend();
}

void FigurePlot::addParallel() {
  auto* lines = new ParallelLines(plot_->xAxis, plot_->yAxis, *figure_, {.style = paint_.style, .dark = paint_.dark, .font = paint_.font, .words = !paint_.thumbnail, .picture = paint_.picture}, faint_);
  lines->setSelectable(QCP::stNone);
}

QRectF FigurePlot::area() const { return plot_->axisRect()->rect(); }

void FigurePlot::setFaint(bool faint) {
  if (std::exchange(faint_, faint) != faint) replot(false);
}

// At the right edge of a bar that is alone, so that the number above it stays free.
void FigurePlot::addPublished() {
  std::vector<HollowMarks::Mark> marks;
  const BarPlaces places = barPlaces(*figure_);
  for (const PublishedMark& mark : figure_->published) {
    double x = mark.x;
    for (std::size_t set = 0; set < figure_->bars.size(); ++set)
      if (mark.bars == figure_->bars[set].label && x >= 0 && x < static_cast<double>(places.keys[set].size())) x = places.keys[set][static_cast<std::size_t>(x)];
    if (!figure_->bars.empty() && mark.bars.empty()) x += places.width / 2;
    const QPointF at(x, mark.y), low = mark.lying ? QPointF(mark.low.value_or(x), mark.y) : QPointF(x, mark.low.value_or(mark.y)), high = mark.lying ? QPointF(mark.high.value_or(x), mark.y) : QPointF(x, mark.high.value_or(mark.y));
    marks.push_back({.at = at, .low = low, .high = high, .colour = seriesLook(mark.series, paint_.style, paint_.dark).colour});
  }
  if (marks.empty()) return;
  auto* drawn = new HollowMarks(plot_->xAxis, plot_->yAxis, std::move(marks), colours_.background, colours_.text, paint_.thumbnail ? 6 : 10);
  drawn->setName(QCoreApplication::translate("figure", "published"));
  drawn->addToLegend();
}

void FigurePlot::addSpans() {
  if (figure_->spans.empty()) return;
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  for (std::size_t row = 0; row < figure_->y.categories.size(); ++row) ticker->addTick(static_cast<double>(row), qtext(figure_->y.categories[row]));
  plot_->yAxis->setTicker(ticker);
  const bool strips = std::ranges::any_of(figure_->spans, &SpanSet::thin);
  for (const SpanSet& set : figure_->spans) {
    const QColor colour = set.quiet ? colours_.grid : seriesLook(set.series, paint_.style, paint_.dark).colour;
    auto* spans = new LyingBars(plot_->xAxis, plot_->yAxis, set, colour, strips && !set.thin);
    spans->setName(qtext(set.label));
    spans->addToLegend();
  }
}

void FigurePlot::addBars() {
  if (figure_->bars.empty()) return;
  const BarPlaces places = barPlaces(*figure_);
  alone_ = places.named || figure_->stacked;
  QCPBars* below = nullptr;
  for (std::size_t i = 0; i < figure_->bars.size(); ++i) {
    QCPBars* bars = addBarSet(figure_->bars[i], places.width, places.keys[i], !places.named);
    if (figure_->stacked && below) bars->setStackingGap(0), bars->moveAbove(below);
    below = bars;
    addBarTexts(figure_->bars[i].texts, places.width / kBarFill, places.keys[i], figure_->stacked ? stackTops(*figure_, i + 1) : figure_->bars[i].values);
  }
}

QCPBars* FigurePlot::addBarSet(const BarSet& set, double width, const std::vector<double>& keys, bool named) {
  const SeriesLook look = seriesLook(set.series, paint_.style, paint_.dark);
  auto* bars = new HatchedBars(plot_->xAxis, plot_->yAxis, look.hatch);
  bars->setWidth(width);
  bars->setPen(QPen(look.colour, look.whiteBars ? 1.5 : 1));
  QColor fill = look.colour;
  fill.setAlphaF(look.hatch == Hatch::kNone ? 0.85 : 0.3);
  bars->setBrush(look.whiteBars ? QColor(Qt::white) : fill);
  if (figure_->y.log) bars->setBaseValue(plot_->yAxis->range().lower);
  bars->setName(qtext(set.label));
  if (named && !set.label.empty()) bars->addToLegend();
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (std::isfinite(set.values[i]) && !(figure_->stacked && set.values[i] == 0)) bars->addData(keys[i], set.values[i]);
  return bars;
}

void FigurePlot::addBarTexts(const std::vector<std::string>& texts, double room, const std::vector<double>& keys, const std::vector<double>& tops) {
  for (std::size_t i = 0; i < std::min(keys.size(), texts.size()); ++i) {
    if (texts[i].empty() || paint_.thumbnail) continue;
    auto* label = new QCPItemText(plot_);
    label->setFont(paint_.font), label->setColor(colours_.text);
    label->setPositionAlignment(Qt::AlignHCenter | Qt::AlignBottom);
    label->setTextAlignment(Qt::AlignHCenter);
    label->setClipToAxisRect(false);
    label->setPadding(QMargins(0, 0, 0, 3));
    label->position->setCoords(keys[i], std::isfinite(tops[i]) ? tops[i] : plot_->yAxis->range().lower);
    barTexts_.push_back({.label = label, .text = qtext(texts[i]), .room = alone_ ? 1 : room, .number = std::isfinite(tops[i])});
  }
}

void FigurePlot::feed() {
  shown_ = visible_ = 0;
  const auto columns = static_cast<std::size_t>(std::max(200, plot_->axisRect()->width()));
  const AxisRange seen{plot_->xAxis->range().lower, plot_->xAxis->range().upper};
  for (const Drawn& d : drawn_) {
    const Visible part = visiblePart(d.line->x, d.line->y, seen, columns);
    d.graph->setData(vector(part.x), vector(part.y), true);
    if (d.label) d.graph->setPen(linePen(lookOf(*d.line), part.x.size()));
    d.graph->setAntialiased(part.x.size() <= kCrowdedPoints);
    shown_ += part.x.size(), visible_ += part.of;
    if (!d.raw) continue;
    const Visible raw = visiblePart(d.line->rawX, d.line->rawY, seen, columns);
    d.raw->setData(vector(raw.x), vector(raw.y), true);
  }
}

QWidget* FigurePlot::widget() { return plot_; }

void FigurePlot::resetZoom() {
  zoomed_ = false;
  if (figure_) setFullRange();
  replot(false);
}

void FigurePlot::replot(bool now) { plot_->replot(now ? QCustomPlot::rpImmediateRefresh : QCustomPlot::rpQueuedReplot); }

std::optional<double> FigurePlot::xAt(const QPointF& position) const {
  if (!plot_->axisRect()->rect().contains(position.toPoint())) return std::nullopt;
  return plot_->xAxis->pixelToCoord(position.x());
}

void FigurePlot::mark(std::optional<double> x) {
  if (!hover_) {
    hover_ = new QCPItemStraightLine(plot_);
    hover_->setLayer("overlay");
    hover_->setPen(QPen(colours_.muted, 1));
    for (QCPItemPosition* point : {hover_->point1, hover_->point2}) point->setTypeY(QCPItemPosition::ptAxisRectRatio);
  }
  hover_->setVisible(x.has_value());
  hover_->point1->setCoords(x.value_or(0), 0);
  hover_->point2->setCoords(x.value_or(0), 1);
  plot_->layer("overlay")->replot();
}

QPixmap FigurePlot::toPixmap(int width, int height, double scale) { return plot_->toPixmap(width, height, scale); }

void FigurePlot::toPainter(QPaintDevice& device, int width, int height, double scale) {
  QCPPainter painter(&device);
  painter.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching | QCPPainter::pmNonCosmetic);
  painter.scale(scale, scale);
  plot_->toPainter(&painter, width, height);
}

}  // namespace paceline::figure
