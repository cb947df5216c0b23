// The Settings page in a window of its own, as a person fills it.
#pragma once

#include <gtest/gtest.h>

#include <QLineEdit>
#include <QTest>
#include <memory>

#include "app/ui/main_window.h"
#include "app/ui/widgets/field.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {

struct SettingsWindow : ::testing::Test {
  void open() {
    window = std::make_unique<MainWindow>(QString::fromStdString(store));
    window->show();
    window->go(MainWindow::kSettings);
  }
  template <class Widget>
  Widget* find(const char* name) { return window->page()->findChild<Widget*>(name); }
  void type(const char* name, const QString& text) {  // in place of what is there
    auto* line = find<QLineEdit>(name);
    line->setFocus();
    line->selectAll();
    text.isEmpty() ? QTest::keyClick(line, Qt::Key_Delete) : QTest::keyClicks(line, text);
    QTest::keyClick(line, Qt::Key_Return);
  }
  // What is said below the field of this editor; "": nothing.
  std::string saidAt(const char* name) {
    QWidget* at = find<QWidget>(name);
    while (at != nullptr && qobject_cast<widgets::Field*>(at) == nullptr) at = at->parentWidget();
    const auto finding = at == nullptr ? std::nullopt : qobject_cast<widgets::Field*>(at)->finding();
    return finding ? finding->message : "";
  }

  TempFolder folder;
  const std::string store = folder.path("store.db");
  std::unique_ptr<MainWindow> window;
};

}  // namespace paceline::tests
