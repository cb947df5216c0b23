// Hosts of a file before they are added, or the problems of its lines. All are added or none. GUI thread.
#pragma once

#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableWidget>

#include "app/models/clusters/hosts_model.h"

namespace paceline::widgets {
class ElidedLabel;
}

namespace paceline::clusters {

class HostImportPane : public QFrame {
  Q_OBJECT
 public:
  explicit HostImportPane(const HostsModel& hosts, QWidget* parent = nullptr);
  void choose();                     // asks for a file
  void read(const QString& path);
  void refuse(const QString& sentence);

 signals:
  void accepted(const std::vector<hosts::HostEntry>& hosts);
  void cancelled();

 private:
  void take(const ImportedHosts& imported);

  const HostsModel& hosts_;
  QString path_;
  ImportedHosts imported_;
  widgets::ElidedLabel* file_;
  QComboBox* format_;
  QLabel* summary_;
  QTableWidget* table_;
  QPlainTextEdit* problems_;
  QPushButton *copy_, *add_;
  TaskQueue tasks_;
};

}  // namespace paceline::clusters
