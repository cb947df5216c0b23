#include "app/ui/widgets/rail.h"

#include <QEnterEvent>
#include <QFocusEvent>
#include <QPainter>

#include "app/ui/widgets/controls.h"

namespace paceline::widgets {
namespace {

constexpr int kWide = 176, kNarrow = 56, kHeight = 36, kIcon = 20;

struct Entry {
  const char *icon, *text, *shortcut;
};
constexpr Entry kEntries[] = {{"clusters", "Clusters", "Ctrl+1"},
                              {"experiments", "Experiments", "Ctrl+2"},
                              {"runs", "Runs", "Ctrl+3"},
                              {"compare", "Compare", "Ctrl+4"},
                              {"settings", "Settings", "Ctrl+5"}};

}  // namespace

RailButton::RailButton(const char* iconName, const QString& text, const QString& shortcut, QWidget* parent)
    : QAbstractButton(parent), iconName_(iconName) {
  setText(text);
  setToolTip(shortcut.isEmpty() ? text : QString("%1 (%2)").arg(text, shortcut));
  setAccessibleName(text);
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RailButton::setCompact(bool compact) {
  compact_ = compact;
  update();
}

QSize RailButton::sizeHint() const { return {kNarrow - 16, kHeight}; }

void RailButton::enterEvent(QEnterEvent*) {
  hover_ = true;
  update();
}

void RailButton::leaveEvent(QEvent*) {
  hover_ = false;
  update();
}

void RailButton::focusInEvent(QFocusEvent* event) {
  ring_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  QAbstractButton::focusInEvent(event);
}

void RailButton::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::instance();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const bool on = isChecked();
  const bool ring = ring_ && hasFocus();
  if (on || hover_ || ring) {
    painter.setPen(ring ? QPen(theme.colour(Token::kAccent), 1) : QPen(Qt::NoPen));
    painter.setBrush(theme.colour(on ? Token::kAccentSoft : Token::kSurface));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 1.5, -0.5, -1.5), 6, 6);
  }
  const QColor ink = theme.colour(on ? Token::kAccent : Token::kTextMuted);
  const int left = compact_ ? (width() - kIcon) / 2 : 10;
  painter.drawPixmap(QRect(left, (height() - kIcon) / 2, kIcon, kIcon), iconPixmap(iconName_, ink, kIcon, devicePixelRatioF()));
  if (compact_) return;
  QFont font = theme.font(TextRole::kBody);
  font.setWeight(on ? QFont::DemiBold : QFont::Normal);
  painter.setFont(font);
  painter.setPen(theme.colour(on ? Token::kText : Token::kTextMuted));
  painter.drawText(rect().adjusted(left + kIcon + 10, 0, -6, 0), Qt::AlignVCenter | Qt::AlignLeft, text());
}

Rail::Rail(QWidget* parent) : QWidget(parent), brand_(new QWidget), mark_(new QLabel), name_(label("Paceline", "section")), status_(label("", "caption")) {
  setObjectName("rail");
  setAttribute(Qt::WA_StyledBackground);
  brand_->setLayout(across({mark_, {name_, 1}}, {8, 0, 0, 0}, 10));
  mark_->setPixmap(programIcon().pixmap(QSize(24, 24), devicePixelRatioF()));
  QVBoxLayout* column = down({brand_, gap(14)}, {8, 14, 8, 10}, 2);
  setLayout(column);
  for (const Entry& entry : kEntries) {
    auto* made = new RailButton(entry.icon, entry.text, entry.shortcut);
    made->setCheckable(true);
    made->setAutoExclusive(true);
    const int page = static_cast<int>(buttons_.size());
    connect(made, &QAbstractButton::clicked, this, [this, page] { emit chosen(page); });
    column->addWidget(made);
    buttons_.push_back(made);
  }
  wrapped(status_)->setContentsMargins(10, 0, 4, 6);
  fold_ = new RailButton("collapse", "Narrow", "Ctrl+B");
  connect(fold_, &QAbstractButton::clicked, this, [this] { setCompact(!compact_); });
  addAll(column, {room(), status_, fold_});
  setCompact(false);
}

void Rail::setCurrent(int page) {
  if (page >= 0 && page < static_cast<int>(buttons_.size())) buttons_[static_cast<std::size_t>(page)]->setChecked(true);
}

void Rail::setCompact(bool compact) {
  compact_ = compact;
  setFixedWidth(compact ? kNarrow : kWide);
  name_->setVisible(!compact);
  status_->setVisible(!compact && !status_->text().isEmpty());
  for (RailButton* each : buttons_) each->setCompact(compact);
  fold_->setCompact(compact);
}

void Rail::setStatus(const QString& words) {
  status_->setText(words);
  status_->setVisible(!compact_ && !words.isEmpty());
}

}  // namespace paceline::widgets
