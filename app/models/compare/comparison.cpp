#include "app/models/compare/comparison.h"

#include <filesystem>
#include <map>
#include <utility>

#include "app/figures/thumbnail.h"
#include "storage/store/store.h"

namespace paceline::compare {
namespace {

constexpr qint64 kGalleryMs = 10'000;  // at least between two galleries of runs in progress

// What all figures read. A timeline is of one run, and many records.
summary::Details detailsOfAll(const FigureOptions& options, const std::optional<Budget>& budget, bool oneRun) {
  summary::Details details;
  for (const FigureDef& def : figures())
    if (const summary::Details wanted = def.reads(options); oneRun || !wanted.timeline) details.add(wanted);
  if (budget) details.add(detailsFor(*budget));
  return details;
}

GalleryEntry entryOf(const FigureDef& def, const Summaries& runs, const FigureOptions& options) {
  if (runs.size() > 1 && def.reads(options).timeline) return {.id = def.id, .figure = {}, .why = "it is of one run"};
  Figure figure = def.build(runs, options);
  if (!figure.empty()) return {.id = def.id, .figure = thumbnailOf(std::move(figure)), .why = {}};
  return {.id = def.id, .figure = {}, .why = whyNothing(figure)};
}

}  // namespace

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
  if (std::exchange(ids_, ids) != ids) ++inputs_, ask();
}

void Comparison::setFigure(const std::string& id) {
  if (std::exchange(figureId_, id) != id) ask();
}

void Comparison::setOptions(const FigureOptions& options) {
  options_ = options;
  ++inputs_, ask();
}

void Comparison::setTarget(double accuracy) {
  if (std::exchange(target_, accuracy) != accuracy) ++inputs_, ask();
}

void Comparison::setBudget(const std::optional<Budget>& budget) {
  budget_ = budget;
  ++inputs_, ask();
}

void Comparison::refresh() {
  again_ = answered_ != generation_;
  if (again_) return;
  if (!galleryAge_.isValid() || galleryAge_.elapsed() > kGalleryMs) ++inputs_;
  compute();
}

void Comparison::ask() {
  ++*asked_;
  compute();
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
    else if (galleryOf_ != inputs_) askGallery();
  });
}

void Comparison::askGallery() {
  galleryOf_ = inputs_;
  galleryAge_.start();
  const auto work = [source = source_, ids = ids_, options = options_, target = target_, budget = budget_, asked = asked_, question = asked_->load()](const std::stop_token& stop) {
    const auto givesWay = [&] { return stop.stop_requested() || *asked != question; };
    std::shared_ptr<const Gallery> none;
    if (givesWay()) return none;
    Summaries runs = source->summaries(ids, target, detailsOfAll(options, budget, ids.size() == 1), stop);
    if (budget) runs = cutTo(std::move(runs), *budget).runs;
    Gallery gallery;
    for (const FigureDef& def : figures()) {
      if (givesWay()) return none;
      if (!runs.empty()) gallery.push_back(entryOf(def, runs, options));
    }
    return std::make_shared<const Gallery>(std::move(gallery));
  };
  inBackground(tasks_, this, work, [this, of = inputs_](const std::shared_ptr<const Gallery>& gallery, const QString& error) {
    if (!gallery && error.isEmpty()) {  // it gave way: the newer question's answer asks again
      galleryOf_ = -1;
      return;
    }
    if (of != inputs_ || !gallery) return;  // a newer one is on its way, or it failed as the figure did
    gallery_ = gallery;
    emit galleryReady();
  });
}

}  // namespace paceline::compare
