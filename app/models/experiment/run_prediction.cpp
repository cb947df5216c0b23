#include "app/models/experiment/run_prediction.h"

#include <algorithm>
#include <cmath>

#include "app/models/words.h"
#include "app/predict/local.h"

namespace paceline::experiment {
namespace {

constexpr int kSoonPredictedMs = 100;  // after what is written was checked
constexpr double kLeastSeconds = 0.1;  // shown
constexpr std::size_t kMostLooked = 240, kMostPredicted = 60;  // of a larger suite the first run alone; that differ in more than their seeds

std::vector<std::string> distinct(const std::vector<std::string>& keys) {
  std::vector<std::string> once;
  for (const std::string& key : keys)
    if (std::ranges::find(once, key) == once.end()) once.push_back(key);
  if (once.size() > kMostPredicted) once.resize(1);
  return once;
}

// Each once: "Step times as the document emulates them; links as measured."
QString sourcesText(const std::vector<std::shared_ptr<const predict::Prediction>>& of) {
  QStringList all;
  for (const auto& told : of)
    for (const std::string& source : told->sources) all << said(source);
  all.removeDuplicates();
  return QObject::tr("%1.", "a sentence").arg(asSentence(all.join(QObject::tr("; ", "between clauses"))));
}

}  // namespace

RunPrediction::RunPrediction(ExperimentDraft& draft, Hosts hosts, Ask ask, QObject* parent) : QObject(parent), draft_(draft), hosts_(std::move(hosts)), ask_(std::move(ask)) {
  soon_.setSingleShot(true);
  soon_.setInterval(kSoonPredictedMs);
  connect(&soon_, &QTimer::timeout, this, &RunPrediction::ask);
  connect(&draft_, &ExperimentDraft::findingsChanged, this, &RunPrediction::follow);
}

RunPrediction::~RunPrediction() { older_.request_stop(); }

void RunPrediction::setWatched(bool watched, const void* by) {
  if (watched) watchers_.insert(by);
  else watchers_.erase(by);
  follow();
}

void RunPrediction::again() {
  older_.request_stop();
  follow();
}

void RunPrediction::follow() {
  const std::vector<RunSpec>& runs = draft_.runnable();
  if (runs.empty()) {
    soon_.stop();
    older_.request_stop();
    answered_ = ++asked_;
    ofRuns_.clear(), keys_.clear(), others_.clear(), problem_.clear(), prediction_.reset(), timeline_ = std::make_shared<const lanes::Timeline>();
    return emit changed();
  }
  if (watchers_.empty()) return;
  const std::size_t looked = runs.size() > kMostLooked || draft_.search() ? 1 : runs.size();
  ofRuns_.clear();
  for (std::size_t i = 0; i < looked; ++i) ofRuns_.push_back(predict::keyOf(runs[i]));
  if (distinct(ofRuns_) == keys_ && !older_.stop_requested()) {  // what is under way is of these
    soon_.stop();
  } else {
    older_.request_stop();
    soon_.start();
  }
  emit changed();
}

void RunPrediction::ask() {
  if (watchers_.empty()) return;  // what is written may be another document by now
  keys_ = distinct(ofRuns_);
  asks_.clear();
  for (const std::string& key : keys_) asks_.push_back(draft_.runnable()[static_cast<std::size_t>(std::ranges::find(ofRuns_, key) - ofRuns_.begin())]);
  others_.clear();
  older_ = std::stop_source();
  ++asked_;
  askOf(0);
}

// One after the other: the first is seen as soon as it is there.
void RunPrediction::askOf(std::size_t place) {
  struct Answer {
    std::shared_ptr<const predict::Prediction> prediction;
    std::shared_ptr<const lanes::Timeline> timeline;
  };
  const std::stop_token newer = older_.get_token();
  const auto work = [run = asks_[place], hosts = hosts_(), ask = ask_, newer, first = place == 0](const std::stop_token& end) {
    const EitherStop stop(newer, end);
    if (stop.asked()) return Answer();
    predict::Prediction made = ask(run, hosts, stop.token());
    auto timeline = first ? std::make_shared<const lanes::Timeline>(lanes::foldedToFit(lanes::timelineOf(made.lanes))) : nullptr;
    return Answer{.prediction = std::make_shared<const predict::Prediction>(std::move(made)), .timeline = std::move(timeline)};
  };
  inBackground(tasks_, this, work, [this, newer, place, question = asked_](const Answer& answer, const QString& problem) {
    if (newer.stop_requested()) return;  // taken back: another one is on its way, or nothing is to be predicted
    if (place == 0) {
      answered_ = question;
      problem_ = problem;
      prediction_ = answer.prediction;
      timeline_ = answer.timeline ? answer.timeline : std::make_shared<const lanes::Timeline>();
    }
    others_[keys_[place]] = answer.prediction;
    if (place + 1 < keys_.size()) askOf(place + 1);
    emit changed();
  });
}

// Also what the suite's strip says: the two are one.
QString RunPrediction::suiteTime() const {
  if (watchers_.empty() || ofRuns_.size() < 2 || ofRuns_.size() != draft_.runnable().size() || distinct(ofRuns_) != keys_) return {};
  double seconds = 0;
  for (const std::string& key : ofRuns_) {
    const auto told = others_.find(key);
    if (told == others_.end() || !told->second || !told->second->seconds) return {};
    seconds += *told->second->seconds;
  }
  return seconds < kLeastSeconds ? tr("less than 0.1 s") : tr("about %1", "a time").arg(durationText(seconds));
}

// Of all runs of a suite, once they are known.
QString RunPrediction::suiteLine() const {
  if (ofRuns_.size() < 2 || distinct(ofRuns_) != keys_) return {};
  if (others_.size() < keys_.size()) return tr("%1 of %2 different runs are predicted.").arg(others_.size()).arg(keys_.size());
  double low = HUGE_VAL, high = 0;
  std::size_t known = 0;
  for (const std::string& key : ofRuns_) {
    const auto told = others_.find(key);
    if (told == others_.end() || !told->second) continue;
    ++known;
    low = std::min(low, told->second->samplesPerSecond), high = std::max(high, told->second->samplesPerSecond);
  }
  const std::size_t runs = ofRuns_.size();
  if (known == 0 || (known < runs && keys_.size() == 1)) return {};  // too many: the first alone was asked for
  const QString rates = rateText(low) == rateText(high) ? rateText(low) : tr("%1 to %2").arg(rateText(low), rateText(high));
  QString line = known == runs ? tr("All %1 runs: %2 samples/s").arg(runs).arg(rates) : tr("%1 of %2 runs: %3 samples/s").arg(known).arg(runs).arg(rates);
  if (const QString time = suiteTime(); !time.isEmpty()) line = tr("%1, %2 one after the other", "rates, a time").arg(line, time);
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
  const bool first = many > 1 && !draft_.search();
  if (told.seconds && *told.seconds < kLeastSeconds) all << (first ? tr("The first ends after less than 0.1 s.") : tr("It ends after less than 0.1 s."));
  else if (told.seconds) all << (first ? tr("The first ends after about %1.") : tr("It ends after about %1.")).arg(durationText(*told.seconds));
  if (told.targetSeconds && *told.targetSeconds < kLeastSeconds)
    all << tr("%1 after less than 0.1 s: run \"%2\" needed %3 samples.").arg(percentText(told.target->accuracy), qtext(told.target->run), countText(static_cast<std::int64_t>(told.target->samples)));
  else if (told.targetSeconds)
    all << tr("%1 after about %2: run \"%3\" needed %4 samples.")
               .arg(percentText(told.target->accuracy), durationText(*told.targetSeconds), qtext(told.target->run), countText(static_cast<std::int64_t>(told.target->samples)));
  const QString worker = bytesText(told.workerBytes);
  all << (told.serverBytes > 0 ? tr("Vectors take %1 of memory of a worker, %2 of a server.").arg(worker, bytesText(told.serverBytes)) : tr("Vectors take %1 of memory of a worker.").arg(worker));
  return all;
}

QString RunPrediction::sources() const { return prediction_ ? sourcesText({prediction_}) : QString(); }

QString RunPrediction::suiteSources() const {
  std::vector<std::shared_ptr<const predict::Prediction>> all;
  for (const std::string& key : keys_)
    if (const auto told = others_.find(key); told != others_.end() && told->second) all.push_back(told->second);
  return all.empty() ? QString() : sourcesText(all);
}

std::vector<std::string> RunPrediction::keptFor(const std::vector<RunSpec>& runs) const {
  std::vector<std::string> kept(runs.size());
  if (!prediction_ || pending()) return kept;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (const auto told = others_.find(predict::keyOf(runs[i])); told != others_.end() && told->second) kept[i] = predict::keptText(*told->second);
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
