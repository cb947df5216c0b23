// At the right of the list of hosts: the details of one; new and changed ones. The accepted() of a form has entries for the registry; its owner
// answers with refuse() or closes the form. GUI thread.
#pragma once

#include <QCheckBox>
#include <QPlainTextEdit>
#include <QTableWidget>

#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"

namespace paceline::widgets {
class StateBadge;
}

namespace paceline::clusters {

// A part of the pane.
class HostCard : public QFrame {
 public:
  virtual void present(const HostItem& item) = 0;
};

// One line per check with mark, title, result and state; of a problem also the expected result and the advice. Lines keep their place while
// they change.
HostCard* hostChecks(Shell& shell);
// How busy the host is, while a run tells it, and was in the last two minutes.
HostCard* hostLoad();
// What of ours lies on the host: versions with their sizes, half-sent files, spools of runs; sending and removing.
HostCard* hostDisk(Shell& shell);
// What was measured of the host and how it is reached, with the choice of the interface that carries the runs' traffic.
HostCard* hostFacts(Shell& shell, std::function<void(const std::string& address)> dataAddressChosen);

// State, check list, disk use, measurements, connection.
class HostPane : public widgets::ScrollPane {
  Q_OBJECT
 public:
  explicit HostPane(Shell& shell);
  void setHost(const std::string& host);  // "": none
  const std::string& host() const { return host_; }

 signals:
  void editAsked(const std::string& host);
  void removeAsked(const std::string& host);
  void changeAsked(const hosts::HostEntry& after, const std::string& before);

 private:
  void buildProblem();
  void checkOrStop();
  void follow();
  void followProblem(const HostItem& item);

  Shell& shell_;
  std::string host_;
  widgets::ElidedLabel *name_, *where_;
  widgets::StateBadge* badge_;
  QPushButton *check_, *edit_, *remove_;
  QFrame* problem_;
  QLabel *problemTitle_, *nothing_;
  widgets::BreakingLabel* problemText_;
  std::vector<HostCard*> cards_;
};

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
  void acceptedAll(const std::vector<hosts::HostEntry>& hosts);             // the nodes of one job, all new
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
  std::optional<int> nodes() const;  // of one job of Slurm; 0: it is one host alone; nullopt: what is typed is no number of nodes
  QString read(hosts::HostEntry& entry) const;  // "" or the problem
  QString problem() const;                      // of the form as it is; "": it can be saved
  void judge();
  void followKind();

  Shell& shell_;
  std::string before_;
  hosts::HostEntry entry_;
  QLabel *title_, *problem_;
  QWidget* quick_ = nullptr;
  QComboBox *target_, *kind_, *jump_, *address_;
  std::vector<std::pair<Text, QLineEdit*>> texts_;
  QLineEdit *name_, *host_, *user_, *port_, *slurm_, *nodes_;
  QCheckBox* acceptNew_;
  QPlainTextEdit* env_;
  QPushButton* save_;
  std::vector<QWidget*> ofSsh_;
  QWidget *ofSlurm_ = nullptr, *ofJob_ = nullptr, *ofExec_ = nullptr;
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
