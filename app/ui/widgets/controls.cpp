#include "app/ui/widgets/controls.h"

#include <QAction>
#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QCompleter>
#include <QEvent>
#include <QKeyEvent>
#include <QMessageBox>
#include <QPainter>
#include <QScrollBar>
#include <QStyle>

namespace paceline::widgets {
namespace {

constexpr int kEmptyWidth = 440, kEmptyLeast = 200;
constexpr int kNoteBelow = 48;  // px: help or finding of a field

// Esc empties it and gives the keyboard back; a shortcut of its page does not get that key.
class SearchField : public QLineEdit {
 protected:
  bool event(QEvent* event) override {
    if (event->type() != QEvent::ShortcutOverride || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape) return QLineEdit::event(event);
    event->accept();
    return true;
  }
  void keyPressEvent(QKeyEvent* event) override {
    if (event->key() != Qt::Key_Escape) return QLineEdit::keyPressEvent(event);
    clear();
    QWidget* above = parentWidget();
    while (above && above->focusPolicy() == Qt::NoFocus) above = above->parentWidget();
    above ? above->setFocus(Qt::OtherFocusReason) : clearFocus();
  }
};

template <class Layout>
Layout* filled(Cells cells, const QMargins& margins, int spacing) {
  auto* layout = new Layout;
  layout->setContentsMargins(margins);
  layout->setSpacing(spacing);
  addAll(layout, cells);
  return layout;
}

}  // namespace

QPushButton* button(const QString& text, const char* iconName, std::function<void()> clicked, const ButtonLook& look) {
  auto* made = new QPushButton(text);
  const bool bad = qstrcmp(look.kind, "bad") == 0, primary = qstrcmp(look.kind, "primary") == 0;
  if (*iconName) made->setIcon(icon(iconName, bad ? Token::kBad : primary ? Token::kAccentText : Token::kText));
  made->setIconSize(text.isEmpty() ? QSize(16, 16) : QSize(20, 16));
  made->setProperty("kind", look.kind);
  made->setObjectName(look.name);
  made->setToolTip(look.help);
  made->setCursor(Qt::PointingHandCursor);
  if (clicked) QObject::connect(made, &QPushButton::clicked, made, std::move(clicked));
  return made;
}

QPushButton* copyButton(const QString& text, std::function<QString()> what, const ButtonLook& look) {
  return button(text, "copy", [what = std::move(what)] { QApplication::clipboard()->setText(what()); }, look);
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

bool sure(QWidget* parent, const QString& title, const QString& words) {
  QMessageBox question(QMessageBox::Question, title, words, QMessageBox::Cancel, parent);
  const QPushButton* act = question.addButton(title, QMessageBox::DestructiveRole);
  question.setDefaultButton(QMessageBox::Cancel);
  question.exec();
  return question.clickedButton() == act;
}

QLineEdit* searchField(const QString& placeholder, const char* objectName, std::function<void(const QString&)> typed) {
  auto* field = new SearchField;
  field->setObjectName(objectName);
  field->setPlaceholderText(placeholder);
  field->setAccessibleName(placeholder);
  field->setClearButtonEnabled(true);
  field->addAction(icon("search", Token::kTextMuted), QLineEdit::LeadingPosition);
  QObject::connect(field, &QLineEdit::textChanged, field, std::move(typed));
  return field;
}

void makeSearchable(QComboBox* list, const QString& placeholder) {
  list->setEditable(true);
  list->setInsertPolicy(QComboBox::NoInsert);
  list->completer()->setFilterMode(Qt::MatchContains);
  list->completer()->setCompletionMode(QCompleter::PopupCompletion);
  list->lineEdit()->setPlaceholderText(placeholder);
}

void focusAll(QLineEdit* field) {
  field->setFocus(Qt::ShortcutFocusReason);
  field->selectAll();
}

Cell gap(int px) {
  Cell cell(static_cast<QLayout*>(nullptr));
  cell.gap = px;
  return cell;
}

Cell room(int stretch) { return Cell(static_cast<QLayout*>(nullptr), stretch); }

void addAll(QBoxLayout* to, Cells cells) {
  for (const Cell& cell : cells) {
    if (cell.widget) to->addWidget(cell.widget, cell.stretch, cell.place);
    else if (cell.layout) to->addLayout(cell.layout, cell.stretch);
    else if (cell.stretch > 0) to->addStretch(cell.stretch);
    else to->addSpacing(cell.gap);
  }
}

QHBoxLayout* across(Cells cells, const QMargins& margins, int spacing) { return filled<QHBoxLayout>(cells, margins, spacing); }
QVBoxLayout* down(Cells cells, const QMargins& margins, int spacing) { return filled<QVBoxLayout>(cells, margins, spacing); }

QWidget* boxed(QLayout* layout) {
  auto* box = new QWidget;
  box->setLayout(layout);
  return box;
}

QFrame* card(Cells cells) {
  auto* made = new QFrame;
  styleCard(made);
  addAll(qobject_cast<QBoxLayout*>(made->layout()), cells);
  return made;
}

QSplitter* splitter(Qt::Orientation along, std::initializer_list<Part> parts) {
  auto* made = new QSplitter(along);
  made->setChildrenCollapsible(false);
  QList<int> sizes;
  for (const Part& part : parts) {
    made->addWidget(part.widget);
    if (part.stretch > 0) made->setStretchFactor(made->count() - 1, part.stretch);
    sizes << part.size;
  }
  made->setSizes(sizes);
  return made;
}

void paintFoot(QPainter& painter, const QWidget* widget, int height, const QString& words, Token ink, Qt::Alignment alignment) {
  const Theme& theme = Theme::instance();
  painter.setFont(theme.font(TextRole::kCaption));
  painter.setPen(theme.colour(ink));
  const QRect line(0, widget->height() - height, widget->width(), height);
  painter.drawText(line, alignment, painter.fontMetrics().elidedText(words, Qt::ElideRight, line.width()));
  if (!widget->hasFocus()) return;
  painter.setPen(QPen(theme.colour(Token::kAccent), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(widget->rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
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

ColumnScroll::ColumnScroll(QWidget* parent) : QScrollArea(parent) {
  setWidgetResizable(true);
}

QSize ColumnScroll::minimumSizeHint() const {
  const QSize least = QScrollArea::minimumSizeHint();
  if (!widget()) return least;
  return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(), least.height()};
}

void ColumnScroll::keepFree(int bottom) {
  if (covered_ || bottom == viewportMargins().bottom()) return;
  setViewportMargins(0, 0, 0, bottom);
  QWidget* now = QApplication::focusWidget();
  if (now && widget() && widget()->isAncestorOf(now)) ensureWidgetVisible(now, 0, kNoteBelow);
}

// Other fields, other words, another size of text.
bool ColumnScroll::eventFilter(QObject* object, QEvent* event) {
  if (object == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
  return QScrollArea::eventFilter(object, event);
}

ScrollPane::ScrollPane(int minimumWidth) : column_(down({}, {kGroupGap, kGroupGap, kGroupGap, kGroupGap})), least_(minimumWidth) {
  setObjectName("pane");
  inside_ = boxed(column_);
  inside_->setObjectName("plain");
  scroll_->setAccessibleName(tr("Details"));
  scroll_->setWidget(inside_);
  setLayout(outer_ = down({{scroll_, 1}}, {}, 0));
}

void ScrollPane::toTop() { scroll_->verticalScrollBar()->setValue(0); }

FactGrid::FactGrid(int nameWidth) {
  setHorizontalSpacing(12);
  setVerticalSpacing(6);
  setColumnStretch(1, 1);
  setColumnMinimumWidth(0, nameWidth);
}

void FactGrid::add(const QString& name, const QString& value, bool mono) {
  if (value.isEmpty()) return;
  const int line = rowCount();
  auto* shown = new BreakingLabel(mono ? "mono" : "");
  shown->setFullText(value);
  addWidget(label(name, "muted"), line, 0, Qt::AlignTop);
  addWidget(shown, line, 1);
}

EmptyState::EmptyState(const char* iconName, const QString& title, const QString& text, const QString& action, std::function<void()> acted)
    : title_(label(title, "section")), text_(wrapped(label(text, "muted"))), action_(button(action, "plus", std::move(acted), {.kind = "primary"})) {
  auto* icon = new QLabel;
  for (QLabel* each : {icon, title_, text_}) each->setAlignment(Qt::AlignHCenter);
  text_->setMinimumWidth(kEmptyLeast);
  text_->setMaximumWidth(kEmptyWidth);
  action_->setVisible(!action.isEmpty());
  setLayout(down({room(2), {icon, 0, Qt::AlignHCenter}, {title_, 0, Qt::AlignHCenter}, across({room(), {text_, 100}, room()}), gap(kGap),
                  {action_, 0, Qt::AlignHCenter}, room(3)},
                 {9, 9, 9, 9}));
  const auto paintIcon = [icon, iconName] { icon->setPixmap(iconPixmap(iconName, Theme::instance().colour(Token::kTextMuted), 40, icon->devicePixelRatioF())); };
  paintIcon();
  setWords(title, text);
  connect(&Theme::instance(), &Theme::changed, this, paintIcon);
}

void EmptyState::setWords(const QString& title, const QString& text) {
  title_->setText(title);
  text_->setText(text);
}

Segments::Segments(const QStringList& words) {
  QHBoxLayout* row = across({}, {}, 0);
  setLayout(row);
  auto* group = new QButtonGroup(this);
  for (int i = 0; i < words.size(); ++i) {
    QPushButton* made = button(words[i], "", {}, {.kind = "segment"});
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

Tile::Tile(const QString& name) { setLayout(down({label(name, "head"), value_, detail_}, {}, 2)); }

void Tile::setValue(const QString& value, const QString& detail) {
  if (value_->text() != value) value_->setText(value);
  if (detail_->text() != detail) detail_->setText(detail);
}

}  // namespace paceline::widgets
