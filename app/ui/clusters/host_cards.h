// What was measured of a host and how it is reached, with the choice of the interface that carries the runs' traffic. GUI thread.
#pragma once

#include <QComboBox>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"

namespace paceline::clusters {

class HostFactsCard : public QFrame {
  Q_OBJECT
 public:
  explicit HostFactsCard(Shell& shell, QWidget* parent = nullptr);
  void show(const HostItem& item);

 signals:
  void dataAddressChosen(const std::string& address);

 private:
  void fillConnection(const HostItem& item);
  void fillAddresses(const HostItem& item);
  void fillAbilities();

  Shell& shell_;
  QLabel* never_;
  widgets::FactGrid *facts_, *connection_, *abilities_;
  QLabel* abilitiesTitle_;
  QComboBox* address_;
  QString shown_;  // the facts shown now: unchanged ones are not painted again, a selection stays
};

}  // namespace paceline::clusters

// What of ours lies on a host: versions with their sizes, half-sent files, spools of runs; sending and removing. GUI thread.
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
