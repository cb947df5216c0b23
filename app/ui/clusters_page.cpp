#include "app/ui/clusters_page.h"

#include <QScrollArea>

#include "app/models/words.h"
#include "app/ui/controls.h"

namespace paceline {
namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

template <class Entries>
QString names(const Entries& entries) {
  QStringList all;
  for (const auto& entry : entries) all << text(entry.title.empty() ? entry.id : entry.title);
  return all.join(", ");
}

QGridLayout* factGrid(QFrame* frame) {
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(8);
  grid->setColumnStretch(2, 1);
  grid->setColumnMinimumWidth(1, 104);
  qobject_cast<QVBoxLayout*>(frame->layout())->addLayout(grid);
  return grid;
}

}  // namespace

ClustersPage::ClustersPage(Shell& shell, QWidget* parent)
    : Page("Clusters", parent), shell_(shell), check_(primaryButton("Check again", "refresh")) {
  titleRow()->addWidget(check_);
  connect(check_, &QPushButton::clicked, this, &ClustersPage::check);
  body()->addWidget(horizontalLine());
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  auto* inside = new QWidget;
  inside->setObjectName("plain");
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(kPageMargin, kGroupGap, kPageMargin, kPageMargin);
  column->setSpacing(kGroupGap);
  QFrame* computer = card();
  auto* head = new QHBoxLayout;
  head->addWidget(label("This computer", "section"));
  head->addWidget(label("always there; runs on it go through the same agent as any host's", "muted"));
  head->addStretch(1);
  qobject_cast<QVBoxLayout*>(computer->layout())->addLayout(head);
  facts_ = factGrid(computer);
  QFrame* worker = card();
  worker->layout()->addWidget(label("What its worker can do", "section"));
  abilities_ = factGrid(worker);
  column->addWidget(computer);
  column->addWidget(worker);
  column->addStretch(1);
  scroll->setWidget(inside);
  body()->addWidget(scroll, 1);
  connect(&computer_, &ThisComputer::changed, this, &ClustersPage::follow);
  connect(&shell_.catalogue, &Catalogue::changed, this, &ClustersPage::follow);
  connect(&Theme::instance(), &Theme::changed, this, &ClustersPage::follow);
  follow();
}

void ClustersPage::check() {
  computer_.probe();
  shell_.catalogue.load();
}

void ClustersPage::entered() {
  if (computer_.facts().empty() && computer_.error().isEmpty()) computer_.probe();
  if (!shell_.catalogue.get()) shell_.catalogue.load();
}

void ClustersPage::follow() {
  check_->setEnabled(!computer_.asking());
  check_->setText(computer_.asking() ? "Checking" : "Check again");
  fillFacts();
  fillCatalogue();
}

void ClustersPage::addLine(QGridLayout* grid, const QString& name, const QString& value, Standing standing) {
  const int row = grid->rowCount();
  auto* mark = new QLabel;
  const bool ok = standing == Standing::kFine, bad = standing == Standing::kProblem;
  const Token token = ok ? Token::kOk : bad ? Token::kBad : Token::kTextMuted;
  mark->setPixmap(iconPixmap(ok    ? "finished"
                             : bad ? "failed"
                                   : "stopped",
                             Theme::instance().colour(token), 16, devicePixelRatioF()));
  mark->setAccessibleName(ok ? "fine" : bad ? "problem" : "absent");
  auto* shown = label(value);
  shown->setWordWrap(true);
  shown->setTextInteractionFlags(Qt::TextSelectableByMouse);
  grid->addWidget(mark, row, 0, Qt::AlignTop);
  grid->addWidget(label(name, "muted"), row, 1, Qt::AlignTop);
  grid->addWidget(shown, row, 2, Qt::AlignTop);
}

void ClustersPage::fillFacts() {
  emptyLayout(facts_);
  for (const ProbeFact& fact : computer_.facts())
    addLine(facts_, fact.name, fact.value, fact.ok ? Standing::kFine : Standing::kProblem);
  if (!computer_.error().isEmpty()) addLine(facts_, "Agent", computer_.error(), Standing::kProblem);
  if (computer_.facts().empty() && computer_.error().isEmpty()) facts_->addWidget(label("Asking paceline-agent", "muted"), 0, 0);
}

void ClustersPage::fillCatalogue() {
  emptyLayout(abilities_);
  if (!shell_.catalogue.error().isEmpty()) addLine(abilities_, "Worker", shell_.catalogue.error(), Standing::kProblem);
  const auto catalog = shell_.catalogue.get();
  if (!catalog) {
    if (shell_.catalogue.error().isEmpty()) abilities_->addWidget(label("Asking paceline-worker", "muted"), 0, 0);
    return;
  }
  addLine(abilities_, "LibTorch", text(catalog->torch));
  QStringList devices;
  for (const std::string& device : catalog->devices) devices << text(device);
  addLine(abilities_, "Devices", devices.join(", "));
  addLine(abilities_, "Algorithms", names(catalog->algorithms));
  addLine(abilities_, "Aggregations", names(catalog->aggregations));
  addLine(abilities_, "Models", names(catalog->models));
  addLine(abilities_, "Partitions", names(catalog->partitions));
  for (const DatasetEntry& data : catalog->datasets)
    addLine(abilities_, text(data.title.empty() ? data.id : data.title),
            data.location.empty()
                ? "not found on this computer"
                : QString("%1 to train, %2 to test; %3").arg(data.trainCount).arg(data.testCount).arg(text(data.location)),
            data.location.empty() ? Standing::kAbsent : Standing::kFine);
}

}  // namespace paceline
