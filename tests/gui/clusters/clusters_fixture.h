// The window on its Clusters page, with hosts that only pretend.
#pragma once

#include <gtest/gtest.h>

#include <QPushButton>
#include <QTableView>

#include "app/ui/main_window.h"
#include "tests/gui/fake_hosts.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {

struct Clusters : ::testing::Test {
  void open() {
    application();
    fake->measured("local", 4, 0, 50);
    window = std::make_unique<MainWindow>(QString::fromStdString(folder.path("store.db")), servicesOf(fake));
    window->resize(1280, 800);
    window->show();
    window->go(MainWindow::kClusters);
    ASSERT_TRUE(waitFor([this] { return window->shell().hosts.loaded(); }));
  }
  clusters::ClustersPage& page() { return window->clusters(); }
  template <class T>
  T* child(const char* name) {
    T* found = page().findChild<T*>(name);
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
  int rows() { return child<QTableView>("hostTable")->model()->rowCount(); }
  void click(const char* name) { child<QPushButton>(name)->click(); }
  bool called(const std::string& call) {
    return waitFor([this, &call] { return fake->wasCalled(call); });
  }

  TempFolder folder;
  std::shared_ptr<FakeHosts> fake = fakeHosts();
  std::unique_ptr<MainWindow> window;
};

}  // namespace paceline::tests
