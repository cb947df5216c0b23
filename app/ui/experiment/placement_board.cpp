#include "app/ui/experiment/placement_board.h"

#include <algorithm>

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>

#include "app/models/words.h"
#include "app/ui/clusters/host_check_list.h"
#include "app/ui/widgets/controls.h"

namespace paceline::experiment {

namespace {

constexpr int kCardWidth = 200, kSpace = 8;

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

}  // namespace

PlacementBoard::PlacementBoard(PlacementModel& placement, QWidget* parent) : QScrollArea(parent), placement_(placement), inside_(new QWidget) {
  setObjectName("placementBoard");
  setAccessibleName("Placement of nodes on hosts");
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  inside_->setObjectName("plain");
  setWidget(inside_);
  connect(&placement_, &PlacementModel::changed, this, &PlacementBoard::rebuild);
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, [this] { shown_.clear(), rebuild(); });
  rebuild();
}

void PlacementBoard::rebuild() {
  if (!dragged_.empty()) return;  // after the drop
  const std::vector<PlaceCard> cards = placement_.cards();
  const QString now = fingerprint(cards, placement_);
  if (now == shown_) return;
  shown_ = now;
  auto* focused = qobject_cast<NodeChip*>(QApplication::focusWidget());
  const std::string focus = focused && chips_.end() != std::find(chips_.begin(), chips_.end(), focused) ? focused->node() : std::string();
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
      made->setPicked(picked_.contains(id));
      made->installEventFilter(this);
      chips_.push_back(made);
    }
    card->show();
  }
  std::erase_if(picked_, [this](const std::string& id) { return chip(id) == nullptr; });
  arrange();
  if (!focus.empty()) keepFocus(focus);
}

void PlacementBoard::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  arrange();
}

