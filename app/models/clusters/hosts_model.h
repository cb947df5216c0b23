// The host registry as a table, this computer first, with the measurements of each host. Owns the window's copy of the book; edits are made on
// the file as it is then, in the background, so that the terminal may edit it too. GUI thread; answers come by signals.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cluster/check/host_check.h"
#include "app/cluster/deploy/deployment.h"
#include "app/cluster/hosts/access.h"
#include "app/cluster/hosts/facts.h"
#include "app/cluster/hosts/host_registry.h"
#include "app/models/column_table.h"
#include "app/models/task_queue.h"
#include "engine/core/record/event.h"
#include "engine/core/spec/catalog.h"

namespace paceline::clusters {

struct ImportedHosts {  // of a file that lists hosts
  std::vector<hosts::HostEntry> hosts;
  std::vector<std::string> problems;  // "hosts.txt:3: ..."; then nothing should be added
  std::vector<std::string> known;     // names in the book of those that are there already
};

// What the window asks of hosts. Each function is called on background threads, several at once, and may take minutes; it throws
// paceline::Error with one sentence. A struct of functions, so that tests answer in their place.
struct HostServices {
  using OnLine = std::function<void(const check::CheckLine&)>;
  using OnLink = std::function<void(const check::LinkMeasure&)>;

  std::function<hosts::HostRegistry()> load;
  std::function<void(const hosts::HostRegistry&)> save;
  std::function<std::optional<hosts::HostFacts>(const std::string& host)> facts;
  std::function<void(const std::string& host)> forget;
  std::function<std::vector<check::LinkMeasure>()> links;  // as last measured

  std::function<std::vector<check::CheckLine>(const hosts::HostRegistry&, const std::string& host, hosts::CredentialPrompts&, const OnLine&, std::stop_token, const std::string& only)>
      check;
  std::function<std::vector<check::LinkMeasure>(const hosts::HostRegistry&, const std::vector<std::string>& hosts, hosts::CredentialPrompts&, const OnLink&, std::stop_token)> measure;
  std::function<void(const hosts::HostRegistry&, const std::string& host, hosts::CredentialPrompts&, deploy::DeployOptions)> deploy;
  std::function<deploy::HostDisk(const hosts::HostRegistry&, const std::string& host, hosts::CredentialPrompts&)> disk;
  std::function<std::int64_t(const hosts::HostRegistry&, const std::string& host, hosts::CredentialPrompts&, bool spools)> clean;  // bytes freed

  std::function<std::vector<std::string>()> aliases;  // of ~/.ssh/config
  std::function<ImportedHosts(const hosts::HostRegistry&, const std::string& path, const std::string& format)> import;
};

HostServices hostServices();  // the real ones, on the user's own host book

// What the last check of a host measured, as tables, cards and choosers show it.
struct HostAddress {
  QString interface, address;
  bool loopback = false;
};

struct HostFigures {
  int cpus = 0;
  QStringList gpus;  // their names
  double memoryBytes = 0;
  double speed = 0;  // GFLOP/s; 0: not measured
  QString speedLoad;  // what disturbed its measurement, so that the host can do at least that; "": nothing
  double checked = 0;  // Unix time; 0: never
  std::vector<HostAddress> addresses;  // of interfaces that are up
  QStringList devices;           // "cpu", "cuda:0", ...
  std::vector<std::pair<QString, QString>> facts;  // names and values: all that is worth a line
};

QString speedNumber(const HostFigures& figures);  // "115", "≥ 47" where it was disturbed; "—": not measured
QString speedWords(const HostFigures& figures);   // "115 GFLOP/s", "at least 47 GFLOP/s, measured while other work took 1.0 of its 2 CPUs"; "": not measured

HostFigures figuresOf(const hosts::HostFacts& facts);  // a damaged probe gives empty ones

enum class HostStanding { kNotChecked, kChecking, kDeploying, kReady, kWarnings, kProblem };
QString standingWord(HostStanding standing);
QString kindWord(const std::string& kind);  // of an entry: "SSH", "Slurm", "Command"

struct HostItem {
  hosts::HostEntry entry;
  HostFigures figures;
  std::vector<check::CheckLine> lines;  // as last checked, or under way
  std::vector<HostLoad> loads;             // of the last two minutes, while a run tells them; empty: not known
  bool checking = false, deploying = false;
  std::optional<deploy::HostDisk> disk;  // asked for in this session
  QString waiting;               // why a check or deployment waits, "" when it does not
  QString failure;               // of the last action on it, "" when it went well

  HostStanding standing() const;
  QString address() const;  // "user@host:port", "this computer"
};

class HostsModel : public ColumnTable {
  Q_OBJECT
 public:
  enum Column { kName, kState, kLoad, kAddress, kCpus, kGpus, kMemory, kSpeed, kDisk, kChecked, kColumns };
  enum Role { kHostRole = Qt::UserRole, kStandingRole, kSearchRole, kSortRole };

  explicit HostsModel(HostServices services, QObject* parent = nullptr);

  void load();
  bool loaded() const { return loaded_; }
  const HostServices& services() const { return services_; }
  const hosts::HostRegistry& book() const { return book_; }
  const std::vector<HostItem>& items() const { return items_; }
  const HostItem* find(const std::string& host) const;
  QStringList names() const;  // in the list's order; never empty: this computer is always there
  QStringList devicesOf(const std::string& host, const Catalog* here) const;  // as last measured, of this computer else by its catalogue; never empty

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

 private:
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

// What a person types for a host: "gpu1", "alice@10.0.0.5:2222", "[fd00::2]:22", "ssh://alice@gpu1". Into name (free in the book), user, address and
// port. "" or the problem; then `entry` is unchanged.
QString readTarget(const QString& typed, const hosts::HostRegistry& book, hosts::HostEntry& entry);

// NAME=VALUE lines. "" or the problem and its line.
QString readEnvironment(const QString& typed, std::map<std::string, std::string>& env);

QString environmentText(const hosts::HostEntry& entry);  // the same lines

}  // namespace paceline::clusters
