// The runs of the store as a table. Rows come from a background reader and are changed in place: a row keeps its place while its
// values change. GUI thread. Suites, sorting and filtering: RunRows.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/cluster/recorder/search_story.h"
#include "app/figures/figure.h"
#include "app/models/column_table.h"
#include "app/models/task_queue.h"
#include "storage/store/records.h"

namespace paceline::runs {

struct RunItem {
  store::RunRow row;
  bool measured = false;  // the three below were computed
  bool whole = false;     // since the run has ended: they do not change any more
  std::optional<double> accuracyBest{};
  double samplesPerSecond = 0, wallSeconds = 0;
};

// Suites of the store, and what is to be known of cells whose run is no row: those that have not begun, those in the trash.
struct StoredSuites {
  std::vector<store::SuiteRow> rows;         // newest first
  std::map<std::string, RunItem> pending;    // of a newest attempt that has not begun: what it would be
  std::set<std::string> trashed;             // runs
  std::map<std::string, recorder::SearchStory> searches{};  // by suite
};

class RunsModel : public ColumnTable {
  Q_OBJECT
 public:
  enum Column { kName, kSeed, kState, kAlgorithm, kAccuracy, kThroughput, kWall, kCreated, kModel, kData, kColumns };  // accuracy: the best
  enum Role { kIdRole = Qt::UserRole, kStateRole, kSortRole, kTagsRole, kTextRole };

  explicit RunsModel(std::string storePath, QObject* parent = nullptr);

  void refresh();                // asks the store; coalesces
  void moreOf(const std::string& run);  // it has newer rows: the same, and an imported one, which has ended, is measured again
  void setTrashed(bool trashed);  // shows the trash instead
  bool trashed() const { return trashed_; }
  bool loaded() const { return loaded_; }
  void setTitles(Titles titles);  // what models, data sets and partitions are called
  const Titles& titles() const { return titles_; }
  QString titleOf(const std::string& id) const;
  void take(std::vector<RunItem> items, std::shared_ptr<const StoredSuites> suites = {});  // the answer to refresh()
  const std::shared_ptr<const StoredSuites>& suites() const { return suites_; }  // never nullptr

  const RunItem* item(int row) const;
  const RunItem* find(const std::string& id) const;
  int rowOf(const std::string& id) const;
  QVariant cellOf(const RunItem& item, int column, int role) const;  // as its row shows it
  static const std::vector<Heading>& headings();

 signals:
  void refreshed();
  void failed(const QString& sentence);

 private:
  struct Source;  // used by its tasks only
  int rows() const override { return static_cast<int>(items_.size()); }
  QVariant cell(int row, int column, int role) const override;
  void change(std::vector<RunItem> items);
  void replace(std::vector<RunItem> items);
  void load(const std::stop_token& stop, bool trashed, const std::set<std::string>& grown);
  void deliver(std::vector<RunItem> items, const std::shared_ptr<const StoredSuites>& suites, bool trashed, bool last);

  std::string path_;
  std::vector<RunItem> items_;
  std::unordered_map<std::string, int> places_;  // rows by id, as of the last answer
  std::shared_ptr<const StoredSuites> suites_ = std::make_shared<StoredSuites>();
  Titles titles_;
  std::set<std::string> grown_;  // since the store was asked last
  bool trashed_ = false, loaded_ = false, asking_ = false, again_ = false;
  std::shared_ptr<Source> source_;
  TaskQueue tasks_;
};

}  // namespace paceline::runs
