// The details of one host: state, check list, disk use, measurements, connection. GUI thread.
#pragma once

#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"

namespace paceline::widgets {
class StateBadge;
}

namespace paceline::clusters {

// A part of the pane.
class HostCard : public QFrame {
 public:
  virtual void present(const HostItem& item) = 0;
};

// One line per check with mark, title, result and state; of a problem also the expected result and the advice. Lines keep their place while
// they change.
HostCard* hostChecks(Shell& shell);
// What of ours lies on the host: versions with their sizes, half-sent files, spools of runs; sending and removing.
HostCard* hostDisk(Shell& shell);
// What was measured of the host and how it is reached, with the choice of the interface that carries the runs' traffic.
HostCard* hostFacts(Shell& shell, std::function<void(const std::string& address)> dataAddressChosen);

class HostPane : public widgets::ScrollPane {
  Q_OBJECT
 public:
  explicit HostPane(Shell& shell);
  void setHost(const std::string& host);  // "": none
  const std::string& host() const { return host_; }

 signals:
  void editAsked(const std::string& host);
  void removeAsked(const std::string& host);
  void changeAsked(const hosts::HostEntry& after, const std::string& before);

 private:
  void buildProblem();
  void checkOrStop();
  void follow();
  void followProblem(const HostItem& item);

  Shell& shell_;
  std::string host_;
  widgets::ElidedLabel *name_, *where_;
  widgets::StateBadge* badge_;
  QPushButton *check_, *edit_, *remove_;
  QFrame* problem_;
  QLabel *problemTitle_, *nothing_;
  widgets::BreakingLabel* problemText_;
  std::vector<HostCard*> cards_;
};

}  // namespace paceline::clusters
