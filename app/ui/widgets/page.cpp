#include "app/ui/widgets/page.h"

#include <QEnterEvent>
#include <QFocusEvent>
#include <QPainter>
#include <utility>

#include "app/ui/widgets/controls.h"

namespace paceline::widgets {

Page::Page(const QString& title) : title_(label(title, "page")) {
  setObjectName("page");
  setAttribute(Qt::WA_StyledBackground);
  setFocusPolicy(Qt::ClickFocus);
  title_->setMinimumHeight(32);
  titleRow_ = across({title_, room()}, {kPageMargin, 16, kPageMargin, 12});
  setLayout(body_ = down({titleRow_}, {}, 0));
}

QHBoxLayout* Page::addRow() {
  QHBoxLayout* row = across({}, {kPageMargin, 0, kPageMargin, 12});
  body_->addLayout(row);
  return row;
}

namespace {

constexpr int kWide = 176, kNarrow = 56, kHeight = 36, kRailIcon = 20;
constexpr std::pair<const char*, const char*> kEntries[] = {
    {"clusters", QT_TR_NOOP("Clusters")}, {"experiments", QT_TR_NOOP("Experiments")}, {"runs", QT_TR_NOOP("Runs")}, {"compare", QT_TR_NOOP("Compare")}, {"data", QT_TR_NOOP("Data")}, {"settings", QT_TR_NOOP("Settings")}};

}  // namespace

class RailButton : public QAbstractButton {
 public:
  RailButton(const char* iconName, const QString& text, const QString& shortcut) : iconName_(iconName) {
    setText(text);
    setToolTip(QString("%1 (%2)").arg(text, shortcut));
    setAccessibleName(text);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
  }
  QSize sizeHint() const override { return {kNarrow - 16, scaled(kHeight)}; }

  void setCompact(bool compact) {
    compact_ = compact;
    update();
  }

 protected:
  void focusInEvent(QFocusEvent* event) override {
    ring_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    QAbstractButton::focusInEvent(event);
  }

  void paintEvent(QPaintEvent*) override {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool on = isChecked();
    const bool ring = ring_ && hasFocus();
    if (on || underMouse() || ring) {
      painter.setPen(ring ? QPen(theme.colour(Token::kAccent), 1) : QPen(Qt::NoPen));
      painter.setBrush(theme.colour(on ? Token::kAccentSoft : Token::kSurface));
      painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 1.5, -0.5, -1.5), 6, 6);
    }
    const QColor ink = theme.colour(on ? Token::kAccent : Token::kTextMuted);
    const int left = compact_ ? (width() - kRailIcon) / 2 : 10;
    painter.drawPixmap(QRect(left, (height() - kRailIcon) / 2, kRailIcon, kRailIcon), iconPixmap(iconName_, ink, kRailIcon, devicePixelRatioF()));
    if (compact_) return;
    QFont font = theme.font(TextRole::kBody);
    font.setWeight(on ? QFont::DemiBold : QFont::Normal);
    painter.setFont(font);
    painter.setPen(theme.colour(on ? Token::kText : Token::kTextMuted));
    painter.drawText(rect().adjusted(left + kRailIcon + 10, 0, -6, 0), Qt::AlignVCenter | Qt::AlignLeft, text());
  }

 private:
  const char* iconName_;
  bool compact_ = false, ring_ = false;  // ring: focus that came by keyboard
};

Rail::Rail() : name_(label("Paceline", "section")), status_(label("", "caption")), fold_(new RailButton("collapse", tr("Narrow"), "Ctrl+B")) {
  setObjectName("rail");
  setAttribute(Qt::WA_StyledBackground);
  auto* mark = new QLabel;
  mark->setPixmap(programIcon().pixmap(QSize(24, 24), devicePixelRatioF()));
  QVBoxLayout* column = down({boxed(across({mark, {name_, 1}}, {8, 0, 0, 0}, 10)), gap(14)}, {8, 14, 8, 10}, 2);
  setLayout(column);
  for (const auto& [iconName, text] : kEntries) {
    const int page = static_cast<int>(buttons_.size());
    auto* made = new RailButton(iconName, tr(text), QString("Ctrl+%1").arg(page + 1));
    made->setCheckable(true);
    made->setAutoExclusive(true);
    connect(made, &QAbstractButton::clicked, this, [this, page] { emit chosen(page); });
    column->addWidget(made);
    buttons_.push_back(made);
  }
  wrapped(status_)->setContentsMargins(10, 0, 4, 6);
  connect(fold_, &QAbstractButton::clicked, this, [this] { setCompact(!compact_); });
  addAll(column, {room(), status_, fold_});
  connect(&Theme::instance(), &Theme::changed, this, &Rail::fold);
  fold();
}

void Rail::setCurrent(int page) {
  if (page >= 0 && page < static_cast<int>(buttons_.size())) buttons_[static_cast<std::size_t>(page)]->setChecked(true);
}

void Rail::setCompact(bool compact) {
  compact_ = compact;
  fold();
}

void Rail::setRoom(int px) {
  if (std::exchange(room_, px) != px) fold();
}

void Rail::fold() {
  const bool fits = room_ >= scaled(kWide), names = fits && !compact_;
  setFixedWidth(names ? scaled(kWide) : kNarrow);
  name_->setVisible(names);
  status_->setVisible(names && !status_->text().isEmpty());
  for (RailButton* each : buttons_) each->setCompact(!names);
  fold_->setCompact(!names);
  fold_->setEnabled(fits);
  fold_->setToolTip(!fits ? tr("The window is too narrow for names here") : compact_ ? tr("Show names (Ctrl+B)") : tr("Narrow (Ctrl+B)"));
}

void Rail::setStatus(const QString& words) {
  status_->setText(words);
  fold();
}

namespace {

class BesideRail : public QHBoxLayout {
 public:
  BesideRail(Rail* rail, QWidget* content) : rail_(rail), content_(content) {
    setContentsMargins({});
    setSpacing(0);
    addWidget(rail);
    addWidget(content, 1);
  }
  QSize minimumSize() const override { return {kNarrow + content_->minimumSizeHint().width(), QHBoxLayout::minimumSize().height()}; }
  void setGeometry(const QRect& rect) override {
    rail_->setRoom(rect.width() - content_->minimumSizeHint().width());
    QHBoxLayout::setGeometry(rect);
  }

 private:
  Rail* rail_;
  QWidget* content_;
};

}  // namespace

QWidget* beside(Rail* rail, QWidget* content) { return boxed(new BesideRail(rail, content)); }

}  // namespace paceline::widgets
