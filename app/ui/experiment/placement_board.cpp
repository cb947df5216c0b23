#include "app/ui/experiment/experiment_form.h"

#include <algorithm>
#include <set>

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>

#include "app/models/words.h"
#include "app/ui/palette/keys.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::experiment {
namespace {

constexpr int kCardWidth = 200, kSpace = 8;
constexpr int kChipHeight = 26, kPad = 12;

// All that a card shows: nothing is built again while this stays.
QString fingerprint(const std::vector<PlaceCard>& cards, const PlacementModel& placement) {
  QString all;
  for (const PlaceCard& card : cards) {
    all += qtext(card.host) + card.capabilities + QString::number(static_cast<int>(card.standing)) + '\n';
    for (const std::string& id : card.nodes)
      if (const NodeSpec* node = placement.node(id)) all += qtext(id) + qtext(node->device) + QString::number(static_cast<int>(node->role)) + ' ';
  }
  return all;
}

class NodeChip : public QToolButton {
 public:
  NodeChip(const NodeSpec& node, QWidget* parent) : QToolButton(parent), node_(node.id) {
    setText(node.device == "cpu" ? qtext(node.id) : QString("%1 · %2").arg(qtext(node.id), qtext(node.device)));
    setIcon(widgets::icon(node.role == Role::kServer ? "clusters" : "computer"));
    setIconSize(QSize(14, 14));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::OpenHandCursor);
    setObjectName("chip-" + qtext(node.id));
    setAccessibleName(tr("%1 %2 on %3, %4").arg(said(roleName(node.role)), qtext(node.id), qtext(node.host), qtext(node.device)));
    setToolTip(tr("%1, device %2. Drag to another host; Alt+Left and Alt+Right move it, the menu key offers hosts and devices.")
                   .arg(said(roleName(node.role)), qtext(node.device)));
    setCheckable(true);
    setContextMenuPolicy(Qt::NoContextMenu);
  }
  const std::string& node() const { return node_; }

 private:
  std::string node_;
};

class HostCard : public QFrame {
 public:
  HostCard(const PlaceCard& card, QWidget* parent) : QFrame(parent), card_(card) {
    setObjectName("placeCard");
    setAccessibleName(tr("Host %1, %2").arg(qtext(card.host), card.capabilities));
    auto* name = new widgets::ElidedLabel("", card.host == "local" ? tr("This computer") : qtext(card.host));
    name->setStyleSheet("font-weight: 600;");
    auto* badge = new widgets::StateBadge;
    badge->setMark(card.known ? widgets::standingMark(card.standing) : widgets::StateMark{"failed", widgets::Token::kBad}, card.known ? clusters::standingWord(card.standing) : tr("Unknown"));
    QVBoxLayout* column = widgets::down({widgets::across({{name, 1}, badge})}, {kPad, 10, kPad, 10}, 2);
    setLayout(column);
    for (const QString& line : card.capabilities.split('\n')) column->addWidget(new widgets::ElidedLabel("caption", line));
    widgets::addAll(column, {widgets::gap(4), {chips_, 1}});
    setTarget(false);
  }
  const std::string& host() const { return card_.host; }
  bool known() const { return card_.known; }
  QWidget* chips() const { return chips_; }

  void setTarget(bool target) {  // nodes would be dropped here
    setStyleSheet(QString("QFrame#placeCard { background: %1; border: %2 solid %3; border-radius: 8px; }")
                      .arg(widgets::hex(target ? widgets::Token::kAccentSoft : widgets::Token::kSurface), target ? "2px" : "1px",
                           widgets::hex(target ? widgets::Token::kAccent : widgets::Token::kBorder)));
  }

