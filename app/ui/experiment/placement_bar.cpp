#include "app/ui/experiment/placement_bar.h"

#include <QMenu>

#include "app/ui/widgets/controls.h"
#include "app/ui/clusters/host_commands.h"

namespace paceline::experiment {

PlacementBar::PlacementBar(PlacementModel& placement, QUndoStack& undo, QWidget* parent)
    : QWidget(parent), placement_(placement), problem_(widgets::wrapped(widgets::label("", "finding"))) {
  auto* views = new widgets::Segments({"Table", "Board"});
  views->setObjectName("placementViews");
  QPushButton* spread = widgets::button("Spread evenly", "", {}, {.name = "spreadEvenly", .help = "Puts the nodes on hosts in turn"});
  auto* menu = new QMenu(spread);
  menu->addAction("Over all hosts without a problem", this, [this] { this->spread(Over::kUsable); });
  menu->addAction("Over all but this computer", this, [this] { this->spread(Over::kOthers); });
  menu->addAction("Over the hosts with nodes now", this, [this] { this->spread(Over::kInUse); });
  spread->setMenu(menu);
  problem_->hide();
  QHBoxLayout* row = widgets::across(
      {views, widgets::room(), spread,
       widgets::button("Shares by measured speed", "", [this] { tell(placement_.sharesBySpeed()); },
              {.name = "sharesBySpeed",
               .help = "Each worker's part of the training data, and of several servers each one's part of the parameters, follow what their hosts' cores can do"}),
       widgets::button("Normalise", "", [this] { tell(placement_.normaliseShares()); },
              {.kind = "quiet", .name = "normaliseShares", .help = "Keeps the proportions of the workers' and of the servers' shares and makes each sum to exactly 1"}),
       widgets::button("Equal shares", "", [this] { placement_.equalShares(); }, {.kind = "quiet"})});
  setLayout(widgets::down({row, problem_}, {}, 4));
  connect(views, &widgets::Segments::chosen, this, [this](int view) { emit boardChosen(view == 1); });
  connect(&placement_, &PlacementModel::placed, this, [this, &undo](const QString& what, const Places& before, const Places& after) {
    problem_->hide();
    undo.push(new clusters::PlacesCommand(what, placement_, before, after));
  });
}

void PlacementBar::tell(const QString& problem) {
  problem_->setText(problem);
  problem_->setVisible(!problem.isEmpty());
}

void PlacementBar::spread(Over over) {
  std::vector<std::string> hosts;
  for (const PlaceCard& card : placement_.cards()) {
    const bool usable = card.known && card.standing != clusters::HostStanding::kProblem;
    if (over == Over::kInUse ? !card.nodes.empty() && card.known : usable && (over == Over::kUsable || card.host != "local")) hosts.push_back(card.host);
  }
  tell(hosts.empty() ? QString("There is no such host: add one on the Clusters page.") : QString());
  placement_.spreadEvenly(hosts);
}

}  // namespace paceline::experiment
