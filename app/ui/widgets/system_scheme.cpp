#include "app/ui/widgets/system_scheme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QGuiApplication>
#include <QPalette>

namespace paceline::widgets {
namespace {

constexpr const char* kService = "org.freedesktop.portal.Desktop";
constexpr const char* kPath = "/org/freedesktop/portal/desktop";
constexpr const char* kInterface = "org.freedesktop.portal.Settings";
constexpr const char* kGroup = "org.freedesktop.appearance";
constexpr const char* kKey = "color-scheme";
constexpr int kTimeoutMs = 200;
constexpr unsigned kPreferDark = 1;

QVariant unwrapped(QVariant value) {
  while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
  return value;
}

}  // namespace

SystemScheme::SystemScheme(QObject* parent) : QObject(parent) {
  dark_ = QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
  if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS")) return;
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  QDBusMessage ask = QDBusMessage::createMethodCall(kService, kPath, kInterface, "Read");
  ask << QString(kGroup) << QString(kKey);
  const QDBusMessage reply = bus.call(ask, QDBus::Block, kTimeoutMs);
  if (reply.type() == QDBusMessage::ReplyMessage && !reply.arguments().isEmpty())
    dark_ = unwrapped(reply.arguments().first()).toUInt() == kPreferDark;
  bus.connect(kService, kPath, kInterface, "SettingChanged", this, SLOT(settingChanged(QString, QString, QDBusVariant)));
}

void SystemScheme::settingChanged(const QString& group, const QString& key, const QDBusVariant& value) {
  if (group != kGroup || key != kKey) return;
  dark_ = unwrapped(value.variant()).toUInt() == kPreferDark;
  emit changed(dark_);
}

}  // namespace paceline::widgets
