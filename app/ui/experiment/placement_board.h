// Nodes on hosts: a card for each host, a chip for each node. Chips are dragged from card to card; by keyboard: arrows move the focus, Space
// selects, Alt+Left and Alt+Right move the selected nodes to the neighbouring host, the menu key offers hosts and devices. GUI thread.
#pragma once

#include <map>
#include <set>
#include <vector>

#include <QFrame>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>

#include "app/models/experiment/placement_model.h"

namespace paceline::experiment {

class HostCard;
class NodeChip;

class PlacementBoard : public QScrollArea {
  Q_OBJECT
 public:
  explicit PlacementBoard(PlacementModel& placement, QWidget* parent = nullptr);

  NodeChip* chip(const std::string& node) const;
  HostCard* card(const std::string& host) const;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void rebuild();
  void arrange();
  std::vector<std::string> grabbed(const std::string& node) const;  // the selection when the node is in it, else the node
  void beginDrag(NodeChip* chip, const QPoint& at);
  void drag(const QPoint& at);
  void drop(const QPoint& at);
  void endDrag();
  HostCard* cardAt(const QPoint& at) const;
  bool mouse(NodeChip* chip, QEvent* event);
  bool key(NodeChip* chip, int key, Qt::KeyboardModifiers modifiers);
  void step(NodeChip* chip, int by);        // focus
  void moveBy(NodeChip* chip, int by);      // to the card that many further
  void menu(NodeChip* chip, const QPoint& at);
  void keepFocus(const std::string& node);

  PlacementModel& placement_;
  QWidget* inside_;
  std::vector<HostCard*> cards_;
  std::vector<NodeChip*> chips_;  // in the order of cards
  std::set<std::string> picked_;  // nodes
  std::vector<std::string> dragged_;
  QPoint pressed_;
  NodeChip* source_ = nullptr;
  QLabel* ghost_ = nullptr;
  QString shown_;
};

class HostCard : public QFrame {
  Q_OBJECT
 public:
  HostCard(const PlaceCard& card, QWidget* parent);
  const std::string& host() const { return card_.host; }
  const PlaceCard& card() const { return card_; }
  void setTarget(bool target);  // nodes would be dropped here
  QWidget* chips() const { return chips_; }
  int heightFor(int width) const;

 private:
  PlaceCard card_;
  QWidget* chips_;
};

class NodeChip : public QToolButton {
  Q_OBJECT
 public:
  NodeChip(const NodeSpec& node, QWidget* parent);
  const std::string& node() const { return node_; }
  void setPicked(bool picked);

 private:
  std::string node_;
};

}  // namespace paceline::experiment
