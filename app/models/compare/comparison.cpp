#include "app/models/compare/comparison.h"

#include <filesystem>

#include "storage/store/store.h"

namespace paceline::compare {

struct Comparison::Source {
  std::string path;
  std::unique_ptr<store::StoreReader> reader;
  std::map<std::pair<std::string, double>, summary::RunSummary> cache;  // of ended runs, by id and target

  std::vector<summary::RunSummary> summaries(const std::vector<std::string>& ids, double target, const std::stop_token& stop) {
    std::vector<summary::RunSummary> all;
    if (!reader && std::filesystem::exists(path)) reader = std::make_unique<store::StoreReader>(path);
    if (!reader) return all;
    for (const std::string& id : ids) {
      if (stop.stop_requested()) break;
      if (const auto known = cache.find({id, target}); known != cache.end()) {
        all.push_back(known->second);
        continue;
      }
      const std::optional<store::RunRow> row = reader->find(id);
      if (!row) continue;
      all.push_back(summary::summarise(summary::loadRun(*reader, *row), {.targetAccuracy = target}));
      if (store::isEnded(row->state)) cache[{id, target}] = all.back();
    }
    return all;
  }
};

Comparison::Comparison(std::string storePath, QObject* parent)
    : QObject(parent),
      figure_(std::make_shared<Figure>()),
      results_(std::make_shared<Results>()),
      summaries_(std::make_shared<std::vector<summary::RunSummary>>()),
      source_(std::make_shared<Source>()) {
  source_->path = std::move(storePath);
}

void Comparison::setRuns(std::vector<std::string> ids) {
  if (ids == ids_) return;
  ids_ = std::move(ids);
  compute();
}

void Comparison::setFigure(const std::string& id) {
  if (id == figureId_) return;
  figureId_ = id;
  compute();
}

void Comparison::setOptions(const FigureOptions& options) {
  options_ = options;
  compute();
}

void Comparison::setTarget(double accuracy) {
  if (accuracy == target_) return;
  target_ = accuracy;
  compute();
}

void Comparison::refresh() { compute(); }

void Comparison::compute() {
  const int generation = ++generation_;
  tasks_.post([this, generation, ids = ids_, id = figureId_, options = options_, target = target_](const std::stop_token& stop) {
    auto summaries = std::make_shared<std::vector<summary::RunSummary>>();
    auto figure = std::make_shared<Figure>();
    auto results = std::make_shared<Results>();
    QString error;
    try {
      *summaries = source_->summaries(ids, target, stop);
      if (const FigureDef* def = findFigure(id)) *figure = def->build(*summaries, options);
      *results = tabulate(*summaries);
    } catch (const std::exception& e) {
      source_->reader.reset();
      error = QString::fromStdString(e.what());
    }
    QMetaObject::invokeMethod(
        this,
        [this, generation, summaries, figure, results, error] {
          if (generation != generation_) return;  // a newer question is on its way
          figure_ = figure, results_ = results, summaries_ = summaries;
          if (!error.isEmpty()) emit failed(error);
          emit ready();
        },
        Qt::QueuedConnection);
  });
}

}  // namespace paceline::compare