  // Places the chips in rows and says how high that is.
  int heightFor(int width) const {
    int x = 0, y = 0;
    const int room = width - 2 * kPad, high = widgets::scaled(kChipHeight);
    for (QWidget* chip : chips_->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
      const int wide = std::min(chip->sizeHint().width(), room);
      if (x > 0 && x + wide > room) x = 0, y += high + 4;
      chip->setGeometry(x, y, wide, high);
      x += wide + 4;
    }
    chips_->setMinimumHeight(y + high);
    for (QWidget* each : findChildren<QWidget*>()) each->ensurePolished();  // else their words have another size
    layout()->invalidate();
    return layout()->minimumSize().height();
  }

 private:
  PlaceCard card_;
  QWidget* chips_ = new QWidget;
};

class PlacementBoard : public QScrollArea {
 public:
  explicit PlacementBoard(PlacementModel& placement) : placement_(placement), inside_(new QWidget) {
    setObjectName("placementBoard");
    setAccessibleName(tr("Placement of nodes on hosts"));
    palette::tellKeys(this, tr("Board of nodes"), {{tr("Arrow keys"), tr("Another node")}, {tr("Space"), tr("Select it, or no more")}, {tr("Alt+Left  Alt+Right"), tr("Move the selected nodes to the next host")}, {tr("Menu"), tr("Hosts and devices of the node")}});
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    inside_->setObjectName("plain");
    setWidget(inside_);
    connect(&placement_, &PlacementModel::changed, this, &PlacementBoard::rebuild);
    connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, [this] { shown_.clear(), rebuild(); });
    rebuild();
  }
  const std::set<std::string>& picked() const { return picked_; }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QScrollArea::resizeEvent(event);
    arrange();
  }

  bool eventFilter(QObject* object, QEvent* event) override {
    auto* chip = dynamic_cast<NodeChip*>(object);
    if (!chip) return QScrollArea::eventFilter(object, event);
    switch (event->type()) {
      case QEvent::MouseButtonPress:
      case QEvent::MouseMove:
      case QEvent::MouseButtonRelease: return mouse(chip, event);
      case QEvent::KeyPress: {
        const auto* pressed = static_cast<QKeyEvent*>(event);
        return key(chip, pressed->key(), pressed->modifiers());
      }
      case QEvent::ContextMenu: menu(chip, static_cast<QContextMenuEvent*>(event)->globalPos()); return true;
      default: return false;
    }
  }

 private:
  QWidget* chip(const std::string& node) const {  // nullptr: none
    const auto found = std::ranges::find(chips_, node, &NodeChip::node);
    return found == chips_.end() ? nullptr : *found;
  }

  void rebuild() {
    if (!dragged_.empty()) return;  // after the drop
    const std::vector<PlaceCard> cards = placement_.cards();
    const QString now = fingerprint(cards, placement_);
    if (now == shown_) return;
    shown_ = now;
    const auto focused = std::ranges::find(chips_, QApplication::focusWidget());
    const std::string focus = focused == chips_.end() ? std::string() : (*focused)->node();
    for (HostCard* card : cards_) card->deleteLater(), card->hide();
    cards_.clear();
    chips_.clear();
    source_ = nullptr;
    for (const PlaceCard& each : cards) {
      auto* card = new HostCard(each, inside_);
      cards_.push_back(card);
      for (const std::string& id : each.nodes) {
        const NodeSpec* node = placement_.node(id);
        if (!node || chip(id)) continue;  // a name that is there twice is one chip; the table tells them apart
        auto* made = new NodeChip(*node, card->chips());
        made->setChecked(picked_.contains(id));
        made->installEventFilter(this);
        chips_.push_back(made);
      }
      card->show();
    }
    std::erase_if(picked_, [this](const std::string& id) { return chip(id) == nullptr; });
    arrange();
    if (!focus.empty()) keepFocus(focus);
  }

  // Rows of cards of one width; a row is as high as its highest card.
  void arrange() {
    const int width = viewport()->width(), columns = std::max(1, (width + kSpace) / (kCardWidth + kSpace));
    const int wide = (width - (columns - 1) * kSpace) / columns;
    int y = 0;
    for (std::size_t first = 0; first < cards_.size(); first += static_cast<std::size_t>(columns)) {
      const std::size_t end = std::min(cards_.size(), first + static_cast<std::size_t>(columns));
      int high = 0;
      for (std::size_t i = first; i < end; ++i) high = std::max(high, cards_[i]->heightFor(wide));
      for (std::size_t i = first; i < end; ++i) cards_[i]->setGeometry(static_cast<int>(i - first) * (wide + kSpace), y, wide, high);
      y += high + kSpace;
    }
    inside_->resize(width, std::max(0, y - kSpace));
    setFixedHeight(std::clamp(inside_->height(), 80, 320));
  }

  std::vector<std::string> grabbed(const std::string& node) const {  // the selection when the node is in it, else the node
    if (!picked_.contains(node)) return {node};
    return {picked_.begin(), picked_.end()};
  }

  void beginDrag(NodeChip* chip, const QPoint& at) {
    dragged_ = grabbed(chip->node());
    chip->setCursor(Qt::ClosedHandCursor);
    ghost_ = widgets::label(dragged_.size() == 1 ? qtext(dragged_.front()) : tr("%n node(s)", nullptr, static_cast<int>(dragged_.size())), "", window());
    ghost_->setObjectName("dragGhost");
    ghost_->setAttribute(Qt::WA_TransparentForMouseEvents);
    ghost_->setStyleSheet(QString("background: %1; color: %2; border-radius: 6px; padding: 4px 10px;").arg(widgets::hex(widgets::Token::kAccent), widgets::hex(widgets::Token::kAccentText)));
    ghost_->adjustSize();
    ghost_->show();
    drag(at);
  }

  void drag(const QPoint& at) {
    ghost_->move(window()->mapFromGlobal(at) + QPoint(12, 8));
    ghost_->raise();
    HostCard* target = cardAt(at);
    for (HostCard* card : cards_) card->setTarget(card == target);
    const QPoint inView = viewport()->mapFromGlobal(at);
    if (inView.y() < 16) verticalScrollBar()->setValue(verticalScrollBar()->value() - 12);
    if (inView.y() > viewport()->height() - 16) verticalScrollBar()->setValue(verticalScrollBar()->value() + 12);
  }

  void drop(const QPoint& at) {
    const HostCard* target = cardAt(at);
    const std::vector<std::string> nodes = dragged_;
    const std::string host = target && target->known() ? target->host() : std::string();
    endDrag();
    if (!host.empty()) placement_.move(nodes, host);
    rebuild();
  }

  void endDrag() {
    dragged_.clear();
    delete ghost_;
    ghost_ = nullptr;
    if (source_) source_->setCursor(Qt::OpenHandCursor);
    source_ = nullptr;
    for (HostCard* card : cards_) card->setTarget(false);
  }

  HostCard* cardAt(const QPoint& at) const {
    for (HostCard* card : cards_)
      if (card->rect().contains(card->mapFromGlobal(at))) return card;
    return nullptr;
  }

  bool mouse(NodeChip* chip, QEvent* event) {
    const auto* at = static_cast<QMouseEvent*>(event);
    const QPoint where = at->globalPosition().toPoint();
    if (event->type() == QEvent::MouseButtonPress) {
      if (at->button() != Qt::LeftButton) return false;
      pressed_ = where;
      source_ = chip;
      chip->setFocus(Qt::MouseFocusReason);
      return true;
    }
    if (source_ != chip) return false;
    if (event->type() == QEvent::MouseMove) {
      if (!(at->buttons() & Qt::LeftButton)) return false;
      if (!dragged_.empty()) drag(where);
      else if ((where - pressed_).manhattanLength() >= QApplication::startDragDistance()) beginDrag(chip, where);
      return true;
    }
    if (!dragged_.empty()) {
      drop(where);
    } else {
      endDrag();
      key(chip, Qt::Key_Space, Qt::NoModifier);
    }
    return true;
  }

  bool key(NodeChip* chip, int key, Qt::KeyboardModifiers modifiers) {
    const bool move = modifiers & Qt::AltModifier;
    switch (key) {
      case Qt::Key_Left:
      case Qt::Key_Up: move ? moveBy(chip, -1) : step(chip, -1); return true;
      case Qt::Key_Right:
      case Qt::Key_Down: move ? moveBy(chip, 1) : step(chip, 1); return true;
      case Qt::Key_Space:
        if (!picked_.erase(chip->node())) picked_.insert(chip->node());
        chip->setChecked(picked_.contains(chip->node()));
        return true;
      case Qt::Key_Return:
      case Qt::Key_Enter:
      case Qt::Key_Menu: menu(chip, chip->mapToGlobal(QPoint(0, chip->height()))); return true;
      case Qt::Key_Escape:
        if (dragged_.empty()) return false;
        endDrag();
        return true;
      default: return false;
    }
  }

  void step(NodeChip* chip, int by) {  // focus
    const auto at = std::ranges::find(chips_, chip) - chips_.begin() + by;
    if (at < 0 || at >= static_cast<std::ptrdiff_t>(chips_.size())) return;
    keepFocus(chips_[static_cast<std::size_t>(at)]->node());
  }

  void moveBy(NodeChip* chip, int by) {  // to the card that many further
    const NodeSpec* node = placement_.node(chip->node());
    if (!node) return;
    const auto at = std::ranges::find(cards_, node->host, &HostCard::host) - cards_.begin() + by;
    if (at < 0 || at >= static_cast<std::ptrdiff_t>(cards_.size()) || !cards_[static_cast<std::size_t>(at)]->known()) return;
    placement_.move(grabbed(chip->node()), cards_[static_cast<std::size_t>(at)]->host());
  }

  void menu(NodeChip* chip, const QPoint& at) {
    const NodeSpec* node = placement_.node(chip->node());
    if (!node) return;
    const std::string id = node->id;
    auto* made = new QMenu(this);
    made->setAttribute(Qt::WA_DeleteOnClose);
    made->setObjectName("placementMenu");
    const auto offer = [this](QMenu* to, const std::string& what, bool now, bool possible, auto act) {
      QAction* action = to->addAction(qtext(what), this, act);
      action->setEnabled(possible);
      action->setCheckable(true);
      action->setChecked(now);
    };
    const std::vector<std::string> nodes = grabbed(id);
    QMenu* hosts = made->addMenu(nodes.size() > 1 ? tr("Move the selected %1 to").arg(nodes.size()) : tr("Move to"));
    for (const HostCard* card : cards_)
      offer(hosts, card->host(), card->host() == node->host, card->known(), [this, nodes, host = card->host()] { placement_.move(nodes, host); });
    QMenu* devices = made->addMenu(tr("Device"));
    for (const QString& name : placement_.devices(node->host)) {
      const std::string device = name.toStdString();
      offer(devices, device, device == node->device, true, [this, id, device] { placement_.setDevice(id, device); });
    }
    made->popup(at);
  }

  void keepFocus(const std::string& node) {
    QWidget* found = chip(node);
    if (!found) return;
    found->setFocus(Qt::OtherFocusReason);
    ensureWidgetVisible(found, 8, 8);
  }

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

}  // namespace

QScrollArea* placementBoard(PlacementModel& placement) { return new PlacementBoard(placement); }

std::vector<int> pickedRows(const QScrollArea* board, const RunSpec& spec) {
  std::vector<int> rows;
  for (const std::string& id : static_cast<const PlacementBoard*>(board)->picked())
    if (const int row = spec.nodeIndex(id); row >= 0) rows.push_back(row);
  std::ranges::sort(rows);
  return rows;
}

}  // namespace paceline::experiment
