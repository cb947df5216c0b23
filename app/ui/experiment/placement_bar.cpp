#include <QMenu>

#include "app/models/words.h"
#include "app/ui/experiment/experiment_form.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/flow_layout.h"

namespace paceline::experiment {
namespace {

class PlacementBar : public QWidget {
 public:
  PlacementBar(PlacementModel& placement, std::function<void(bool board)> boardChosen) : placement_(placement) {
    auto* views = new widgets::Segments({tr("Table"), tr("Board")});
    views->setObjectName("placementViews");
    QPushButton* spread = widgets::button(tr("Spread evenly"), "", {}, {.name = "spreadEvenly", .help = tr("Puts the nodes on hosts in turn")});
    auto* menu = new QMenu(spread);
    menu->addAction(tr("Over all hosts without a problem"), this, [this] { this->spread(Over::kUsable); });
    menu->addAction(tr("Over all but this computer"), this, [this] { this->spread(Over::kOthers); });
    menu->addAction(tr("Over the hosts with nodes now"), this, [this] { this->spread(Over::kInUse); });
    spread->setMenu(menu);
    QPushButton* shares = widgets::button(tr("Shares by measured speed"), "", [this] { widgets::tell(problem_, placement_.sharesBySpeed()); },
                                          {.name = "sharesBySpeed",
                                           .help = tr("Each worker's part of the training data, and of several servers each one's part of the parameters, follow what their hosts' cores can do")});
    QPushButton* normalise = widgets::button(tr("Normalise"), "", [this] { widgets::tell(problem_, placement_.normaliseShares()); },
                                             {.kind = "quiet", .name = "normaliseShares", .help = tr("Keeps the proportions of the workers' and of the servers' shares and makes each sum to exactly 1")});
    QPushButton* equal = widgets::button(tr("Equal shares"), "", [this] { placement_.equalShares(); }, {.kind = "quiet"});
    setLayout(widgets::down({new widgets::FlowLayout({views, spread, shares, normalise, equal}), problem_}, {}, 4));
    connect(views, &widgets::Segments::chosen, this, [chosen = std::move(boardChosen)](int view) { chosen(view == 1); });
    connect(&placement_, &PlacementModel::edited, problem_, &QWidget::hide);
  }

 private:
  enum class Over { kUsable, kOthers, kInUse };

  void spread(Over over) {
    std::vector<std::string> hosts;
    for (const PlaceCard& card : placement_.cards()) {
      const bool usable = card.known && card.standing != clusters::HostStanding::kProblem;
      if (over == Over::kInUse ? !card.nodes.empty() && card.known : usable && (over == Over::kUsable || card.host != "local")) hosts.push_back(card.host);
    }
    widgets::tell(problem_, hosts.empty() ? QString("There is no such host: add one on the Clusters page.") : QString());
    placement_.spreadEvenly(hosts);
  }

  PlacementModel& placement_;
  QLabel* problem_ = widgets::problemLine();
};

}  // namespace

QWidget* placementBar(PlacementModel& placement, std::function<void(bool board)> boardChosen) {
  return new PlacementBar(placement, std::move(boardChosen));
}

}  // namespace paceline::experiment
