#include "app/ui/runs/suite_details.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "app/models/words.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::runs {
namespace {

using recorder::CellStanding;

constexpr int kSquare = 14, kSpace = 3;

bool isWaiting(CellStanding standing) { return standing == CellStanding::kWaiting; }
bool isHeld(CellStanding standing) { return standing == CellStanding::kHeld; }
bool inQueue(CellStanding standing) { return isWaiting(standing) || isHeld(standing); }
bool isUnderWay(CellStanding standing) { return standing == CellStanding::kUnderWay; }
bool neverBegan(CellStanding standing) { return standing == CellStanding::kNotRun; }

int pitch() { return widgets::scaled(kSquare + kSpace); }

}  // namespace

CellSquares::CellSquares(std::function<void(const std::string&)> chosen) : chosen_(std::move(chosen)) {
  setObjectName("cellSquares");
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void CellSquares::present(const std::vector<std::string>& runs, const std::vector<CellStanding>& standings, const QStringList& names) {
  const bool resized = runs.size() != runs_.size();
  runs_ = runs, standings_ = standings, names_ = names;
  setAccessibleName(said(recorder::standingsText(standings)));
  if (resized) updateGeometry(), setMinimumHeight(heightForWidth(width()));
  update();
}

int CellSquares::across(int width) const { return std::max(1, width / pitch()); }
int CellSquares::heightForWidth(int width) const { return (static_cast<int>(runs_.size()) + across(width) - 1) / across(width) * pitch(); }

int CellSquares::at(const QPoint& point) const {
  const int column = point.x() / pitch(), index = point.y() / pitch() * across(width()) + column;
  return point.x() >= 0 && point.y() >= 0 && column < across(width()) && index < static_cast<int>(runs_.size()) ? index : -1;
}

void CellSquares::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const int side = widgets::scaled(kSquare);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const int place = static_cast<int>(i);
    const QRectF square(place % across(width()) * pitch() + 0.5, place / across(width()) * pitch() + 0.5, side - 1, side - 1);
    const QColor colour = widgets::Theme::instance().colour(widgets::standingMark(standings_[i]).token);
    const bool open = inQueue(standings_[i]) || neverBegan(standings_[i]);
    painter.setPen(QPen(colour, 1.5, neverBegan(standings_[i]) ? Qt::DotLine : Qt::SolidLine));
    painter.setBrush(open ? Qt::NoBrush : QBrush(colour));
    painter.drawRoundedRect(square, 2, 2);
  }
}

bool CellSquares::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int index = at(help->pos());
  if (index < 0) QToolTip::hideText();
  else QToolTip::showText(help->globalPos(), names_.value(index) + ": " + recorder::standingWord(standings_[static_cast<std::size_t>(index)]), this);
  return true;
}

void CellSquares::mousePressEvent(QMouseEvent* event) {
  if (const int index = at(event->position().toPoint()); index >= 0) chosen_(runs_[static_cast<std::size_t>(index)]);
}

SuiteDetails::SuiteDetails(Shell& shell, const RunRows& rows)
    : shell_(shell), rows_(rows), squares_(new CellSquares([this](const std::string& run) {
        if (shell_.runs.find(run)) shell_.openRun(run);
      })),
      search_(new SearchDetails(shell)) {
  setObjectName("suiteDetails");
  missing_ = widgets::button("", "rerun", [this] { shell_.queue.submitMissing(suite_.id); }, {.kind = "primary", .name = "runMissing", .help = tr("Submits what failed, was cancelled or never began again, in this suite")});
  hold_ = widgets::button(tr("Hold"), "", [this] { shell_.queue.hold(that(isWaiting)); }, {.name = "holdSuite", .help = tr("Pauses its waiting runs until Go")});
  go_ = widgets::button(tr("Go"), "play", [this] { shell_.queue.go(that(isHeld)); }, {.name = "goSuite", .help = tr("Starts its held runs in turn")});
  first_ = widgets::button(tr("To the front"), "", [this] { shell_.queue.moveToRow(that(inQueue), 0); }, {.name = "firstSuite", .help = tr("Its waiting runs before all others")});
  remove_ = widgets::button("", "", [this] { shell_.stopRuns(that(inQueue)); }, {.name = "removeSuite", .help = tr("Takes its waiting runs out of the queue")});
  stop_ = widgets::button("", "stop", [this] { shell_.stopRuns(that(isUnderWay)); }, {.kind = "bad", .name = "stopSuite"});
  forget_ = widgets::button("", "", [this] { shell_.recorder.ask([id = suite_.id](recorder::Client& client) { client.forgetCells(id); }); },
                            {.name = "forgetCells", .help = tr("Takes the runs that never began out of this suite: they are not missing any more")});
  auto* grid = new QGridLayout;
  grid->setSpacing(widgets::kGap);
  int i = 0;
  for (QPushButton* each : {hold_, go_, first_, remove_, stop_, forget_}) grid->addWidget(each, i / 2, i % 2), ++i;
  setLayout(widgets::down({name_, counts_, squares_, search_, missing_, grid}));
}

std::vector<std::string> SuiteDetails::that(bool (*fits)(CellStanding)) const {
  std::vector<std::string> runs;
  for (std::size_t i = 0; i < suite_.runs.size(); ++i)
    if (fits(suite_.standings[i])) runs.push_back(suite_.runs[i]);
  return runs;
}

void SuiteDetails::present(const SuiteFacts* suite) {
  setVisible(suite != nullptr);
  if (suite == nullptr) return;
  suite_ = *suite;
  name_->setFullText(suite_.name);
  counts_->setFullText(tr("%1: %2.", "runs: their states").arg(tr("%n run(s)", nullptr, static_cast<int>(suite_.runs.size())), said(recorder::standingsText(suite_.standings))));
  QStringList names;
  for (const std::string& run : suite_.runs) {
    const RunItem* item = rows_.itemOf(run);
    names << (item ? qtext(item->row.name) : qtext(run));
  }
  squares_->present(suite_.runs, suite_.standings, names);
  search_->present(suite_.search ? &*suite_.search : nullptr);
  const auto set = [](QPushButton* button, const QString& words, std::size_t count) {
    button->setVisible(count > 0);
    if (!words.isEmpty()) button->setText(words.contains("%1") ? words.arg(count) : words);
  };
  set(missing_, suite_.missing() == 1 ? tr("Run the missing one") : tr("Run the %1 missing"), static_cast<std::size_t>(suite_.missing()));
  set(hold_, {}, suite_.search ? 0 : that(isWaiting).size());  // a search has its own
  set(go_, {}, suite_.search ? 0 : that(isHeld).size());
  set(first_, {}, that(inQueue).size());
  set(remove_, tr("Remove %1 waiting"), that(inQueue).size());
  set(stop_, tr("Stop %1"), that(isUnderWay).size());
  set(forget_, tr("Forget %1 not run"), that(neverBegan).size());
}

}  // namespace paceline::runs
