#include "app/ui/widgets/controls.h"

#include <QAction>
#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QHBoxLayout>
#include <QStyle>

namespace paceline::widgets {
namespace {

constexpr int kEmptyWidth = 440;
constexpr int kLongestWord = 18;

}  // namespace

QLabel* label(const QString& text, const char* role, QWidget* parent) {
  auto* made = new QLabel(text, parent);
  made->setProperty("role", role);
  return made;
}

QPushButton* button(const QString& text, const char* iconName, const char* kind) {
  auto* made = new QPushButton(text);
  if (*iconName) made->setIcon(icon(iconName, qstrcmp(kind, "bad") == 0 ? Token::kBad : Token::kText));
  made->setIconSize(text.isEmpty() ? QSize(16, 16) : QSize(20, 16));
  made->setProperty("kind", kind);
  made->setCursor(Qt::PointingHandCursor);
  return made;
}

QPushButton* primaryButton(const QString& text, const char* iconName) {
  QPushButton* made = button(text, "", "primary");
  if (*iconName) made->setIcon(icon(iconName, Token::kAccentText));
  return made;
}

QToolButton* toolButton(const char* iconName, const QString& words) {
  auto* made = new QToolButton;
  made->setIcon(icon(iconName));
  made->setIconSize(QSize(16, 16));
  made->setToolTip(words);
  made->setAccessibleName(words);
  made->setProperty("kind", "quiet");
  return made;
}

QFrame* horizontalLine() {
  auto* line = new QFrame;
  line->setObjectName("line");
  line->setFixedHeight(1);
  return line;
}

void styleCard(QFrame* frame) {
  frame->setObjectName("card");
  auto* layout = new QVBoxLayout(frame);
  layout->setContentsMargins(kGroupGap, 12, kGroupGap, 12);
  layout->setSpacing(kGap);
}

QFrame* card() {
  auto* made = new QFrame;
  styleCard(made);
  return made;
}

QLineEdit* searchField(const QString& placeholder) {
  auto* field = new QLineEdit;
  field->setPlaceholderText(placeholder);
  field->setClearButtonEnabled(true);
  field->addAction(icon("search", Token::kTextMuted), QLineEdit::LeadingPosition);
  return field;
}

void setLook(QWidget* widget, const char* property, const QVariant& value) {
  if (widget->property(property) == value) return;
  widget->setProperty(property, value);
  widget->style()->unpolish(widget);
  widget->style()->polish(widget);
}

void emptyLayout(QLayout* layout) {
  while (QLayoutItem* item = layout->takeAt(0)) {
    if (QWidget* widget = item->widget()) {
      widget->hide();
      widget->deleteLater();
    }
    if (QLayout* inner = item->layout()) emptyLayout(inner);
    delete item;
  }
}

EmptyState::EmptyState(const char* iconName, const QString& title, const QString& text, const QString& action, QWidget* parent)
    : QWidget(parent), iconName_(iconName), icon_(new QLabel), title_(label(title, "section")), text_(label(text, "muted")) {
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(kGap);
  layout->addStretch(2);
  for (QLabel* each : {icon_, title_, text_}) {
    each->setAlignment(Qt::AlignHCenter);
    layout->addWidget(each, 0, Qt::AlignHCenter);
  }
  text_->setWordWrap(true);
  text_->setFixedWidth(kEmptyWidth);
  action_ = primaryButton(action, "plus");
  action_->setVisible(!action.isEmpty());
  connect(action_, &QPushButton::clicked, this, &EmptyState::acted);
  layout->addSpacing(kGap);
  layout->addWidget(action_, 0, Qt::AlignHCenter);
  layout->addStretch(3);
  paintIcon();
  setWords(title, text);
  connect(&Theme::instance(), &Theme::changed, this, &EmptyState::paintIcon);
}

void EmptyState::paintIcon() {
  icon_->setPixmap(iconPixmap(iconName_, Theme::instance().colour(Token::kTextMuted), 40, devicePixelRatioF()));
}

void EmptyState::setWords(const QString& title, const QString& text) {
  title_->setText(title);
  text_->setText(text);
  text_->setMinimumHeight(text.isEmpty() ? 0 : text_->heightForWidth(kEmptyWidth));  // a centred label does not ask for it
}

void EmptyState::setActionVisible(bool visible) { action_->setVisible(visible); }

Banner::Banner(QWidget* parent) : QFrame(parent), icon_(new QLabel), text_(label("")), action_(button("")), copy_(button("Copy", "copy", "quiet")) {
  setObjectName("banner");
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kPageMargin, 6, 12, 6);
  row->setSpacing(kGap);
  row->addWidget(icon_);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  row->addWidget(text_, 1);
  row->addWidget(action_);
  row->addWidget(copy_);
  QToolButton* close = toolButton("close", "Dismiss");
  row->addWidget(close);
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(text_->text()); });
  connect(action_, &QPushButton::clicked, this, [this] {
    if (act_) act_();
  });
  connect(&Theme::instance(), &Theme::changed, this, &Banner::follow);
  hide();
}

