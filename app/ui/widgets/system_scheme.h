// Whether the desktop asks for a dark look: the settings portal where a session bus answers, else the palette the platform came with.
// Never blocks longer than the portal's 200 ms limit, never fails. GUI thread.
#pragma once

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVariant>
#include <QGuiApplication>
#include <QObject>
#include <QPalette>

namespace paceline::widgets {

class SystemScheme : public QObject {
  Q_OBJECT
 public:
  explicit SystemScheme(QObject* parent) : QObject(parent) {
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
  bool dark() const { return dark_; }

 signals:
  void changed(bool dark);

 private slots:
  void settingChanged(const QString& group, const QString& key, const QDBusVariant& value) {
    if (group != kGroup || key != kKey) return;
    dark_ = unwrapped(value.variant()).toUInt() == kPreferDark;
    emit changed(dark_);
  }

 private:
  static QVariant unwrapped(QVariant value) {
    while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
    return value;
  }

  static constexpr const char* kService = "org.freedesktop.portal.Desktop";
  static constexpr const char* kPath = "/org/freedesktop/portal/desktop";
  static constexpr const char* kInterface = "org.freedesktop.portal.Settings";
  static constexpr const char* kGroup = "org.freedesktop.appearance";
  static constexpr const char* kKey = "color-scheme";
  static constexpr int kTimeoutMs = 200;
  static constexpr unsigned kPreferDark = 1;

  bool dark_ = false;
};

}  // namespace paceline::widgets
