// What an empty store offers: a suite of two short runs on this computer, shown as it trains, with what came out; and a sample project of recorded runs. Where the first run
// is shown, three hints about the lanes come one after the other; one that was dismissed does not come again with this store. GUI thread.
#pragma once

#include <set>
#include <string>

#include "app/models/experiment/experiment_draft.h"
#include "app/ui/shell.h"
#include "app/ui/widgets/banner.h"

namespace paceline {

class FirstMinute : public QObject {
  Q_OBJECT
 public:
  struct Window {
    std::function<std::vector<RunSpec>(const std::string& document)> runnable;  // of a suite, completed; empty: it cannot be run
    std::function<bool()> onRunPage;
    std::function<std::string()> shownRun;  // of the run page
    std::function<void(const QString& words, const QString& action, std::function<void()> act)> say;
  };
  FirstMinute(Shell& shell, Window window, widgets::Banner* hints, QObject* parent);

  QString problem() const;  // why it cannot be watched now; "": it can
  void watch();
  void openSample();
  void hideSample();         // into the trash; can be undone
  bool sampleShown() const;  // some of it is in the list
  void followPage();         // another page is seen
  const std::set<std::string>& runs() const { return runs_; }  // that were started here

 private:
  void follow();
  void tellResult();
  void showHint();
  int dismissed() const;  // hints
  void dismissHints(int upTo);

  Shell& shell_;
  Window window_;
  widgets::Banner* hints_;
  std::string first_;           // of those that are watched; "": none
  std::set<std::string> runs_;  // that have begun
  bool expecting_ = false, told_ = true;
};

}  // namespace paceline
