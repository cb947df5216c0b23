#include <algorithm>
#include <cmath>

#include <qcustomplot.h>

#include "app/ui/figure/figure_layout.h"
#include "app/models/words.h"
#include "app/ui/figure/figure_plot.h"

namespace paceline::figure {
namespace {

constexpr std::size_t kBandPoints = 600;
constexpr int kLabelGap = 8;

QVector<double> vector(const std::vector<double>& v) { return {v.begin(), v.end()}; }

class ShortTicker : public QCPAxisTicker {
 protected:
  QString getTickLabel(double tick, const QLocale&, QChar, int) override { return shortNumber(std::abs(tick) < 1e-12 ? 0 : tick); }
};

class HatchedBars : public QCPBars {
 public:
  HatchedBars(QCPAxis* key, QCPAxis* value, Hatch hatch) : QCPBars(key, value), hatch_(hatch) {}

 protected:
  void draw(QCPPainter* painter) override {
    QCPBars::draw(painter);
    for (const QCPBarsData& bar : *mDataContainer)
      if (std::isfinite(bar.value)) drawHatch(painter, getBarRect(bar.key, bar.value));
  }
  void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override {
    QCPBars::drawLegendIcon(painter, rect);
    QRectF shape(0, 0, rect.width() * 0.67, rect.height() * 0.67);
    shape.moveCenter(rect.center());
    drawHatch(painter, shape);
  }

 private:
  void drawHatch(QCPPainter* painter, const QRectF& rect) const {
    painter->setPen(QPen(mPen.color(), 1));
    for (const QLineF& line : hatchLines(rect, hatch_, 7)) painter->drawLine(line);
  }
  Hatch hatch_;
};

struct Drawn {
  const Line* line;
  QCPGraph *graph, *raw;
  QCPItemText* label;  // nullptr: faint
};

}  // namespace

struct FigurePlot::Impl {
  explicit Impl(QWidget* parent) : plot(new QCustomPlot(parent)), owned(parent == nullptr) {
    plot->setAutoAddPlottableToLegend(false);
    plot->setPlottingHint(QCP::phFastPolylines, true);
    plot->setMouseTracking(true);
    plot->plotLayout()->setAutoMargins(QCP::msNone), plot->plotLayout()->setMargins(QMargins(4, 4, 4, 6));
    plot->layer("overlay")->setMode(QCPLayer::lmBuffered);
    plot->setSelectionRectMode(QCP::srmZoom);
  }
  ~Impl() {
    if (owned) delete plot.data();
  }

  void build();
  void styleAxis(QCPAxis* axis, const Axis& spec);
  void addLine(const Line& line);
  SeriesLook lookOf(const Line& line) const { return lineLook(*figure, line, paint.style, paint.dark); }
  QCPGraph* addFaint(QColor colour);
  void addMarkers(const Line& line, const SeriesLook& look);
  QCPGraph* addBand(const Band& band);
  void addReference(const Reference& reference);
  void addBars();
  QCPBars* addBarSet(const BarSet& set, double width, const std::vector<double>& keys, bool named);
  void addBarTexts(const std::vector<std::string>& texts, const std::vector<double>& keys, const std::vector<double>& tops);
  void feed();
  void arrange();
  void placeLabels();
  void showLegend(bool show);
  void setFullRange();
  bool labelsFit() const;
  double rowHeight() const { return QFontMetricsF(paint.font).height(); }
  double textWidth(const std::string& words) const;
  int labelWidth() const;

