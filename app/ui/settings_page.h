// Theme, text size and the store. Remembered at once. GUI thread.
#pragma once

#include <functional>

#include "app/ui/widgets/page.h"

namespace paceline {

class SettingsPage : public widgets::Page {
 public:
  SettingsPage(const QString& storePath, const std::function<void(int mode)>& setMode, std::function<void(const QString& path)> openStore);

 private:
  QWidget* look(const std::function<void(int mode)>& setMode);
  QWidget* store(const QString& path, std::function<void(const QString& path)> openStore);
};

}  // namespace paceline
