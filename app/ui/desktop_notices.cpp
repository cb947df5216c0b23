#include "app/ui/desktop_notices.h"

#include <QCoreApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QSettings>

#include "app/models/words.h"

namespace paceline {
namespace {

constexpr const char* kNotices = "notices/desktop";
constexpr const char* kTargetReached = "accuracy";  // reason of a run's end

}  // namespace

std::optional<DesktopNotice> noticeOf(const recorder::Entry& ended) {
  const QString name = qtext(ended.name.empty() ? ended.run : ended.name);
  if (ended.state == store::RunState::kFailed) return DesktopNotice{QObject::tr("Run failed"), QString("\"%1\": %2").arg(name, asSentence(qtext(ended.text)))};
  if (ended.reason != kTargetReached) return std::nullopt;
  const QString after = durationText(ended.progress.seconds);
  return DesktopNotice{QObject::tr("Target reached"), ended.progress.accuracy ? QObject::tr("\"%1\" has reached its target accuracy at %2 after %3").arg(name, percentText(ended.progress.accuracy), after)
                                                                              : QObject::tr("\"%1\" has reached its target accuracy after %2").arg(name, after)};
}

DesktopNotice divergedNotice(const recorder::Entry& entry) {
  const QString name = qtext(entry.name.empty() ? entry.run : entry.name);
  return {QCoreApplication::translate("DesktopNotice", "Loss is no number"), QString("\"%1\": %2").arg(name, said(entry.progress.diverged))};
}

void showOnDesktop(const DesktopNotice& notice) {
  if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS")) return;
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  QDBusMessage ask = QDBusMessage::createMethodCall("org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "Notify");
  const uint replacesNone = 0;
  const int asTheDesktopDoes = -1;  // how long it stays
  ask << QString("Paceline") << replacesNone << QString(kDesktopId) << notice.title << notice.words.toHtmlEscaped() << QStringList() << QVariantMap{{"desktop-entry", kDesktopId}} << asTheDesktopDoes;
  bus.asyncCall(ask);
}

bool noticesWanted() { return QSettings().value(kNotices, true).toBool(); }

void setNoticesWanted(bool wanted) { QSettings().setValue(kNotices, wanted); }

}  // namespace paceline
