// Draws the edges of a decentralised run: workers on a circle or a grid, the edge under the mouse or chosen with the arrow keys by name. A drag from one worker to
// another asks for an edge between them, or for none where there is one; Del asks for the chosen one to go.
// GUI thread.
#pragma once

#include <QWidget>

#include "app/models/experiment/topology_graph.h"

namespace paceline::experiment {

class TopologyPreview : public QWidget {
  Q_OBJECT
 public:
  TopologyPreview();

  void show(TopologyGraph graph);
  const TopologyGraph& graph() const { return graph_; }
  int current() const { return current_; }  // the edge that is named; -1: none
  QPointF place(int node) const;            // of a worker, in pixels
  int edgeAt(const QPointF& at) const;      // -1: none near

  int nodeAt(const QPointF& at) const;      // -1: none near

  QSize sizeHint() const override { return {220, 264}; }
  QSize minimumSizeHint() const override { return sizeHint(); }

 signals:
  void toggled(int a, int b);  // workers

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent*) override { choose(-1); }
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void choose(int edge);
  void paintEdges(QPainter& painter) const;
  void paintNodes(QPainter& painter) const;
  double nodeRadius() const;

  TopologyGraph graph_;
  int current_ = -1;
  int from_ = -1;  // the worker that a drag began at; -1: none
  QPointF to_;     // where it is
};

}  // namespace paceline::experiment
