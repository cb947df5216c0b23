// Who waits for whom: the lanes of a run, one a node, time to the right. The wheel zooms at the pointer, Shift and the wheel pan, a click on a wait draws an arrow to
// whom it was for and says why; Space holds the view still. Keys: + - Left Right Home End 0, Up and Down choose a lane, Ctrl+Left and Ctrl+Right a wait of it.
// GUI thread.
#pragma once

#include <memory>
#include <optional>

#include <QAbstractScrollArea>

#include "app/figures/lanes/lanes.h"

namespace paceline::runs {

class LanesView : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit LanesView(QWidget* parent = nullptr);

  struct Range {
    double begin = 0, end = 1;  // s
    double length() const { return end - begin; }
    bool operator==(const Range&) const = default;
  };
  void setTimeline(std::shared_ptr<const lanes::Timeline> timeline);
  void showAll();       // and what comes, as it grows, unless the view is held still
  const Range& range() const { return range_; }
  bool showsAll() const { return all_; }
  void setRange(Range range);
  bool held() const { return held_; }
  void setHeld(bool held);
  void setCursor(std::optional<double> seconds);  // a line through all lanes
  QString sentence() const { return sentence_; }  // of the wait that is chosen
  std::size_t spansWanted() const;                // of a lane, in this width
  QSize minimumSizeHint() const override;

  // Where things are, in px of the viewport.
  double xAt(double seconds) const;
  double secondsAt(double x) const;
  QRect laneRect(std::size_t lane) const;

 signals:
  void rangeChanged();                     // another part is shown
  void cursorMoved(std::optional<double> seconds);  // by the pointer; none: it has left
  void told(const QString& words);         // of what is below the pointer, or of the wait that was chosen
  void heldChanged(bool held);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent*) override { viewport()->update(); }
  void focusOutEvent(QFocusEvent*) override { viewport()->update(); }

 private:
  struct Chosen {
    std::string node;
    lanes::Gap gap;
  };
  void zoom(double factor, double at);
  void pan(double share);
  void moveTo(Range range);
  void choose(std::size_t lane, const lanes::Gap& gap);
  void chooseNext(int step);
  void chooseLane(int step);
  void unchoose();
  void tellMiddle();
  std::optional<std::size_t> laneAt(int y) const;
  QString wordsAt(std::size_t lane, double seconds) const;
  void layOut();
  void describe();
  QString lanesWords() const;
  int linkHeight() const;  // px of a lane's lower edge that show what it has under way
  void paintLane(QPainter& painter, std::size_t lane) const;
  void paintAxis(QPainter& painter) const;
  void paintChosen(QPainter& painter) const;
  int rowHeight() const { return row_; }

  std::shared_ptr<const lanes::Timeline> timeline_ = std::make_shared<const lanes::Timeline>();
  Range range_;
  bool all_ = true, held_ = false, goesOn_ = false;  // goesOn_: with all, once it is not held any more
  int labels_ = 60, row_ = 18, axis_ = 20;  // px: names at the left, a lane, the axis below
  std::optional<double> cursor_;
  std::optional<Chosen> chosen_;
  std::size_t current_ = 0;  // lane of the keyboard
  QString sentence_, words_;  // of the chosen wait; of the keyboard's lane
  std::optional<QPointF> dragged_;  // from here
  Range draggedRange_;
  bool moved_ = false;
};

}  // namespace paceline::runs
