#include "app/ui/compare/run_picker.h"

#include <map>

#include "app/figures/figure.h"
#include "app/models/words.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::compare {
namespace {

constexpr int kIdData = Qt::UserRole, kTextData = Qt::UserRole + 1;

bool comparable(const runs::RunItem& item) { return item.row.state != store::RunState::kDraft && !item.row.trashed; }

}  // namespace

RunPicker::RunPicker(runs::RunsModel& runs) : runs_(runs) {
  tree_->setObjectName("runPicker");
  tree_->setAccessibleName("Runs to compare");
  tree_->setHeaderHidden(true);
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
  QString now;
  std::map<std::string, int> members;
  for (int i = 0; i < runs_.rowCount(); ++i) {
    const runs::RunItem& item = *runs_.item(i);
    if (!comparable(item)) continue;
    now += qtext(item.row.id) + qtext(item.row.name) + QString::number(static_cast<int>(item.row.state));
    ++members[item.row.groupHash];
  }
  if (now == shown_) return;
  shown_ = now;
  building_ = true;
  tree_->clear();
  std::map<std::string, QTreeWidgetItem*> groups;
  for (int i = 0; i < runs_.rowCount(); ++i) {
    const runs::RunItem& item = *runs_.item(i);
    if (!comparable(item)) continue;
    QTreeWidgetItem* group = nullptr;
    if (!item.row.groupHash.empty() && members[item.row.groupHash] > 1) {
      QTreeWidgetItem*& known = groups[item.row.groupHash];
      if (!known) {
        known = new QTreeWidgetItem(tree_, {QString("%1, %2").arg(groupName(item.row), plural(members[item.row.groupHash], "run"))});
        known->setFlags(known->flags() | Qt::ItemIsUserCheckable | Qt::ItemIsAutoTristate);
      }
      group = known;
    }
    addRun(item, group);
  }
  building_ = false;
  filter(search_->text());
  emit changed();  // a chosen run may only now have its row, or have ended
}

// The name that its seeds share, else what it trains.
QString RunPicker::groupName(const store::RunRow& row) {
  const QString tail = QString(" seed %1").arg(row.seed), name = qtext(row.name);
  return name.endsWith(tail) && name.size() > tail.size() ? name.chopped(tail.size()) : QString("%1, %2").arg(qtext(displayName(row.algorithm)), qtext(row.model));
}

void RunPicker::addRun(const runs::RunItem& item, QTreeWidgetItem* group) {
  const QString name = qtext(item.row.name.empty() ? item.row.id : item.row.name);
  auto* made = group ? new QTreeWidgetItem(group) : new QTreeWidgetItem(tree_);
  made->setText(0, group ? QString("seed %1 · %2").arg(item.row.seed).arg(name) : name);
  made->setFlags((made->flags() | Qt::ItemIsUserCheckable) & ~Qt::ItemIsAutoTristate);
  made->setCheckState(0, chosen_.contains(item.row.id) ? Qt::Checked : Qt::Unchecked);
  made->setData(0, kIdData, qtext(item.row.id));
  made->setData(0, kTextData, runs_.index(runs_.rowOf(item.row.id), 0).data(runs::RunsModel::kTextRole));
  const widgets::StateMark mark = widgets::stateMark(item.row.state);
  made->setIcon(0, widgets::icon(mark.icon, mark.token));
  made->setToolTip(0, QString("%1\n%2, %3, %4\n%5").arg(name, qtext(displayName(item.row.algorithm)), qtext(item.row.model), stateWord(item.row.state), whenText(item.row.createdUtc)));
}

void RunPicker::onItemChanged(QTreeWidgetItem* item) {
  if (building_) return;
  const QString id = item->data(0, kIdData).toString();
  if (id.isEmpty()) return;  // a group: its members tell
  const bool on = item->checkState(0) == Qt::Checked;
  if (on ? chosen_.insert(id.toStdString()).second : chosen_.erase(id.toStdString()) > 0) emit changed();
}

void RunPicker::filter(const QString& typed) {
  const QStringList words = wordsOf(typed);
  const auto hits = [&words](const QTreeWidgetItem* item) { return hasWords(item->data(0, kTextData).toString(), words); };
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
