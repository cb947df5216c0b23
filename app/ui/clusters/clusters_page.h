// The machines: this computer and the hosts of the list, their checks, what of ours lies there, the links between them. GUI thread.
#pragma once

#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>

#include "app/models/clusters/hosts_model.h"
#include "app/ui/widgets/page.h"
#include "app/ui/shell.h"

namespace paceline {

class EmptyState;
class HostForm;
class HostImportPane;
class HostPane;
class LinkMatrix;
class LinkScale;
class Segments;
struct HostChange;

class ClustersPage : public Page {
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
  void save(const HostEntry& entry, const std::string& before);
  void saveAll(const std::vector<HostEntry>& hosts);
  void remove(const std::string& host);
  void push(const QString& what, std::vector<HostChange> changes);
  std::string selected() const;

  Shell& shell_;
  HostsFilter filter_;
  QPushButton *checkAll_, *measure_;
  QLineEdit* search_;
  Segments *views_, *states_;
  QLabel *count_, *linkStatus_;
  QStackedWidget *content_, *tableStack_, *side_, *linkStack_;
  QTableView* table_;
  EmptyState *empty_, *noLinks_;
  HostPane* pane_;
  HostForm* form_;
  HostImportPane* import_;
  LinkMatrix* matrix_;
  std::string wanted_ = "local";  // selected again after the list was read
};

}  // namespace paceline
