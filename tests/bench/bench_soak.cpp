// The window while twenty runs are under way: five minutes in which its pages are gone through, runs opened, figures changed, lanes zoomed and words typed, with what the GUI thread
// was away for at most. The runs are real ones with emulated steps, so that they leave the cores to the window.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <QEventLoop>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTimer>

#include "app/cluster/recorder/client.h"
#include "app/ui/compare/compare_page.h"
#include "app/ui/main_window.h"
#include "app/ui/runs/run_page.h"
#include "app/ui/runs/runs_page.h"
#include "engine/core/base/error.h"
#include "tests/bench/bench.h"
#include "tests/bench/painting.h"
#include "tests/bench/temp_folder.h"
#include "tests/bench/worker_loop.h"

namespace paceline::bench {
namespace {

constexpr int kRuns = 20, kSeconds = 300, kBeatMs = 5, kActMs = 500;
constexpr const char* kFigures[] = {"accuracy", "throughput", "traffic", "loss", "computing_ratio"};

recorder::Submission submission() {
  recorder::Submission all{.kind = recorder::EntryKind::kRun, .points = {}, .suite = "soak", .now = true};
  for (int i = 0; i < kRuns; ++i) {
    const std::string name = strCat("soak ", i);
    all.points.push_back({.name = name, .spec = toJsonText(specOf(strCat(R"({"paceline": 1, "name": ")", name, R"(", "seed": )", i + 1, R"(, "algorithm": {"id": ")", i % 2 == 0 ? "ssgd" : "esync", R"("}, "model": {"id": "logistic"},
      "dataset": {"id": "synthetic"}, "batch_size": 16, "evaluate": {"every_rounds": 20, "on": "w0"}, "stop": {"seconds": )", 2 * kSeconds, R"(}, "nodes": [{"id": "s0", "role": "server"},
      {"id": "w0", "emulate": {"step_s": 0.2}}, {"id": "w1", "emulate": {"step_s": 0.4}}]})")))});
  }
  return all;
}

void pressed(QWidget* on, int key, const QString& text = {}) {
  for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
    QKeyEvent event(type, key, Qt::NoModifier, text);
    QCoreApplication::sendEvent(on, &event);
  }
}

// What a person does, one thing after the other.
class Person {
 public:
  Person(MainWindow& window, std::vector<std::string> runs) : window_(window), runs_(std::move(runs)) {}

  void act() {
    const int turn = turn_++;
    switch (turn % 12) {
      case 0: return window_.go(MainWindow::kRuns);
      case 1:
      case 2: return type(turn % 2 == 0 ? "esync" : "");
      case 3: return window_.openRun(runs_[static_cast<std::size_t>(turn / 12) % runs_.size()]);
      case 4:
      case 5: return pressed(&window_.runPage().lanesView(), Qt::Key_Plus);
      case 6: return pressed(&window_.runPage().lanesView(), Qt::Key_0);
      case 7: return window_.compare().choose(runs_), window_.go(MainWindow::kCompare);
      case 8:
      case 9: return window_.compare().showFigure(kFigures[static_cast<std::size_t>(turn / 12 + turn) % std::size(kFigures)]);
      case 10: return window_.go(MainWindow::kExperiments);
      default: return window_.go(MainWindow::kClusters);
    }
  }

 private:
  void type(const QString& words) {
    if (auto* field = window_.runsPage().findChild<QLineEdit*>("runsSearch")) field->setText(words);
  }
  MainWindow& window_;
  std::vector<std::string> runs_;
  int turn_ = 0;
};

}  // namespace

Result guiSoak() {
  const TempFolder folder;
  ::setenv("PACELINE_AGENT_DIR", (folder.path + "/agent").c_str(), 1);
  ::setenv("PACELINE_AGENT_IDLE_S", "5", 1);
  const Painting painting{};
  const std::string path = folder.path + "/store.db";
  recorder::Client client(path);
  std::vector<std::string> runs;
  for (const recorder::Entry& entry : client.submit(submission())) runs.push_back(entry.run);
  std::vector<double> gaps;
  int training = 0;
  {
    MainWindow window(QString::fromStdString(path));
    window.mayQuit = nullptr;
    window.resize(1280, 800);
    window.show();
    Person person(window, runs);
    QTimer acts, beats;
    QEventLoop loop;
    double last = secondsNow();
    QObject::connect(&acts, &QTimer::timeout, [&] { person.act(); });
    QObject::connect(&beats, &QTimer::timeout, [&] {
      const double now = secondsNow();
      gaps.push_back(std::max(0.0, 1e3 * (now - last) - kBeatMs));
      last = now;
    });
    beats.setTimerType(Qt::PreciseTimer);
    beats.start(kBeatMs), acts.start(kActMs);
    QTimer::singleShot(std::chrono::seconds(kSeconds), &loop, &QEventLoop::quit);
    loop.exec();
    for (const recorder::Entry& entry : window.shell().queue.entries()) training += entry.state == store::RunState::kRunning;
  }
  for (const std::string& run : runs) client.stop(run);
  while (!std::ranges::all_of(client.queue(), &recorder::Entry::ended)) client.next(1);
  if (training < kRuns) throw Error(Errc::kData, strCat("of the ", kRuns, " runs of the bench ", training, " were under way"));
  std::ranges::sort(gaps);
  const auto part = [&](double share) { return gaps[static_cast<std::size_t>(share * static_cast<double>(gaps.size() - 1))]; };
  return {.id = "gui_stall_ms", .value = gaps.back(), .unit = "ms", .target = 100, .higherIsBetter = false,
          .note = strCat("the longest time that the GUI thread was away in ", kSeconds / 60, " min with ", kRuns, " runs under way, every ", kActMs, " ms another page, run, figure, zoom or search"),
          .inputs = {{"p99_ms", part(0.99)}, {"p999_ms", part(0.999)}, {"beats", static_cast<double>(gaps.size())}}};
}

}  // namespace paceline::bench
