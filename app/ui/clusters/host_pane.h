// The details of one host: state, check list, disk use, measurements, connection. GUI thread.
#pragma once

#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"

namespace paceline::widgets {
class StateBadge;
}

namespace paceline::clusters {

class HostCheckList;
class HostDiskCard;
class HostFactsCard;

class HostPane : public widgets::ScrollPane {
  Q_OBJECT
 public:
  explicit HostPane(Shell& shell, QWidget* parent = nullptr);
  void setHost(const std::string& host);  // "": none
  const std::string& host() const { return host_; }

 signals:
  void editAsked(const std::string& host);
  void removeAsked(const std::string& host);
  void changeAsked(const hosts::HostEntry& before, const hosts::HostEntry& after);

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
  HostCheckList* checks_;
  HostDiskCard* disk_;
  HostFactsCard* facts_;
};

}  // namespace paceline::clusters
