// What rows that paint widgets need: an application, on the screen that there is or on none. One at a time.
#pragma once

#include <QApplication>

namespace paceline::bench {

class Painting {
 public:
  Painting() : application_((choosePlatform(), count_), names_) {}

 private:
  static void choosePlatform() {
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")) qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  int count_ = 1;
  char name_[15] = "paceline-bench";
  char* names_[2] = {name_, nullptr};
  QApplication application_;
};

}  // namespace paceline::bench
