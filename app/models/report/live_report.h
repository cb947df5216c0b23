// A report while it is written: its text, read in the background a moment after it changed, and what came out. GUI thread; signals are queued.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <QObject>
#include <QString>
#include <QTimer>

#include "app/models/task_queue.h"
#include "app/report/resolve.h"

namespace paceline::reports {

using ReportPtr = std::shared_ptr<const report::Report>;

class LiveReport : public QObject {
  Q_OBJECT
 public:
  explicit LiveReport(std::string storePath, QObject* parent = nullptr);

  void setText(const QString& text);        // read after 150 ms without another one
  void setTitles(const Titles& titles);
  void refresh();                           // runs may have newer records; while an answer is awaited, nothing
  const report::Report& report() const { return *report_; }
  const report::Document& document() const { return *document_; }  // that it came from
  bool current() const { return answered_ == asked_ && !rest_.isActive(); }  // report() is of the newest text

  // The text of now as it is when it is written to `output`; `then` on the GUI thread. The error is "" or why there is none.
  void make(const QString& file, const QString& output, std::function<void(ReportPtr, const QString& error)> then);
  // A report to begin with, of these runs.
  void begin(const std::vector<std::string>& runs, double target, std::function<void(const QString& text, const QString& error)> then);

 signals:
  void ready();

 private:
  struct Source;
  struct Answer {
    std::shared_ptr<const report::Document> document;
    ReportPtr report;
  };
  void read();

  std::string text_;
  Titles titles_;
  int asked_ = 0, answered_ = 0;
  QTimer rest_;
  std::shared_ptr<const report::Document> document_ = std::make_shared<const report::Document>();
  ReportPtr report_ = std::make_shared<const report::Report>();
  std::stop_source older_;          // of a reading that a newer one replaces
  std::shared_ptr<Source> source_;  // used by its tasks only
  TaskQueue tasks_;
};

}  // namespace paceline::reports
