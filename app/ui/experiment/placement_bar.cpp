#include "app/ui/experiment/placement_bar.h"

#include <QHBoxLayout>
#include <QMenu>

#include "app/ui/widgets/controls.h"
#include "app/ui/clusters/host_commands.h"

namespace paceline::experiment {

PlacementBar::PlacementBar(PlacementModel& placement, QUndoStack& undo, QWidget* parent)
    : QWidget(parent), placement_(placement), problem_(widgets::label("", "finding")) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  auto* row = new QHBoxLayout;
  row->setSpacing(widgets::kGap);
  auto* views = new widgets::Segments({"Table", "Board"});
  views->setObjectName("placementViews");
  QPushButton* spread = widgets::button("Spread evenly");
  spread->setObjectName("spreadEvenly");
  spread->setToolTip("Puts the nodes on hosts in turn");
  auto* menu = new QMenu(spread);
  menu->addAction("Over all hosts without a problem", this, [this] { this->spread(Over::kUsable); });
  menu->addAction("Over those that are not this computer", this, [this] { this->spread(Over::kOthers); });
  menu->addAction("Over the hosts that have nodes now", this, [this] { this->spread(Over::kInUse); });
  spread->setMenu(menu);
  QPushButton* shares = widgets::button("Shares by measured speed");
  shares->setObjectName("sharesBySpeed");
  shares->setToolTip("Each worker's part of the training data, and of several servers each one's part of the parameters, follow what their hosts' cores can do");
  QPushButton* whole = widgets::button("Normalise", "", "quiet");
  whole->setObjectName("normaliseShares");
  whole->setToolTip("Keeps the proportions of the workers' and of the servers' shares and makes each sum to exactly 1");
  QPushButton* equal = widgets::button("Equal shares", "", "quiet");
  row->addWidget(views);
  row->addStretch(1);
  for (QPushButton* each : {spread, shares, whole, equal}) row->addWidget(each);
  column->addLayout(row);
  problem_->setWordWrap(true);
  problem_->hide();
  column->addWidget(problem_);
  connect(views, &widgets::Segments::chosen, this, [this](int view) { emit boardChosen(view == 1); });
  connect(shares, &QPushButton::clicked, this, [this] { tell(placement_.sharesBySpeed()); });
  connect(whole, &QPushButton::clicked, this, [this] { tell(placement_.normaliseShares()); });
  connect(equal, &QPushButton::clicked, &placement_, &PlacementModel::equalShares);
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
