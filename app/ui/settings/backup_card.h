// The Settings page's card of copies of the store: by themselves every so many hours, and one now. Remembered when a field is left. GUI thread.
#pragma once

#include <QCheckBox>
#include <QFrame>

#include "app/models/settings/backup_model.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/field.h"

namespace paceline {

class BackupCard : public QFrame {
  Q_OBJECT
 public:
  explicit BackupCard(BackupModel& model);

 private:
  void follow();
  void keep();
  void choose();

  BackupModel& model_;
  QCheckBox* planned_;
  QLineEdit *folder_, *every_, *keep_;
  widgets::Field *folderField_, *everyField_, *keepField_;
  QPushButton* now_;
  QLabel *state_, *outcome_;
};

}  // namespace paceline
