// The one window: rail, banner, pages, menus, shortcuts. Owns the models. Remembers its size, page and filters. GUI thread.
#pragma once

#include <QMainWindow>
#include <QStackedWidget>
#include <QTimer>
#include <QUndoStack>

class QActionGroup;

#include "app/ui/shell.h"
#include "app/ui/widgets/theme.h"

namespace paceline {

class Banner;
class ClustersPage;
class ComparePage;
class ExperimentPage;
class Page;
class Rail;
class RunPage;
class RunsPage;
class SettingsPage;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  enum Place { kClusters, kExperiments, kRuns, kCompare, kSettings, kRun };

  explicit MainWindow(const QString& storePath, HostServices services = hostServices(), QWidget* parent = nullptr);
  ~MainWindow() override;

  void go(int place);
  void openRun(const std::string& run);
  Page* page() const;
  Shell& shell() { return shell_; }
  ExperimentPage& experiment() { return *experiment_; }
  ClustersPage& clusters() { return *clusters_; }
  ComparePage& compare() { return *compare_; }
  RunPage& runPage() { return *run_; }
  RunsPage& runsPage() { return *runs_; }
  QString bannerText() const;

 protected:
  void closeEvent(QCloseEvent* event) override;

 private:
  void openDoors();
  void buildPages();
  void wire();
  void buildMenus();
  void buildViewMenu();
  void setMode(int mode);
  void followQueue();
  void followStore();
  void onStarted(int ticket, const QString& run);
  void onEnded(const QString& run, const QString& error);
  void offerUndo(const QString& done);
  void trash(const std::vector<std::string>& runs);
  void load(const std::string& run, bool start);  // its document: into the form, or again as it is
  void tell(const QString& sentence);
  void openStore(const QString& path);
  void restore();

  Workspace workspace_;
  Catalogue catalogue_;
  GuiPrompts prompts_;
  HostsModel hosts_;
  HostChecks checks_;
  HostDeploys deploys_;
  LinksModel links_;
  RunQueue queue_;
  RunsModel runsModel_;
  QUndoStack undo_;
  Shell shell_;
  QTimer refresh_;
  Rail* rail_;
  Banner *storeBanner_, *banner_;
  QStackedWidget* stack_;
  ClustersPage* clusters_;
  ExperimentPage* experiment_;
  RunsPage* runs_;
  ComparePage* compare_;
  SettingsPage* settings_;
  RunPage* run_;
  QActionGroup* modes_ = nullptr;
  bool followNext_ = false;  // show the run that starts next
};

}  // namespace paceline
