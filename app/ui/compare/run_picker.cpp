#include "app/ui/compare/run_picker.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTreeWidgetItemIterator>

#include "app/figures/figure.h"
#include "app/models/words.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::compare {
namespace {

constexpr int kIdData = Qt::UserRole, kTextData = Qt::UserRole + 1, kGroupData = Qt::UserRole + 2;
enum Column { kName, kRemark, kColumns };

class EntryDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(widgets::kGap, 0);  // the style's own forgets the padding: the longest name would be cut
  }
};

}  // namespace

RunPicker::RunPicker(runs::RunsModel& runs) : runs_(runs) {
  tree_->setObjectName("runPicker");
  tree_->setAccessibleName("Runs to compare");
  tree_->setHeaderHidden(true);
  tree_->setColumnCount(kColumns);
  tree_->setItemDelegate(new EntryDelegate(tree_));
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setSectionResizeMode(kName, QHeaderView::Stretch);  // names differ at their ends: where there is no room they lose their middle
  tree_->header()->setSectionResizeMode(kRemark, QHeaderView::ResizeToContents);
  tree_->setIndentation(16);
  tree_->setUniformRowHeights(true);
  tree_->setTextElideMode(Qt::ElideMiddle);
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
    now += QStringList{qtext(item.row.id), qtext(item.row.name), runs_.titleOf(item.row.model), runs_.titleOf(item.row.dataset), stateWord(item.row.state), runs::isEmpty(item) ? "empty" : ""}.join('\n');
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
  for (const runs::TreeEntry& entry : runTree(items, runs_.titles())) addEntry(entry);
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

void RunPicker::addEntry(const runs::TreeEntry& entry) {
  auto* made = new QTreeWidgetItem(tree_, {entry.name, entry.remark});
  made->setForeground(kRemark, palette().placeholderText());
  if (!entry.group) return addRun(entry.runs.front(), made);
  made->setFlags(made->flags() | Qt::ItemIsUserCheckable | Qt::ItemIsAutoTristate);
  made->setData(kName, kGroupData, qtext(entry.runs.front().item->row.groupHash));
  made->setToolTip(kName, QStringList{entry.name, entry.remark}.join('\n'));
  for (const runs::TreeRun& run : entry.runs) addRun(run, new QTreeWidgetItem(made, {run.name, run.remark}));
}

void RunPicker::addRun(const runs::TreeRun& run, QTreeWidgetItem* made) {
  const store::RunRow& row = run.item->row;
  made->setFlags((made->flags() | Qt::ItemIsUserCheckable) & ~Qt::ItemIsAutoTristate);
  made->setCheckState(kName, chosen_.contains(row.id) ? Qt::Checked : Qt::Unchecked);
  made->setData(kName, kIdData, qtext(row.id));
  made->setData(kName, kTextData, runs_.index(runs_.rowOf(row.id), 0).data(runs::RunsModel::kTextRole));
  const widgets::StateMark mark = widgets::stateMark(row.state);
  made->setIcon(kName, widgets::icon(mark.icon, mark.token));
  made->setForeground(kRemark, palette().placeholderText());
  const QString trains = QStringList{qtext(displayName(row.algorithm)), runs_.titleOf(row.model), runs_.titleOf(row.dataset)}.join(", ");
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
