// Imports that ask first, and files that are followed as they grow.
#include "app/models/words.h"
#include "app/ui/imports/import_dialog.h"
#include "app/ui/main_window.h"

namespace paceline {

void MainWindow::askImport(const std::string& path) {
  auto* dialog = new ImportDialog(this, shell_, followed_, path);
  connect(dialog, &ImportDialog::imported, this, [this](const QString& sentence) { say(widgets::Token::kOk, "imported", sentence, tr("Show them"), [this] { go(kRuns); }); });
  dialog->open();
}

void MainWindow::buildFollowed(QMenu* menu) {
  menu->setObjectName("followedFiles");
  connect(menu, &QMenu::aboutToShow, this, [this, menu] {
    menu->clear();
    for (const std::string& path : followed_.paths()) {
      QAction* each = menu->addAction(qtext(path), this, [this, path] { followed_.end(path); });
      each->setCheckable(true);
      each->setChecked(true);
    }
    if (menu->isEmpty()) menu->addAction(tr("No file is followed"))->setEnabled(false);
  });
  connect(&followed_, &FollowedFiles::grown, &runsModel_, &runs::RunsModel::refresh);
  connect(&followed_, &FollowedFiles::failed, this, &MainWindow::tell);
}

}  // namespace paceline
