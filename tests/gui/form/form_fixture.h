// A form on a draft, driven as a person does.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QUndoStack>

#include "app/ui/experiment/draft_undo.h"
#include "app/ui/experiment/experiment_form.h"
#include "app/ui/widgets/field.h"
#include "tests/gui/fake_hosts.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {

struct FormFixture : ::testing::Test {
  QApplication& application = tests::application();  // first: widgets are members
  template <class Widget>
  Widget* the(const char* name) {
    auto* found = form.findChild<Widget*>(name);
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
  void type(const char* name, const char* words) {
    auto* field = the<QLineEdit>(name);
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, words);
    field->clearFocus();
    draft.validateNow();
  }
  void choose(const char* name, const char* meaning) {
    auto* list = the<QComboBox>(name);
    const int index = list->findData(meaning);
    ASSERT_GE(index, 0) << name << " has no " << meaning;
    list->setCurrentIndex(index);
    emit list->activated(index);
    draft.validateNow();
  }
  widgets::Field* field(const char* name) {
    for (QWidget* up = the<QWidget>(name); up; up = up->parentWidget())
      if (auto* found = qobject_cast<widgets::Field*>(up)) return found;
    return nullptr;
  }
  void openFolds() {
    for (const auto* section : form.findChildren<QPushButton*>())
      if (section->property("fold").toBool()) const_cast<QPushButton*>(section)->setChecked(true);
  }
  QString help(const char* name) { return field(name)->help(); }
  QString note(const char* name) {  // below the editor: reason, notice or finding
    QString words;
    widgets::Field* around = field(name);
    if (!around) return words;
    for (const QLabel* each : around->findChildren<QLabel*>())
      if (each->wordWrap()) words = each->text();
    return words;
  }

  void open(const std::string& text) {
    ASSERT_EQ(draft.loadText(text), "");
    draft.validateNow();
    undo.clear();
  }
  void show(Catalog catalog, const std::string& text) {
    draft.setCatalog(std::make_shared<const Catalog>(std::move(catalog)));
    open(text);
    form.resize(760, 900);
    openFolds();
    form.show();
    form.activateWindow();
    ASSERT_TRUE(waitFor([this] { return form.isActiveWindow(); }));
  }

  std::shared_ptr<FakeHosts> fake = fakeHosts();
  clusters::HostsModel hosts{servicesOf(fake)};
  QUndoStack undo;
  experiment::ExperimentDraft draft;
  experiment::ExperimentForm form{draft, hosts, [](const RunSpec&, const std::stop_token&) { return worker::SplitCounts(); }};
  experiment::DraftUndo steps{draft, undo};
};

}  // namespace paceline::tests
