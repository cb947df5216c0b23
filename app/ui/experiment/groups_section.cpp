#include "app/ui/experiment/sections.h"

#include <QHeaderView>
#include <QTableView>

#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/field.h"

namespace paceline::experiment {
namespace {

constexpr int kCountWidth = 56;

}  // namespace

GroupsSection::GroupsSection(ExperimentDraft& draft, GroupsModel::Speeds speeds, QWidget* parent)
    : FormSection(draft, "Groups", parent), groups_(draft, std::move(speeds)), table_(widgets::formTable(groups_, "groupTable", "Groups")), count_(nullptr),
      problem_(widgets::wrapped(widgets::label("", "finding"))) {
  add(buttons());
  table_->horizontalHeader()->setSectionResizeMode(GroupsModel::kWorker, QHeaderView::Stretch);
  table_->horizontalHeader()->resizeSection(GroupsModel::kHost, 140);
  table_->horizontalHeader()->resizeSection(GroupsModel::kSpeed, 110);
  keep(new widgets::Field("Group of each", table_, "/groups", "Workers with the same number train in lock-step; groups do not wait for each other"));
  problem_->hide();
  add(problem_);
}

QWidget* GroupsSection::buttons() {
  count_ = widgets::textEditor("groupCount", [this](const QString&) { tell({}); }, true);
  count_->setFixedWidth(kCountWidth);
  count_->setPlaceholderText("auto");
  count_->setAccessibleName("Number of groups; empty: as many as fit the speeds best");
  count_->setToolTip(count_->accessibleName());
  QPushButton* speed = widgets::button("By measured speed", "", [this] { groupBySpeed(); },
                              {.name = "groupsBySpeed", .help = "Workers of like speed together: the hosts' measured speed, the threads of each worker and its emulated slowdown count"});
  return widgets::boxed(widgets::across({speed, widgets::label("into", "muted"), count_, widgets::label("groups", "muted"), widgets::room(),
                       widgets::button("All together", "", [this] { groups_.allTogether(); }, {.kind = "quiet", .name = "groupsTogether"}),
                       widgets::button("Each alone", "", [this] { groups_.eachAlone(); }, {.kind = "quiet", .name = "groupsAlone"}),
                       widgets::button("None", "", [this] { groups_.none(); },
                              {.kind = "quiet", .name = "groupsNone", .help = "Takes the groups out of the document: the method forms its own, if it can"})}));
}

void GroupsSection::groupBySpeed() {
  bool ok = count_->text().trimmed().isEmpty();
  const int count = ok ? 0 : count_->text().trimmed().toInt(&ok);
  if (!ok || count < 0) return tell(QString("The number of groups must be a whole number, got \"%1\".").arg(count_->text()));
  tell(groups_.bySpeed(count));
}

void GroupsSection::follow() {
  setVisible((algorithm() && algorithm()->groups) || !spec().groups.empty());
  widgets::fitFormTable(table_);
}

void GroupsSection::tell(const QString& problem) {
  problem_->setText(problem);
  problem_->setVisible(!problem.isEmpty());
}

}  // namespace paceline::experiment
