// The data sets of this computer as a table: which there are, where, how large, what a check and a look found. Only the worker program reads data; it is
// asked in the background. GUI thread. Downloads are the catalogue's, which tells the experiment form as well.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cluster/worker/data_answer.h"
#include "app/figures/figure.h"
#include "app/models/catalogue.h"
#include "app/models/column_table.h"
#include "app/models/task_queue.h"

namespace paceline::data {

// What is asked. Each function is called on background threads and may take minutes; it throws paceline::Error with one sentence. Tests answer in their place.
struct DataServices {
  std::function<worker::ListedData(const std::stop_token&)> list;
  std::function<std::int64_t(const worker::ListedSet&)> begun;  // bytes that an interrupted download has left
  std::function<worker::CheckedData(const std::string& path, const std::string& id, bool decode, const std::stop_token&)> check;
  std::function<worker::LookedData(const worker::LookQuestion&, const std::stop_token&)> look;
};
DataServices dataServices();  // the real ones

enum class SetStanding { kHere, kBuiltIn, kAbsent, kBegun, kDownloading, kChecking, kGood, kProblem };
QString standingWord(SetStanding standing);

struct DataSet {
  worker::ListedSet listed;
  bool chosen = false;      // a folder or file that a person named; its location is there, its id is known once it was checked
  std::int64_t begun = 0;   // bytes of a download that was interrupted
  bool checking = false, looking = false, downloading = false;
  std::optional<worker::CheckedData> checked{};
  std::shared_ptr<const worker::LookedData> looked{};
  QString checkError{}, lookError{};  // "": none
  QString key() const;      // tells rows apart, also after the list was read again
  QString title() const;
  bool here() const { return !listed.location.empty(); }
  bool pictureFiles() const { return listed.files.empty() && !listed.builtIn; }  // that may not decode
  SetStanding standing() const;
};

class DataSets : public ColumnTable {
  Q_OBJECT
 public:
  enum Column { kSet, kState, kSize, kWhere, kTrain, kTest, kClasses, kShape, kColumns };
  enum Role { kKeyRole = Qt::UserRole, kStandingRole, kSearchRole, kSortRole };

  explicit DataSets(Catalogue& catalogue, DataServices services = dataServices(), QObject* parent = nullptr);
  ~DataSets() override;

  void load();
  bool loaded() const { return loaded_; }
  const QString& problem() const { return problem_; }  // why nothing is listed; "": it is
  const DataSet* find(const QString& key) const;

  void check(const QString& key, bool decode);  // one at a time; nothing while one is under way
  void stopCheck() { stopCheck_.request_stop(); }
  bool checking() const { return !checked_.isEmpty(); }
  // The newest question counts. Nothing where that is what was looked at.
  void look(const QString& key, const std::string& split, std::uint64_t seed);
  QString addFolder(const QString& path);  // or a file; checks it; its key
  void removeFolder(const QString& key);

 signals:
  void reloaded();
  void changed(const QString& key);

 private:
  int rows() const override { return static_cast<int>(sets_.size()); }
  QVariant cell(int row, int column, int role) const override;
  void change(const QString& key, const std::function<void(DataSet&)>& change);
  void take(const worker::ListedData& data, const std::vector<std::int64_t>& begun);
  void followDownload();

  Catalogue& catalogue_;
  DataServices services_;
  std::vector<DataSet> sets_;
  bool loaded_ = false;
  QString problem_, checked_, looked_;  // checked_, looked_: whose check or look is under way
  std::string downloading_;
  struct Question {
    std::string split;
    std::uint64_t seed = 0;
    bool operator==(const Question&) const = default;
  } question_;  // of looked_
  std::uint64_t looks_ = 0;
  std::stop_source stopCheck_, stopLook_;
  TaskQueue lists_, checks_, looking_;
};

// The classes of what was looked at, as a figure; empty without it.
Figure histogram(const DataSet& set);
QStringList findingsOf(const DataSet& set);  // of its check, a sentence a line
QString sampleWords(const worker::LookedData& looked, const worker::LookedSample& sample);  // "Sample 123 to train: ankle boot, 1x28x28."

}  // namespace paceline::data
