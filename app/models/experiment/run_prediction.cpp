#include "app/models/experiment/run_prediction.h"

#include <algorithm>
#include <cmath>

#include "app/models/words.h"
#include "app/predict/local.h"

namespace paceline::experiment {
namespace {

constexpr int kSoonPredictedMs = 100;  // after what is written was checked
constexpr std::size_t kMostLooked = 240, kMostPredicted = 60;  // of a larger suite the first run alone; that differ in more than their seeds

// What a prediction depends on. A seed shuffles the data and draws the disturbances, whose mean counts.
std::string predictionKey(const RunSpec& run) {
  RunSpec part = run;
  part.name.clear(), part.notes.clear(), part.tags.clear(), part.seed = 0, part.published = {};
  return toJsonText(part);
}

}  // namespace

RunPrediction::RunPrediction(ExperimentDraft& draft, Hosts hosts, Ask ask, QObject* parent) : QObject(parent), draft_(draft), hosts_(std::move(hosts)), ask_(std::move(ask)) {
  soon_.setSingleShot(true);
  soon_.setInterval(kSoonPredictedMs);
  connect(&soon_, &QTimer::timeout, this, &RunPrediction::ask);
  connect(&draft_, &ExperimentDraft::findingsChanged, this, &RunPrediction::follow);
}

RunPrediction::~RunPrediction() { older_.request_stop(); }

void RunPrediction::setWatched(bool watched) {
  watched_ = watched;
  follow();
}

void RunPrediction::again() {
  keys_.clear();
  follow();
}

void RunPrediction::follow() {
  const std::vector<RunSpec>& runs = draft_.runnable();
  if (runs.empty()) {
    soon_.stop();
    older_.request_stop();
    answered_ = ++asked_;
    keys_.clear(), others_.clear(), problem_.clear(), prediction_.reset(), timeline_ = std::make_shared<const lanes::Timeline>();
    return emit changed();
  }
  if (!watched_) return;
  if (keysOf(runs) == keys_) return soon_.stop();
  older_.request_stop();
  soon_.start();
  emit changed();
}

// The first run's, then those of the others that differ from it; of a search or a large suite the first alone.
std::vector<std::string> RunPrediction::keysOf(const std::vector<RunSpec>& runs) const {
  std::vector<std::string> keys{predictionKey(runs.front())};
  if (runs.size() > kMostLooked || draft_.search()) return keys;
  for (const RunSpec& run : runs)
    if (std::string key = predictionKey(run); std::ranges::find(keys, key) == keys.end()) keys.push_back(std::move(key));
  if (keys.size() > kMostPredicted) keys.resize(1);
  return keys;
}

void RunPrediction::ask() {
  const std::vector<RunSpec>& runs = draft_.runnable();
  if (runs.empty()) return;
  keys_ = keysOf(runs);
  others_.clear();
  older_ = std::stop_source();
  ++asked_;
  askOf(0);
}

// One after the other: the first is seen as soon as it is there.
void RunPrediction::askOf(std::size_t place) {
  const std::vector<RunSpec>& runs = draft_.runnable();
  const auto run = std::ranges::find(runs, keys_[place], predictionKey);
  if (run == runs.end()) return;
  struct Answer {
    std::shared_ptr<const predict::Prediction> prediction;
    std::shared_ptr<const lanes::Timeline> timeline;
  };
  const auto work = [run = *run, hosts = hosts_(), ask = ask_, newer = older_.get_token(), first = place == 0](const std::stop_token& end) {
    const EitherStop stop(newer, end);
    if (stop.asked()) return Answer();
    predict::Prediction made = ask(run, hosts, stop.token());
    auto timeline = first ? std::make_shared<const lanes::Timeline>(lanes::foldedToFit(lanes::timelineOf(made.lanes))) : nullptr;
    return Answer{.prediction = std::make_shared<const predict::Prediction>(std::move(made)), .timeline = std::move(timeline)};
  };
  inBackground(tasks_, this, work, [this, question = asked_, place](const Answer& answer, const QString& problem) {
    if (question != asked_) return;  // a newer one is on its way
    if (place == 0) {
      answered_ = question;
      problem_ = problem;
      prediction_ = answer.prediction;
      timeline_ = answer.timeline ? answer.timeline : std::make_shared<const lanes::Timeline>();
    }
    others_[keys_[place]] = answer.prediction;
    if (place + 1 < keys_.size() && !soon_.isActive()) askOf(place + 1);
    emit changed();
  });
}

// Of all runs of a suite, once they are known.
QString RunPrediction::suiteLine() const {
  const std::vector<RunSpec>& runs = draft_.runnable();
  if (runs.size() < 2 || runs.size() > kMostLooked || draft_.search() || keys_.size() < 1) return {};
  if (others_.size() < keys_.size()) return tr("%1 of %2 different runs are predicted.").arg(others_.size()).arg(keys_.size());
  double low = HUGE_VAL, high = 0, seconds = 0;
  std::size_t known = 0, ends = 0;
  for (const RunSpec& run : runs) {
    const auto told = others_.find(predictionKey(run));
    if (told == others_.end() || !told->second) continue;
    ++known;
    low = std::min(low, told->second->samplesPerSecond), high = std::max(high, told->second->samplesPerSecond);
    if (told->second->seconds) ++ends, seconds += *told->second->seconds;
  }
  if (known == 0) return {};
  const QString rates = rateText(low) == rateText(high) ? rateText(low) : tr("%1 to %2").arg(rateText(low), rateText(high));
  QString line = known == runs.size() ? tr("All %1 runs: %2 samples/s").arg(runs.size()).arg(rates) : tr("%1 of %2 runs: %3 samples/s").arg(known).arg(runs.size()).arg(rates);
  if (ends == runs.size()) line += tr(", about %1 one after the other").arg(durationText(seconds));
  return line + ".";
}

QStringList RunPrediction::lines() const {
  if (!prediction_) return {};
  const predict::Prediction& told = *prediction_;
  QStringList all;
  const auto many = draft_.runnable().size();
  const QString which = draft_.search() ? tr("With the first values: %1") : many > 1 ? tr("The first of %1 runs: %2").arg(many) : QString("%1");
  all << which.arg(tr("About %1 samples/s: a round takes %2 and moves %3 a worker."))
             .arg(rateText(told.samplesPerSecond), qtext(lanes::secondsText(told.roundSeconds)), bytesText(told.bytesPerRound));
  if (const QString suite = suiteLine(); !suite.isEmpty()) all << suite;
  if (told.seconds) all << tr("It ends after about %1.").arg(durationText(*told.seconds));
  if (told.targetSeconds)
    all << tr("%1 after about %2: run \"%3\" needed %4 samples.")
               .arg(percentText(told.target->accuracy), durationText(*told.targetSeconds), qtext(told.target->run), countText(static_cast<std::int64_t>(told.target->samples)));
  const QString worker = bytesText(told.workerBytes);
  all << (told.serverBytes > 0 ? tr("Vectors take %1 of memory of a worker, %2 of a server.").arg(worker, bytesText(told.serverBytes)) : tr("Vectors take %1 of memory of a worker.").arg(worker));
  return all;
}

QString RunPrediction::sources() const {
  if (!prediction_) return {};
  QStringList all;
  for (const std::string& source : prediction_->sources) all << said(source);
  return asSentence(all.join("; ")) + ".";
}

std::vector<std::string> RunPrediction::keptFor(const std::vector<RunSpec>& runs) const {
  std::vector<std::string> kept(runs.size());
  if (!prediction_ || pending()) return kept;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (const auto told = others_.find(predictionKey(runs[i])); told != others_.end() && told->second) kept[i] = predict::keptText(*told->second);
  return kept;
}

std::vector<predict::HostSpeed> speedsOf(const clusters::HostsModel& hosts) {
  std::vector<predict::HostSpeed> speeds;
  for (const clusters::HostItem& item : hosts.items()) speeds.push_back({.name = item.entry.name, .speed = item.figures.speed, .cpus = item.figures.cpus});
  return speeds;
}

RunPrediction::Ask localPrediction(const std::string& storePath) {
  return [means = std::make_shared<predict::LocalPredictions>(storePath)](const RunSpec& spec, const std::vector<predict::HostSpeed>& hosts, const std::stop_token& stop) {
    return means->of(spec, hosts, stop);
  };
}

}  // namespace paceline::experiment
