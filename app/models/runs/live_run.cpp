#include "app/models/runs/live_run.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/models/words.h"
#include "app/predict/predict.h"
#include "engine/core/spec/run_spec.h"
#include "storage/store/store.h"
#include "storage/summary/summary.h"

namespace paceline::runs {
namespace {

constexpr std::size_t kRecentRounds = 16;
constexpr std::size_t kMostBuckets = 240;  // then two become one

std::string lastWord(const NoticeRecord& notice) {
  if (notice.kind == "listening") return "ready";
  if (notice.kind == "started") return "training";
  if (notice.kind == "finished") return notice.reason == "asked" ? "stopped" : "finished";
  if (notice.kind == "failed") return "failed";
  if (notice.kind == "exit" && notice.code != 0) return "failed";
  if (notice.kind == "note" && notice.reason == "silent") return "silent";
  if (notice.kind == "note" && notice.reason == "heard") return "training";
  return {};
}

std::string levelOf(const NoticeRecord& notice) {
  if (!notice.level.empty()) return notice.level;
  if (notice.kind == "failed" || (notice.kind == "exit" && notice.code != 0)) return "error";
  return "info";
}

// Kind and reason are words for programs: told only where the text does not say as much.
std::string sentence(const NoticeRecord& notice) {
  const bool whole = notice.kind == "log" || notice.kind == "note" || notice.kind == "exit";
  if (whole && !notice.text.empty()) return notice.text;
  const std::string said = notice.kind == "finished" || notice.text.empty() ? store::reasonText(notice.reason) : notice.text;
  return said.empty() ? notice.kind : notice.kind + ": " + said;
}

bool inMinutes(const LiveSnapshot& shot) { return std::max(shot.seconds, shot.accuracySeconds.empty() ? 0.0 : shot.accuracySeconds.back()) > 300; }

Figure timeFigure(const LiveSnapshot& shot, const char* id, const char* title, const char* y, const std::vector<double>& seconds, const std::vector<double>& values) {
  Figure figure;
  figure.id = id;
  figure.title = title;
  const bool minutes = inMinutes(shot);
  figure.x.title = minutes ? "time (minutes)" : "time (s)";
  figure.y.title = y;
  figure.y.min = 0;
  if (values.empty()) return figure;
  Line& line = figure.lines.emplace_back();
  line.series = seriesOf(shot.run.algorithm);
  for (const double s : seconds) line.x.push_back(minutes ? s / 60 : s);
  line.y = values;
  return figure;
}

QString ofWorkers(const WorkerLine& line, const QString& text) { return line.role == "worker" ? text : QString(); }

// Nodes record what they exchange with every round; servers have none.
QString traffic(const WorkerLine& line, std::int64_t bytes) { return line.role == "worker" ? bytesText(static_cast<double>(bytes)) : QString("—"); }
constexpr const char* kTrafficHelp = QT_TR_NOOP("Recorded by workers; what a server sends its workers receive");

// "fetch 0.1 s (0.3 %)", a line for each phase that took time.
QString useText(const WorkerLine& line) {
  QStringList lines;
  for (std::size_t i = 0; i < kPhases.size(); ++i)
    if (line.use[i] > 0) lines << QString("%1 %2 (%3)").arg(said(kPhases[i].word), durationText(line.use[i]), percentText(line.share(i)));
  return lines.join('\n');
}

constexpr ItemColumn<WorkerLine> kNodeTable[WorkersModel::kColumns] = {
    {{QT_TR_NOOP("Node")}, [](const WorkerLine& line) { return qtext(line.id); }},
    {{QT_TR_NOOP("Where")},
     [](const WorkerLine& line) { return (line.host == "local" || line.host.empty() ? QObject::tr("this computer") : qtext(line.host)) + (line.device.empty() ? "" : ", " + qtext(line.device)); }},
    {{QT_TR_NOOP("State")}, [](const WorkerLine& line) { return said(line.state); }},
    {{QT_TR_NOOP("Rounds"), "", true}, [](const WorkerLine& line) { return ofWorkers(line, QString::number(line.rounds)); }},
    {{QT_TR_NOOP("Local steps"), QT_TR_NOOP("In a round, on the mean of all rounds"), true}, [](const WorkerLine& line) { return ofWorkers(line, line.rounds > 0 ? QString::number(line.localSteps, 'g', 3) : QString()); }},
    {{QT_TR_NOOP("Samples/s"), "", true}, [](const WorkerLine& line) { return ofWorkers(line, rateText(line.samplesPerSecond)); }},
    {{QT_TR_NOOP("Time use"), QT_TR_NOOP("As recorded, by phase of a round; busy: fetch, compute and update")}, [](const WorkerLine& line) { return ofWorkers(line, line.rounds > 0 && line.busy() > 0 ? QObject::tr("%1 busy").arg(percentText(line.busy())) : QString()); }},
    {{QT_TR_NOOP("Staleness"), QT_TR_NOOP("Of a round, on the mean of all rounds"), true}, [](const WorkerLine& line) { return ofWorkers(line, line.rounds > 0 ? QString::number(line.staleness, 'g', 3) : QString()); }},
    {{QT_TR_NOOP("Sent"), kTrafficHelp, true}, [](const WorkerLine& line) { return traffic(line, line.bytesSent); }},
    {{QT_TR_NOOP("Received"), kTrafficHelp, true}, [](const WorkerLine& line) { return traffic(line, line.bytesReceived); }}};

}  // namespace

double elapsedSeconds(const LiveSnapshot& shot, double nowUtc) {
  const store::RunRow& row = shot.run;
  if (row.source == "simulated" || row.startedUtc <= 0) return shot.seconds;
  if (isActive(row.state)) return std::max(shot.seconds, nowUtc - row.startedUtc);  // the start may be written late: when the run was attached to
  return shot.seconds > 0 ? shot.seconds : std::max(0.0, row.endedUtc - row.startedUtc);
}

LiveFold::LiveFold(store::RunRow run, std::vector<store::NodeRow> nodes) : traffic_(run, nodes) {
  std::stable_sort(nodes.begin(), nodes.end(), [](const store::NodeRow& a, const store::NodeRow& b) {
    return std::make_pair(a.role != "worker", a.rank) < std::make_pair(b.role != "worker", b.rank);
  });
  for (const store::NodeRow& node : nodes) {
    WorkerLine line;
    line.id = node.id, line.role = node.role, line.host = node.host, line.device = node.device;
    states_[node.id] = "waiting";
    snapshot_.nodes.push_back(std::move(line));
    if (coordinator_.empty() && node.role == "worker") coordinator_ = node.id;
  }
  if (!run.specText.empty()) {
    const RunSpec spec = parseRunSpec(run.specText).spec;
    if (!spec.evaluate.on.empty()) coordinator_ = spec.evaluate.on;
  }
  snapshot_.run = std::move(run);
}

WorkerLine* LiveFold::line(const std::string& node) {
  for (WorkerLine& line : snapshot_.nodes)
    if (line.id == node) return &line;
  return nullptr;
}

void LiveFold::add(const store::RoundRow& row) {
  const RoundRecord& r = row.record;
  snapshot_.samples += r.samples;
  snapshot_.bytes += traffic_.bytesOf(r);
  if (row.node == coordinator_)
    snapshot_.rounds = std::max(snapshot_.rounds, r.round), snapshot_.seconds = std::max(snapshot_.seconds, r.t);
  addRate(r);
  Sums& sums = sums_[row.node];
  sums.steps += static_cast<double>(r.localSteps), sums.staleness += r.staleness, ++sums.rounds;
  sums.samples += r.samples;
  sums.recent.emplace_back(r.total, r.samples);
  if (sums.recent.size() > kRecentRounds) sums.recent.pop_front();
  WorkerLine* worker = line(row.node);
  if (!worker) return;
  std::string& state = states_[row.node];
  if (state == "waiting" || state == "ready") state = "training";
  worker->rounds = std::max(worker->rounds, r.round);
  worker->localSteps = sums.steps / static_cast<double>(sums.rounds), worker->lastLocalSteps = r.localSteps;
  worker->staleness = sums.staleness / static_cast<double>(sums.rounds), worker->lastStaleness = r.staleness;
  worker->bytesSent += r.bytesSent;
  worker->bytesReceived += r.bytesReceived;
  worker->samplesPerSecond = rateOver(sums);
  worker->totalSeconds += r.total;
  for (std::size_t i = 0; i < kPhases.size(); ++i) worker->use[i] += r.*kPhases[i].seconds;
}

double LiveFold::rateOver(const Sums& sums) const {
  double seconds = 0, samples = 0;
  for (const auto& [took, trained] : sums.recent) seconds += took, samples += static_cast<double>(trained);
  return seconds > 0 ? samples / seconds : 0;
}

// A round's samples are spread over the time it took, so a slow worker does not look like spikes.
void LiveFold::addRate(const RoundRecord& record) {
  if (!(record.t >= 0) || !std::isfinite(record.t)) return;
  furthest_ = std::max(furthest_, record.t);
  while (record.t / bucketSeconds_ >= static_cast<double>(kMostBuckets)) {
    for (std::size_t i = 0; i < buckets_.size(); i += 2)
      buckets_[i / 2] = buckets_[i] + (i + 1 < buckets_.size() ? buckets_[i + 1] : 0);
    buckets_.resize((buckets_.size() + 1) / 2);
    bucketSeconds_ *= 2;
  }
  const auto last = static_cast<std::size_t>(record.t / bucketSeconds_);
  if (buckets_.size() <= last) buckets_.resize(last + 1, 0.0);
  const double begin = std::max(0.0, record.t - std::max(0.0, record.total)), width = record.t - begin;
  if (width <= 0) {
    buckets_[last] += static_cast<double>(record.samples);
    return;
  }
  for (auto i = static_cast<std::size_t>(begin / bucketSeconds_); i <= last; ++i) {
    const double from = std::max(begin, static_cast<double>(i) * bucketSeconds_);
    const double to = std::min(record.t, static_cast<double>(i + 1) * bucketSeconds_);
    buckets_[i] += static_cast<double>(record.samples) * std::max(0.0, to - from) / width;
  }
}

// As summaries choose the run's curve; among workers that evaluate themselves the coordinator.
int LiveFold::preference(const store::EvaluationRow& row) {
  const WorkerLine* node = line(row.node);
  return 2 * summary::curvePreference(row.record, row.node, node ? node->role : "") + (row.node == coordinator_ ? 1 : 0);
}

void LiveFold::add(const store::EvaluationRow& row) {
  const int preference = this->preference(row);
  if (preference < preferred_) return;
  if (preference > preferred_) {  // the first evaluations of the run's own curve
    preferred_ = preference;
    snapshot_.accuracySeconds.clear(), snapshot_.accuracy.clear(), snapshot_.loss.clear(), snapshot_.validationSeconds.clear(), snapshot_.validation.clear();
    snapshot_.accuracyBest.reset();
  }
  snapshot_.accuracySeconds.push_back(row.record.t);
  snapshot_.accuracy.push_back(row.record.accuracy);
  snapshot_.loss.push_back(row.record.loss);
  snapshot_.accuracyLast = row.record.accuracy;
  if (row.record.validationAccuracy) snapshot_.validationSeconds.push_back(row.record.t), snapshot_.validation.push_back(*row.record.validationAccuracy);
  const double deciding = row.record.deciding();
  if (!std::isfinite(deciding) || (snapshot_.accuracyBest && !(deciding > bestDeciding_))) return;
  bestDeciding_ = deciding, snapshot_.accuracyBest = row.record.accuracy;
}

std::optional<LogLine> LiveFold::add(const store::NoticeRow& row) {
  const std::string word = lastWord(row.record);
  if (!word.empty() && states_[row.node] != "failed") states_[row.node] = word;
  const std::string text = sentence(row.record);
  if (row.record.reason == kNotFinite && snapshot_.diverged.empty()) snapshot_.diverged = strCat(row.node, ": ", text);
  if (text.empty()) return std::nullopt;
  return LogLine{row.record.unixTime, row.node, row.record.kind, levelOf(row.record), text, row.seq};
}

// Once the run has ended or is stale, a node without a recorded end is not at work either.
void LiveFold::tellStates() {
  const store::RunState run = snapshot_.run.state;
  for (WorkerLine& line : snapshot_.nodes) {
    line.state = states_[line.id];
    const bool open = line.state == "waiting" || line.state == "ready" || line.state == "training" || line.state == "silent";
    if (line.state == "training" && line.role == "evaluator") line.state = "evaluating";
    if (line.state == "training" && line.role == "server") line.state = "serving";
    if (open && run == store::RunState::kStale) line.state = "not known";
    if (open && store::isEnded(run)) line.state = "ended";
    if (store::isEnded(run) && line.totalSeconds > 0) line.samplesPerSecond = static_cast<double>(sums_[line.id].samples) / line.totalSeconds;
  }
}

const LiveSnapshot& LiveFold::snapshot() {
  tellStates();
  // The newest bucket is still filling.
  const std::size_t whole = store::isEnded(snapshot_.run.state) || buckets_.empty() ? buckets_.size() : buckets_.size() - 1;
  snapshot_.rateSeconds.clear();
  snapshot_.rate.clear();
  for (std::size_t i = 0; i < whole; ++i) {
    const double end = std::min(static_cast<double>(i + 1) * bucketSeconds_, std::max(furthest_, bucketSeconds_ / 100));
    const double width = end - static_cast<double>(i) * bucketSeconds_;
    if (width < bucketSeconds_ * 0.25) break;  // too short to tell a rate
    snapshot_.rateSeconds.push_back(static_cast<double>(i) * bucketSeconds_ + width / 2);
    snapshot_.rate.push_back(buckets_[i] / width);
  }
  return snapshot_;
}

struct LiveRun::Source {
  std::unique_ptr<store::StoreReader> reader;
  std::unique_ptr<LiveFold> fold;
  std::string run;
  std::int64_t round = 0, evaluation = 0, notice = 0;

