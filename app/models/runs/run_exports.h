// Runs as files, in every format that the terminal's `export` and `summary` know: it is the terminal's program that writes them, as a child process. One
// export at a time. GUI thread.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include <QObject>
#include <QStringList>
#include <QTimer>

#include "app/models/task_queue.h"

namespace paceline::runs {

struct ExportFormat {
  QString title;             // "Everything, to be imported again (JSON)"
  std::string id;            // as --format takes it
  bool summary = false;      // `paceline summary`: one file, however many runs; else `paceline export`: a file for each
  bool tree = false;         // a folder for one run, too
  bool ofOne = false;        // of one run only
  QString ending{};          // ".json"
  std::string weights{};     // as --weights takes it; "": it is of records
};
const std::vector<ExportFormat>& exportFormats();  // weights behind the records, summaries behind them

struct RunExport {
  ExportFormat format;
  std::vector<std::string> runs{};  // ids
  QString path{};                   // a file; a folder where there are several, or where the format is a tree
  double target = 0.8;              // accuracy of times to target
};
bool goesToFolder(const ExportFormat& format, std::size_t runs);
QString proposedName(const ExportFormat& format, const std::string& run, std::size_t runs);  // of the file
QStringList alreadyThere(const RunExport& what);  // files that it would replace

class RunExports : public QObject {
  Q_OBJECT
 public:
  explicit RunExports(std::string storePath, QObject* parent = nullptr) : QObject(parent), storePath_(std::move(storePath)) {}
  ~RunExports() override { stop_.request_stop(); }

  bool start(const RunExport& what);  // false: one is under way
  void stop() { stop_.request_stop(); }  // what was written stays

 signals:
  void moved(const QString& words);  // "3 of 12 runs are exported"; only of what takes its time
  void ended(const QString& words, const QString& error);  // one of them empty; both: it was stopped

 private:
  std::string storePath_;
  bool busy_ = false;
  std::stop_source stop_;
  TaskQueue tasks_;
};

}  // namespace paceline::runs