  QPointer<QCustomPlot> plot;  // a parent may delete it first
  bool owned;
  std::shared_ptr<const Figure> figure;
  std::string id;
  FigurePaint paint;
  ChartColours colours;
  std::vector<Drawn> drawn;
  QCPItemStraightLine* hover = nullptr;
  bool zoomed = false, direct = false;
  std::size_t shown = 0, visible = 0;
};

void FigurePlot::Impl::build() {
  colours = chartColours(paint.style, paint.dark);
  drawn.clear();
  hover = nullptr;
  plot->clearPlottables(), plot->clearItems();
  plot->setBackground(colours.background);
  styleAxis(plot->xAxis, figure->x);
  styleAxis(plot->yAxis, figure->y);
  plot->xAxis->grid()->setVisible(figure->bars.empty());
  plot->selectionRect()->setPen(QPen(colours.muted, 1));
  plot->selectionRect()->setBrush(QColor(colours.muted.red(), colours.muted.green(), colours.muted.blue(), 40));
  if (!zoomed) setFullRange();
  std::vector<QCPGraph*> bands;  // painted below the lines, named after them
  for (const Band& band : figure->bands) bands.push_back(addBand(band));
  for (const Line& line : figure->lines) addLine(line);
  for (QCPGraph* band : bands)
    if (!band->name().isEmpty()) band->addToLegend();
  addBars();
  for (const Reference& reference : figure->references) addReference(reference);
  arrange();
  feed();
}

void FigurePlot::Impl::setFullRange() {
  const AxisRange x = xRange(*figure), y = yRange(*figure);
  plot->xAxis->setRange(x.low, x.high);
  plot->yAxis->setRange(y.low, y.high);
}

void FigurePlot::Impl::styleAxis(QCPAxis* axis, const Axis& spec) {
  const bool bare = axis == plot->yAxis && paint.style == FigureStyle::kModern;
  axis->setLabel(qtext(spec.title));
  axis->setLabelFont(paint.font), axis->setTickLabelFont(paint.font);
  axis->setLabelColor(colours.muted), axis->setTickLabelColor(colours.muted);
  axis->setBasePen(bare ? QPen(Qt::NoPen) : QPen(colours.axis, 1));
  axis->setTickPen(Qt::NoPen), axis->setSubTicks(false), axis->setTickLength(0, 0);  // the grid and the labels are enough
  axis->setTickLabelPadding(6), axis->setLabelPadding(6);
  axis->grid()->setPen(QPen(colours.grid, 1)), axis->grid()->setZeroLinePen(QPen(colours.grid, 1));
  axis->setScaleType(spec.log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  axis->setNumberFormat("gb");
  axis->setTicker(spec.log ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog) : QSharedPointer<QCPAxisTicker>(new ShortTicker));
}

QCPGraph* FigurePlot::Impl::addFaint(QColor colour) {
  colour.setAlphaF(0.25);
  QCPGraph* graph = plot->addGraph();
  graph->setPen(QPen(colour, 1));
  return graph;
}

void FigurePlot::Impl::addLine(const Line& line) {
  const SeriesLook look = lookOf(line);
  if (line.faint) return drawn.push_back({&line, addFaint(look.colour), nullptr, nullptr});
  QCPGraph* raw = line.rawX.empty() ? nullptr : addFaint(look.colour);
  QCPGraph* graph = plot->addGraph();
  graph->setPen(linePen(look));
  addMarkers(line, look);
  auto* label = new QCPItemText(plot);
  label->setText(qtext(line.label));
  label->setFont(paint.font), label->setColor(look.colour);
  label->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  label->setClipToAxisRect(false);
  label->position->setType(QCPItemPosition::ptAbsolute);
  drawn.push_back({&line, graph, raw, label});
}

void FigurePlot::Impl::addMarkers(const Line& line, const SeriesLook& look) {
  const bool open = look.marker == Marker::kCross || look.marker == Marker::kPlus;
  const QCPScatterStyle scatter(markerPath(look.marker, look.markerSize), QPen(look.colour, open ? 1.5 : 0.5),
                                open ? QBrush(Qt::NoBrush) : QBrush(look.colour), look.markerSize);
  QCPGraph* marks = plot->addGraph();
  marks->setPen(Qt::NoPen);
  marks->setLineStyle(QCPGraph::lsNone);
  marks->setScatterStyle(scatter);
  if (look.markerSize > 0)
    for (const std::size_t i : markerIndices(line)) marks->addData(line.x[i], line.y[i]);
  QCPGraph* entry = plot->addGraph();  // empty: in the legend it shows line and marker together
  entry->setPen(linePen(look));
  entry->setScatterStyle(scatter);
  entry->setName(qtext(line.label));
  if (!line.label.empty()) entry->addToLegend();
}

QCPGraph* FigurePlot::Impl::addBand(const Band& band) {
  const std::size_t step = std::max<std::size_t>(1, band.x.size() / kBandPoints);
  QVector<double> x, low, high;
  for (std::size_t i = 0; i < band.x.size(); i += step) x << band.x[i], low << band.lower[i], high << band.upper[i];
  QCPGraph* below = plot->addGraph();
  QCPGraph* above = plot->addGraph();
  for (QCPGraph* edge : {below, above}) edge->setPen(Qt::NoPen), edge->setData(x, edge == below ? low : high, true);
  QColor fill = seriesLook(band.series, paint.style, paint.dark).colour;
  fill.setAlphaF(0.18);
  above->setBrush(fill);
  above->setChannelFillGraph(below);
  above->setName(qtext(band.label));
  return above;
}

void FigurePlot::Impl::addReference(const Reference& reference) {
  const QPen pen(colours.reference, 1, Qt::DashLine);
  auto* line = new QCPItemStraightLine(plot);
  line->setPen(pen);
  for (QCPItemPosition* point : {line->point1, line->point2}) point->setTypeX(QCPItemPosition::ptAxisRectRatio);
  line->point1->setCoords(0, reference.value), line->point2->setCoords(1, reference.value);
  QCPGraph* entry = plot->addGraph();
  entry->setPen(pen), entry->setName(qtext(reference.label));
  entry->addToLegend();
}

void FigurePlot::Impl::addBars() {
  if (figure->bars.empty()) return;
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  for (std::size_t i = 0; i < figure->x.categories.size(); ++i) ticker->addTick(static_cast<double>(i), qtext(figure->x.categories[i]));
  plot->xAxis->setTicker(ticker);
  const BarPlaces places = barPlaces(*figure);
  QCPBars* below = nullptr;
  for (std::size_t i = 0; i < figure->bars.size(); ++i) {
    QCPBars* bars = addBarSet(figure->bars[i], places.width, places.keys[i], !places.named);
    if (figure->stacked && below) bars->setStackingGap(0), bars->moveAbove(below);
    below = bars;
    addBarTexts(figure->bars[i].texts, places.keys[i], figure->stacked ? stackTops(*figure, i + 1) : figure->bars[i].values);
  }
}

QCPBars* FigurePlot::Impl::addBarSet(const BarSet& set, double width, const std::vector<double>& keys, bool named) {
  const SeriesLook look = seriesLook(set.series, paint.style, paint.dark);
  auto* bars = new HatchedBars(plot->xAxis, plot->yAxis, look.hatch);
  bars->setWidth(width);
  bars->setPen(QPen(look.colour, look.whiteBars ? 1.5 : 1));
  QColor fill = look.colour;
  fill.setAlphaF(look.hatch == Hatch::kNone ? 0.85 : 0.3);
  bars->setBrush(look.whiteBars ? QColor(Qt::white) : fill);
  if (figure->y.log) bars->setBaseValue(plot->yAxis->range().lower);
  bars->setName(qtext(set.label));
  if (named && !set.label.empty()) bars->addToLegend();
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (std::isfinite(set.values[i]) && !(figure->stacked && set.values[i] == 0)) bars->addData(keys[i], set.values[i]);
  return bars;
}

void FigurePlot::Impl::addBarTexts(const std::vector<std::string>& texts, const std::vector<double>& keys, const std::vector<double>& tops) {
  for (std::size_t i = 0; i < std::min(keys.size(), texts.size()); ++i) {
    if (texts[i].empty()) continue;
    auto* label = new QCPItemText(plot);
    label->setText(qtext(texts[i]));
    label->setFont(paint.font), label->setColor(colours.text);
    label->setPositionAlignment(Qt::AlignHCenter | Qt::AlignBottom);
    label->setPadding(QMargins(0, 0, 0, 3));
    label->position->setCoords(keys[i], std::isfinite(tops[i]) ? tops[i] : plot->yAxis->range().lower);
  }
}

void FigurePlot::Impl::feed() {
  shown = visible = 0;
  const auto columns = static_cast<std::size_t>(std::max(200, plot->axisRect()->width()));
  const AxisRange seen{plot->xAxis->range().lower, plot->xAxis->range().upper};
  for (const Drawn& d : drawn) {
    const Visible part = visiblePart(d.line->x, d.line->y, seen, columns);
    d.graph->setData(vector(part.x), vector(part.y), true);
    if (d.label) d.graph->setPen(linePen(lookOf(*d.line), part.x.size()));
    d.graph->setAntialiased(part.x.size() <= kCrowdedPoints);
    shown += part.x.size(), visible += part.of;
    if (!d.raw) continue;
    const Visible raw = visiblePart(d.line->rawX, d.line->rawY, seen, columns);
    d.raw->setData(vector(raw.x), vector(raw.y), true);
  }
}

double FigurePlot::Impl::textWidth(const std::string& words) const { return QFontMetricsF(paint.font).horizontalAdvance(qtext(words)); }

int FigurePlot::Impl::labelWidth() const {
  double width = 0;
  for (const Line& line : figure->lines) width = std::max(width, textWidth(line.label));
  return static_cast<int>(std::ceil(width));
}

bool FigurePlot::Impl::labelsFit() const {
  if (paint.style == FigureStyle::kPublished || figure->lines.empty() || !figure->references.empty() || !figure->bands.empty()) return false;
  const double room = 0.7 * std::max(60, plot->height() - 70);
  return allNamed(*figure) && endsAtRight(*figure) && static_cast<double>(figure->lines.size()) * rowHeight() < room &&
         labelWidth() < plot->width() / 4;
}

void FigurePlot::Impl::arrange() {
  direct = labelsFit();
  for (const Drawn& d : drawn)
    if (d.label) d.label->setVisible(direct);
  plot->axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom);
  plot->axisRect()->setMargins(QMargins(0, kLabelGap, direct ? labelWidth() + 2 * kLabelGap : 16, 0));
  showLegend(!direct && plot->legend->itemCount() > 0);
}

