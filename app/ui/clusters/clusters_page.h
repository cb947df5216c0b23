// The machines: this computer and the hosts of the list, their checks, disk use, links. GUI thread.
#pragma once

#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>

#include "app/models/clusters/hosts_model.h"
#include "app/ui/widgets/page.h"
#include "app/ui/shell.h"

namespace paceline::widgets {
class EmptyState;
class Segments;
}

namespace paceline::clusters {

class HostForm;
class HostImportPane;
class HostPane;
class LinkMatrix;
class LinkScale;
struct HostChange;

class ClustersPage : public widgets::Page {
  Q_OBJECT
 public:
  explicit ClustersPage(Shell& shell, QWidget* parent = nullptr);
  void primary() override { add(); }
  void find() override;
  void entered() override;

  void select(const std::string& host);
  void showLinks(bool links);
  void add();
  void importFrom(const QString& path);

 private:
  void buildRows();
  QWidget* buildHosts();
  QWidget* buildLinks();
  QWidget* buildTable();
  void wirePane();
  void follow();
  void followSelection();
  void followLinks();
  void measure();
  void save(const hosts::HostEntry& entry, const std::string& before);
  void saveAll(const std::vector<hosts::HostEntry>& hosts);
  void remove(const std::string& host);
  void push(const QString& what, std::vector<HostChange> changes);
  std::string selected() const;

  Shell& shell_;
  HostsFilter filter_;
  QPushButton *checkAll_, *measure_;
  QLineEdit* search_;
  widgets::Segments *views_, *states_;
  QLabel *count_, *linkStatus_;
  QStackedWidget *content_, *tableStack_, *side_, *linkStack_;
  QTableView* table_;
  widgets::EmptyState *empty_, *noLinks_;
  HostPane* pane_;
  HostForm* form_;
  HostImportPane* import_;
  LinkMatrix* matrix_;
  std::string wanted_ = "local";  // selected again after the list was read
};

}  // namespace paceline::clusters
