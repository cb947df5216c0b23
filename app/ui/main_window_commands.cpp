// What Ctrl+K finds, and the list of keys.
#include <QMenuBar>

#include "app/models/words.h"
#include "app/ui/main_window.h"
#include "app/ui/palette/command_palette.h"
#include "app/ui/palette/key_list.h"

namespace paceline {
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
  return all;
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
