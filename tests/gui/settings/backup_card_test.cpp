// Copies of the store, on the Settings page: the terminal's plan, bad input said beside its field, a copy now.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>

#include "storage/store/backup.h"
#include "tests/gui/settings/settings_window.h"

namespace paceline::tests {
namespace {

struct BackupCards : SettingsWindow {
  BackupCards() {
    application();
    storeRun(store, madeRow(1), 20);
  }

  const std::string copies = folder.path("copies");
};

TEST_F(BackupCards, ShowThePlanThatTheTerminalMade) {
  const store::BackupPlan plan{.folder = copies, .keep = 3, .everyHours = 12};
  store::setBackupPlan(store, plan);
  store::backUpInto(store, plan);
  open();
  ASSERT_TRUE(waitFor([this] { return find<QCheckBox>("backupPlanned")->isChecked(); }));
  EXPECT_EQ(find<QLineEdit>("backupFolder")->text().toStdString(), copies);
  EXPECT_EQ(find<QLineEdit>("backupEvery")->text(), "12");
  EXPECT_EQ(find<QLineEdit>("backupKeep")->text(), "3");
  EXPECT_TRUE(find<QLabel>("backupState")->text().startsWith("Newest copy: "));
}

TEST_F(BackupCards, KeepThePlanWhereTheRecorderReadsIt) {
  open();
  type("backupFolder", QString::fromStdString(copies));
  EXPECT_FALSE(store::backupPlan(store)) << "nothing is planned yet";
  find<QCheckBox>("backupPlanned")->click();
  ASSERT_TRUE(waitFor([this] { return store::backupPlan(store).has_value(); }));
  type("backupKeep", "2");
  ASSERT_TRUE(waitFor([this] { return store::backupPlan(store)->keep == 2; }));
  EXPECT_EQ(store::backupPlan(store)->folder, copies);
  EXPECT_EQ(store::backupPlan(store)->everyHours, 24);
  find<QCheckBox>("backupPlanned")->click();
  EXPECT_TRUE(waitFor([this] { return !store::backupPlan(store); }));
}

TEST_F(BackupCards, SayBesideTheFieldWhatIsWrongAndDoNotKeepIt) {
  open();
  find<QCheckBox>("backupPlanned")->click();
  EXPECT_EQ(saidAt("backupFolder"), "Choose the folder for the copies.");
  type("backupFolder", "copies");
  EXPECT_EQ(saidAt("backupFolder"), "The folder must be an absolute path; it is \"copies\".");
  type("backupFolder", QString::fromStdString(store));
  EXPECT_EQ(saidAt("backupFolder"), store + " is a file, not a folder.");
  type("backupEvery", "often");
  EXPECT_EQ(saidAt("backupEvery"), "Every must be a number of hours from 0.01 to 1 000 000; it is \"often\".");
  type("backupKeep", "0");
  EXPECT_EQ(saidAt("backupKeep"), "Keep must be a whole number from 1 to 100 000; it is \"0\".");
  EXPECT_FALSE(store::backupPlan(store));
}

TEST_F(BackupCards, BackUpNowMakesACheckedCopyAndSaysWhere) {
  open();
  find<QPushButton>("backUpNow")->click();
  EXPECT_EQ(saidAt("backupFolder"), "Choose the folder for the copies.");
  type("backupFolder", QString::fromStdString(copies));
  find<QPushButton>("backUpNow")->click();
  const auto* outcome = find<QLabel>("backupOutcome");
  ASSERT_TRUE(waitFor([&] { return outcome->text().contains(QString::fromStdString(copies)); })) << outcome->text().toStdString();
  EXPECT_TRUE(outcome->text().startsWith("1 run, ")) << outcome->text().toStdString();
  EXPECT_TRUE(waitFor([this] { return find<QLabel>("backupState")->text().startsWith("Newest copy: "); }));
  EXPECT_GT(store::newestBackupUtc({.folder = copies}), 0);
}

}  // namespace
}  // namespace paceline::tests
