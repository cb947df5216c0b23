// Links between hosts as a picture: a row for the sender, a column for the receiver, each cell shaded by its bandwidth with Mbit/s and ms as
// text; an unreachable host is marked by icon and word. Arrow keys move the current cell. GUI thread.
#pragma once

#include <QLabel>
#include <QTableWidget>

#include "app/models/clusters/host_tasks.h"
#include "app/ui/widgets/theme.h"

namespace paceline::clusters {

class LinkMatrix : public QTableWidget {
  Q_OBJECT
 public:
  explicit LinkMatrix(LinksModel& links);
  void setHosts(const std::vector<std::string>& hosts);
  const std::vector<std::string>& hosts() const { return hosts_; }
  QString describe(int from, int to) const;  // the tool tip

  static QColor shade(double level, const widgets::Theme& theme);
  static QColor inkOn(const QColor& background, const widgets::Theme& theme);  // contrast at least 4.5

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void layoutCells();
  void paintCell(QPainter& painter, const QRect& rect, const QModelIndex& at) const;
  void showTip(const QPoint& place, const QModelIndex& cell);

  LinksModel& links_;
  std::vector<std::string> hosts_;
  QLabel* corner_;
};

QWidget* linkScale();  // below the matrix: four bandwidths and their shades

}  // namespace paceline::clusters
