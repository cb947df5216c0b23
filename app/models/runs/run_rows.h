// The rows of the Runs page: runs that stand alone, and suites, each one row that unfolds into its cells; found by words and state, sorted by a column. A cell is a run
// of a suite, begun or not; its attempts before the newest stand below it. Rows keep their place and their selection while values change. GUI thread; pages.
#pragma once

#include <array>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/cluster/recorder/suites.h"
#include "app/models/runs/run_queue.h"
#include "app/models/runs/runs_model.h"

namespace paceline::runs {

struct SuiteFacts {  // of one row that is a suite
  std::string id;
  QString name;
  std::vector<std::string> runs;     // newest attempts of its cells, in order; without those in the trash
  std::vector<recorder::CellStanding> standings;  // of the same
  std::vector<std::string> attempts;  // all runs that are rows, older ones too

  std::optional<recorder::SearchStory> search{};  // what it tried; nullopt: all its runs were asked for

  int count(recorder::CellStanding standing) const;
  int missing() const;
};

class RunRows : public ColumnTable {
  Q_OBJECT
 public:
  enum class States { kAll, kActive, kFinished, kProblem };
  enum class Kind { kRun, kSuite, kCell };
  // Beside those of RunsModel. kStandingRole: -1 of a run that stands alone; kShortRole: what a cell shows where it has no room for all of it.
  enum Role { kKindRole = RunsModel::kTextRole + 1, kFoldedRole, kStandingRole, kShortRole };

  RunRows(const RunsModel& runs, const RunQueue& queue, QObject* parent = nullptr);

  void setWords(const QString& words);  // all of them, in any case; cells that have them are shown although their suite is folded
  void setStates(States states);
  void sort(int column, Qt::SortOrder order) override;
  void setFolded(const std::string& suite, bool folded);  // at first each is
  bool folded(const std::string& suite) const { return !unfolded_.contains(suite); }
  const std::set<std::string>& unfolded() const { return unfolded_; }

  int shownRuns() const { return shown_; }  // that have the words and the state, folded ones too; cells that never began are counted
  int allRuns() const { return all_; }
  Kind kindAt(int row) const;
  std::string idAt(int row) const;     // of a run or of a suite
  std::string suiteAt(int row) const;  // "": of a run that stands alone
  int rowOf(const std::string& id) const;  // -1: not shown
  const SuiteFacts* suite(const std::string& id) const;
  const RunItem* itemOf(const std::string& run) const;  // also of a cell that has not begun

 private:
  struct Line {
    Kind kind = Kind::kRun;
    std::string id;
    std::string suite{};  // "": of a run that stands alone
    int run = -1;         // row of runs_; -1: of a suite, or pending
    int standing = -1;
    bool older = false;   // an attempt before the newest
    bool operator==(const Line&) const = default;
  };
  struct Group {  // one row at the top, with what is below it
    Line head;
    std::vector<Line> below;
  };
  struct Suite {
    SuiteFacts facts;
    RunItem item;  // as if it were a run: what its row shows and is sorted by
    int seeds = 0;
  };

  int rows() const override { return static_cast<int>(lines_.size()); }
  QVariant cell(int row, int column, int role) const override;
  void gather();
  void gatherSuite(const store::SuiteRow& row, const std::unordered_map<std::string, int>& places, const std::unordered_map<std::string, const recorder::Entry*>& queue);
  void describe(Suite& suite, const std::vector<Line>& cells);
  void order();
  void show();
  void apply(std::vector<Line> next);
  bool replaceInPlace(const std::vector<Line>& next);
  void reorder(std::vector<Line> next);
  void followQueue();
  bool fits(const Line& line);
  const QString& textOf(const Line& line);
  const RunItem* itemOf(const Line& line) const;  // nullptr: it is just going
  const Suite* suiteOf(const Line& line) const;
  QVariant suiteCell(const Line& line, int column, int role) const;
  QVariant suiteNumber(const Suite& suite, int column, int role) const;
  QString shortName(const Line& line) const;

  const RunsModel& runs_;
  const RunQueue& queue_;
  std::shared_ptr<const StoredSuites> stored_;
  std::vector<Group> groups_;  // all, sorted
  std::map<std::string, Suite> suites_;  // by id
  std::vector<Line> lines_;    // shown
  std::unordered_map<std::string, QString> texts_;  // lower case, for the search; by run
  std::set<std::string> unfolded_;
  std::vector<std::pair<std::string, int>> waiting_;  // what was last heard of the queue
  QStringList words_;
  States states_ = States::kAll;
  int column_ = RunsModel::kCreated, shown_ = 0, all_ = 0;
  Qt::SortOrder order_ = Qt::DescendingOrder;
  bool changed_ = true;
};

}  // namespace paceline::runs
