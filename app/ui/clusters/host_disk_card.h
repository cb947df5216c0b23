// What of ours lies on a host: versions with their sizes, half-sent files, spools of runs; sending and removing. GUI thread.
#pragma once

#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include "app/ui/shell.h"

namespace paceline::widgets {
class ElidedLabel;
}

namespace paceline::clusters {

class HostDiskCard : public QFrame {
  Q_OBJECT
 public:
  explicit HostDiskCard(Shell& shell, QWidget* parent = nullptr);
  void setHost(const std::string& host);
  void follow();

 private:
  void followProgress();
  void followDisk();
  void clean(bool spools);

  Shell& shell_;
  std::string host_;
  QPushButton *deploy_, *look_, *cleanVersions_, *cleanSpools_;
  QProgressBar* bar_;
  QLabel* amount_;
  widgets::ElidedLabel* file_;
  QLabel* summary_;
  QGridLayout* versions_;
};

}  // namespace paceline::clusters
