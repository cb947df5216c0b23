// The data sets of this computer: which are here, checks, downloads, classes, samples. GUI thread.
#pragma once

#include <QStackedWidget>

#include "app/models/data/data_sets.h"
#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/page.h"

namespace paceline::data {

class DataPane;

class DataPage : public widgets::Page {
  Q_OBJECT
 public:
  explicit DataPage(Shell& shell, DataServices services = dataServices());
  void primary() override { addFolder(); }
  void find() override { widgets::focusAll(search_); }
  void entered() override;

  DataSets& sets() { return sets_; }
  void select(const QString& key);
  void checkFolder(const QString& path);  // "": nothing

 private:
  void buildRow();
  QWidget* buildTable();
  void addFolder();
  void addFile();
  void follow();
  void followSelection();

  Shell& shell_;
  DataSets sets_;
  WordsFilter filter_;
  QLineEdit* search_;
  widgets::Segments* states_;
  QLabel* count_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QTableView* table_;
  DataPane* pane_;
  QString wanted_;  // selected again after the list was read
};

}  // namespace paceline::data
