// The recorder's queue as a table: running, waiting (for another run) and held entries. GUI thread. Every request goes to the recorder; rows
// follow its notices, also after requests of others. A second window on the same store shows the same rows.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/models/column_table.h"
#include "app/models/recorder_link.h"
#include "engine/core/spec/run_spec.h"
#include "storage/store/records.h"

namespace paceline::runs {

class RunQueue : public ColumnTable {
  Q_OBJECT
 public:
  enum Column { kName, kState, kProgress, kText, kColumns };
  enum Role { kRunRole = Qt::UserRole, kStateRole, kWaitsRole, kHeldRole };

  explicit RunQueue(RecorderLink& recorder, QObject* parent = nullptr);

  // suite: name of several; one run has its own. predictions: to be kept with each; none, or "" for those that were not predicted
  void submit(const std::vector<RunSpec>& specs, const std::string& suite, recorder::EntryKind kind = recorder::EntryKind::kRun, const std::vector<std::string>& predictions = {});
  void submitSearch(const std::string& document, const std::string& suite, recorder::EntryKind kind = recorder::EntryKind::kRun);
  void holdSearch(const std::string& suite, bool held);
  void endSearch(const std::string& suite);
  void attach(const std::string& run);
  void resume(const store::RunRow& run, const RunSpec& spec);  // an ended one, from its last checkpoint, as a new one of that document
  void submitMissing(const std::string& suite);      // what of it failed, was cancelled or never began, again
  void stop(const std::vector<std::string>& runs);   // waiting ones are taken out of the queue
  // Those of them that wait, together and in the queue's order: past so many others that wait, or before one of them ("": behind all).
  void move(const std::vector<std::string>& runs, int by);
  void moveBefore(const std::vector<std::string>& runs, const std::string& before);
  void moveToRow(const std::vector<std::string>& runs, int row);  // before what stands there
  void hold(const std::vector<std::string>& runs);      // those that wait
  void go(const std::vector<std::string>& runs = {});   // those that are held; none named: all

  const std::vector<recorder::Entry>& entries() const { return entries_; }  // that have not ended, in order
  const recorder::Entry* find(const std::string& run) const;
  int rowOf(const std::string& run) const;  // -1: none
  bool busy() const { return !entries_.empty(); }
  int held() const;
  static QString titleOf(const recorder::Entry& entry);  // of the suite that its run belongs to, or of its run
  QString leftOf(const recorder::Entry& entry) const;    // ", 5 runs left" of its suite; "": a single run
  bool leads(const recorder::Entry& entry) const;        // it is the first of its suite's: that row says how many are left
  QString withoutWindow() const;  // what happens to the queue when the window closes; "": it is empty

 signals:
  void changed();
  void leaves(const std::string& run);     // its row is about to go
  void submitted(const std::string& run);  // the first run of a submission of this window
  void entryEnded(const recorder::Entry& entry);             // handed in by this window
  void diverged(const recorder::Entry& entry);               // likewise, and its first loss that is no number has come
  void ended(const std::string& run, const QString& error);  // error: only of submissions of this window

 private:
  int rows() const override { return static_cast<int>(entries_.size()); }
  QVariant cell(int row, int column, int role) const override;
  void hand(const std::function<recorder::Submission(recorder::Client&)>& submission);
  std::vector<const recorder::Entry*> waiting() const;
  void read();
  void take(std::vector<recorder::Entry> entries);
  void takeOne(const recorder::Entry& entry);
  void tellDiverged(const recorder::Entry& entry);
  bool inherit(const recorder::Entry& entry);
  QString shown(const recorder::Entry& entry, int column) const;

  RecorderLink& recorder_;
  std::vector<recorder::Entry> entries_;
  std::set<std::string> own_;  // runs that this window handed in
  std::set<std::string> toldDiverged_;
  bool reading_ = false;
};

// "Waiting", "Held", "Running": of an entry of the queue.
QString entryWord(const recorder::Entry& entry);
QString leftText(const recorder::Progress& progress);

}  // namespace paceline::runs
