// New and changed hosts, in the right-hand pane. Each pane's accepted() has entries for the registry; its owner answers with refuse() or closes
// the pane. GUI thread.
#pragma once

#include <QCheckBox>
#include <QPlainTextEdit>
#include <QTableWidget>

#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"

namespace paceline::clusters {

// A host by hand: added or edited. One box takes an alias of ~/.ssh/config or user@host:port and fills the rest.
class HostForm : public widgets::ScrollPane {
  Q_OBJECT
 public:
  explicit HostForm(Shell& shell);
  void add();
  void edit(const hosts::HostEntry& entry);
  void refuse(const QString& sentence) { problem_->setText(sentence); }

 signals:
  void accepted(const hosts::HostEntry& entry, const std::string& before);  // before: its old name; "": a new one
  void cancelled();
  void importAsked();

 private:
  using Text = std::string hosts::HostEntry::*;
  void buildTarget();
  void buildFields();
  QWidget* line(QLineEdit* edit, const char* objectName, const QString& name, const QString& help);
  QLineEdit* lineOf(Text member);
  void fill(const hosts::HostEntry& entry);
  void fillLists(const hosts::HostEntry& entry);
  void askAliases();
  void takeTarget();
  void save();
  QString read(hosts::HostEntry& entry) const;  // "" or the problem
  void followKind();

  Shell& shell_;
  std::string before_;
  hosts::HostEntry entry_;
  QLabel *title_, *problem_;
  QWidget* quick_ = nullptr;
  QComboBox *target_, *kind_, *jump_, *address_;
  std::vector<std::pair<Text, QLineEdit*>> texts_;
  QLineEdit *name_, *host_, *user_, *port_, *slurm_;
  QCheckBox* acceptNew_;
  QPlainTextEdit* env_;
  QPushButton* save_;
  std::vector<QWidget*> ofSsh_;
  QWidget* ofSlurm_ = nullptr;
  TaskQueue tasks_;
};

// Hosts of a file before they are added, or the problems of its lines. All are added or none.
class HostImportPane : public QFrame {
  Q_OBJECT
 public:
  explicit HostImportPane(const HostsModel& hosts);
  void choose();  // asks for a file
  void read(const QString& path);
  void refuse(const QString& sentence);

 signals:
  void accepted(const std::vector<hosts::HostEntry>& hosts);
  void cancelled();

 private:
  void take(const ImportedHosts& imported);

  const HostsModel& hosts_;
  QString path_;
  ImportedHosts imported_;
  widgets::ElidedLabel* file_;
  QComboBox* format_;
  QLabel* summary_;
  QTableWidget* table_;
  QPlainTextEdit* problems_;
  QPushButton *copy_, *add_;
  TaskQueue tasks_;
};

}  // namespace paceline::clusters
