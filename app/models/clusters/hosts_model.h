// The host registry as a table, this computer first, with the measurements of each host. Owns the window's copy of the book; edits are made on
// the file as it is then, in the background, so that the terminal may edit it too. GUI thread; answers come by signals.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "app/models/clusters/host_figures.h"
#include "app/models/clusters/host_services.h"
#include "app/models/column_table.h"
#include "app/models/task_queue.h"

namespace paceline::clusters {

enum class HostStanding { kNotChecked, kChecking, kDeploying, kReady, kWarnings, kProblem };
QString standingWord(HostStanding standing);

struct HostItem {
  hosts::HostEntry entry;
  HostFigures figures;
  std::vector<check::CheckLine> lines;  // as last checked, or under way
  bool checking = false, deploying = false;
  std::optional<deploy::HostDisk> disk;  // asked for in this session
  QString waiting;               // why a check or deployment waits, "" when it does not
  QString failure;               // of the last action on it, "" when it went well

  HostStanding standing() const;
  QString address() const;  // "user@host:port", "this computer"
  QString search() const;
};

class HostsModel : public ColumnTable {
  Q_OBJECT
 public:
  enum Column { kName, kState, kAddress, kCpus, kGpus, kMemory, kSpeed, kDisk, kChecked, kColumns };
  enum Role { kHostRole = Qt::UserRole, kStandingRole, kSearchRole, kSortRole };

  explicit HostsModel(HostServices services, QObject* parent = nullptr);

  void load();
  bool loaded() const { return loaded_; }
  const HostServices& services() const { return services_; }
  const hosts::HostRegistry& book() const { return book_; }
  const std::vector<HostItem>& items() const { return items_; }
  const HostItem* find(const std::string& host) const;

  // Changes the file; `done` hears "" or why not.
  using Done = std::function<void(const QString& error)>;
  void put(const hosts::HostEntry& entry, const std::string& before = {}, Done done = {});  // before: its old name, jumps over it follow
  void putAll(const std::vector<hosts::HostEntry>& entries, Done done = {});
  void remove(const std::string& host, Done done = {});

  // By checks and deployments.
  void change(const std::string& host, const std::function<void(HostItem&)>& change);

 signals:
  void reloaded();                       // the book was read
  void changed(const QString& host);     // something of one host
  void failed(const QString& sentence);  // the book cannot be read or written

 private:
  int rows() const override { return static_cast<int>(items_.size()); }
  QVariant cell(int row, int column, int role) const override;
  using Edit = std::function<void(hosts::HostRegistry&)>;
  void work(Edit edit, Done done);
  void take(const hosts::HostRegistry& book, const std::map<std::string, hosts::HostFacts>& facts);

  HostServices services_;
  hosts::HostRegistry book_;
  std::vector<HostItem> items_;
  bool loaded_ = false;
  TaskQueue tasks_;
};

// Search by words; all, ready ones, those with problems. This computer stays first.
class HostsFilter : public WordsFilter {
  Q_OBJECT
 public:
  enum States { kAll, kUsable, kProblems };
  explicit HostsFilter(QObject* parent = nullptr);
  void setStates(States states);

 protected:
  bool accepts(const QModelIndex& index) const override;
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
  States states_ = kAll;
};

}  // namespace paceline::clusters
