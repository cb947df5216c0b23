// Over a plot of parallel coordinates: a handle on each axis that chooses a part of it. What is within all parts is painted in colour over the faint rest.
// By mouse: drag along an axis chooses, the part or its ends are dragged further, a double click takes it away. By keys: Tab or Left and Right go from axis to axis,
// Up and Down move the part (Shift: its upper end alone, Ctrl: its lower one), Esc takes it away. GUI thread.
#pragma once

#include <memory>

#include <QWidget>

#include "app/ui/figure/parallel_picture.h"

namespace paceline::figure {

class AxisHandle;

class ParallelBrushes : public QWidget {
  Q_OBJECT
 public:
  explicit ParallelBrushes(QWidget* over);

  // Parts stay while the axes are called the same.
  void setFigure(std::shared_ptr<const Figure> figure, const ParallelLook& look);
  void setArea(const QRectF& area);  // where the plot paints it, in px of this widget
  bool brushed() const;              // a part of some axis is chosen
  const std::vector<std::size_t>& within() const { return within_; }  // indices of lines
  std::vector<std::string> runsWithin() const;
  const Brushes& brushes() const { return brushes_; }
  const ParallelPlaces& places() const { return places_; }
  const Figure& figure() const { return *figure_; }
  void setPart(std::size_t axis, std::optional<AxisPart> part);
  void clear();

 signals:
  void changed();
  void entered();  // Enter: these runs are to be compared

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;  // which run is below the pointer
  void leaveEvent(QEvent* event) override;

 private:
  friend class AxisHandle;
  void point(std::optional<std::size_t> line);
  void layOut();
  void follow();
  void goTo(std::size_t axis);
  double step(std::size_t axis) const;  // that an arrow key moves by, as a share of the axis

  std::shared_ptr<const Figure> figure_ = std::make_shared<const Figure>();
  ParallelLook look_;
  QRectF area_;
  ParallelPlaces places_;
  Brushes brushes_;
  std::vector<std::size_t> within_;
  std::optional<std::size_t> pointed_{};  // the line below the pointer
  std::vector<AxisHandle*> handles_;
};

// One axis: it has the keyboard and the mouse, and paints its part.
class AxisHandle : public QWidget {
  Q_OBJECT
 public:
  AxisHandle(ParallelBrushes& brushes, std::size_t axis);
  void describe();  // for screen readers

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent*) override { update(); }
  void focusOutEvent(QFocusEvent*) override { update(); }

 private:
  enum class Grip { kNone, kNew, kWhole, kLow, kHigh };
  Grip gripAt(double y) const;
  double shareAt(double y) const;
  double yOf(double share) const;
  void moveBy(double low, double high);

  ParallelBrushes& brushes_;
  std::size_t axis_;
  Grip grip_ = Grip::kNone;
  double from_ = 0;                  // share where the drag began
  std::optional<AxisPart> before_{};  // the part then
};

}  // namespace paceline::figure
