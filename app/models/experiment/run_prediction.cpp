#include "app/models/experiment/run_prediction.h"

#include <algorithm>
#include <filesystem>

#include "app/cluster/hosts/facts.h"
#include "app/models/words.h"
#include "app/why/simulated.h"
#include "storage/store/store.h"

namespace paceline::experiment {
namespace {

constexpr int kSoonPredictedMs = 100;  // after what is written was checked

// What a prediction depends on.
std::string predictionKey(const RunSpec& run) {
  RunSpec part = run;
  part.name.clear(), part.notes.clear(), part.tags.clear();
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
  key_.clear();
  follow();
}

void RunPrediction::follow() {
  const std::vector<RunSpec>& runs = draft_.runnable();
  if (runs.empty()) {
    soon_.stop();
    older_.request_stop();
    answered_ = ++asked_;
    key_.clear(), problem_.clear(), prediction_.reset(), timeline_ = std::make_shared<const lanes::Timeline>();
    return emit changed();
  }
  if (!watched_) return;
  if (predictionKey(runs.front()) == key_) return soon_.stop();
  older_.request_stop();
  soon_.start();
  emit changed();
}

void RunPrediction::ask() {
  if (draft_.runnable().empty()) return;
  const RunSpec& run = draft_.runnable().front();
  key_ = predictionKey(run);
  older_ = std::stop_source();
  struct Answer {
    std::shared_ptr<const predict::Prediction> prediction;
    std::shared_ptr<const lanes::Timeline> timeline;
  };
  const auto work = [run, hosts = hosts_(), ask = ask_, newer = older_.get_token()](const std::stop_token& end) {
    const EitherStop stop(newer, end);
    if (stop.asked()) return Answer();
    predict::Prediction made = ask(run, hosts, stop.token());
    auto timeline = std::make_shared<const lanes::Timeline>(lanes::foldedToFit(lanes::timelineOf(made.lanes)));
    return Answer{.prediction = std::make_shared<const predict::Prediction>(std::move(made)), .timeline = std::move(timeline)};
  };
  inBackground(tasks_, this, work, [this, question = ++asked_](const Answer& answer, const QString& problem) {
    if (question != asked_) return;  // a newer one is on its way
    answered_ = question;
    problem_ = problem;
    prediction_ = answer.prediction;
    timeline_ = answer.timeline ? answer.timeline : std::make_shared<const lanes::Timeline>();
    emit changed();
  });
}

QStringList RunPrediction::lines() const {
  if (!prediction_) return {};
  const predict::Prediction& told = *prediction_;
  QStringList all;
  const auto many = draft_.runnable().size();
  all << QString("%1About %2 samples/s: a round takes %3 and moves %4 a worker.")
             .arg(draft_.search() ? QString("With the first values: ") : many > 1 ? QString("The first of %1 runs: ").arg(many) : QString(), rateText(told.samplesPerSecond), qtext(lanes::secondsText(told.roundSeconds)), bytesText(told.bytesPerRound));
  if (told.seconds) all << QString("It ends after about %1.").arg(durationText(*told.seconds));
  if (told.targetSeconds)
    all << QString("%1 after about %2: run \"%3\" needed %4 samples.")
               .arg(percentText(told.target->accuracy), durationText(*told.targetSeconds), qtext(told.target->run), countText(static_cast<std::int64_t>(told.target->samples)));
  const QString servers = told.serverBytes > 0 ? QString(", %1 of a server").arg(bytesText(told.serverBytes)) : QString();
  all << QString("Vectors take %1 of memory of a worker%2.").arg(bytesText(told.workerBytes), servers);
  return all;
}

QString RunPrediction::sources() const {
  if (!prediction_) return {};
  QStringList all;
  for (const std::string& source : prediction_->sources) all << qtext(source);
  return asSentence(all.join("; ")) + ".";
}

std::vector<std::string> RunPrediction::keptFor(const std::vector<RunSpec>& runs) const {
  std::vector<std::string> kept(runs.size());
  if (!prediction_ || pending()) return kept;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (predictionKey(runs[i]) == key_) kept[i] = predict::keptText(*prediction_);
  return kept;
}

std::vector<predict::HostSpeed> speedsOf(const clusters::HostsModel& hosts) {
  std::vector<predict::HostSpeed> speeds;
  for (const clusters::HostItem& item : hosts.items()) speeds.push_back({.name = item.entry.name, .speed = item.figures.speed, .cpus = item.figures.cpus});
  return speeds;
}

RunPrediction::Ask localPrediction(const std::string& storePath) {
  struct Means {
    why::LocalSimulators simulators;
    std::unique_ptr<store::StoreReader> store;
    predict::Likes likes;
  };
  return [storePath, means = std::make_shared<Means>()](const RunSpec& spec, const std::vector<predict::HostSpeed>& hosts, const std::stop_token& stop) {
    const why::Simulator simulate = means->simulators.with(stop);
    predict::Known known;
    if (!means->store && std::filesystem::exists(storePath)) means->store = std::make_unique<store::StoreReader>(storePath);
    if (means->store) known = predict::knownOf(*means->store, spec, hosts, hosts::loadLinks(), simulate, means->likes);
    return predict::predicted(spec, known, means->simulators.catalogueOf(spec, stop), simulate);
  };
}

}  // namespace paceline::experiment
