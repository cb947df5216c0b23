// The form of a new or changed host: what it takes, what is wrong with it, the kinds of hosts.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

#include "tests/gui/clusters/clusters_fixture.h"

namespace paceline::tests {
namespace {

TEST_F(Clusters, AHostIsAddedFromOneLineAndChecked) {
  open();
  click("addHost");
  child<QComboBox>("hostTarget")->setEditText("alice@10.0.0.5:2222");
  click("saveHost");
  ASSERT_TRUE(waitFor([this] { return rows() == 2; }));
  const hosts::HostEntry added = *fake->book.find("10.0.0.5");
  EXPECT_EQ(added.user, "alice");
  EXPECT_EQ(added.port, 2222);
  EXPECT_TRUE(called("check 10.0.0.5"));
}

TEST_F(Clusters, AliasesAreOffered) {
  open();
  click("addHost");
  EXPECT_TRUE(waitFor([this] { return child<QComboBox>("hostTarget")->findText("gpu-b") >= 0; }));
}

TEST_F(Clusters, WhatIsWrongWithANewHostIsSaidInTheForm) {
  open();
  click("addHost");
  child<QLineEdit>("hostName")->setText("bad name");
  child<QLineEdit>("hostAddress")->setText("10.0.0.5");
  click("saveHost");
  auto* problem = child<QLabel>("hostFormProblem");
  EXPECT_TRUE(waitFor([problem] { return problem->text().contains("bad name"); }));
  EXPECT_EQ(rows(), 1);
}

TEST_F(Clusters, AFormThatIsWrongCannotBeSaved) {
  fake->add("gpu1");
  open();
  click("addHost");
  const auto* save = child<QPushButton>("saveHost");
  const auto* problem = child<QLabel>("hostFormProblem");
  EXPECT_FALSE(save->isEnabled());  // nothing in it, and nothing to blame
  EXPECT_EQ(problem->text(), "");
  child<QComboBox>("hostTarget")->setEditText("alice@10.0.0.5:2222");
  EXPECT_TRUE(save->isEnabled());
  child<QLineEdit>("hostPort")->setText("70000");
  EXPECT_FALSE(save->isEnabled());
  EXPECT_TRUE(problem->text().contains("70000")) << problem->text().toStdString();
  child<QLineEdit>("hostPort")->setText("22");
  child<QLineEdit>("hostName")->setText("gpu1");
  EXPECT_FALSE(save->isEnabled());
  EXPECT_EQ(problem->text(), "There is a host \"gpu1\" already; choose another name.");
  child<QLineEdit>("hostName")->setText("gpu2");
  EXPECT_TRUE(save->isEnabled());
  EXPECT_EQ(problem->text(), "");
}

TEST_F(Clusters, TheNodesOfAJobOfSlurmAreAddedTogether) {
  fake->add("lab2");
  open();
  click("addHost");
  auto* kind = child<QComboBox>("hostKind");
  child<QLineEdit>("hostName")->setText("lab");
  EXPECT_FALSE(child<QLineEdit>("hostNodes")->isVisible());
  kind->setCurrentIndex(kind->findData("slurm"));
  EXPECT_TRUE(child<QLineEdit>("hostNodes")->isVisible());
  child<QLineEdit>("hostNodes")->setText("none");
  EXPECT_EQ(child<QLabel>("hostFormProblem")->text(), "The nodes must be a whole number of at least 1; they are \"none\".");
  child<QLineEdit>("hostNodes")->setText("3");
  EXPECT_EQ(child<QLabel>("hostFormProblem")->text(), "There is a host \"lab2\" already; choose another name.");
  child<QLineEdit>("hostNodes")->setText("2");
  click("saveHost");
  ASSERT_TRUE(waitFor([this] { return rows() == 4; }));
  const hosts::HostEntry second = *fake->book.find("lab1");
  EXPECT_EQ(second.job, "lab");
  EXPECT_EQ(second.jobNodes, 2);
  EXPECT_EQ(second.jobNode, 1);
}

TEST_F(Clusters, AHostMayBeWhateverACommandGivesAShellOn) {
  open();
  click("addHost");
  auto* kind = child<QComboBox>("hostKind");
  kind->setCurrentIndex(kind->findData("exec"));
  child<QLineEdit>("hostName")->setText("box");
  EXPECT_FALSE(child<QLineEdit>("hostAddress")->isVisible());
  EXPECT_TRUE(child<QLabel>("hostFormProblem")->text().contains("has no command that gives a shell there"));
  child<QLineEdit>("hostCommand")->setText("docker exec -i box");
  click("saveHost");
  ASSERT_TRUE(waitFor([this] { return rows() == 2; }));
  EXPECT_EQ(fake->book.find("box")->kind, "exec");
  EXPECT_EQ(fake->book.find("box")->command, "docker exec -i box");
}

TEST_F(Clusters, AFieldKeepsNothingOfAnEarlierReadingOfTheHost) {
  open();
  click("addHost");
  for (const char* typed : {"alice@10.0.0.5:7000", "alice@10.0.0.5:70000"}) child<QComboBox>("hostTarget")->setEditText(typed);
  EXPECT_EQ(child<QLineEdit>("hostPort")->text(), "");
  EXPECT_TRUE(child<QLabel>("hostFormProblem")->text().contains("70000"));
}

}  // namespace
}  // namespace paceline::tests
