// The check list of a host: one line per check with mark, title, result and state; of a problem also the expected result and
// the advice. Lines keep their place while they change. GUI thread.
#pragma once

#include <string>
#include <vector>

#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>

#include "app/cluster/check/host_check.h"
#include "app/models/clusters/hosts_model.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::clusters {

class CheckRow;

class HostCheckList : public QWidget {
  Q_OBJECT
 public:
  explicit HostCheckList(QWidget* parent = nullptr);
  void setLines(const std::vector<check::CheckLine>& lines, bool busy);  // busy: nothing can be asked again now

 signals:
  void recheck(const std::string& id);

 private:
  QVBoxLayout* column_;
  std::vector<CheckRow*> rows_;
};

// States of hosts and of their checks as icon, word and colour. GUI thread.
widgets::StateMark standingMark(HostStanding standing);
widgets::StateMark checkMark(check::CheckState state);

}  // namespace paceline::clusters
