#include "app/models/runs/run_why.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/models/words.h"
#include "app/why/simulated.h"
#include "storage/store/store.h"
#include "storage/summary/table_text.h"

namespace paceline::runs {
namespace {

// What explains a run that goes on takes at most a twentieth of a core. ms
constexpr int kLeastWhyRest = 5000, kWhyRest = 20;

constexpr ColumnTable::Heading kCauseHeadings[CausesModel::kColumns] = {
    {QT_TR_NOOP("Where the time goes"), QT_TR_NOOP("What the records say")},
    {QT_TR_NOOP("Share"), QT_TR_NOOP("Of the wall time; causes overlap, so that their shares can add up to more than all of it"), true},
    {QT_TR_NOOP("Seconds"), QT_TR_NOOP("Of the wall time; where workers do not wait for each other, the mean of a worker"), true},
    {QT_TR_NOOP("Nodes"), QT_TR_NOOP("That it is about")},
    {QT_TR_NOOP("Rounds"), QT_TR_NOOP("That have it"), true},
    {QT_TR_NOOP("Seen best"), QT_TR_NOOP("Node, round and time where it takes longest: double click or Enter shows it in the lanes")},
    {QT_TR_NOOP("Remedy: samples/s"), QT_TR_NOOP("Samples/s after the change over those before, as the simulator says with the measured times"), true}};

RunWhy::Simulators localSimulators() {
  return [all = std::make_shared<why::LocalSimulators>()](std::stop_token stop) { return all->with(std::move(stop)); };
}

}  // namespace

struct RunWhy::Source {
  std::unique_ptr<store::StoreReader> reader;