  void start(const std::string& id) {
    if (run == id && fold) return;
    run = id;
    fold.reset();
    round = evaluation = notice = 0;
  }

  std::optional<Answer> read(const std::string& path, const std::string& id) {
    if (!reader && !std::filesystem::exists(path)) return std::nullopt;
    if (!reader) reader = std::make_unique<store::StoreReader>(path);
    start(id);
    const std::optional<store::RunRow> row = reader->find(id);
    if (!row) return std::nullopt;
    if (!fold) fold = std::make_unique<LiveFold>(*row, reader->nodes(id));
    fold->setRun(*row);
    Answer answer;
    for (const store::RoundRow& r : reader->rounds(id, round, &round)) fold->add(r);
    for (const store::EvaluationRow& e : reader->evaluations(id, evaluation, &evaluation)) fold->add(e);
    for (const store::NoticeRow& n : reader->notices(id, notice, &notice))
      if (auto line = fold->add(n)) answer.lines.push_back(std::move(*line));
    answer.snapshot = std::make_shared<const LiveSnapshot>(fold->snapshot());
    return answer;
  }
};

LiveRun::LiveRun(std::string storePath, QObject* parent)
    : QObject(parent), path_(std::move(storePath)), snapshot_(std::make_shared<LiveSnapshot>()), source_(std::make_shared<Source>()) {}

LiveRun::~LiveRun() = default;

void LiveRun::follow(const std::string& run) {
  ++generation_;
  run_ = run;
  dates_ = Dates();
  reading_ = again_ = false;
  snapshot_ = std::make_shared<LiveSnapshot>();
  emit reset();
  tasks_.post([source = source_](const std::stop_token&) { source->run.clear(); });
  read();
}

void LiveRun::look(const std::string& run) {
  if (run == run_) read();
}

void LiveRun::read() {
  if (run_.empty()) return;
  again_ = reading_;
  if (std::exchange(reading_, true)) return;
  const auto work = [source = source_, path = path_, run = run_](const std::stop_token&) {
    try {
      return source->read(path, run);
    } catch (const std::exception&) {
      source->reader.reset();
      throw;
    }
  };
  inBackground(tasks_, this, work, [this, generation = generation_](const std::optional<Answer>& answer, const QString& error) {
    if (generation != generation_) return;
    reading_ = false;
    if (!error.isEmpty()) emit failed(error);
    if (answer) take(*answer);
    if (again_) read();
  });
}

void LiveRun::take(const Answer& answer) {
  snapshot_ = answer.snapshot;
  if (!answer.lines.empty()) emit logged(answer.lines);
  emit updated();
}

double LiveRun::secondsPerUnit() const { return inMinutes(*snapshot_) ? 60 : 1; }

Figure LiveRun::accuracyFigure() const {
  Figure figure = timeFigure(*snapshot_, "live_accuracy", "Accuracy over time", "test accuracy", snapshot_->accuracySeconds, snapshot_->accuracy);
  if (const LiveSnapshot& shot = *snapshot_; !shot.validation.empty()) {
    Figure held = timeFigure(shot, "", "", "", shot.validationSeconds, shot.validation);
    figure.y.title = "accuracy";
    figure.lines.front().label = "test", held.lines.front().label = "held out", ++held.lines.front().series;
    figure.lines.push_back(std::move(held.lines.front()));
  }
  double highest = 0;
  for (const double a : snapshot_->accuracy) highest = std::max(highest, a);
  figure.y.max = highest > 0.5 ? 1.0 : std::max(0.1, std::ceil(highest * 12) / 10);
  return figure;
}

Figure LiveRun::throughputFigure() const {
  Figure figure = timeFigure(*snapshot_, "live_throughput", "Throughput", "samples per second", snapshot_->rateSeconds, snapshot_->rate);
  if (const auto kept = predict::keptOf(snapshot_->run)) figure.references.push_back({.label = "predicted", .value = kept->samplesPerSecond});
  return figure;
}

WorkersModel::WorkersModel(QObject* parent) : ColumnTable(kNodeTable, parent) {}

void WorkersModel::take(const std::vector<WorkerLine>& lines) {
  if (lines.size() != lines_.size()) {
    beginResetModel();
    lines_ = lines;
    endResetModel();
    return;
  }
  lines_ = lines;
  allChanged();
}

QVariant WorkersModel::cell(int row, int column, int role) const {
  const WorkerLine& line = lines_[static_cast<std::size_t>(row)];
  if (role == Qt::DisplayRole) return kNodeTable[column].shown(line);
  if (role == kStateRole) return qtext(line.state);
  if (role == Qt::ToolTipRole && line.role != "worker" && (column == kSent || column == kReceived)) return tr(kTrafficHelp);
  if (line.rounds == 0) return {};
  if (role == kUseRole) {
    QList<double> shares;
    for (std::size_t i = 0; i < kPhases.size(); ++i) shares << line.share(i);
    return QVariant::fromValue(shares);
  }
  if (role != Qt::ToolTipRole) return {};
  if (column == kLocalSteps) return tr("in the latest round: %1").arg(line.lastLocalSteps);
  if (column == kStaleness) return tr("in the latest round: %1").arg(line.lastStaleness, 0, 'g', 3);
  if (column == kUse) return useText(line);
  return {};
}

}  // namespace paceline::runs
