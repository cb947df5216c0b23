// The machines: this computer and the hosts of the list, their checks, disk use, links. GUI thread.
#pragma once

#include <QStackedWidget>

#include "app/models/clusters/hosts_model.h"
#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/page.h"

namespace paceline::clusters {

class HostForm;
class HostImportPane;
class HostPane;
class LinkMatrix;

class ClustersPage : public widgets::Page {
  Q_OBJECT
 public:
  explicit ClustersPage(Shell& shell);
  void primary() override { add(); }
  void find() override;
  void entered() override;

  void select(const std::string& host);
  void showLinks(bool links);
  void add();
  void importFrom(const QString& path);

 private:
  void buildRow();
  QWidget* buildTable();
  QWidget* buildLinks();
  void wirePane();
  void follow();
  void followSelection();
  void followLinks();
  void measure();
  void save(const hosts::HostEntry& entry, const std::string& before);
  void saveAll(const std::vector<hosts::HostEntry>& hosts);
  void remove(const std::string& host);
  struct HostChange {
    std::optional<hosts::HostEntry> before, after;  // no before: added; no after: removed
  };
  void push(const QString& what, const std::vector<HostChange>& changes);
  std::string selected() const;

  Shell& shell_;
  HostsFilter filter_;
  QPushButton* measure_;
  QLineEdit* search_;
  widgets::Segments *views_, *states_;
  QLabel *count_, *linkStatus_;
  QStackedWidget *content_, *tableStack_, *side_, *linkStack_;
  QTableView* table_;
  HostPane* pane_;
  HostForm* form_;
  HostImportPane* import_;
  LinkMatrix* matrix_;
  std::string wanted_ = "local";  // selected again after the list was read
};

// Puts the prompts of background tasks before the person: a host's key (refused unless trusted on purpose), a password or passphrase.
// Nothing waits in here: dialogs are opened on the window, their answers go back to GuiPrompts. GUI thread.
void showPrompts(GuiPrompts& prompts, QWidget* window);

}  // namespace paceline::clusters
