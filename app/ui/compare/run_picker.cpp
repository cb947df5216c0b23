#include "app/ui/compare/run_picker.h"

#include <algorithm>

#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTreeWidgetItemIterator>

#include "app/figures/figure.h"
#include "app/models/words.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::compare {
namespace {

constexpr int kIdData = Qt::UserRole, kTextData = Qt::UserRole + 1, kGroupData = Qt::UserRole + 2, kRemarkData = Qt::UserRole + 3;
constexpr int kName = 0;

// A name with its remark ("simulated") behind it where there is room for both, else below it: names differ at their ends and in their middle, so that they get the
// whole width before they lose any of it.
class EntryDelegate : public QStyledItemDelegate {
 public:
  explicit EntryDelegate(const QTreeWidget* tree) : QStyledItemDelegate(const_cast<QTreeWidget*>(tree)), tree_(tree) {}

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QSize one = QStyledItemDelegate::sizeHint(option, index);
    return {0, isBelow(index) ? one.height() + tree_->fontMetrics().height() : one.height()};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const override {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const QStyle& style = *tree_->style();
    const QString remark = index.data(kRemarkData).toString();
    const bool below = isBelow(index);
    const QRect all = style.subElementRect(QStyle::SE_ItemViewItemText, &option, tree_).adjusted(widgets::kGap / 2, 0, -widgets::kGap / 2, 0);
    const int behind = remark.isEmpty() || below ? 0 : option.fontMetrics.horizontalAdvance(remark) + widgets::kGap;
    const QString name = option.text;
    option.text.clear();
    style.drawControl(QStyle::CE_ItemViewItem, &option, painter, tree_);
    const int half = below ? all.height() / 2 : all.height();
    painter->save();
    painter->setFont(option.font);
    const bool chosen = (option.state & QStyle::State_Selected) != 0;
    painter->setPen(widgets::Theme::instance().colour(widgets::Token::kText));
    const QRect first(all.left(), all.top(), all.width() - behind, half);
    painter->drawText(first, (below ? Qt::AlignBottom : Qt::AlignVCenter) | Qt::AlignLeft, option.fontMetrics.elidedText(name, Qt::ElideMiddle, first.width()));
    if (!chosen) painter->setPen(widgets::Theme::instance().colour(widgets::Token::kTextMuted));
    painter->drawText(below ? QRect(all.left(), all.top() + half, all.width(), half) : all, below ? Qt::AlignTop | Qt::AlignLeft : Qt::AlignVCenter | Qt::AlignRight, remark);
    painter->restore();
  }

  // Whether the remark has no room behind the whole name.
  bool isBelow(const QModelIndex& index) const {
    const QString remark = index.data(kRemarkData).toString();
    if (remark.isEmpty()) return false;
    const int marks = tree_->indentation() * (index.parent().isValid() ? 2 : 1) + tree_->style()->pixelMetric(QStyle::PM_IndicatorWidth) + tree_->iconSize().width() + 4 * widgets::kGap;
    const QFontMetrics metrics = tree_->fontMetrics();
    return marks + metrics.horizontalAdvance(index.data().toString()) + widgets::kGap + metrics.horizontalAdvance(remark) > tree_->viewport()->width();
  }

 private:
  const QTreeWidget* tree_;
};

}  // namespace

RunPicker::RunPicker(runs::RunsModel& runs) : runs_(runs) {
  tree_->setObjectName("runPicker");
  tree_->setAccessibleName(tr("Runs to compare"));
  tree_->setHeaderHidden(true);
  tree_->setItemDelegate(new EntryDelegate(tree_));
  tree_->setIndentation(16);
  tree_->setSelectionMode(QAbstractItemView::SingleSelection);
  setMinimumWidth(200);
  setLayout(widgets::down({widgets::across({{search_, 1}}, {widgets::kGroupGap, 12, widgets::kGroupGap, 0}), {tree_, 1}}));
  connect(tree_, &QTreeWidget::itemChanged, this, &RunPicker::onItemChanged);
  connect(&runs_, &runs::RunsModel::refreshed, this, &RunPicker::rebuild);
  rebuild();
}

std::vector<std::string> RunPicker::chosen() const {  // in the order shown
  std::vector<std::string> runs;
  for (int i = 0; i < runs_.rowCount(); ++i)
    if (chosen_.contains(runs_.item(i)->row.id)) runs.push_back(runs_.item(i)->row.id);
  return runs;
}

void RunPicker::choose(const std::vector<std::string>& runs) {
  chosen_ = {runs.begin(), runs.end()};
  shown_.clear();
  rebuild();
}

