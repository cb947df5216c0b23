#include "app/ui/widgets/field.h"

#include <algorithm>
#include <set>

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include "app/models/column_table.h"
#include "app/models/experiment/experiment_draft.h"
#include "app/ui/widgets/choice_list.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/tables.h"
#include "app/ui/widgets/theme.h"

namespace paceline::widgets {

namespace {

constexpr int kNameWidth = 132, kNumberWidth = 132, kListWidth = 264;

constexpr int kMostRows = 12;
constexpr int kLeastWidth = 50;

class CellDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const override {
    const QStringList choices = index.data(kChoicesRole).toStringList();
    if (choices.isEmpty()) {
      auto* edit = new QLineEdit(parent);
      edit->setStyleSheet("border-radius: 0; padding: 0 7px;");
      return edit;
    }
    auto* list = new ChoiceList(parent);
    list->addItems(choices);
    list->setStyleSheet("border-radius: 0;");
    connect(list, &QComboBox::activated, this, [this, list] {
      auto* self = const_cast<CellDelegate*>(this);
      emit self->commitData(list);
      emit self->closeEditor(list);
    });
    return list;
  }

  // What is being typed stays: a check that ends meanwhile changes only the look of the cell.
  void setEditorData(QWidget* editor, const QModelIndex& index) const override {
    const auto* edit = qobject_cast<const QLineEdit*>(editor);
    if (!edit || !edit->isModified()) QStyledItemDelegate::setEditorData(editor, index);
  }

  // A list is as wide as it needs to be, also in a narrow column.
  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::updateEditorGeometry(editor, option, index);
    if (!qobject_cast<QComboBox*>(editor)) return;
    QRect place = editor->geometry();
    place.setWidth(std::max(place.width(), editor->sizeHint().width()));
    place.moveLeft(std::max(0, std::min(place.left(), editor->parentWidget()->width() - place.width())));
    editor->setGeometry(place);
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    if (index.data(kVariedRole).toBool()) painter->fillRect(option.rect.left() + 4, option.rect.bottom() - 2, option.rect.width() - 8, 2, Theme::instance().colour(Token::kAccent));
    if (index.data(kFindingRole).toString().isEmpty()) return;
    painter->fillRect(option.rect.left() + 4, option.rect.bottom() - 2, option.rect.width() - 8, 2,
                      Theme::instance().colour(index.data(kWarningRole).toBool() ? Token::kWarn : Token::kBad));
  }
};

}  // namespace

Field::Field(const QString& name, QWidget* editor, std::string pointer, const QString& help, const QString& unit)
    : pointer_(std::move(pointer)), editor_(editor), caption_(wrapped(label(name))), note_(wrapped(label("", "caption"))) {
  const auto fit = [this] { caption_->setFixedWidth(scaled(kNameWidth)), caption_->setMinimumHeight(scaled(kControlHeight)); };
  fit();
  connect(&Theme::instance(), &Theme::changed, caption_, fit);
  caption_->setBuddy(editor);
  editor->setAccessibleName(name);
  const bool number = editor->property("number").toBool();
  line_ = across({{editor, number ? 0 : 1}});
  if (!unit.isEmpty()) line_->addWidget(label(unit, "muted"));
  if (number) line_->addStretch(1);
  setLayout(across({{caption_, 0, Qt::AlignTop}, {down({line_, note_}, {}, 2), 1}}));
  setHelp(help);
  note();
}

void Field::setHelp(const QString& help) {
  help_ = help;
  caption_->setToolTip(help.isEmpty() ? help : QString("<p>%1</p>").arg(help.toHtmlEscaped()));  // as rich text it breaks into lines
  describe();
}

void Field::describe() {
  QStringList words;
  for (const QString& each : {applies_ ? QString() : reason_, help_})
    if (!each.isEmpty()) words << each;
  editor_->setAccessibleDescription(words.join(". "));
}

void Field::setNotice(const QString& words, bool locked) {
  if (words == notice_ && locked == locked_) return;
  notice_ = words, locked_ = locked;
  editor_->setEnabled(applies_ && !locked_);
  note();
}

void Field::offerVary(std::function<void(bool on)> pressed, QWidget* list) {
  list_ = list;
  if (list_) {
    list_->setAccessibleName(tr("%1: values that vary").arg(editor_->accessibleName()));
    list_->hide();
    line_->insertWidget(1, list_, 1);
  }
  vary_ = toolButton("vary", tr("Vary %1").arg(editor_->accessibleName()));
  vary_->setObjectName("vary:" + QString::fromStdString(pointer_));
  vary_->setCheckable(true);
  vary_->setFocusPolicy(Qt::StrongFocus);
  const auto fit = [this] { vary_->setFixedHeight(scaled(kControlHeight)); };  // no higher than an editor
  fit();
  connect(&Theme::instance(), &Theme::changed, vary_, fit);
  vary_->setToolTip((list ? tr("%1 (Ctrl+L)") : tr("%1: 1, 2, 4; 1..8 step 2; 0.001..1 log 4 (Ctrl+L)")).arg(vary_->accessibleName()));
  connect(vary_, &QToolButton::clicked, this, std::move(pressed));
  line_->addWidget(vary_, 0, Qt::AlignTop);
}