  Answer read(const std::string& path, const std::string& id) {
    if (!reader && !std::filesystem::exists(path)) return {};
    if (!reader) reader = std::make_unique<store::StoreReader>(path);
    const std::optional<store::RunRow> row = reader->find(id);
    if (!row) return {};
    auto explained = std::make_shared<why::Explained>(why::readRun(*reader, *row));
    return {.diagnosis = std::make_shared<why::Diagnosis>(why::diagnose(*explained)), .explained = std::move(explained)};
  }
};

RunWhy::RunWhy(std::string storePath, Simulators simulators, QObject* parent)
    : QObject(parent), path_(std::move(storePath)), simulators_(simulators ? std::move(simulators) : localSimulators()), source_(std::make_shared<Source>()) {
  rest_.setSingleShot(true);
  connect(&rest_, &QTimer::timeout, this, [this] {
    if (newer_) read();
  });
}

RunWhy::~RunWhy() { older_.request_stop(); }

void RunWhy::follow(const std::string& run) {
  ++generation_;
  older_.request_stop(), older_ = std::stop_source();
  run_ = run, row_ = {}, looked_.clear();
  reading_ = newer_ = predicting_ = false;
  rest_.stop();
  diagnosis_.reset();
  problem_.clear();
  emit updated();
}

// A run that has ended is looked at once at its end, at once.
void RunWhy::look(const store::RunRow& row) {
  if (row.id != run_ || run_.empty()) return;
  const bool ended = store::isEnded(row.state);
  const bool changed = row.state != row_.state || row_.id.empty();
  row_ = row;
  if (ended && !changed) return;
  newer_ = true;
  if (!reading_ && (ended || !rest_.isActive())) read();
}

void RunWhy::read() {
  if (std::exchange(reading_, true)) return;
  newer_ = false;
  took_.start();
  const auto work = [source = source_, path = path_, run = run_](const std::stop_token&) { return source->read(path, run); };
  inBackground(tasks_, this, work, [this, generation = generation_](const Answer& answer, const QString& error) {
    if (generation != generation_) return;
    reading_ = false;
    rest_.start(std::max(kLeastWhyRest, kWhyRest * static_cast<int>(took_.elapsed())));
    take(answer, error);
    if (newer_ && store::isEnded(row_.state)) read();
  });
}

void RunWhy::take(const Answer& answer, const QString& error) {
  problem_ = error;
  diagnosis_ = answer.diagnosis;
  predicting_ = diagnosis_ && !newer_ && store::isEnded(row_.state) && std::ranges::any_of(diagnosis_->causes, [](const why::Cause& cause) { return cause.remedy.has_value(); });
  emit updated();
  if (predicting_) predict(answer.explained);
}

void RunWhy::predict(std::shared_ptr<const why::Explained> explained) {
  const auto work = [explained = std::move(explained), diagnosis = *diagnosis_, simulators = simulators_, newer = older_.get_token()](const std::stop_token& end) mutable {
    const EitherStop stop(newer, end);
    why::predict(diagnosis, *explained, simulators(stop.token()));
    return std::make_shared<why::Diagnosis>(std::move(diagnosis));
  };
  inBackground(tasks_, this, work, [this, generation = generation_](const std::shared_ptr<why::Diagnosis>& told, const QString& error) {
    if (generation != generation_) return;
    predicting_ = false;
    if (told) diagnosis_ = told;
    if (!error.isEmpty()) problem_ = error;
    emit updated();
  });
}

QString RunWhy::sentence() const {
  if (!diagnosis_) return run_.empty() ? QString() : problem_.isEmpty() ? tr("Where its wall time goes is said once it has rounds.") : tr("%1.", "a sentence").arg(asSentence(said(problem_.toStdString())));
  const std::vector<std::string> all = why::sentences(*diagnosis_);
  const QString first = said(all.front());
  return predicting_ ? tr("%1: simulating what that gains…").arg(first) : tr("%1.", "a sentence").arg(first);
}

CausesModel::CausesModel(QObject* parent) : ColumnTable(kCauseHeadings, parent) {}

void CausesModel::take(const why::Diagnosis* diagnosis) {
  const why::Diagnosis now = diagnosis ? *diagnosis : why::Diagnosis();
  const bool same = now.causes.size() == diagnosis_.causes.size();
  if (!same) beginResetModel();
  diagnosis_ = now;
  if (!same) endResetModel();
  else allChanged();
}

const why::Cause* CausesModel::cause(int row) const {
  return row >= 0 && row < static_cast<int>(diagnosis_.causes.size()) ? &diagnosis_.causes[static_cast<std::size_t>(row)] : nullptr;
}

QVariant CausesModel::cell(int row, int column, int role) const {
  const why::Cause* told = cause(row);
  if (role == Qt::ToolTipRole && told) return tr("%1.", "a sentence").arg(asSentence(said(why::sentenceOf(*told))));
  if (role != Qt::DisplayRole) return {};
  const bool none = told && told->kind == why::Kind::kStaleness;  // costs no time
  const double share = told ? told->share : diagnosis_.computing, seconds = told ? told->seconds : share * diagnosis_.wall;
  switch (column) {
    case kCause: return told ? asSentence(said(why::whatOf(*told))) : tr("Computing, a worker's mean");
    case kShare: return none ? QString("–") : percentText(share);
    case kSeconds: return none ? QString("–") : durationText(seconds);
    case kNodes: return told ? qtexts(told->nodes).join(", ") : QString();
    case kRounds: return told ? countText(told->rounds) : QString();
    case kWorst: {
      if (!told || told->place.node.empty()) return QString();
      const QString place = told->place.round > 0 ? tr("%1, round %2").arg(qtext(told->place.node)).arg(told->place.round) : qtext(told->place.node);
      return tr("%1, at %2, %3 long").arg(place, durationText(told->place.begin), durationText(told->place.end - told->place.begin));
    }
    case kGain: {
      if (!told || !told->remedy) return QString();
      if (!told->gain) return told->unpredicted.empty() ? tr("not predicted") : said(told->unpredicted);
      const auto times = [](double factor) { return qtext(summary::fixedText(factor, 2)); };
      const QString factor = times(told->gain->factor) + "x", low = times(told->gain->low), high = times(told->gain->high);
      return low == high ? factor : tr("%1 (%2 to %3)").arg(factor, low, high);
    }
    default: return {};
  }
}

}  // namespace paceline::runs
