// What Ctrl+K finds, the list of keys, and the manual.
#include <QMenuBar>

#include "app/models/words.h"
#include "app/ui/main_window.h"
#include "app/ui/palette/command_palette.h"
#include "app/ui/palette/key_list.h"
#include "app/ui/widgets/field.h"

namespace paceline {
namespace {

constexpr const char* kWindowChapter = "02-window.md";

// Anchors of the sections that are about a page, by place.
constexpr std::pair<MainWindow::Place, const char*> kPageSections[] = {
    {MainWindow::kClusters, "clusters-page"}, {MainWindow::kExperiments, "experiment-page"}, {MainWindow::kRuns, "runs-page"}, {MainWindow::kCompare, "compare-page"},
    {MainWindow::kData, "data-page"},         {MainWindow::kSettings, "settings-page"},      {MainWindow::kRun, "run-page"},   {MainWindow::kReport, "report-page"}};

}  // namespace

// What can be done now: the menus as they would show.
void MainWindow::addMenuCommands(std::vector<palette::Command>& to) {
  for (const QAction* entry : menuBar()->actions()) {
    QMenu* menu = entry->menu();
    emit menu->aboutToShow();  // texts and states follow the page
    for (QAction* each : menu->actions()) {
      if (each->isSeparator() || !each->isVisible() || !each->isEnabled() || each == find_) continue;
      to.push_back({.name = palette::plainText(each), .kind = palette::plainText(entry), .detail = each->shortcut().toString(QKeySequence::NativeText), .act = [each] { each->trigger(); }});
    }
    emit menu->aboutToHide();
  }
}

std::vector<palette::Command> MainWindow::commands() {
  std::vector<palette::Command> all;
  addMenuCommands(all);
  for (const experiment::Template& each : experiment::templates())
    all.push_back({.name = each.title, .kind = tr("Template"), .iconName = "template", .act = [this, each] { go(kExperiments), experiment_->openTemplate(each); }});
  for (const experiment::FormPlace& each : experiment_->places())
    all.push_back({.name = each.name, .kind = tr("Field"), .detail = each.section, .iconName = "experiments", .act = [this, each] { go(kExperiments), experiment_->reveal(each.pointer); }});
  for (const clusters::HostItem& host : hosts_.items()) {
    const QString name = qtext(host.entry.name);
    all.push_back({.name = name, .kind = tr("Host"), .detail = standingWord(host.standing()), .more = host.address(), .iconName = "computer", .act = [this, host = host.entry.name] { go(kClusters), clusters_->select(host); }});
  }
  for (int row = 0; row < runsModel_.rowCount(); ++row) {
    const store::RunRow& run = runsModel_.item(row)->row;
    all.push_back({.name = qtext(run.name), .kind = tr("Run"), .detail = tr("seed %1, %2").arg(run.seed).arg(stateWord(run.state)), .more = qtext(run.id) + " " + qtexts(run.tags).join(' '), .iconName = "runs",
                   .act = [this, id = run.id] { openRun(id); }});
  }
  for (const manual::Chapter& chapter : manual().book().chapters())
    for (const manual::Section& section : chapter.sections)
      all.push_back({.name = section.title, .kind = tr("Manual"), .detail = section.level == 1 ? QString() : chapter.title, .iconName = "info",
                     .act = [this, place = manual::Place{chapter.file, section.level == 1 ? QString() : section.anchor}] { showManual(place); }});
  return all;
}

manual::ManualWindow& MainWindow::manual() {
  if (manual_ == nullptr) manual_ = new manual::ManualWindow(this);
  return *manual_;
}

void MainWindow::showManual(const manual::Place& place) {
  manual().open(place);
  manual().show();
  manual().raise();
  manual().activateWindow();
}

manual::Place MainWindow::manualPlace() const {
  for (const QWidget* each = focusWidget(); each != nullptr; each = each->parentWidget())
    if (const auto* field = qobject_cast<const widgets::Field*>(each); field != nullptr && !field->pointer().empty()) return manual::Book().ofField(field->pointer());
  for (const QWidget* each = focusWidget(); each != nullptr; each = each->parentWidget())
    if (const QString anchor = each->property("manual").toString(); !anchor.isEmpty()) return {.file = kWindowChapter, .anchor = anchor};
  for (const auto& [place, anchor] : kPageSections)
    if (place == stack_->currentIndex()) return {.file = kWindowChapter, .anchor = anchor};
  return {.file = kWindowChapter, .anchor = ""};
}

void MainWindow::showKeys() {
  std::vector<palette::KeyLine> lines = palette::menuKeys(menuBar());
  const std::vector<palette::KeyLine> others = palette::keyLines(this);
  lines.insert(lines.end(), others.begin(), others.end());
  auto* shown = new palette::KeyList(lines, this);
  shown->show();
  shown->activateWindow();
}

}  // namespace paceline
