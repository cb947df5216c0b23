#include "app/models/compare/comparison.h"

#include <filesystem>
#include <map>
#include <utility>

#include "storage/store/store.h"

namespace paceline::compare {
struct Comparison::Source {
  std::string path;
  std::unique_ptr<store::StoreReader> reader;
  struct Kept {
    std::string recorded;  // what the store had of it: records may come after a run's end
    summary::RunSummary summary;
  };
  std::map<std::pair<std::string, double>, Kept> cache;  // of ended runs, by id and target
  summary::Details details;                                             // that they have

  std::vector<summary::RunSummary> summaries(const std::vector<std::string>& ids, double target, const summary::Details& wanted, const std::stop_token& stop) {
    std::vector<summary::RunSummary> all;
    if (!reader && std::filesystem::exists(path)) reader = std::make_unique<store::StoreReader>(path);
    if (!reader) return all;
    if (!details.covers(wanted)) details = wanted, cache.clear();
    for (const std::string& id : ids) {
      if (stop.stop_requested()) break;
      const std::string recorded = reader->recorded(id);
      if (const auto known = cache.find({id, target}); known != cache.end() && known->second.recorded == recorded) {
        all.push_back(known->second.summary);
        continue;
      }
      const std::optional<store::RunRow> row = reader->find(id);
      if (!row) continue;
      all.push_back(summary::summaryOf(*reader, *row, details, {.targetAccuracy = target}));
      if (store::isEnded(row->state)) cache[{id, target}] = {.recorded = recorded, .summary = all.back()};
    }
    return all;
  }
};

Comparison::Comparison(std::string storePath, QObject* parent)
    : QObject(parent), answer_(std::make_shared<const Answer>()), source_(std::make_shared<Source>()) {
  source_->path = std::move(storePath);
}

void Comparison::setRuns(const std::vector<std::string>& ids) {
  if (std::exchange(ids_, ids) != ids) compute();
}

void Comparison::setFigure(const std::string& id) {
  if (std::exchange(figureId_, id) != id) compute();
}

void Comparison::setOptions(const FigureOptions& options) {
  options_ = options;
  compute();
}

void Comparison::setTarget(double accuracy) {
  if (std::exchange(target_, accuracy) != accuracy) compute();
}

void Comparison::setBudget(const std::optional<Budget>& budget) {
  budget_ = budget;
  compute();
}

void Comparison::refresh() {
  again_ = answered_ != generation_;
  if (!again_) compute();
}

void Comparison::compute() {
  const auto work = [source = source_, ids = ids_, id = figureId_, options = options_, target = target_, budget = budget_](const std::stop_token& stop) {
    Answer answer;
    try {
      const FigureDef* def = findFigure(id);
      summary::Details details = def ? def->reads(options) : summary::Details();
      if (budget) details.add(detailsFor(*budget));
      answer.summaries = source->summaries(ids, target, details, stop);
      std::string cutNote;
      if (budget) {
        Cut cut = cutTo(std::move(answer.summaries), *budget);
        answer.summaries = std::move(cut.runs), cutNote = std::move(cut.note);
      }
      if (def) answer.figure = def->build(answer.summaries, options);
      answer.results = tabulate(answer.summaries, options.titles, budget.has_value());
      if (!cutNote.empty()) answer.figure.notes.push_back(cutNote), answer.results.findings.insert(answer.results.findings.begin(), cutNote);
    } catch (const std::exception&) {
      source->reader.reset();
      throw;
    }
    return std::make_shared<const Answer>(std::move(answer));
  };
  inBackground(tasks_, this, work, [this, generation = ++generation_](const std::shared_ptr<const Answer>& answer, const QString& error) {
    if (generation != generation_) return;  // a newer question is on its way
    answered_ = generation;
    answer_ = answer ? answer : std::make_shared<const Answer>();
    if (!error.isEmpty()) emit failed(error);
    emit ready();
    if (std::exchange(again_, false)) refresh();
  });
}

}  // namespace paceline::compare
