#include "app/ui/widgets/field.h"

#include <algorithm>
#include <set>

#include <QHeaderView>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QSyntaxHighlighter>
#include <QTableView>

#include "app/models/column_table.h"
#include "app/models/experiment/experiment_draft.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/page.h"
#include "app/ui/widgets/theme.h"

namespace paceline::widgets {

namespace {

constexpr int kNameWidth = 132, kNumberWidth = 132;

}  // namespace

Field::Field(const QString& name, QWidget* editor, std::string pointer, const QString& help, const QString& unit)
    : pointer_(std::move(pointer)), help_(help), editor_(editor), note_(wrapped(label("", "caption"))) {
  auto* caption = label(name);
  caption->setFixedWidth(static_cast<int>(kNameWidth * std::max(1.0, Theme::instance().scale())));
  caption->setFixedHeight(kControlHeight);
  caption->setBuddy(editor);
  editor->setAccessibleName(name);
  const bool number = editor->property("number").toBool();
  QHBoxLayout* line = across({{editor, number ? 0 : 1}});
  if (!unit.isEmpty()) line->addWidget(label(unit, "muted"));
  if (number) line->addStretch(1);
  setLayout(across({{caption, 0, Qt::AlignTop}, {down({line, note_}, {}, 2), 1}}));
  note();
}

void Field::setHelp(const QString& help) {
  help_ = help;
  note();
}

void Field::showFinding(const std::optional<Finding>& finding) {
  if (finding == finding_) return;
  finding_ = finding;
  note();
}

void Field::note() {
  note_->setText(finding_ ? QString::fromStdString(finding_->message) : help_);
  note_->setVisible(!note_->text().isEmpty());
  setLook(note_, "role", finding_ ? (finding_->error ? "finding" : "warning") : "caption");
  setLook(editor_, "invalid", finding_ && finding_->error);
}

QLineEdit* textEditor(const char* objectName, const std::function<void(const QString&)>& changed, bool number) {
  auto* editor = new QLineEdit;
  editor->setObjectName(objectName);
  editor->setProperty("number", number);
  if (number) {
    editor->setFixedWidth(kNumberWidth);
    editor->setAlignment(Qt::AlignRight);
  }
  QObject::connect(editor, &QLineEdit::textEdited, editor, changed);
  return editor;
}

void showText(QLineEdit* editor, const QString& text) {
  if (editor->hasFocus() || editor->text() == text) return;
  editor->setText(text);
  editor->setCursorPosition(0);
}

QString boundsText(const ParamSpec& param) {
  const auto number = [](double x) { return QString::number(x, 'g', 7).replace("e+", "e").replace("e0", "e"); };  // 1000000, 1e15
  if (param.min && param.max) return QString("%1 to %2").arg(number(*param.min), number(*param.max));
  if (param.min) return "at least " + number(*param.min);
  if (param.max) return "at most " + number(*param.max);
  return {};
}

namespace {

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
    auto* list = new QComboBox(parent);
    list->addItems(choices);
    list->setStyleSheet("border-radius: 0;");
    connect(list, &QComboBox::activated, this, [this, list] {
      auto* self = const_cast<CellDelegate*>(this);
      emit self->commitData(list);
      emit self->closeEditor(list);
    });
    return list;
  }
  void setEditorData(QWidget* editor, const QModelIndex& index) const override {
    const QString text = index.data(Qt::EditRole).toString();
    if (auto* list = qobject_cast<QComboBox*>(editor)) return list->setCurrentText(text);
    qobject_cast<QLineEdit*>(editor)->setText(text);
  }
  void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override {
    auto* list = qobject_cast<QComboBox*>(editor);
    model->setData(index, list ? list->currentText() : qobject_cast<QLineEdit*>(editor)->text(), Qt::EditRole);
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    if (index.data(kFindingRole).toString().isEmpty()) return;
    painter->fillRect(option.rect.left() + 4, option.rect.bottom() - 2, option.rect.width() - 8, 2,
                      Theme::instance().colour(Token::kBad));
  }
};

}  // namespace

QTableView* formTable(QAbstractItemModel& model, const char* objectName, const char* accessibleName) {
  auto* table = new QTableView;
  table->setObjectName(objectName);
  table->setAccessibleName(accessibleName);
  table->setModel(&model);
  styleTable(table);
  table->setSelectionBehavior(QAbstractItemView::SelectItems);
  table->setItemDelegate(new CellDelegate(table));
  table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::SelectedClicked |
                         QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
  table->setTabKeyNavigation(true);
  QHeaderView* header = table->horizontalHeader();
  header->setMinimumSectionSize(kLeastWidth + 2);
  QFont font = Theme::instance().font(TextRole::kCaption);
  font.setWeight(QFont::DemiBold);
  for (int i = 0; i < model.columnCount(); ++i)
    header->resizeSection(
        i, std::max(kLeastWidth, QFontMetrics(font).horizontalAdvance(model.headerData(i, Qt::Horizontal, Qt::DisplayRole).toString()) + 18));
  header->setStretchLastSection(false);
  return table;
}

void fitFormTable(QTableView* table) {
  const int rows = std::clamp(table->model()->rowCount(), 1, kMostRows);
  const bool scrolls = table->horizontalHeader()->length() > table->viewport()->width();
  table->setFixedHeight(table->horizontalHeader()->height() + rows * kRowHeight + (scrolls ? 14 : 2));
}

std::vector<int> selectedRows(const QTableView* table) {
  std::set<int> rows;
  for (const QModelIndex& index : table->selectionModel()->selectedIndexes()) rows.insert(index.row());
  return {rows.begin(), rows.end()};
}

namespace {

class JsonColours : public QSyntaxHighlighter {
 public:
  explicit JsonColours(QTextDocument* document) : QSyntaxHighlighter(document) {}

 protected:
  void highlightBlock(const QString& text) override {
    static const QRegularExpression kToken(R"re("(?:[^"\\]|\\.)*"(\s*:)?|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b|\b(?:true|false|null)\b)re");
    auto found = kToken.globalMatch(text);
    while (found.hasNext()) {
      const QRegularExpressionMatch match = found.next();
      const bool string = text[match.capturedStart()] == '"';
      const bool key = match.capturedLength(1) > 0;
      const Token token = key ? Token::kText : string ? Token::kOk : Token::kAccent;
      setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()), Theme::instance().colour(token));
    }
  }
};

}  // namespace

JsonEditor::JsonEditor(QWidget* parent) : QPlainTextEdit(parent) {
  setProperty("role", "code");
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setTabChangesFocus(true);
  setAccessibleName("JSON of the experiment");
  auto* colours = new JsonColours(document());
  followTheme();
  connect(&Theme::instance(), &Theme::changed, this, [this, colours] {
    followTheme();
    colours->rehighlight();
  });
  connect(this, &QPlainTextEdit::textChanged, this, [this] {
    if (hasFocus()) emit typed(toPlainText());
  });
}

void JsonEditor::followTheme() { setFont(Theme::instance().font(TextRole::kMono)); }

void JsonEditor::showText(const QString& text) {
  if (toPlainText() == text) return;
  const int scroll = verticalScrollBar()->value();
  const QSignalBlocker blocker(this);
  setPlainText(text);
  verticalScrollBar()->setValue(scroll);
}

}  // namespace paceline::widgets
