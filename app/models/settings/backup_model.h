// Copies of the store by themselves: the plan beside the store that the terminal's `paceline backup` writes, too, the newest copy, and one now. In the background. GUI thread.
#pragma once

#include <optional>

#include <QObject>
#include <QString>

#include "app/models/task_queue.h"
#include "storage/store/backup.h"

namespace paceline {

class BackupModel : public QObject {
  Q_OBJECT
 public:
  struct Typed {
    bool planned = false;        // copies are made by themselves
    QString folder, every, keep;  // as they stand in their fields
    bool operator==(const Typed&) const = default;
  };
  struct Problems {
    QString folder, every, keep;  // "": none
    bool any() const { return !folder.isEmpty() || !every.isEmpty() || !keep.isEmpty(); }
  };
  explicit BackupModel(std::string store, QObject* parent = nullptr);

  void load();
  void set(const Typed& typed);  // the plan is kept where nothing is wrong with it, else shown with its problems
  void backUpNow();              // into the folder that is shown; of its copies the newest stay as it says

  const Typed& typed() const { return typed_; }
  const Problems& problems() const { return problems_; }
  bool busy() const { return busy_; }
  const QString& state() const { return state_; }    // of the newest copy: "Newest copy: 14:05:32"
  const QString& outcome() const { return outcome_; }  // of the last copy that was asked for here; "": none
  bool outcomeFailed() const { return outcomeFailed_; }

 signals:
  void changed();
  void failed(const QString& sentence);

 private:
  struct Plan {
    std::optional<store::BackupPlan> plan = {};
    double newestUtc = 0;
  };
  std::optional<store::BackupPlan> read(bool folderNeeded);  // what is typed; nullopt: problems_ say why not
  void follow(const Plan& kept);

  std::string store_;
  Typed typed_;
  Problems problems_;
  QString state_, outcome_;
  bool busy_ = false, outcomeFailed_ = false;
  int edits_ = 0;  // what was read before the last one is older than what is shown
  TaskQueue tasks_;
};

}  // namespace paceline
