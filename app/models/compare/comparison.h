// Some runs beside each other: their summaries, one figure, the results table and behind those all figures in small, computed in the background. GUI thread;
// signals are queued. Summaries of ended runs are kept.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include "app/figures/budget.h"
#include "app/figures/figure.h"
#include "app/figures/results.h"
#include "app/models/task_queue.h"
#include "storage/summary/summary.h"

namespace paceline::compare {

struct GalleryEntry {
  std::string id;
  Figure figure;    // thumbnailOf() it; empty where `why` says something
  std::string why;  // why it does not apply: the figure's own first note
};
using Gallery = std::vector<GalleryEntry>;  // in the order of figures()

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
  const Gallery& gallery() const { return *gallery_; }  // of the newest runs and options once galleryReady() was said

 signals:
  void ready();
  void galleryReady();
  void failed(const QString& sentence);

 private:
  struct Source;
  struct Answer {
    std::vector<summary::RunSummary> summaries;
    Figure figure;
    Results results;
  };
  void ask();      // a person changed something: what is under way for the gallery gives way
  void compute();
  void askGallery();

  std::vector<std::string> ids_;
  std::string figureId_ = "accuracy";
  FigureOptions options_;
  double target_ = 0.8;
  std::optional<Budget> budget_;
  int generation_ = 0, answered_ = 0;  // questions
  bool again_ = false;                 // a refresh waits for the answer
  int inputs_ = 0, galleryOf_ = -1;    // of the gallery: how often they changed; those that it was made or is being made of
  QElapsedTimer galleryAge_;
  std::shared_ptr<std::atomic<int>> asked_ = std::make_shared<std::atomic<int>>(0);
  std::shared_ptr<const Gallery> gallery_ = std::make_shared<const Gallery>();
  std::shared_ptr<const Answer> answer_;
  std::shared_ptr<Source> source_;  // used by its tasks only
  TaskQueue tasks_;
};

}  // namespace paceline::compare
