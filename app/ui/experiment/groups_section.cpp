#include <QHeaderView>

#include "app/models/words.h"
#include "app/ui/experiment/form_cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/flow_layout.h"

namespace paceline::experiment {
namespace {

// Of methods that have them: the group of every worker.
class GroupsSection : public FormSection {
 public:
  GroupsSection(ExperimentDraft& draft, GroupsModel::Speeds speeds) : FormSection(draft, tr("Groups")), groups_(draft, std::move(speeds)) {
    QTableView* table = widgets::formTable(groups_, "groupTable", tr("Groups"));
    add(buttons());
    table->horizontalHeader()->setSectionResizeMode(GroupsModel::kWorker, QHeaderView::Stretch);
    table->horizontalHeader()->resizeSection(GroupsModel::kHost, 140);
    table->horizontalHeader()->resizeSection(GroupsModel::kSpeed, 110);
    keep(new widgets::Field(tr("Group of each"), table, "/groups", tr("Workers with the same number train in lock-step; groups do not wait for each other")));
    add(problem_);
    onFollow([table] { widgets::fitFormTable(table); });
  }

  bool belongs() const override { return (algorithm() && algorithm()->groups) || !spec().groups.empty(); }

 private:
  QWidget* buttons() {
    count_->setFixedWidth(56);
    count_->setPlaceholderText(tr("auto"));
    count_->setAccessibleName(tr("Number of groups; empty: as many as fit the speeds best"));
    count_->setToolTip(count_->accessibleName());
    QPushButton* speed = widgets::button(tr("By measured speed"), "", [this] { groupBySpeed(); },
                                         {.name = "groupsBySpeed", .help = tr("Workers of like speed together: the hosts' measured speed, the threads of each worker and its emulated slowdown count")});
    return widgets::boxed(new widgets::FlowLayout({speed, widgets::label(tr("into"), "muted"), count_, widgets::label(tr("groups"), "muted"),
                                           widgets::button(tr("All together"), "", [this] { groups_.allTogether(); }, {.kind = "quiet", .name = "groupsTogether"}),
                                           widgets::button(tr("Each alone"), "", [this] { groups_.eachAlone(); }, {.kind = "quiet", .name = "groupsAlone"}),
                                           widgets::button(tr("None"), "", [this] { groups_.none(); },
                                                           {.kind = "quiet", .name = "groupsNone", .help = tr("Takes the groups out of the document: the method forms its own, if it can")})}));
  }

  void groupBySpeed() {
    bool ok = count_->text().trimmed().isEmpty();
    const int count = ok ? 0 : count_->text().trimmed().toInt(&ok);
    widgets::tell(problem_, ok && count >= 0 ? groups_.bySpeed(count) : QString("The number of groups must be a whole number; it is \"%1\".").arg(count_->text()));
  }

  GroupsModel groups_;
  QLabel* problem_ = widgets::problemLine();
  QLineEdit* count_ = widgets::textEditor("groupCount", [this](const QString&) { widgets::tell(problem_, {}); }, true);
};

}  // namespace

FormSection* groupsSection(ExperimentDraft& draft, GroupsModel::Speeds speeds) { return new GroupsSection(draft, std::move(speeds)); }

}  // namespace paceline::experiment
