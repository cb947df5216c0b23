// Links between hosts as a picture: a row for the sender, a column for the receiver, each cell shaded by its bandwidth with Mbit/s and ms as
// text; an unreachable host is marked by icon and word. Scrolls with its headers in place; arrow keys move the current cell. GUI thread.
#pragma once

#include <QAbstractScrollArea>

#include "app/models/clusters/links_model.h"
#include "app/ui/widgets/theme.h"

namespace paceline::clusters {

class LinkMatrix : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit LinkMatrix(LinksModel& links, QWidget* parent = nullptr);
  void setHosts(const std::vector<std::string>& hosts);
  const std::vector<std::string>& hosts() const { return hosts_; }
  QString describe(int from, int to) const;  // the tool tip
  QRect cell(int from, int to) const;        // in the viewport

  static QColor shade(double level, const widgets::Theme& theme);
  static QColor inkOn(const QColor& background, const widgets::Theme& theme);  // contrast at least 4.5

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void layoutCells();
  void paintHeads(QPainter& painter) const;
  void paintCells(QPainter& painter, const QRect& clip) const;
  void paintLink(QPainter& painter, const QRect& rect, const check::LinkMeasure* link) const;
  std::pair<int, int> cellAt(const QPoint& at) const;  // -1, -1: none
  void setCurrent(int from, int to);

  LinksModel& links_;
  std::vector<std::string> hosts_;
  int head_ = 120, cellWidth_ = 96;
  int from_ = 0, to_ = 1;
};

// The scale below the matrix.
class LinkScale : public QWidget {
  Q_OBJECT
 public:
  explicit LinkScale(QWidget* parent = nullptr);

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace paceline::clusters
