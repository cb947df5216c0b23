#include "app/ui/widgets/controls.h"
#include "app/models/words.h"
#include "app/ui/clusters/host_marks.h"
#include "app/ui/experiment/placement_board.h"

namespace paceline::experiment {
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
