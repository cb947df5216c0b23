// Which column means what before a table is imported, or which series of other tools' files; whether the file is followed as it grows. GUI thread; deletes itself when it is closed.
#pragma once

#include <map>
#include <string>

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QTableWidget>

#include "app/models/imports/followed_files.h"
#include "app/models/imports/import_choice.h"
#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"

namespace paceline {

class ImportDialog : public QDialog {
  Q_OBJECT
 public:
  ImportDialog(QWidget* parent, Shell& shell, FollowedFiles& followed, const std::string& path);  // "": to be chosen in it

  void choose(const std::string& path);
  void load(const QString& file);  // a profile
  void save(const QString& file) const;

 signals:
  void imported(const QString& sentence);

 private:
  QWidget* places();
  QWidget* profiles();
  void fill();
  void fillRoles();
  void fillPreview();
  void take();  // what the lists say
  void start();
  void finished(int runs, const QString& problem);

  Shell& shell_;
  FollowedFiles& followed_;
  ImportChoice choice_;
  bool filling_ = false, asking_ = false;
  widgets::BreakingLabel* path_;
  std::map<std::string, QComboBox*> lists_;  // by role; "separator", too
  QWidget* roles_;
  QGridLayout* grid_;
  QTableWidget* preview_;
  QCheckBox* follow_;
  QLabel* problem_;
  QPushButton* go_;
};

}  // namespace paceline
