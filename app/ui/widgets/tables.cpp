#include "app/ui/widgets/tables.h"

#include <algorithm>
#include <set>

#include <QEvent>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QSettings>
#include <QTimer>

namespace paceline::widgets {
namespace {

constexpr int kMostGrown = 320;  // px at normal text, of a column that grows with its cells

class ColumnFit : public QObject {
 public:
  explicit ColumnFit(QTableView* table) : QObject(table), table_(table), header_(table->horizontalHeader()) {
    setObjectName(kName);
    header_->setResizeContentsPrecision(0);  // of the rows that are seen
    later_.setSingleShot(true);              // many changes at once are one
    connect(&later_, &QTimer::timeout, this, [this] { fit(); });
    const QAbstractItemModel* model = table->model();
    const auto look = [this] { later_.start(0); };
    for (const auto news : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::columnsInserted}) connect(model, news, this, look);
    connect(model, &QAbstractItemModel::dataChanged, this, look);
    connect(model, &QAbstractItemModel::modelReset, this, look);
    connect(header_, &QHeaderView::sectionResized, this, [this](int column) {
      if (!fitting_) moved_.insert(column), giveRest();
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] { begin(); });
    table->viewport()->installEventFilter(this);
  }

  static ColumnFit* of(QTableView* table) {
    QObject* known = table->findChild<QObject*>(kName, Qt::FindDirectChildrenOnly);
    return known ? static_cast<ColumnFit*>(known) : new ColumnFit(table);
  }

  void set(const std::vector<int>& widths, int rest) {
    widths_ = widths, rest_ = rest;
    begin();
  }

  void keep(const QString& key) {
    {
      const QScopedValueRollback ours(fitting_, true);
      header_->restoreState(QSettings().value(key).toByteArray());
    }
    const QString movedKey = key + "Moved";
    for (const QVariant& column : QSettings().value(movedKey).toList()) moved_.insert(column.toInt());
    const auto remember = [this, key, movedKey] {
      QVariantList moved;
      for (const int column : moved_) moved << column;
      QSettings().setValue(key, header_->saveState());
      QSettings().setValue(movedKey, moved);
    };
    for (const auto change : {&QHeaderView::sectionResized, &QHeaderView::sectionMoved}) connect(header_, change, this, remember);
    connect(header_, &QHeaderView::sortIndicatorChanged, this, remember);
    fit();
  }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override {
    if (event->type() == QEvent::Resize) giveRest();
    return QObject::eventFilter(object, event);
  }

 private:
  static constexpr const char* kName = "columnFit";

  int least(int column) const { return column < static_cast<int>(widths_.size()) ? scaled(widths_[static_cast<std::size_t>(column)]) : 0; }
  bool isFree(int column) const { return !header_->isSectionHidden(column) && !moved_.contains(column); }

  void begin() {
    grown_.assign(static_cast<std::size_t>(header_->count()), 0);
    fit();
  }

  void fit() {
    grown_.resize(static_cast<std::size_t>(header_->count()), 0);
    const QScopedValueRollback ours(fitting_, true);
    for (int column = 0; column < header_->count(); ++column) {
      if (column == rest_ || !isFree(column)) continue;
      int& width = grown_[static_cast<std::size_t>(column)];
      const int shown = std::min(static_cast<QAbstractItemView*>(table_)->sizeHintForColumn(column) + kGap / 2, scaled(kMostGrown));
      width = std::max({width, least(column), header_->sectionSizeHint(column) + kGap, shown});
      header_->resizeSection(column, width);
    }
    giveRest();
  }

  void giveRest() {
    if (rest_ < 0 || rest_ >= header_->count() || !isFree(rest_)) return;
    const QScopedValueRollback ours(fitting_, true);
    const int others = header_->length() - header_->sectionSize(rest_);
    header_->resizeSection(rest_, std::max({least(rest_), header_->sectionSizeHint(rest_) + kGap, table_->viewport()->width() - others}));
  }

  QTableView* table_;
  QHeaderView* header_;
  QTimer later_;
  std::vector<int> widths_, grown_;  // at normal text; as wide as each has been since the text has its size
  std::set<int> moved_;              // made wider or narrower by a person
  int rest_ = -1;
  bool fitting_ = false;
};

}  // namespace

void styleTable(QTableView* table, int rowHeight) {
  table->setShowGrid(false);
  table->setWordWrap(false);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->setTextElideMode(Qt::ElideMiddle);
  table->verticalHeader()->hide();
  table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table->setTabKeyNavigation(false);
  const auto fit = [table, rowHeight] {
    const int height = scaled(rowHeight);
    table->verticalHeader()->setMinimumSectionSize(height);
    table->verticalHeader()->setDefaultSectionSize(height);
    table->horizontalHeader()->setFixedHeight(scaled(kControlHeight));
  };
  fit();
  QObject::connect(&Theme::instance(), &Theme::changed, table, fit);
}

QTableView* table(QAbstractItemModel& model, const char* objectName, const QString& accessibleName, int rowHeight) {
  auto* made = new QTableView;
  made->setObjectName(objectName);
  made->setAccessibleName(accessibleName);
  made->setModel(&model);
  styleTable(made, rowHeight);
  return made;
}

void fitRows(QTableView* table, int most, int least) {
  const int rows = std::clamp(table->model()->rowCount(), std::max(1, least), most);
  const bool scrolls = table->horizontalHeader()->length() > table->viewport()->width();
  table->setFixedHeight(table->horizontalHeader()->height() + rows * scaled(kRowHeight) + (scrolls ? 14 : 2));
}

void setWidths(QTableView* table, const std::vector<int>& widths, int rest) { ColumnFit::of(table)->set(widths, rest); }

void keepColumns(QTableView* table, const QString& key) { ColumnFit::of(table)->keep(key); }

}  // namespace paceline::widgets
