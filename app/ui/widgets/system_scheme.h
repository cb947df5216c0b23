// Whether the desktop asks for a dark look: the settings portal where a session bus answers, else the palette the platform came with.
// GUI thread. Never blocks longer than the portal's 200 ms limit, never fails.
#pragma once

#include <QDBusVariant>
#include <QObject>
#include <QString>

namespace paceline::widgets {

class SystemScheme : public QObject {
  Q_OBJECT
 public:
  explicit SystemScheme(QObject* parent = nullptr);
  bool dark() const { return dark_; }

 signals:
  void changed(bool dark);

 private slots:
  void settingChanged(const QString& group, const QString& key, const QDBusVariant& value);

 private:
  bool dark_ = false;
};

}  // namespace paceline::widgets
