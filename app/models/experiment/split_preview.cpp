#include "app/models/experiment/split_preview.h"

#include <algorithm>
#include <cmath>

#include "app/models/words.h"
#include "engine/core/base/error.h"

namespace paceline::experiment {
namespace {

constexpr int kSoonMs = 400;  // after the last change: loading a data set takes a second

// The parts of a document that its split depends on, and nothing else.
RunSpec splitPart(const RunSpec& spec) {
  RunSpec part;
  part.dataset = spec.dataset, part.partition = spec.partition, part.seed = spec.seed;
  for (const int worker : spec.workers()) {
    const NodeSpec& node = spec.nodes[static_cast<std::size_t>(worker)];
    NodeSpec& kept = part.nodes.emplace_back();
    kept.id = node.id, kept.share = node.share;
  }
  return part;
}

QString range(std::int64_t least, std::int64_t most) {
  return least == most ? countText(least) : QObject::tr("%1 to %2").arg(countText(least), countText(most));
}

}  // namespace

SplitPreview::SplitPreview(ExperimentDraft& draft, Ask ask, QObject* parent) : QObject(parent), draft_(draft), ask_(std::move(ask)) {
  soon_.setSingleShot(true);
  soon_.setInterval(kSoonMs);
  connect(&soon_, &QTimer::timeout, this, &SplitPreview::ask);
  connect(&draft_, &ExperimentDraft::specChanged, this, &SplitPreview::follow);
}

void SplitPreview::setWatched(bool watched) {
  watched_ = watched;
  follow();
}

void SplitPreview::follow() {
  if (missing()) {
    soon_.stop();
    older_.request_stop();
    answered_ = ++asked_;  // what is on its way is of another set
    key_.clear(), problem_.clear(), split_.reset();
    return emit changed();
  }
  if (!ask_ || !watched_ || !draft_.catalog() || draft_.spec().workers().empty()) return;
  if (toJsonText(splitPart(draft_.spec())) != key_) soon_.start();
}

bool SplitPreview::missing() const {
  const Choice& chosen = draft_.spec().dataset;
  const DatasetEntry* set = draft_.catalog() ? findEntry(draft_.catalog()->datasets, chosen.id) : nullptr;
  return set && isMissing(*set, chosen.params);
}

void SplitPreview::ask() {
  const RunSpec part = splitPart(draft_.spec());
  std::string key = toJsonText(part);
  if (key == key_) return emit changed();  // taken back: nothing is due any more
  key_ = std::move(key);
  older_.request_stop();
  older_ = std::stop_source();
  const auto work = [part, ask = ask_, newer = older_.get_token()](const std::stop_token& end) {
    const EitherStop stop(newer, end);
    return stop.asked() ? std::nullopt : std::optional(ask(part, stop.token()));
  };
  inBackground(tasks_, this, work, [this, question = ++asked_](std::optional<worker::SplitCounts> split, const QString& problem) {
    if (question != asked_) return;  // a newer one is on its way
    answered_ = question;
    split_ = std::move(split), problem_ = problem;
    if (!problem.isEmpty()) key_.clear();  // may be asked again
    emit changed();
  });
  emit changed();
}

QString SplitPreview::summary() const {
  if (!split_ || split_->counts.empty()) return {};
  const std::vector<LabelCounts>& counts = split_->counts;
  const auto [fewest, most] = std::ranges::minmax(counts, {}, sampleCount);
  const auto [narrow, wide] = std::ranges::minmax(counts, {}, classesHeld);
  std::size_t classes = 0;
  for (const LabelCounts& each : counts) classes = std::max(classes, each.size());
  const double distance = meanLabelDistance(counts);
  const QString held = classesHeld(narrow) == classesHeld(wide) ? QString::number(classesHeld(narrow)) : tr("%1 to %2").arg(classesHeld(narrow)).arg(classesHeld(wide));
  return tr("%1, %2 samples, %3 of %4 classes each, JS distance %5")
      .arg(tr("%n worker(s)", nullptr, static_cast<int>(counts.size())), range(sampleCount(fewest), sampleCount(most)), held)
      .arg(classes)
      .arg(std::isnan(distance) ? tr("not known") : QString::number(distance, 'f', 2));
}

}  // namespace paceline::experiment
