// Paints a Figure: on the screen, to PNG, SVG and PDF, always by the same code. GUI thread (a QApplication must exist; offscreen will do).
// Owns a copy of the figure. Saving throws Error{kUsage} for an unknown format and Error{kFile} naming the file.
#pragma once

#include <memory>

#include <QString>
#include <QWidget>

#include "app/figures/figure.h"
#include "app/ui/figure/figure_style.h"

class QLabel;

namespace paceline::figure {

class FigureView : public QWidget {
  Q_OBJECT
 public:
  explicit FigureView(QWidget* parent = nullptr);
  ~FigureView() override;

  // Repaints at most ten times a second; a zoom stays while the figure keeps its id.
  void setFigure(Figure figure);
  void setFigureStyle(FigureStyle style);
  void setCompact(bool compact);  // no notes, no toolbar: beside live numbers
  const Figure& figure() const;
  void resetZoom();
  void paintNow();  // builds and paints before it returns

 signals:
  void exportAsked();

 protected:
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Impl;
  void followTheme();
  void schedule();
  void showNotes();
  void hoverAt(const QPointF& position);
  QWidget* makeToolbar();
  std::unique_ptr<Impl> impl_;
};

struct FigureFile {
  QString path;  // .png, .svg, .pdf
  FigureStyle style = FigureStyle::kModern;
  bool dark = false;
  double widthMm = 160, heightMm = 100;
  double fontPoints = 9;
  int dpi = 300;  // PNG only
};
void saveFigure(const Figure& figure, const FigureFile& file);

// Builds a view of that size, gives it the figure and paints it once; for the bench.
double figurePaintMilliseconds(const Figure& figure, const QSize& size = QSize(1200, 700));

}  // namespace paceline::figure
