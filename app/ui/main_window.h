// The one window: rail, banner, pages, menus, shortcuts. Owns the models. Remembers its size, page and filters. GUI thread.
#pragma once

#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>
#include <QStackedWidget>
#include <QTimer>
#include <QUndoGroup>

#include "app/models/imports/followed_files.h"
#include "app/models/runs/host_loads.h"
#include "app/ui/clusters/clusters_page.h"
#include "app/ui/compare/compare_page.h"
#include "app/ui/data/data_page.h"
#include "app/ui/desktop_notices.h"
#include "app/ui/experiment/experiment_page.h"
#include "app/ui/first_minute.h"
#include "app/ui/intake.h"
#include "app/ui/manual/manual_window.h"
#include "app/ui/palette/command_palette.h"
#include "app/ui/report/report_page.h"
#include "app/ui/runs/run_page.h"
#include "app/ui/runs/runs_page.h"
#include "app/ui/shell.h"
#include "app/ui/widgets/banner.h"
#include "app/ui/widgets/input_rules.h"

namespace paceline {

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  enum Place { kClusters, kExperiments, kRuns, kCompare, kData, kSettings, kRun, kReport };

  explicit MainWindow(const QString& storePath, clusters::HostServices services = clusters::hostServices(), data::DataServices dataServices = data::dataServices());
  ~MainWindow() override;

  // Asked before the window closes while the queue is not empty, with what goes on without it; false: the window stays. Empty: closes unasked.
  std::function<bool(const QString& goesOn)> mayQuit;
  std::function<bool(const QString& sentence, const QString& act)> mayStop;  // asked before a run is stopped or taken out of the queue

  std::function<void(const DesktopNotice&)> notify = showOnDesktop;                     // while another window is in front

  void go(int place);
  void openRun(const std::string& run);
  widgets::Page* page() const { return qobject_cast<widgets::Page*>(stack_->currentWidget()); }
  Shell& shell() { return shell_; }
  experiment::ExperimentPage& experiment() { return *experiment_; }
  clusters::ClustersPage& clusters() { return *clusters_; }
  compare::ComparePage& compare() { return *compare_; }
  data::DataPage& dataPage() { return *data_; }
  runs::RunPage& runPage() { return *run_; }
  reports::ReportPage& reportPage() { return *report_; }
  runs::RunsPage& runsPage() { return *runs_; }
  Intake& intake() { return *intake_; }
  QString bannerText() const { return storeBanner_->text() + hints_->text() + banner_->text() + failure_->text(); }
  const QString& nextStore() const { return nextStore_; }  // with which the program starts again once this window has closed; "": it ends

 protected:
  void closeEvent(QCloseEvent* event) override;

 private:
  void buildPages(data::DataServices dataServices);
  void wire();
  void buildMenus();
  void askImport(const std::string& path);  // by a dialog; "": which file is asked, too
  void buildFollowed(QMenu* menu);           // which files are followed; one that loses its tick is not any more
  std::vector<std::string> shownRuns() const;  // that an export means: selected, shown or compared
  QMenu* viewMenu();
  QMenu* helpMenu();
  void addMenuCommands(std::vector<palette::Command>& to);
  std::vector<palette::Command> commands();
  void showKeys();
  manual::ManualWindow& manual();         // made when it is first wanted
  void showManual(const manual::Place& place);
  manual::Place manualPlace() const;      // of what has the keyboard: a field of the form, else the page
  void setMode(int mode);
  void followQueue();
  void followRecorder();
  void onEnded(const std::string& run, const QString& error);
  // The banner's message, with a button where there is an action. It goes with the next step that a person makes.
  void say(widgets::Token token, const char* iconName, const QString& words, const QString& action = {}, std::function<void()> act = {});
  void offer(const std::string& run, const QString& event);  // to show it
  QUndoStack* stackOf(int place);                            // nullptr: nothing is undone there
  void step(bool back);                                      // undo or redo of the page that is seen
  void note(QUndoStack& stack, const char* iconName, const QString& words, bool back);  // of a step, with a button for the next one
  void forgetNote();
  int steps() const { return undo_.hosts.index() + undo_.drafts.index() + undo_.runs.index(); }
  using Change = std::function<void(const std::function<void()>& done)>;
  void change(const QString& what, const Change& act, const Change& back, const char* iconName = "", const QString& told = {});  // of runs
  void moveRuns(const std::vector<std::string>& runs, bool toTrash);  // or out of it
  void describe(const std::vector<std::pair<std::string, RunTexts>>& texts);
  void stop(std::string run);
  void stopAll(const std::vector<std::string>& runs);  // of them what is in the queue
  bool load(const std::string& run, bool start);  // its document: into the form, or again as it is; false: it is not in the form
  void changeCopy(const std::string& run, const std::string& what, const std::function<void(RunSpec&)>& change);
  void tell(const QString& sentence);  // a failure: stays until it is closed, whatever else is said
  void openStore(const QString& path);
  void startAgain(const QString& store);  // with that one, once this window has closed
  void restore();

  Catalogue catalogue_;
  GuiPrompts prompts_;
  RecorderLink recorder_;
  clusters::HostsModel hosts_;
  clusters::HostChecks checks_;
  clusters::HostDeploys deploys_;
  clusters::LinksModel links_;
  runs::RunQueue queue_;
  runs::HostLoads loads_;
  runs::RunsModel runsModel_;
  runs::RunExports exports_;
  FollowedFiles followed_{recorder_};
  widgets::InputRules rules_;
  UndoStacks undo_;
  QUndoGroup seen_;  // its active stack is that of the page
  Shell shell_;
  QTimer refresh_;
  widgets::Rail* rail_;
  widgets::Banner *storeBanner_, *banner_, *hints_, *failure_;
  QStackedWidget* stack_;
  clusters::ClustersPage* clusters_;
  experiment::ExperimentPage* experiment_;
  runs::RunsPage* runs_;
  compare::ComparePage* compare_;
  data::DataPage* data_;
  runs::RunPage* run_;
  reports::ReportPage* report_;
  FirstMinute* first_ = nullptr;
  Intake* intake_ = nullptr;
  QActionGroup* modes_ = nullptr;
  palette::CommandPalette* palette_ = nullptr;
  manual::ManualWindow* manual_ = nullptr;
  QAction* find_ = nullptr;  // opens the palette
  const QUndoStack* noted_ = nullptr;  // the banner is about its last step
  int saidAt_ = 0;                     // steps() when the banner spoke
  std::string offered_;                // the banner offers to show this run
  std::string next_;                   // the run to offer once it runs
  QString nextStore_;
};

}  // namespace paceline