QToolButton* Field::offerPress(const QString& words, const QString& what, std::function<void()> pressed) {
  auto* button = new QToolButton;
  button->setText(words);
  button->setObjectName("press:" + QString::fromStdString(pointer_));
  button->setAccessibleName(what);
  button->setToolTip(what);
  button->setFocusPolicy(Qt::StrongFocus);
  connect(button, &QToolButton::clicked, this, std::move(pressed));
  line_->addWidget(button, 0, Qt::AlignTop);
  return button;
}

void Field::setVaries(bool on, bool possible) {
  if (!vary_) return;
  vary_->setChecked(on);
  vary_->setEnabled(possible);
  if (list_) {
    const bool focused = on ? editor_->hasFocus() : list_->isAncestorOf(window()->focusWidget());
    editor_->setVisible(!on);
    list_->setVisible(on);
    if (focused) vary_->setFocus(Qt::OtherFocusReason);
  } else if (editor_->property("number").toBool()) {
    editor_->setProperty("varies", on);
    editor_->setFixedWidth(scaled(on ? kListWidth : kNumberWidth));
  }
}

void Field::setApplies(bool applies, const QString& reason) {
  applies_ = applies, reason_ = reason;
  editor_->setEnabled(applies_ && !locked_);
  editor_->setToolTip(reason);
  describe();
  note();
}

void Field::showFinding(const std::optional<Finding>& finding) {
  if (finding == finding_) return;
  finding_ = finding;
  note();
}

void Field::setFact(const QString& words) {
  fact_ = words;
  note();
}

void Field::note() {
  note_->setText(finding_ ? QString::fromStdString(finding_->message) : !notice_.isEmpty() ? notice_ : !reason_.isEmpty() ? reason_ : fact_);
  note_->setVisible(!note_->text().isEmpty());
  setLook(note_, "role", finding_ && finding_->error ? "finding" : finding_ || !notice_.isEmpty() ? "warning" : "caption");
  setLook(editor_, "invalid", finding_ && finding_->error);
}

QLineEdit* textEditor(const char* objectName, const std::function<void(const QString&)>& changed, bool number) {
  auto* editor = new QLineEdit;
  editor->setObjectName(objectName);
  editor->setProperty("number", number);
  if (number) {
    const auto fit = [editor] { editor->setFixedWidth(scaled(editor->property("varies").toBool() ? kListWidth : kNumberWidth)); };
    fit();
    QObject::connect(&Theme::instance(), &Theme::changed, editor, fit);
    editor->setAlignment(Qt::AlignRight);
  }
  QObject::connect(editor, &QLineEdit::textEdited, editor, changed);
  return editor;
}

void showText(QLineEdit* editor, const QString& text) {
  const bool typing = editor->hasFocus() && editor->isModified();
  if (typing || editor->text() == text) return;
  editor->setText(text);
  editor->setCursorPosition(0);
}

QTableView* formTable(QAbstractItemModel& model, const char* objectName, const QString& accessibleName) {
  QTableView* table = widgets::table(model, objectName, accessibleName);
  table->setSelectionBehavior(QAbstractItemView::SelectItems);
  table->setItemDelegate(new CellDelegate(table));
  table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::SelectedClicked |
                         QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
  table->setTabKeyNavigation(false);  // arrows go from cell to cell, Tab to the next field
  QHeaderView* header = table->horizontalHeader();
  header->setMinimumSectionSize(kLeastWidth + 2);
  for (int i = 0; i < header->count(); ++i) header->resizeSection(i, kLeastWidth);
  const auto fit = [header] {
    for (int i = 0; i < header->count(); ++i) header->resizeSection(i, std::max(header->sectionSize(i), header->sectionSizeHint(i) + kGap / 2));
  };
  fit();
  QObject::connect(&Theme::instance(), &Theme::changed, table, fit);
  header->setStretchLastSection(false);
  return table;
}

void fitFormTable(QTableView* table) { fitRows(table, kMostRows); }

std::vector<int> selectedRows(const QTableView* table) {
  std::set<int> rows;
  for (const QModelIndex& index : table->selectionModel()->selectedIndexes()) rows.insert(index.row());
  return {rows.begin(), rows.end()};
}

}  // namespace paceline::widgets
