// What a hand does by accident changes nothing: the wheel over a form, a file dialog over the store's folder.
#include <gtest/gtest.h>

#include <QAbstractItemModel>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileSystemModel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QTabBar>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "app/ui/widgets/file_dialog.h"
#include "app/ui/widgets/input_rules.h"
#include "storage/store/store.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

// A list, a number, a slider and tabs, each at its second value, above more than fits.
struct Wheel : ::testing::Test {
  QApplication& application = tests::application();  // first: widgets are members
  void SetUp() override {
    auto* inside = new QWidget;
    auto* column = new QVBoxLayout(inside);
    list->addItems({"Server", "Tree", "Ring"});
    list->setCurrentIndex(1);
    number->setValue(1);
    slider->setValue(1);
    for (const char* name : {"Accuracy", "Loss", "Traffic"}) tabs->addTab(name);
    tabs->setCurrentIndex(1);
    for (QWidget* each : std::initializer_list<QWidget*>{list, number, slider, tabs, button}) column->addWidget(each);
    inside->setMinimumHeight(2000);
    page.setWidget(inside);
    page.setWidgetResizable(true);
    page.resize(400, 300);
    page.show();
    page.activateWindow();
    ASSERT_TRUE(waitFor([this] { return page.isActiveWindow(); }));
    button->setFocus();
  }
  static void turn(QWidget* over) {
    const QPointF at = over->rect().center();
    QWheelEvent event(at, over->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&event);  // as the mouse's own: only those go on to the widget above
    qApp->notify(over, &event);
  }
  std::vector<int> values() const { return {list->currentIndex(), number->value(), slider->value(), tabs->currentIndex()}; }

  widgets::InputRules rules;
  QScrollArea page;
  QComboBox* list = new QComboBox;
  QSpinBox* number = new QSpinBox;
  QSlider* slider = new QSlider(Qt::Horizontal);
  QTabBar* tabs = new QTabBar;
  QLineEdit* button = new QLineEdit;
};

TEST_F(Wheel, ScrollsThePageOverControlsWithoutTheKeyboard) {
  for (QWidget* each : std::initializer_list<QWidget*>{list, number, slider, tabs}) {
    page.verticalScrollBar()->setValue(0);
    turn(each);
    EXPECT_EQ(values(), (std::vector{1, 1, 1, 1})) << each->metaObject()->className();
    EXPECT_GT(page.verticalScrollBar()->value(), 0) << each->metaObject()->className();
    EXPECT_TRUE(button->hasFocus());
  }
}

TEST_F(Wheel, DoesNotGiveTheKeyboard) {
  for (const QWidget* each : std::initializer_list<QWidget*>{list, number, slider, tabs}) EXPECT_NE(each->focusPolicy(), Qt::WheelFocus) << each->metaObject()->className();
}

TEST_F(Wheel, ChangesTheControlThatHasTheKeyboard) {
  list->setFocus();
  turn(list);
  EXPECT_EQ(list->currentIndex(), 2);
}

QStringList ownLocks() {
  QFile file("/proc/locks");
  EXPECT_TRUE(file.open(QIODevice::ReadOnly));
  QStringList own;
  for (const QString& line : QString::fromUtf8(file.readAll()).split('\n'))
    if (const QStringList words = line.simplified().split(' '); words.contains(QString::number(QCoreApplication::applicationPid()))) own << words.mid(1).join(' ');
  own.sort();
  return own;
}

TEST(FileDialog, OverTheStoresFolderLeavesItsLocks) {
  application();
  const TempFolder folder{};
  storeRun(folder.path("store.db"), madeRow(1), 5);
  const store::StoreWriter writer(folder.path("store.db"));
  const QStringList before = ownLocks();
  ASSERT_FALSE(before.isEmpty());
  const std::unique_ptr<QFileDialog> dialog(
      widgets::fileDialog(nullptr, {.title = "Open or create a store", .at = QString::fromStdString(folder.path("store.db")), .filters = "Paceline stores (*.db);;All files (*)"}, true));
  dialog->selectNameFilter("All files (*)");
  dialog->show();
  auto* files = dialog->findChild<QFileSystemModel*>();
  ASSERT_NE(files, nullptr);
  // A file has a type when it was looked at.
  const auto looked = [&] {
    const QModelIndex root = files->index(QString::fromStdString(folder.path("")));
    int typed = 0;
    for (int row = 0; row < files->rowCount(root); ++row) typed += files->type(files->index(row, 0, root)).isEmpty() ? 0 : 1;
    return typed > 0 && typed == files->rowCount(root) && files->index(QString::fromStdString(folder.path("store.db-shm"))).isValid();
  };
  EXPECT_TRUE(waitFor(looked));
  EXPECT_EQ(ownLocks(), before);
}

TEST(FileDialog, SaysThatItOpensOrCreates) {
  application();
  const TempFolder folder{};
  const std::unique_ptr<QFileDialog> dialog(
      widgets::fileDialog(nullptr, {.title = "Open or create a store", .at = QString::fromStdString(folder.path("")), .accept = "Open or create"}, true));
  dialog->show();
  EXPECT_EQ(dialog->labelText(QFileDialog::Accept), "Open or create");
  EXPECT_EQ(dialog->findChild<QLineEdit*>("fileNameEdit")->text(), "");
}

}  // namespace
}  // namespace paceline::tests