// Rows of cards of one width; a row is as high as its highest card.
void PlacementBoard::arrange() {
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

NodeChip* PlacementBoard::chip(const std::string& node) const {
  const auto found = std::find_if(chips_.begin(), chips_.end(), [&node](const NodeChip* each) { return each->node() == node; });
  return found == chips_.end() ? nullptr : *found;
}

HostCard* PlacementBoard::card(const std::string& host) const {
  const auto found = std::find_if(cards_.begin(), cards_.end(), [&host](const HostCard* each) { return each->host() == host; });
  return found == cards_.end() ? nullptr : *found;
}

std::vector<std::string> PlacementBoard::grabbed(const std::string& node) const {
  if (!picked_.contains(node)) return {node};
  return {picked_.begin(), picked_.end()};
}

HostCard* PlacementBoard::cardAt(const QPoint& at) const {
  for (HostCard* card : cards_)
    if (card->rect().contains(card->mapFromGlobal(at))) return card;
  return nullptr;
}

void PlacementBoard::beginDrag(NodeChip* chip, const QPoint& at) {
  dragged_ = grabbed(chip->node());
  chip->setCursor(Qt::ClosedHandCursor);
  ghost_ = widgets::label(dragged_.size() == 1 ? qtext(dragged_.front()) : plural(static_cast<int>(dragged_.size()), "node"), "", window());
  ghost_->setObjectName("dragGhost");
  ghost_->setAttribute(Qt::WA_TransparentForMouseEvents);
  ghost_->setStyleSheet(QString("background: %1; color: %2; border-radius: 6px; padding: 4px 10px;").arg(widgets::hex(widgets::Token::kAccent), widgets::hex(widgets::Token::kAccentText)));
  ghost_->adjustSize();
  ghost_->show();
  drag(at);
}

void PlacementBoard::drag(const QPoint& at) {
  ghost_->move(window()->mapFromGlobal(at) + QPoint(12, 8));
  ghost_->raise();
  HostCard* target = cardAt(at);
  for (HostCard* card : cards_) card->setTarget(card == target);
  const QPoint inView = viewport()->mapFromGlobal(at);
  if (inView.y() < 16) verticalScrollBar()->setValue(verticalScrollBar()->value() - 12);
  if (inView.y() > viewport()->height() - 16) verticalScrollBar()->setValue(verticalScrollBar()->value() + 12);
}

void PlacementBoard::drop(const QPoint& at) {
  const HostCard* target = cardAt(at);
  const std::vector<std::string> nodes = dragged_;
  const std::string host = target && target->card().known ? target->host() : std::string();
  endDrag();
  if (!host.empty()) placement_.move(nodes, host);
  rebuild();
}

void PlacementBoard::endDrag() {
  dragged_.clear();
  delete ghost_;
  ghost_ = nullptr;
  if (source_) source_->setCursor(Qt::OpenHandCursor);
  source_ = nullptr;
  for (HostCard* card : cards_) card->setTarget(false);
}

bool PlacementBoard::eventFilter(QObject* object, QEvent* event) {
  auto* chip = qobject_cast<NodeChip*>(object);
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

bool PlacementBoard::mouse(NodeChip* chip, QEvent* event) {
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

bool PlacementBoard::key(NodeChip* chip, int key, Qt::KeyboardModifiers modifiers) {
  const bool move = modifiers & Qt::AltModifier;
  switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Up: move ? moveBy(chip, -1) : step(chip, -1); return true;
    case Qt::Key_Right:
    case Qt::Key_Down: move ? moveBy(chip, 1) : step(chip, 1); return true;
    case Qt::Key_Space:
      if (!picked_.erase(chip->node())) picked_.insert(chip->node());
      chip->setPicked(picked_.contains(chip->node()));
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

void PlacementBoard::step(NodeChip* chip, int by) {
  const auto at = std::find(chips_.begin(), chips_.end(), chip) - chips_.begin() + by;
  if (at < 0 || at >= static_cast<std::ptrdiff_t>(chips_.size())) return;
  keepFocus(chips_[static_cast<std::size_t>(at)]->node());
}

void PlacementBoard::keepFocus(const std::string& node) {
  NodeChip* found = chip(node);
  if (!found) return;
  found->setFocus(Qt::OtherFocusReason);
  ensureWidgetVisible(found, 8, 8);
}

void PlacementBoard::moveBy(NodeChip* chip, int by) {
  const NodeSpec* node = placement_.node(chip->node());
  if (!node) return;
  const auto at = std::find_if(cards_.begin(), cards_.end(), [node](const HostCard* card) { return card->host() == node->host; }) - cards_.begin() + by;
  if (at < 0 || at >= static_cast<std::ptrdiff_t>(cards_.size()) || !cards_[static_cast<std::size_t>(at)]->card().known) return;
  placement_.move(grabbed(chip->node()), cards_[static_cast<std::size_t>(at)]->host());
}

void PlacementBoard::menu(NodeChip* chip, const QPoint& at) {
  const NodeSpec* node = placement_.node(chip->node());
  if (!node) return;
  const std::string id = node->id;
  auto* made = new QMenu(this);
  made->setAttribute(Qt::WA_DeleteOnClose);
  made->setObjectName("placementMenu");
  QMenu* hosts = made->addMenu(grabbed(id).size() > 1 ? QString("Move the selected %1 to").arg(grabbed(id).size()) : QString("Move to"));
  for (const HostCard* card : cards_) {
    QAction* action = hosts->addAction(qtext(card->host()));
    action->setEnabled(card->card().known);
    action->setCheckable(true);
    action->setChecked(card->host() == node->host);
    connect(action, &QAction::triggered, this, [this, nodes = grabbed(id), host = card->host()] { placement_.move(nodes, host); });
  }
  QMenu* devices = made->addMenu("Device");
  for (const QString& device : placement_.devices(node->host)) {
    QAction* action = devices->addAction(device);
    action->setCheckable(true);
    action->setChecked(device.toStdString() == node->device);
    connect(action, &QAction::triggered, this, [this, id, device] { placement_.setDevice(id, device.toStdString()); });
  }
  made->popup(at);
}

namespace {

constexpr int kChipHeight = 26, kPad = 12, kHead = 70;

}  // namespace

HostCard::HostCard(const PlaceCard& card, QWidget* parent) : QFrame(parent), card_(card), chips_(new QWidget) {
  setObjectName("placeCard");
  setAccessibleName(QString("Host %1, %2").arg(qtext(card.host), card.capabilities));
  auto* name = new widgets::ElidedLabel(card.host == "local" ? QString("This computer") : qtext(card.host));
  name->setStyleSheet("font-weight: 600;");
  auto* badge = new widgets::StateBadge;
  badge->setMark(card.known ? clusters::standingMark(card.standing) : widgets::StateMark{"failed", widgets::Token::kBad}, card.known ? clusters::standingWord(card.standing) : QString("Unknown"));
  QVBoxLayout* column = widgets::down({widgets::across({{name, 1}, badge})}, {kPad, 10, kPad, 10}, 2);
  setLayout(column);
  for (const QString& line : card.capabilities.split('\n')) {
    auto* able = new widgets::ElidedLabel(line);
    able->setProperty("role", "caption");
    column->addWidget(able);
  }
  widgets::addAll(column, {widgets::gap(4), {chips_, 1}});
  setTarget(false);
}

void HostCard::setTarget(bool target) {
  setStyleSheet(QString("QFrame#placeCard { background: %1; border: %2; border-radius: 8px; }")
                    .arg(widgets::hex(target ? widgets::Token::kAccentSoft : widgets::Token::kSurface),
                         target ? QString("2px solid %1").arg(widgets::hex(widgets::Token::kAccent)) : QString("1px solid %1").arg(widgets::hex(widgets::Token::kBorder))));
}

// Places the chips in rows and says how high that is.
int HostCard::heightFor(int width) const {
  int x = 0, y = 0;
  const int room = width - 2 * kPad;
  for (QWidget* chip : chips_->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
    const int wide = std::min(chip->sizeHint().width(), room);
    if (x > 0 && x + wide > room) x = 0, y += kChipHeight + 4;
    chip->setGeometry(x, y, wide, kChipHeight);
    x += wide + 4;
  }
  return kHead + y + kChipHeight + kPad;
}

NodeChip::NodeChip(const NodeSpec& node, QWidget* parent) : QToolButton(parent), node_(node.id) {
  setText(node.device == "cpu" ? qtext(node.id) : QString("%1 · %2").arg(qtext(node.id), qtext(node.device)));
  setIcon(paceline::widgets::icon(node.role == Role::kServer ? "clusters" : "computer"));
  setIconSize(QSize(14, 14));
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::OpenHandCursor);
  setObjectName("chip-" + qtext(node.id));
  setAccessibleName(QString("%1 %2 on %3, %4").arg(roleName(node.role), qtext(node.id), qtext(node.host), qtext(node.device)));
  setToolTip(QString("%1, device %2. Drag to another host; Alt+Left and Alt+Right move it, the menu key offers hosts and devices.")
                 .arg(roleName(node.role), qtext(node.device)));
  setCheckable(true);
  setContextMenuPolicy(Qt::NoContextMenu);
}

void NodeChip::setPicked(bool picked) { setChecked(picked); }

}  // namespace paceline::experiment
