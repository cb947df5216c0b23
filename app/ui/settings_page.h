// Theme, text size and the store. Remembered at once. GUI thread.
#pragma once

#include "app/ui/widgets/page.h"
#include "app/ui/shell.h"

namespace paceline::widgets {
class Segments;
}

namespace paceline {

class SettingsPage : public widgets::Page {
  Q_OBJECT
 public:
  explicit SettingsPage(Shell& shell, QWidget* parent = nullptr);
  void showMode(int mode);  // ThemeMode

 signals:
  void modeChosen(int mode);
  void otherStoreAsked(const QString& path);

 private:
  QWidget* look();
  QWidget* store();
  void chooseStore();

  Shell& shell_;
  widgets::Segments* mode_;
};

}  // namespace paceline