void FigurePlot::Impl::placeLabels() {
  if (!direct) return;
  std::vector<double> wanted;
  std::vector<QCPItemText*> labels;
  for (const Drawn& d : drawn)
    if (d.label) labels.push_back(d.label), wanted.push_back(plot->yAxis->coordToPixel(lastFinite(*d.line)));
  const QRect area = plot->axisRect()->rect();
  const std::vector<double> at = spreadLabels(wanted, rowHeight(), area.top() - kLabelGap, area.bottom() + kLabelGap);
  for (std::size_t i = 0; i < at.size(); ++i) labels[i]->position->setPixelPosition(QPointF(area.right() + kLabelGap, at[i]));
}

void FigurePlot::Impl::showLegend(bool show) {
  QCPLegend* legend = plot->legend;
  if (legend->layout()) legend->layout()->take(legend);
  plot->plotLayout()->simplify();
  legend->setVisible(show);
  if (!show) return;
  double widest = labelWidth();
  const auto widen = [&](const auto& parts) { for (const auto& part : parts) widest = std::max(widest, textWidth(part.label)); };
  widen(figure->bands), widen(figure->bars), widen(figure->references);
  legend->setWrap(std::clamp(static_cast<int>((plot->width() - 60) / (widest + 50)), 1, 8));
  legend->setFillOrder(QCPLayoutGrid::foColumnsFirst, true);
  legend->setBorderPen(Qt::NoPen), legend->setBrush(Qt::NoBrush);
  legend->setFont(paint.font), legend->setTextColor(colours.text);
  legend->setIconSize(26, 12);
  legend->setRowSpacing(3), legend->setColumnSpacing(16);
  plot->plotLayout()->addElement(1, 0, legend);
  plot->plotLayout()->setRowStretchFactor(1, 0.001), plot->plotLayout()->setRowSpacing(4);
}

