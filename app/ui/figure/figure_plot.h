// The plotting library behind a plain face: figure_view.cpp implements it and is the only file that knows the library. GUI thread.
// The figure given to draw() must live until the next draw() or the end.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <QFont>
#include <QPixmap>
#include <QWidget>

#include "app/figures/figure.h"
#include "app/ui/figure/figure_style.h"

class QPainter;

namespace paceline::figure {

struct FigurePaint {
  FigureStyle style = FigureStyle::kModern;
  bool dark = false;
  QFont font;
};

class FigurePlot {
 public:
  explicit FigurePlot(QWidget* parent = nullptr);
  ~FigurePlot();

  QWidget* widget();
  // Keeps the figure until the next: the widget may lay itself out in between. A zoom stays while the figure keeps its id.
  void draw(std::shared_ptr<const Figure> figure, const FigurePaint& paint);
  void arrange();                                            // after a change of size
  void resetZoom();
  void replot(bool now);
  std::optional<double> xAt(const QPointF& position) const;  // nullopt: outside of the axes
  void mark(std::optional<double> x);                        // a line from top to bottom
  std::size_t pointsShown() const;
  std::size_t pointsVisible() const;

  std::function<void()> onViewChanged;  // zoomed, panned or reset

  // Off the screen, `width` x `height` px at 96 dpi.
  QPixmap toPixmap(int width, int height, double scale);
  void toPainter(QPaintDevice& device, int width, int height, double scale);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace paceline::figure
