// The Settings page's card of who hears of ends: this desktop, a web address, a command; with a trial. Remembered when a field is left. GUI thread.
#pragma once

#include <QCheckBox>
#include <QFrame>

#include "app/models/settings/notices_model.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/field.h"

namespace paceline {

class NoticesCard : public QFrame {
  Q_OBJECT
 public:
  explicit NoticesCard(NoticesModel& model);

 private:
  void follow();
  void keep();

  NoticesModel& model_;
  QLineEdit *address_, *command_;
  QCheckBox *target_, *failed_, *suite_;
  widgets::Field *addressField_, *commandField_, *endsField_;
  QPushButton* try_;
  QLabel *trial_, *program_;
};

}  // namespace paceline
