// The id under which desktops and software centres know the program is one and the same in what is installed, and valid where their own checkers are here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>

#include "app/ui/desktop_notices.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

const std::string kInstalled = std::string(PACELINE_SOURCE_DIR "/resources/install/") + kDesktopId;

std::string textOf(const std::string& path) {
  QFile file(QString::fromStdString(path));
  EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path;
  return file.readAll().toStdString();
}

// What the checker complains of; "": nothing, or it is not here.
std::string complaint(const QString& checker, QStringList arguments, const std::string& file) {
  if (QStandardPaths::findExecutable(checker).isEmpty()) return "";
  QProcess process;
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(checker, arguments << QString::fromStdString(file));
  process.waitForFinished(-1);
  return process.exitCode() == 0 ? "" : process.readAll().toStdString();
}

TEST(DesktopId, IsAReverseDomainName) {
  EXPECT_TRUE(QRegularExpression("^[a-z]+(\\.[a-z][a-z0-9_]*){2,}$").match(kDesktopId).hasMatch()) << kDesktopId;
}

TEST(DesktopId, NamesEntryIconAndAppStreamData) {
  const std::string metainfo = textOf(kInstalled + ".metainfo.xml"), id = kDesktopId;
  EXPECT_THAT(metainfo, HasSubstr("<id>" + id + "</id>"));
  EXPECT_THAT(metainfo, HasSubstr("<launchable type=\"desktop-id\">" + id + ".desktop</launchable>"));
  EXPECT_THAT(textOf(kInstalled + ".desktop"), HasSubstr("\nIcon=" + id + "\n"));
  EXPECT_THAT(textOf(PACELINE_SOURCE_DIR "/resources/install/install.cmake"), HasSubstr("set(desktop_id " + id + ")"));
}

TEST(DesktopId, IsValidToTheDesktopsOwnCheckers) {
  EXPECT_EQ(complaint("appstreamcli", {"validate", "--no-net"}, kInstalled + ".metainfo.xml"), "");
  EXPECT_EQ(complaint("desktop-file-validate", {}, kInstalled + ".desktop"), "");
}

}  // namespace
}  // namespace paceline::tests