void Banner::tell(Token token, const char* iconName, const QString& text, const QString& action, std::function<void()> act) {
  token_ = token;
  iconName_ = iconName;
  act_ = std::move(act);
  text_->setText(text);
  action_->setText(action);
  action_->setVisible(!action.isEmpty());
  copy_->setVisible(token == Token::kBad || token == Token::kWarn);
  follow();
  setVisible(!text.isEmpty());
}

QString Banner::text() const { return isHidden() ? QString() : text_->text(); }

void Banner::follow() {
  icon_->setPixmap(iconPixmap(iconName_, Theme::instance().colour(token_), 18, devicePixelRatioF()));
  setStyleSheet(QString("QFrame#banner { background: %1; border: none; border-bottom: 1px solid %2; border-left: 3px solid %3; }")
                    .arg(hex(Token::kSurfaceRaised), hex(Token::kBorder), hex(token_)));
}

Segments::Segments(const QStringList& words, QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  auto* group = new QButtonGroup(this);
  for (int i = 0; i < words.size(); ++i) {
    QPushButton* made = button(words[i], "", "segment");
    made->setCheckable(true);
    made->setChecked(i == 0);
    made->setProperty("end", i == 0 ? "first" : i + 1 == words.size() ? "last" : "");
    group->addButton(made, i);
    row->addWidget(made);
    buttons_.push_back(made);
  }
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  connect(group, &QButtonGroup::idClicked, this, [this](int id) {
    if (id == current_) return;
    current_ = id;
    emit chosen(id);
  });
}

void Segments::setCurrent(int index) {
  if (index < 0 || index >= static_cast<int>(buttons_.size()) || index == current_) return;
  current_ = index;
  buttons_[static_cast<std::size_t>(index)]->setChecked(true);
  emit chosen(index);
}

Tile::Tile(const QString& name, QWidget* parent) : QWidget(parent), value_(label("—", "value")), detail_(label("", "caption")) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(label(name, "head"));
  column->addWidget(value_);
  column->addWidget(detail_);
}

void Tile::setValue(const QString& value, const QString& detail) {
  if (value_->text() != value) value_->setText(value);
  if (detail_->text() != detail) detail_->setText(detail);
}

BreakingLabel::BreakingLabel(const char* role, QWidget* parent) : QLabel(parent) {
  setProperty("role", role);
  setWordWrap(true);
  setTextFormat(Qt::PlainText);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(addAction("Copy"), &QAction::triggered, this, &BreakingLabel::copy);
}

void BreakingLabel::setFullText(const QString& text) {
  if (text == full_) return;
  full_ = text;
  const QChar seam(0x200b);  // a space of no width
  QStringList words = text.split(' ');
  for (QString& word : words) {
    if (word.size() <= kLongestWord) continue;
    QString broken;
    for (const QChar c : word) broken += c, broken += seam;
    word = broken;
  }
  const QString broken = words.join(' ');
  setText(broken);
  setAccessibleName(text);
}

void BreakingLabel::copy() const { QApplication::clipboard()->setText(full_); }

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(parent) {
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  setFullText(text);
}

void ElidedLabel::setFullText(const QString& text) {
  full_ = text;
  elide();
}

QSize ElidedLabel::minimumSizeHint() const { return {40, QLabel::minimumSizeHint().height()}; }

void ElidedLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  elide();
}

void ElidedLabel::elide() {
  const QString cut = fontMetrics().elidedText(full_, Qt::ElideRight, std::max(20, width()));
  if (cut != text()) setText(cut);
  setToolTip(cut == full_ ? QString() : full_);
}

}  // namespace paceline::widgets