FigurePlot::FigurePlot(QWidget* parent) : impl_(std::make_unique<Impl>(parent)) {
  QCustomPlot* plot = impl_->plot;
  Impl* impl = impl_.get();
  QObject::connect(plot, &QCustomPlot::afterLayout, plot, [impl] { impl->placeLabels(); });
  QObject::connect(plot->selectionRect(), &QCPSelectionRect::accepted, plot, [impl] { impl->zoomed = true; });
  QObject::connect(plot, &QCustomPlot::mouseDoubleClick, plot, [this] { resetZoom(); });
  QObject::connect(plot, &QCustomPlot::mouseWheel, plot, [impl](QWheelEvent* event) {
    impl->zoomed = true;
    impl->plot->xAxis->moveRange(-impl->plot->xAxis->range().size() * event->angleDelta().y() / 1200.0);
    impl->plot->replot(QCustomPlot::rpQueuedReplot);
  });
  QObject::connect(plot->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), plot, [this, impl] {
    if (impl->figure == nullptr || impl->drawn.empty()) return;
    impl->feed();
    if (onViewChanged) onViewChanged();
  });
}

FigurePlot::~FigurePlot() {
  if (impl_->plot) impl_->plot->disconnect();
}

QWidget* FigurePlot::widget() { return impl_->plot; }

