#include "app/ui/widgets/form_table.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <algorithm>
#include <set>

#include "app/models/column_table.h"
#include "app/ui/widgets/page.h"
#include "app/ui/widgets/theme.h"

namespace paceline::widgets {
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

}  // namespace paceline::widgets
