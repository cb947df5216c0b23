#include "app/ui/palette/command_palette.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include "app/ui/widgets/controls.h"

namespace paceline::palette {
namespace {

constexpr int kMost = 50, kShown = 10, kWidth = 620, kRow = 30, kTop = 64;  // rows; px
enum CommandRole { kKindRole = Qt::UserRole, kDetailRole, kIconRole, kPlaceRole };

class CommandCells : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {0, widgets::scaled(kRow)}; }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const widgets::Theme& theme = widgets::Theme::instance();
    const QRect row = option.rect;
    if (option.state & QStyle::State_Selected) painter->fillRect(row, theme.colour(widgets::Token::kAccentSoft));
    const QColor muted = theme.colour(widgets::Token::kTextMuted);
    const QByteArray iconName = index.data(kIconRole).toByteArray();
    if (!iconName.isEmpty())
      painter->drawPixmap(QRect(row.left() + 12, row.center().y() - 7, 16, 16), widgets::iconPixmap(iconName.constData(), muted, 16, option.widget->devicePixelRatioF()));
    painter->setFont(theme.font(widgets::TextRole::kCaption));
    const QString right = index.data(kDetailRole).toString().isEmpty() ? index.data(kKindRole).toString() : index.data(kKindRole).toString() + "  ·  " + index.data(kDetailRole).toString();
    const int wide = std::min(painter->fontMetrics().horizontalAdvance(right), row.width() / 2);
    painter->setPen(muted);
    painter->drawText(QRect(row.right() - 12 - wide, row.top(), wide, row.height()), Qt::AlignVCenter | Qt::AlignRight, painter->fontMetrics().elidedText(right, Qt::ElideRight, wide));
    painter->setFont(theme.font(widgets::TextRole::kBody));
    painter->setPen(theme.colour(widgets::Token::kText));
    const QRect left(row.left() + 38, row.top(), row.width() - 38 - wide - 28, row.height());
    painter->drawText(left, Qt::AlignVCenter | Qt::AlignLeft, painter->fontMetrics().elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideMiddle, left.width()));
  }
};

}  // namespace

CommandPalette::CommandPalette(QWidget* window) : QFrame(window), typed_(new QLineEdit), list_(new QListWidget) {
  setObjectName("palette");
  setAttribute(Qt::WA_StyledBackground);
  typed_->setObjectName("paletteTyped");
  typed_->setPlaceholderText(tr("Go to a page, run, host or field, or do something"));
  typed_->setAccessibleName(tr("Go to or do"));
  typed_->addAction(widgets::icon("search", widgets::Token::kTextMuted), QLineEdit::LeadingPosition);
  typed_->installEventFilter(this);
  list_->setObjectName("paletteList");
  list_->setAccessibleName(tr("Found"));
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setItemDelegate(new CommandCells(list_));
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setUniformItemSizes(true);
  setLayout(widgets::down({typed_, {list_, 1}}, {8, 8, 8, 8}));
  connect(typed_, &QLineEdit::textChanged, this, &CommandPalette::follow);
  connect(list_, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { take(list_->row(item)); });
  window->installEventFilter(this);
  hide();
}

void CommandPalette::open(std::vector<Command> commands) {
  if (isVisible()) return leave();
  commands_ = std::move(commands);
  names_.clear();
  for (const Command& each : commands_) names_.push_back({each.name, each.kind + " " + each.more});
  before_ = QApplication::focusWidget();
  typed_->clear();
  follow();
  show();
  raise();
  typed_->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::follow() {
  list_->clear();
  for (const int at : bestMatches(typed_->text(), names_, kMost)) {
    const Command& command = commands_[static_cast<std::size_t>(at)];
    auto* item = new QListWidgetItem(command.name, list_);
    item->setData(kKindRole, command.kind);
    item->setData(kDetailRole, command.detail);
    item->setData(kIconRole, QByteArray(command.iconName));
    item->setData(kPlaceRole, at);
    item->setData(Qt::AccessibleTextRole, QString("%1, %2 %3").arg(command.name, command.kind, command.detail).trimmed());
  }
  if (list_->count() == 0) {
    auto* nothing = new QListWidgetItem(tr("Nothing is called \"%1\"").arg(typed_->text().trimmed()), list_);
    nothing->setFlags(Qt::NoItemFlags);
  }
  list_->setCurrentRow(0);
  place();
}

void CommandPalette::place() {
  const int wide = std::min(widgets::scaled(kWidth), parentWidget()->width() - 2 * widgets::kPageMargin);
  const int rows = std::clamp(list_->count(), 1, kShown) * widgets::scaled(kRow);
  const int high = std::min(rows + typed_->sizeHint().height() + 8 * 3 + 4, parentWidget()->height() - kTop - widgets::kGap);
  setGeometry((parentWidget()->width() - wide) / 2, kTop, wide, high);
}

void CommandPalette::take(int row) {
  const QListWidgetItem* item = list_->item(row);
  if (!item || !(item->flags() & Qt::ItemIsEnabled)) return;
  const std::function<void()> act = commands_[static_cast<std::size_t>(item->data(kPlaceRole).toInt())].act;
  leave();  // first: a command may ask where the keyboard is
  act();
}

void CommandPalette::leave() {
  const bool held = isAncestorOf(QApplication::focusWidget());
  hide();
  if (before_ && held) before_->setFocus(Qt::OtherFocusReason);
}

bool CommandPalette::eventFilter(QObject* object, QEvent* event) {
  if (object == parentWidget()) {
    if (event->type() == QEvent::Resize && isVisible()) place();
    return false;
  }
  if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason && static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason) hide();
  if (event->type() != QEvent::KeyPress) return false;
  const int key = static_cast<QKeyEvent*>(event)->key(), row = list_->currentRow(), last = list_->count() - 1;
  switch (key) {
    case Qt::Key_Escape: leave(); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: take(row); return true;
    case Qt::Key_Down: list_->setCurrentRow(row < last ? row + 1 : 0); return true;
    case Qt::Key_Up: list_->setCurrentRow(row > 0 ? row - 1 : last); return true;
    case Qt::Key_PageDown: list_->setCurrentRow(std::min(last, row + kShown)); return true;
    case Qt::Key_PageUp: list_->setCurrentRow(std::max(0, row - kShown)); return true;
    case Qt::Key_Tab:
    case Qt::Key_Backtab: return true;  // the keyboard stays
    default: return false;
  }
}

}  // namespace paceline::palette
