#include "app/ui/runs/export_menu.h"

#include <QFileInfo>
#include <QSettings>

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/file_dialog.h"

namespace paceline::runs {
namespace {

constexpr const char* kFolder = "export/folder";  // as figures' exports

QString askPath(QWidget* parent, const RunExport& what) {
  const QString folder = QSettings().value(kFolder).toString(), name = proposedName(what.format, what.runs.front(), what.runs.size());
  if (goesToFolder(what.format, what.runs.size()))
    return widgets::askFolderPath(parent, {.title = QObject::tr("A folder for %1").arg(what.format.tree ? QObject::tr("the log tree") : QObject::tr("%n file(s)", nullptr, static_cast<int>(what.runs.size()))), .at = folder, .accept = QObject::tr("Export")});
  const QString ending = QFileInfo(what.format.ending).suffix();
  return widgets::askSavePath(parent, {.title = QObject::tr("Export %n run(s)", nullptr, static_cast<int>(what.runs.size())), .at = folder.isEmpty() ? name : folder + "/" + name,
                                       .filters = QString("%1 (*.%2)").arg(ending.toUpper(), ending), .accept = QObject::tr("Export")});
}

// Of a single file the dialog has asked.
bool mayReplace(QWidget* parent, const RunExport& what) {
  const QStringList there = goesToFolder(what.format, what.runs.size()) ? alreadyThere(what) : QStringList();
  return there.isEmpty() || widgets::sure(parent, QObject::tr("Replace"), QObject::tr("%1 in this folder will be replaced, the first is %2.").arg(QObject::tr("%n file(s)", nullptr, static_cast<int>(there.size())), QFileInfo(there.front()).fileName()));
}

void exportAs(QWidget* parent, Shell& shell, RunExport what) {
  what.path = askPath(parent, what);
  if (what.path.isEmpty() || !mayReplace(parent, what)) return;
  QSettings().setValue(kFolder, goesToFolder(what.format, what.runs.size()) ? what.path : QFileInfo(what.path).absolutePath());
  if (!shell.exports.start(what)) shell.tell("Another export is under way; wait for its end, or stop it.");
}

}  // namespace

QMenu* exportMenu(QWidget* parent, Shell& shell, std::function<std::vector<std::string>()> runs, std::function<double()> target) {
  auto* menu = new QMenu(QObject::tr("&Export"), parent);
  QObject::connect(menu, &QMenu::aboutToShow, menu, [=, &shell] {
    menu->clear();
    const std::vector<std::string> chosen = runs();
    bool summaries = false, weights = false;
    for (const ExportFormat& format : exportFormats()) {
      const bool ofWeights = !format.weights.empty();
      if ((format.summary && !std::exchange(summaries, true)) || (ofWeights && !std::exchange(weights, true))) menu->addSeparator();
      QAction* action = menu->addAction(format.title + "…", menu, [=, &shell] { exportAs(parent, shell, {.format = format, .runs = chosen, .target = target ? target() : 0.8}); });
      action->setObjectName(QString(format.summary ? "summary-" : "export-") + qtext(ofWeights ? strCat(format.id, "-", format.weights) : format.id));
      action->setEnabled(!chosen.empty() && (!format.ofOne || chosen.size() == 1));
    }
  });
  return menu;
}

}  // namespace paceline::runs
