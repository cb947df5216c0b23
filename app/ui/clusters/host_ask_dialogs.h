// Puts the prompts of background tasks before the person: a host's key (refused unless trusted on purpose), a password or passphrase.
// Nothing waits in here: dialogs are opened, their answers go back to GuiPrompts. GUI thread.
#pragma once

#include <QObject>
#include <QPointer>

#include "app/models/gui_prompts.h"

class QDialog;
class QWidget;

namespace paceline::clusters {

class HostAskDialogs : public QObject {
  Q_OBJECT
 public:
  HostAskDialogs(GuiPrompts& prompts, QWidget* window);

 private:
  void ask(const AskedPrompt& question);
  QDialog* keyDialog(const AskedPrompt& question);
  QDialog* secretDialog(const AskedPrompt& question);

  GuiPrompts& prompts_;
  QWidget* window_;
  QPointer<QDialog> open_;
  int openId_ = 0;
};

}  // namespace paceline::clusters