void FigurePlot::draw(std::shared_ptr<const Figure> figure, const FigurePaint& paint) {
  if (figure->id != impl_->id) impl_->zoomed = false;
  impl_->drawn.clear();  // they point into the figure that goes
  impl_->figure = std::move(figure), impl_->id = impl_->figure->id, impl_->paint = paint;
  impl_->build();
}

void FigurePlot::arrange() {
  if (impl_->figure) impl_->arrange();
}

void FigurePlot::resetZoom() {
  impl_->zoomed = false;
  if (impl_->figure) impl_->setFullRange();
  replot(false);
}

void FigurePlot::replot(bool now) { impl_->plot->replot(now ? QCustomPlot::rpImmediateRefresh : QCustomPlot::rpQueuedReplot); }

std::optional<double> FigurePlot::xAt(const QPointF& position) const {
  if (!impl_->plot->axisRect()->rect().contains(position.toPoint())) return std::nullopt;
  return impl_->plot->xAxis->pixelToCoord(position.x());
}

void FigurePlot::mark(std::optional<double> x) {
  QCPItemStraightLine*& line = impl_->hover;
  if (!line) {
    line = new QCPItemStraightLine(impl_->plot);
    line->setLayer("overlay");
    line->setPen(QPen(impl_->colours.muted, 1));
    for (QCPItemPosition* point : {line->point1, line->point2}) point->setTypeY(QCPItemPosition::ptAxisRectRatio);
  }
  line->setVisible(x.has_value());
  line->point1->setCoords(x.value_or(0), 0);
  line->point2->setCoords(x.value_or(0), 1);
  impl_->plot->layer("overlay")->replot();
}

std::size_t FigurePlot::pointsShown() const { return impl_->shown; }
std::size_t FigurePlot::pointsVisible() const { return impl_->visible; }

QPixmap FigurePlot::toPixmap(int width, int height, double scale) { return impl_->plot->toPixmap(width, height, scale); }

void FigurePlot::toPainter(QPaintDevice& device, int width, int height, double scale) {
  QCPPainter painter(&device);
  painter.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching | QCPPainter::pmNonCosmetic);
  painter.scale(scale, scale);
  impl_->plot->toPainter(&painter, width, height);
}

}  // namespace paceline::figure
