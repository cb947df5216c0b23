#include "app/models/runs/live_run.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "app/models/words.h"
#include "storage/store/store.h"

namespace paceline::runs {
namespace {

constexpr int kPollMs = 500;

Figure timeFigure(const LiveSnapshot& shot, const char* id, const char* title, const char* y) {
  Figure figure;
  figure.id = id;
  figure.title = title;
  const double end = std::max(shot.seconds, shot.accuracySeconds.empty() ? 0.0 : shot.accuracySeconds.back());
  figure.x.title = end > 300 ? "time (minutes)" : "time (s)";
  figure.y.title = y;
  figure.y.min = 0;
  return figure;
}

Line timeLine(const LiveSnapshot& shot, const std::vector<double>& seconds, const std::vector<double>& values, const Figure& figure) {
  Line line;
  line.label = displayName(shot.run.algorithm);
  line.series = seriesOf(shot.run.algorithm);
  const double unit = figure.x.title == "time (s)" ? 1.0 : 60.0;
  for (const double s : seconds) line.x.push_back(s / unit);
  line.y = values;
  return line;
}

}  // namespace

struct LiveRun::Source {
  std::unique_ptr<store::StoreReader> reader;
  std::unique_ptr<LiveFold> fold;
  std::string run;
  std::int64_t round = 0, evaluation = 0, notice = 0;

  struct Answer {
    std::shared_ptr<const LiveSnapshot> snapshot;
    std::vector<LogLine> lines;
  };

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
    : QObject(parent), path_(std::move(storePath)), snapshot_(std::make_shared<LiveSnapshot>()), source_(std::make_shared<Source>()) {
  timer_.setInterval(kPollMs);
  connect(&timer_, &QTimer::timeout, this, &LiveRun::poll);
}

LiveRun::~LiveRun() = default;

void LiveRun::follow(const std::string& run) {
  ++generation_;
  run_ = run;
  asking_ = false;
  log_.clear();
  snapshot_ = std::make_shared<LiveSnapshot>();
  emit reset();
  if (run.empty()) return timer_.stop();
  tasks_.post([source = source_](const std::stop_token&) { source->run.clear(); });
  timer_.start();
  poll();
}

void LiveRun::poll() {
  if (asking_) return;
  asking_ = true;
  tasks_.post([this, run = run_, generation = generation_](const std::stop_token&) { read(run, generation); });
}

// On the thread of tasks_.
void LiveRun::read(const std::string& run, int generation) {
  std::optional<Source::Answer> answer;
  QString error;
  try {
    answer = source_->read(path_, run);
  } catch (const std::exception& e) {
    source_->reader.reset();
    error = QString::fromStdString(e.what());
  }
  QMetaObject::invokeMethod(
      this,
      [this, answer = std::move(answer), error, generation] {
        if (generation != generation_) return;
        asking_ = false;
        if (!error.isEmpty()) emit failed(error);
        if (!answer) return;
        snapshot_ = answer->snapshot;
        const int first = static_cast<int>(log_.size());
        log_.insert(log_.end(), answer->lines.begin(), answer->lines.end());
        if (store::isEnded(snapshot_->run.state)) timer_.stop();
        if (!answer->lines.empty()) emit logged(first);
        emit updated();
      },
      Qt::QueuedConnection);
}

Figure LiveRun::accuracyFigure() const {
  Figure figure = timeFigure(*snapshot_, "live_accuracy", "Accuracy over time", "test accuracy");
  double highest = 0;
  for (const double a : snapshot_->accuracy) highest = std::max(highest, a);
  figure.y.max = highest > 0.5 ? 1.0 : std::max(0.1, std::ceil(highest * 12) / 10);
  if (!snapshot_->accuracy.empty()) figure.lines.push_back(timeLine(*snapshot_, snapshot_->accuracySeconds, snapshot_->accuracy, figure));
  for (Line& line : figure.lines) line.label.clear();
  return figure;
}

Figure LiveRun::throughputFigure() const {
  Figure figure = timeFigure(*snapshot_, "live_throughput", "Throughput", "samples per second");
  if (!snapshot_->rate.empty()) figure.lines.push_back(timeLine(*snapshot_, snapshot_->rateSeconds, snapshot_->rate, figure));
  for (Line& line : figure.lines) line.label.clear();
  return figure;
}

}  // namespace paceline::runs
