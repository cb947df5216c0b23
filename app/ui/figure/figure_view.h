// Paints a Figure: on the screen, to PNG, SVG and PDF, always by the same code. GUI thread (a QApplication must exist; offscreen will do).
// Owns a copy of the figure. Saving throws Error{kUsage} for an unknown format, too large a PNG and a size in which
// the figure cannot be read (the sentence names one that is enough), and Error{kFile} naming the file.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <QElapsedTimer>
#include <QLabel>
#include <QPicture>
#include <QPixmap>
#include <QPushButton>
#include <QStringList>
#include <QTimer>

#include "app/figures/figure.h"
#include "app/ui/figure/figure_style.h"

namespace paceline::widgets {
class ElidedLabel;
}

namespace paceline::figure {

class FigurePlot;
class ParallelBrushes;

class FigureView : public QWidget {
  Q_OBJECT
 public:
  explicit FigureView(QWidget* parent = nullptr);
  ~FigureView() override;

  // Repaints at most ten times a second; a zoom stays while the figure keeps its id.
  void setFigure(Figure figure);
  void setFigureStyle(FigureStyle style);
  void setCompact(bool compact);  // no notes, no toolbar: beside live numbers
  const Figure& figure() const { return *figure_; }
  void paintNow();  // builds and paints before it returns
  void setCursor(std::optional<double> x);  // a line from top to bottom
  void setNoteLines(int lines);             // of the notes below, at most; the tool tip has all of them

 signals:
  void exportAsked();
  void runsChosen(const std::vector<std::string>& runs);  // of parallel coordinates: those within the parts that are chosen
  void cursorMoved(std::optional<double> x);  // by the pointer; none: it has left

 protected:
  void enterEvent(QEnterEvent*) override { toolbar_->setVisible(!compact_ && !figure_->empty()); }
  void leaveEvent(QEvent*) override { toolbar_->hide(); }
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* plot, QEvent* event) override;  // where the pointer is, without a subclass of the plot

 private:
  void followTheme();
  void schedule();
  void showNotes();
  void hoverAt(const QPointF& position);
  QWidget* makeToolbar();
  QWidget* makeBrushRow();
  void showBrushes();
  void placeBrushes();
  void followBrushes();
  void chooseWithin();

  std::shared_ptr<const Figure> figure_ = std::make_shared<const Figure>(), told_ = figure_;  // told: in the interface's words, as it is drawn
  FigureStyle style_ = FigureStyle::kModern;
  bool compact_ = false, stale_ = false;  // stale: to be drawn anew
  std::unique_ptr<FigurePlot> plot_;
  QLabel *card_, *notes_;
  widgets::ElidedLabel* within_;
  ParallelBrushes* brushes_ = nullptr;  // over the plot, once it shows parallel coordinates
  QWidget* brushRow_;         // how many are within, and what can be done with them
  QPushButton *compareWithin_, *clearParts_;
  int noteLines_ = 3;
  QWidget* toolbar_;
  QTimer timer_;
  QElapsedTimer sinceReplot_;
};

// The figure with its words in the interface's language; the same one in English.
std::shared_ptr<const Figure> inWords(std::shared_ptr<const Figure> figure);
QString description(const Figure& figure);  // what it shows, as a sentence: ends of axes and lines, values of bars

struct FigureFile {
  QString path;  // .png, .svg, .pdf
  FigureStyle style = FigureStyle::kModern;
  bool dark = false;
  double widthMm = 160;
  double heightMm = 0;     // 0: five eighths of the width, or more where the legend or names need it
  double fontPoints = 9;
  int dpi = 300;  // PNG only
};
void saveFigure(const Figure& figure, FigureFile file);

// For a page with text: as paint commands, at 96 dpi.
struct FigureDrawing {
  QPicture picture{};
  QSize size{};  // px
};
FigureDrawing drawFigure(const std::shared_ptr<const Figure>& figure, FigureFile file);  // its path does not count; throws as saveFigure() does
void paint(QPainter& painter, const FigureDrawing& drawing);  // at the painter's origin, a px of the drawing as its unit, whatever the device's resolution
QByteArray svgOf(const FigureDrawing& drawing, const QString& title);

void writeFile(const QString& path, const QByteArray& bytes);  // by replaceFile(): the whole or nothing

// paceline-workbench render FIGURE.json -o FILE: paints a figure document without a window and without a store. What `paceline figure` runs.
int renderCommand(const QStringList& arguments);  // after "render"; 0, 1 (cannot read or write) or 2 (usage), with one line on stderr
int exitOf(const std::function<void()>& command);  // of a command of this program: 0; what it throws is a line on stderr, and 2 for usage, 1 for all else

// As small as a stamp, of what thumbnailOf() has left of it. As many px as size x ratio.
QPixmap thumbnail(const Figure& figure, const QSize& size, double ratio, FigureStyle style, bool dark);

// Builds a view of that size, gives it the figure and paints it once; for the bench.
double figurePaintMilliseconds(const Figure& figure, const QSize& size = QSize(1200, 700));

}  // namespace paceline::figure
