// Some runs beside each other: their summaries, one figure and the results table, computed in the background. GUI thread; signals are
// queued. Summaries of ended runs are kept.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QString>

#include "app/figures/budget.h"
#include "app/figures/figure.h"
#include "app/figures/results.h"
#include "app/models/task_queue.h"
#include "storage/summary/summary.h"

namespace paceline::compare {

class Comparison : public QObject {
  Q_OBJECT
 public:
  explicit Comparison(std::string storePath, QObject* parent = nullptr);

  void setRuns(const std::vector<std::string>& ids);
  void setFigure(const std::string& id);
  void setOptions(const FigureOptions& options);
  void setTarget(double accuracy);  // 0 to 1
  void setBudget(const std::optional<Budget>& budget);  // that all are cut to
  void refresh();  // runs may have new rows; while an answer is awaited, after it

  const std::vector<std::string>& runs() const { return ids_; }
  const std::string& figureId() const { return figureId_; }
  const Figure& figure() const { return answer_->figure; }
  const Results& results() const { return answer_->results; }
  const std::vector<summary::RunSummary>& summaries() const { return answer_->summaries; }

 signals:
  void ready();
  void failed(const QString& sentence);

 private:
  struct Source;
  struct Answer {
    std::vector<summary::RunSummary> summaries;
    Figure figure;
    Results results;
  };
  void compute();

  std::vector<std::string> ids_;
  std::string figureId_ = "accuracy";
  FigureOptions options_;
  double target_ = 0.8;
  std::optional<Budget> budget_;
  int generation_ = 0, answered_ = 0;  // questions
  bool again_ = false;                 // a refresh waits for the answer
  std::shared_ptr<const Answer> answer_;
  std::shared_ptr<Source> source_;  // used by its tasks only
  TaskQueue tasks_;
};

}  // namespace paceline::compare
