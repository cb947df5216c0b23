// Where the parts of a figure stand: margins, ticks, names of categories, texts over bars, labels at the lines' ends, the legend. What is drawn: figure_view.cpp.
#include <algorithm>
#include <cmath>
#include <set>

#include <qcustomplot.h>

#include "app/models/words.h"
#include "app/ui/figure/figure_layout.h"
#include "app/ui/figure/figure_plot.h"
#include "app/ui/figure/parallel_picture.h"

namespace paceline::figure {
namespace {

constexpr int kLabelGap = 8;
constexpr int kTicks = 5;  // of an axis, about, where there is room
constexpr double kNameGap = 6;  // px between two names of categories
constexpr double kUprightShare = 0.35;  // of the height, at most, for names that stand upright
constexpr double kUprightRows = 18;  // in a picture at least that long, in heights of a row: about forty letters
constexpr double kLeastRows = 5;     // of text: smaller axes cannot be read
constexpr int kPasses = 3;           // of the layout: names, titles and ticks follow the axes' size, and that follows them

// Names that are told apart whole are told apart as they are shown.
bool sameDistinct(const std::vector<std::string>& names, const QStringList& shown) {
  return std::set(names.begin(), names.end()).size() <= std::set(shown.begin(), shown.end()).size();
}

// Whole in lines of that length where they stand beside each other in `room`, else cut.
QString uprightText(const QString& text, const QFontMetricsF& metrics, double length, double room) {
  const QString lines = inLines(text, metrics, length);
  const bool whole = linesWidth(lines, metrics) <= length && static_cast<double>(lines.count('\n') + 1) * metrics.height() <= room;
  return whole ? lines : metrics.elidedText(text, Qt::ElideRight, length);
}

}  // namespace

// How wide one category is, in px, as the axes are laid out now.
double FigurePlot::categoryWidth() const {
  return plot_->axisRect()->width() / std::max<double>(1, static_cast<double>(figure_->x.categories.size()));
}

void FigurePlot::nameCategories() {
  namesTold_ = true;
  if (figure_->bars.empty()) return;
  const double most = std::max(kUprightShare * plot_->height(), paint_.picture ? kUprightRows * rowHeight() : 0);
  const CategoryNames names = categoryNames(figure_->x.categories, QFontMetricsF(paint_.font), categoryWidth() - kNameGap, most);
  namesTold_ = sameDistinct(figure_->x.categories, names.texts);
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  for (qsizetype i = 0; i < names.texts.size(); ++i) ticker->addTick(static_cast<double>(i), names.texts[i]);
  plot_->xAxis->setTicker(ticker);
  plot_->xAxis->setTickLabelRotation(names.upright ? -90 : 0);
}

// What stands over bars: numbers in lines where they are too wide, none where one does not fit then (the card beside the pointer has them);
// a reason in place of a bar in lines, else upright.
void FigurePlot::fitBarTexts() {
  const QFontMetricsF metrics(paint_.font);
  const auto roomOf = [&](const BarText& bar) { return bar.room * categoryWidth() - kNameGap; };
  const auto numberText = [&](const BarText& bar) { return metrics.horizontalAdvance(bar.text) <= roomOf(bar) ? bar.text : QString(bar.text).replace(" ± ", "\n± "); };
  reasonsWhole_ = true;
  const bool numbers = std::ranges::all_of(barTexts_, [&](const BarText& bar) { return !bar.number || linesWidth(numberText(bar), metrics) <= roomOf(bar); });
  for (const BarText& bar : barTexts_) {
    const double room = roomOf(bar);
    const QString lines = bar.number ? numberText(bar) : inLines(bar.text, metrics, room);
    const bool upright = !bar.number && (linesWidth(lines, metrics) > room || lines.count('\n') > 2);
    const QString shown = upright ? uprightText(bar.text, metrics, std::max<double>(plot_->axisRect()->height(), 2 * rowHeight()), room) : lines;
    reasonsWhole_ = reasonsWhole_ && QString(shown).replace('\n', ' ') == QString(bar.text).replace('\n', ' ');
    bar.label->setText(shown);
    bar.label->setRotation(upright ? -90 : 0);
    bar.label->setPositionAlignment(upright ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignHCenter | Qt::AlignBottom);
    bar.label->setVisible(numbers || !bar.number);
  }
}

// How far the texts over the bars reach above the top of the axes, in px.
double FigurePlot::aboveAxes() const {
  double above = 0;
  for (const BarText& bar : barTexts_) {
    if (!bar.label->visible() || bar.label->rotation() != 0) continue;
    const double high = static_cast<double>(bar.label->text().count('\n') + 1) * rowHeight() + bar.label->padding().bottom();
    above = std::max(above, plot_->axisRect()->top() - (bar.label->position->pixelPosition().y() - high));
  }
  return above;
}

int FigurePlot::labelWidth() const {
  double width = 0;
  for (const Line& line : figure_->lines)
    if (!line.faint) width = std::max(width, textWidth(line.label));
  return static_cast<int>(std::ceil(width));
}

bool FigurePlot::labelsFit() const {
  if (paint_.thumbnail || paint_.style == FigureStyle::kPublished || figure_->lines.empty() || !figure_->references.empty() || !figure_->bands.empty() || !figure_->published.empty() || !figure_->axes.empty()) return false;
  const double room = 0.7 * std::max(60, plot_->height() - 70);
  return allNamed(*figure_) && endsAtRight(*figure_) && static_cast<double>(figure_->lines.size()) * rowHeight() < room &&
         labelWidth() < plot_->width() / 4;
}

void FigurePlot::arrange() {
  if (!figure_) return;
  direct_ = labelsFit();
  for (const Drawn& d : drawn_)
    if (d.label) d.label->setVisible(direct_);
  const bool legend = !direct_ && !paint_.thumbnail && plot_->legend->itemCount() > 0;
  showLegend(legend);
  layOut();
  if (legend && !paint_.picture && !fits(0)) showLegend(false), layOut();  // a window that small: the card beside the pointer has the names
}

void FigurePlot::layOut() {
  const QFontMetricsF metrics(paint_.font);
  QCPAxisRect* axes = plot_->axisRect();
  axes->setAutoMargins(paint_.thumbnail ? QCP::msNone : QCP::msLeft | QCP::msBottom);
  plot_->setViewport(QRect(QPoint(), plot_->size()));
  double above = 0;
  for (int pass = 0; pass <= kPasses; ++pass) {
    if (paint_.thumbnail) axes->setMargins(QMargins(2, 2, 2, 2));
    else axes->setMargins(QMargins(0, kLabelGap + static_cast<int>(std::ceil(above)), direct_ ? labelWidth() + 2 * kLabelGap : 16, 0));
    for (const auto phase : {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout}) plot_->plotLayout()->update(phase);
    if (pass == kPasses || paint_.thumbnail) break;
    nameCategories();
    fitBarTexts();
    above = std::max(above, aboveAxes());
    plot_->xAxis->setLabel(titleInLines(qtext(figure_->x.title), metrics, axes->width()));
    plot_->yAxis->setLabel(titleInLines(qtext(figure_->y.title), metrics, axes->height()));
    plot_->yAxis->ticker()->setTickCount(std::clamp(static_cast<int>(axes->height() / (1.6 * rowHeight())), 2, kTicks));
    if (figure_->bars.empty()) plot_->xAxis->ticker()->setTickCount(std::clamp(static_cast<int>(axes->width() / (4 * rowHeight())), 2, kTicks));
  }
}

bool FigurePlot::fits(double leastHeight) const {
  const QRect axes = plot_->axisRect()->rect();
  const double least = kLeastRows * rowHeight();
  if (!figure_->axes.empty()) {
    const ParallelLook look{.font = paint_.font, .picture = paint_.picture};
    return axes.width() >= least && haveRoom(*figure_, placesOf(*figure_, axes, look), paint_.font, std::max(least, leastHeight));
  }
  const QFontMetricsF metrics(paint_.font);
  const bool titles = linesWidth(plot_->yAxis->label(), metrics) <= axes.height() + 2 * kLabelGap && linesWidth(plot_->xAxis->label(), metrics) <= plot_->width();
  const bool legend = !plot_->legend->visible() || plot_->legend->outerRect().right() <= plot_->width();
  return axes.height() >= std::max(least, leastHeight) && axes.width() >= least && titles && legend && namesTold_ && (reasonsWhole_ || !paint_.picture);
}

void FigurePlot::placeLabels() {
  if (!direct_) return;
  std::vector<double> wanted;
  std::vector<QCPItemText*> labels;
  for (const Drawn& d : drawn_)
    if (d.label) labels.push_back(d.label), wanted.push_back(plot_->yAxis->coordToPixel(lastFinite(*d.line)));
  const QRect area = plot_->axisRect()->rect();
  const std::vector<double> at = spreadLabels(wanted, rowHeight(), area.top() - kLabelGap, area.bottom() + kLabelGap);
  for (std::size_t i = 0; i < at.size(); ++i) labels[i]->position->setPixelPosition(QPointF(area.right() + kLabelGap, at[i]));
}

void FigurePlot::showLegend(bool show) {
  QCPLegend* legend = plot_->legend;
  if (legend->layout()) legend->layout()->take(legend);
  plot_->plotLayout()->simplify();
  legend->setVisible(show);
  if (!show) return;
  std::vector<double> widths;
  for (int i = 0; i < legend->itemCount(); ++i)
    if (auto* item = qobject_cast<QCPPlottableLegendItem*>(legend->item(i))) widths.push_back(QFontMetricsF(paint_.font).horizontalAdvance(item->plottable()->name()));
  const LegendFit fit = legendFit(widths, rowHeight(), plot_->size());
  QFont font = paint_.font;
  font.setPixelSize(std::max(4, static_cast<int>(std::lround(fit.scale * QFontInfo(font).pixelSize()))));
  legend->setWrap(fit.columns);
  legend->setFillOrder(QCPLayoutGrid::foColumnsFirst, true);
  legend->setBorderPen(Qt::NoPen), legend->setBrush(Qt::NoBrush);
  legend->setFont(font), legend->setTextColor(colours_.text);
  legend->setIconSize(static_cast<int>(26 * fit.scale), static_cast<int>(12 * fit.scale));
  legend->setRowSpacing(0), legend->setColumnSpacing(static_cast<int>(16 * fit.scale));
  // The library clips an entry to its text's height on the screen; a picture's finer font reaches lower: the foot of a y.
  const int foot = static_cast<int>(std::ceil(rowHeight() / 5));
  for (int i = 0; i < legend->itemCount(); ++i)
    if (QCPAbstractLegendItem* item = legend->item(i)) item->setFont(font), item->setMargins(QMargins(0, 1, 4, foot));  // none in a cell behind the last
  plot_->plotLayout()->addElement(1, 0, legend);
  plot_->plotLayout()->setRowStretchFactor(1, 0.001), plot_->plotLayout()->setRowSpacing(4);
}

}  // namespace paceline::figure
