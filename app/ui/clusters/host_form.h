// A host by hand: added or edited, in the right-hand pane. One box takes an alias of ~/.ssh/config or user@host:port and fills the rest.
// accepted() has the entry for the registry; its owner answers with refuse() or closes the form. GUI thread.
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>

#include "app/cluster/hosts/host_registry.h"
#include "app/models/task_queue.h"
#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"

namespace paceline::widgets {
class Field;
}

namespace paceline::clusters {

class HostForm : public widgets::ScrollPane {
  Q_OBJECT
 public:
  explicit HostForm(Shell& shell, QWidget* parent = nullptr);
  void add();
  void edit(const hosts::HostEntry& entry);
  void refuse(const QString& sentence);

 signals:
  void accepted(const hosts::HostEntry& entry, const std::string& before);  // before: its old name; "": a new one
  void cancelled();
  void importAsked();

 private:
  void buildTarget();
  void buildFields();
  static widgets::Field* line(QLineEdit** into, const char* objectName, const QString& name, const QString& help);
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
  QLineEdit *name_, *host_, *port_, *user_, *identity_, *knownHosts_, *libraries_, *slurm_;
  QCheckBox* acceptNew_;
  QPlainTextEdit* env_;
  QPushButton* save_;
  std::vector<QWidget*> ofSsh_;
  QWidget* ofSlurm_ = nullptr;
  TaskQueue tasks_;
};

}  // namespace paceline::clusters
