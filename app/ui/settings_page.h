// Theme, text size and the store. Remembered at once. GUI thread.
#pragma once

#include "app/ui/shell.h"
#include "app/ui/widgets/page.h"

namespace paceline {

widgets::Page* settingsPage(Shell& shell, std::function<void(int mode)> setMode, std::function<void(const QString& path)> openStore);

}  // namespace paceline
