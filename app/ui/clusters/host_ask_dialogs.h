// Puts the prompts of background tasks before the person: a host's key (refused unless trusted on purpose), a password or passphrase.
// Nothing waits in here: dialogs are opened on the window, their answers go back to GuiPrompts. GUI thread.
#pragma once

#include "app/models/gui_prompts.h"

class QWidget;

namespace paceline::clusters {

void showPrompts(GuiPrompts& prompts, QWidget* window);

}  // namespace paceline::clusters
