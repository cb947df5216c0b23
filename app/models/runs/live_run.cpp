#include "app/models/runs/live_run.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "storage/store/store.h"

namespace paceline::runs {
namespace {

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

void addLine(Figure& figure, const LiveSnapshot& shot, const std::vector<double>& seconds, const std::vector<double>& values) {
  if (values.empty()) return;
  Line line;
  line.series = seriesOf(shot.run.algorithm);
  const double unit = figure.x.title == "time (s)" ? 1.0 : 60.0;
  for (const double s : seconds) line.x.push_back(s / unit);
  line.y = values;
  figure.lines.push_back(std::move(line));
}

}  // namespace

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
  reading_ = again_ = false;
  log_.clear();
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
  const int first = static_cast<int>(log_.size());
  log_.insert(log_.end(), answer.lines.begin(), answer.lines.end());
  if (!answer.lines.empty()) emit logged(first);
  emit updated();
}

Figure LiveRun::accuracyFigure() const {
  Figure figure = timeFigure(*snapshot_, "live_accuracy", "Accuracy over time", "test accuracy");
  double highest = 0;
  for (const double a : snapshot_->accuracy) highest = std::max(highest, a);
  figure.y.max = highest > 0.5 ? 1.0 : std::max(0.1, std::ceil(highest * 12) / 10);
  addLine(figure, *snapshot_, snapshot_->accuracySeconds, snapshot_->accuracy);
  return figure;
}

Figure LiveRun::throughputFigure() const {
  Figure figure = timeFigure(*snapshot_, "live_throughput", "Throughput", "samples per second");
  addLine(figure, *snapshot_, snapshot_->rateSeconds, snapshot_->rate);
  return figure;
}

}  // namespace paceline::runs
