#include "app/ui/runs/welcome.h"

namespace paceline::runs {
namespace {

constexpr int kWide = 460;

// A button with what it does below it.
QVBoxLayout* offer(QPushButton* button, QLabel* words) {
  words->setMinimumWidth(240);
  words->setMaximumWidth(kWide);
  return widgets::down({{button, 0, Qt::AlignLeft}, words}, {}, 4);
}

QLabel* caption(const QString& words) { return widgets::wrapped(widgets::label(words, "caption")); }

}  // namespace

Welcome::Welcome(Shell& shell) : shell_(shell) {
  setObjectName("welcome");
  watch_ = widgets::button(tr("Watch ESync beat SSGD (40 s, on this computer)"), "play", [this] { shell_.watchFirst(); }, {.kind = "primary", .name = "watchFirst"});
  QPushButton* sample = widgets::button(tr("Open a sample project"), "runs", [this] { shell_.openSample(); }, {.name = "openSample"});
  QPushButton* connect = widgets::button(tr("Connect a machine"), "computer", [this] { shell_.connectMachine(); }, {.name = "connectMachine"});
  QPushButton* experiment = widgets::button(tr("New experiment"), "plus", [this] { shell_.newExperiment(); }, {.name = "firstExperiment"});
  QVBoxLayout* column = widgets::down({widgets::room(2), widgets::label(tr("No runs yet"), "section"),
                                       caption(tr("A run is one training: real worker and server processes, measured round by round. Results of other tools can be imported (File menu).")),
                                       widgets::gap(widgets::kGap), offer(watch_, why_), offer(sample, caption(tr("Four runs that were recorded before. They can be hidden again."))),
                                       offer(connect, caption(tr("A computer that is reached by SSH, or a Slurm cluster."))), offer(experiment, caption(tr("From a template or an empty form."))), widgets::room(3)},
                                      {9, 9, 9, 9}, widgets::kGroupGap);
  QWidget* inside = widgets::boxed(widgets::across({widgets::room(), {column, 0}, widgets::room()}));
  inside->setObjectName("plain");
  setWidget(inside);
  follow();
}

void Welcome::follow() {
  const QString problem = shell_.firstProblem ? shell_.firstProblem() : QString();
  watch_->setEnabled(problem.isEmpty());
  why_->setText(problem.isEmpty() ? tr("Four workers, one of them eight times as slow, train twice for 17 s on generated pictures. Nothing is downloaded.") : problem + ".");
}

}  // namespace paceline::runs
