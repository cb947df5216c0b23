// What takes room, on the Settings page: read, asked, really freed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTableWidget>
#include <QTimer>

#include "app/cluster/run/storage_use.h"
#include "app/ui/main_window.h"
#include "storage/store/store.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

struct StoragePages : ::testing::Test {
  StoragePages() {
    application();
    storeRun(store, madeRow(1), 2000);
    storeRun(store, madeRow(2), 20);
    store::StoreWriter(store).trash(madeRow(1).id);
  }
  void open() {
    window = std::make_unique<MainWindow>(QString::fromStdString(store));
    window->show();
    window->go(MainWindow::kSettings);
    ASSERT_TRUE(waitFor([this] { return button("emptyTrash")->isEnabled(); }));
  }
  QPushButton* button(const char* name) { return window->page()->findChild<QPushButton*>(name); }
  // Answers the question that a click asks.
  void clickAnd(QMessageBox::ButtonRole role, const char* name) {
    QTimer::singleShot(100, [role] {
      auto* asked = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (asked == nullptr) return;
      for (QAbstractButton* each : asked->buttons())
        if (asked->buttonRole(each) == role) return each->click();
    });
    button(name)->click();
  }

  TempFolder folder;
  const std::string store = folder.path("store.db");
  std::unique_ptr<MainWindow> window;
};

TEST_F(StoragePages, RunsAreListedByTheirSize) {
  open();
  const auto* table = window->page()->findChild<QTableWidget*>("storageTable");
  ASSERT_EQ(table->rowCount(), 2);
  EXPECT_EQ(table->item(0, 0)->text(), "run number 1 (in the trash)");
  EXPECT_EQ(table->item(1, 0)->text(), "run number 2");
}

TEST_F(StoragePages, TheTrashIsEmptiedOnlyAfterAQuestionAndTheFileShrinks) {
  open();
  const std::int64_t before = run::storeBytes(store);
  clickAnd(QMessageBox::RejectRole, "emptyTrash");
  EXPECT_EQ(store::StoreReader(store).trashed().size(), 1U);
  clickAnd(QMessageBox::DestructiveRole, "emptyTrash");
  ASSERT_TRUE(waitFor([this] { return window->bannerText().contains("Deleted 1 run. Freed "); })) << window->bannerText().toStdString();
  EXPECT_LT(run::storeBytes(store), before / 2);
  EXPECT_TRUE(waitFor([this] { return !button("emptyTrash")->isEnabled(); }));
  EXPECT_EQ(store::StoreReader(store).runs().size(), 1U);
}

}  // namespace
}  // namespace paceline::tests