void RunPicker::rebuild() {
  if (runs_.trashed()) return;
  QString now;  // what the tree is made of
  std::vector<const runs::RunItem*> items;
  for (int i = 0; i < runs_.rowCount(); ++i) {
    const runs::RunItem& item = *runs_.item(i);
    items.push_back(&item);
    now += QStringList{qtext(item.row.id), qtext(item.row.name), runs_.titleOf(item.row.model), runs_.titleOf(item.row.dataset), stateWord(item.row.state), runs::isEmpty(item) ? tr("empty") : ""}.join('\n');
  }
  if (now == shown_) return;
  shown_ = now;
  building_ = true;
  const auto keyOf = [](const QTreeWidgetItem* item) { return item ? item->data(kName, kGroupData).toString() + item->data(kName, kIdData).toString() : QString(); };
  std::set<QString> unfolded;
  for (int i = 0; i < tree_->topLevelItemCount(); ++i)
    if (tree_->topLevelItem(i)->isExpanded()) unfolded.insert(keyOf(tree_->topLevelItem(i)));
  const QString current = keyOf(tree_->currentItem());
  const int scrolled = tree_->verticalScrollBar()->value();
  tree_->clear();
  const std::vector<runs::TreeEntry> entries = runTree(items, runs_.titles());
  tree_->setUniformRowHeights(std::ranges::all_of(entries, [](const runs::TreeEntry& entry) { return entry.remark.isEmpty(); }));  // thousands are laid out at once
  for (const runs::TreeEntry& entry : entries) addEntry(entry);
  building_ = false;
  filter(search_->text());
  for (QTreeWidgetItemIterator each(tree_); *each; ++each) {  // as it was left: nothing jumps while runs come and end
    if (unfolded.contains(keyOf(*each))) (*each)->setExpanded(true);
    if (keyOf(*each) == current) tree_->setCurrentItem(*each);
  }
  tree_->doItemsLayout();
  tree_->verticalScrollBar()->setValue(scrolled);
  emit changed();  // a chosen run may only now have its row, or have ended
}

QTreeWidgetItem* RunPicker::newItem(const QString& name, const QString& remark) {
  auto* made = new QTreeWidgetItem({name});
  made->setData(kName, kRemarkData, remark);
  if (!remark.isEmpty()) made->setData(kName, Qt::AccessibleTextRole, QString("%1, %2").arg(name, remark));
  return made;
}

void RunPicker::addEntry(const runs::TreeEntry& entry) {
  QTreeWidgetItem* made = newItem(entry.name, entry.remark);
  tree_->addTopLevelItem(made);
  if (!entry.group) return addRun(entry.runs.front(), made);
  made->setFlags(made->flags() | Qt::ItemIsUserCheckable | Qt::ItemIsAutoTristate);
  made->setData(kName, kGroupData, qtext(entry.runs.front().item->row.groupHash));
  made->setToolTip(kName, QStringList{entry.name, entry.remark}.join('\n'));
  for (const runs::TreeRun& run : entry.runs) {
    made->addChild(newItem(run.name, run.remark));
    addRun(run, made->child(made->childCount() - 1));
  }
}

void RunPicker::addRun(const runs::TreeRun& run, QTreeWidgetItem* made) {
  const store::RunRow& row = run.item->row;
  made->setFlags((made->flags() | Qt::ItemIsUserCheckable) & ~Qt::ItemIsAutoTristate);
  made->setCheckState(kName, chosen_.contains(row.id) ? Qt::Checked : Qt::Unchecked);
  made->setData(kName, kIdData, qtext(row.id));
  made->setData(kName, kTextData, runs_.index(runs_.rowOf(row.id), 0).data(runs::RunsModel::kTextRole));
  const widgets::StateMark mark = widgets::stateMark(row.state);
  made->setIcon(kName, widgets::icon(mark.icon, mark.token));
  const QString trains = QStringList{said(displayName(row.algorithm)), runs_.titleOf(row.model), runs_.titleOf(row.dataset)}.join(", ");
  const QString ended = run.remark.isEmpty() ? stateWord(row.state).toLower() : run.remark;
  made->setToolTip(kName, QStringList{qtext(row.name.empty() ? row.id : row.name), trains, ended, whenText(row.createdUtc)}.join('\n'));
}

void RunPicker::onItemChanged(QTreeWidgetItem* item) {
  if (building_) return;
  const QString id = item->data(kName, kIdData).toString();
  if (id.isEmpty()) return;  // a group: its members tell
  const bool on = item->checkState(kName) == Qt::Checked;
  if (on ? chosen_.insert(id.toStdString()).second : chosen_.erase(id.toStdString()) > 0) emit changed();
}

void RunPicker::filter(const QString& typed) {
  const QStringList words = wordsOf(typed);
  const auto hits = [&words](const QTreeWidgetItem* item) { return hasWords(item->data(kName, kTextData).toString(), words); };
  for (int i = 0; i < tree_->topLevelItemCount(); ++i) {
    QTreeWidgetItem* top = tree_->topLevelItem(i);
    bool any = top->childCount() == 0 && hits(top);
    for (int k = 0; k < top->childCount(); ++k) {
      const bool hit = hits(top->child(k));
      top->child(k)->setHidden(!hit);
      any = any || hit;
    }
    top->setHidden(!any);
    top->setExpanded(!words.isEmpty() && top->childCount() > 0);
  }
}

}  // namespace paceline::compare
