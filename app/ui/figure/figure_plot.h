// The plotting library behind a plain face: figure_view.cpp (what is drawn) and figure_arrangement.cpp (where it stands) implement it and alone know the library. GUI thread.
// The figure given to draw() must live until the next draw() or the end.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <QFontMetricsF>
#include <QPixmap>
#include <QPointer>
#include <QWidget>

#include "app/figures/figure.h"
#include "app/ui/figure/figure_style.h"

class QCPAxis;
class QCPBars;
class QCPGraph;
class QCPItemStraightLine;
class QCPItemText;
class QCustomPlot;

namespace paceline::figure {

struct BandEntry;

struct FigurePaint {
  FigureStyle style = FigureStyle::kModern;
  bool dark = false;
  QFont font;
  bool picture = false;  // a file: nobody can point at what is left out, so nothing is; fits() says whether there is room
  bool thumbnail = false;  // shapes alone: no words, no numbers
};

class FigurePlot {
 public:
  explicit FigurePlot(QWidget* parent = nullptr);
  ~FigurePlot();

  QWidget* widget();
  // Keeps the figure until the next: the widget may lay itself out in between. A zoom stays while the figure keeps its id.
  void draw(std::shared_ptr<const Figure> figure, const FigurePaint& paint);
  void arrange();                                            // after a change of size
  bool fits(double leastHeight) const;                       // as arranged: axes (as high as that, in px), titles and legend have room, names are told apart
  void resetZoom();
  void replot(bool now);
  std::optional<double> xAt(const QPointF& position) const;  // nullopt: outside of the axes
  void mark(std::optional<double> x);                        // a line from top to bottom
  QRectF area() const;                                       // that parallel coordinates are painted in
  void setFaint(bool faint);                                 // their lines, under those that are chosen
  std::size_t pointsShown() const { return shown_; }
  std::size_t pointsVisible() const { return visible_; }

  std::function<void()> onViewChanged;  // zoomed, panned or reset

  // Off the screen, `width` x `height` px at 96 dpi.
  QPixmap toPixmap(int width, int height, double scale);
  void toPainter(QPaintDevice& device, int width, int height, double scale);

 private:
  struct Drawn {
    const Line* line;
    QCPGraph *graph, *raw;
    QCPItemText* label;  // nullptr: faint
  };
  struct BarText {
    QCPItemText* label;
    QString text;
    double room;  // of a category
    bool number;  // else the reason why there is none
  };
  void styleAxis(QCPAxis* axis, const Axis& spec);
  void addLine(const Line& line);
  SeriesLook lookOf(const Line& line) const { return lineLook(*figure_, line, paint_.style, paint_.dark); }
  QCPGraph* addFaint(QColor colour);
  void addMarkers(const Line& line, const SeriesLook& look);
  void addBand(const Band& band);
  void addBandEntry(const BandEntry& entry);
  QColor bandColour(std::optional<int> series) const;
  void addReference(const Reference& reference);
  void addPublished();
  void addParallel();
  void addSpans();
  void addBars();
  QCPBars* addBarSet(const BarSet& set, double width, const std::vector<double>& keys, bool named);
  void addBarTexts(const std::vector<std::string>& texts, double room, const std::vector<double>& keys, const std::vector<double>& tops);
  void nameCategories();
  void fitBarTexts();
  double aboveAxes() const;
  void layOut();
  double categoryWidth() const;
  void feed();
  void placeLabels();
  void showLegend(bool show);
  void setFullRange();
  bool labelsFit() const;
  double rowHeight() const { return QFontMetricsF(paint_.font).height(); }
  double textWidth(const std::string& words) const { return QFontMetricsF(paint_.font).horizontalAdvance(QString::fromStdString(words)); }
  int labelWidth() const;

  QPointer<QCustomPlot> plot_;  // a parent may delete it first
  bool owned_;
  std::shared_ptr<const Figure> figure_;
  FigurePaint paint_;
  ChartColours colours_;
  std::vector<Drawn> drawn_;
  std::vector<BarText> barTexts_;
  bool alone_ = false;  // one bar in a category
  bool namesTold_ = true;  // no two categories look alike because they were shortened
  bool reasonsWhole_ = true;  // why a bar is missing is not shortened
  QCPItemStraightLine* hover_ = nullptr;
  bool zoomed_ = false, direct_ = false, faint_ = false;
  std::size_t shown_ = 0, visible_ = 0;
};

}  // namespace paceline::figure
