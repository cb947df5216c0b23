// The one window: rail, banner, pages, menus, shortcuts. Owns the models. Remembers its size, page and filters. GUI thread.
#pragma once

#include <QMainWindow>
#include <QStackedWidget>
#include <QTimer>
#include <QUndoStack>

class QActionGroup;

#include "app/ui/shell.h"
#include "app/ui/widgets/theme.h"

namespace paceline::widgets {
class Banner;
class Page;
class Rail;
}
namespace paceline::clusters {
class ClustersPage;
}
namespace paceline::compare {
class ComparePage;
}
namespace paceline::experiment {
class ExperimentPage;
}
namespace paceline::runs {
class RunPage;
class RunsPage;
}

namespace paceline {

class SettingsPage;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  enum Place { kClusters, kExperiments, kRuns, kCompare, kSettings, kRun };

  explicit MainWindow(const QString& storePath, clusters::HostServices services = clusters::hostServices(), QWidget* parent = nullptr);
  ~MainWindow() override;

  void go(int place);
  void openRun(const std::string& run);
  widgets::Page* page() const;
  Shell& shell() { return shell_; }
  experiment::ExperimentPage& experiment() { return *experiment_; }
  clusters::ClustersPage& clusters() { return *clusters_; }
  compare::ComparePage& compare() { return *compare_; }
  runs::RunPage& runPage() { return *run_; }
  runs::RunsPage& runsPage() { return *runs_; }
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
  void followRecorder();
  void onEnded(const std::string& run, const QString& error);
  void offerUndo(const QString& done);
  void trash(const std::vector<std::string>& runs);
  void load(const std::string& run, bool start);  // its document: into the form, or again as it is
  void tell(const QString& sentence);
  void openStore(const QString& path);
  void restore();

  Catalogue catalogue_;
  GuiPrompts prompts_;
  RecorderLink recorder_;
  clusters::HostsModel hosts_;
  clusters::HostChecks checks_;
  clusters::HostDeploys deploys_;
  clusters::LinksModel links_;
  runs::RunQueue queue_;
  runs::RunsModel runsModel_;
  QUndoStack undo_;
  Shell shell_;
  QTimer refresh_;
  widgets::Rail* rail_;
  widgets::Banner *storeBanner_, *banner_;
  QStackedWidget* stack_;
  clusters::ClustersPage* clusters_;
  experiment::ExperimentPage* experiment_;
  runs::RunsPage* runs_;
  compare::ComparePage* compare_;
  SettingsPage* settings_;
  runs::RunPage* run_;
  QActionGroup* modes_ = nullptr;
  std::string next_;  // the run to show once it runs
};

}  // namespace paceline
