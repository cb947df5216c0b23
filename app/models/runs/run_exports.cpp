#include "app/models/runs/run_exports.h"

#include <memory>

#include <QFileInfo>

#include "app/cluster/hosts/host.h"
#include "app/models/words.h"
#include "engine/core/base/error.h"
#include "storage/interchange/interop.h"

namespace paceline::runs {
namespace {

constexpr int kTellAfterMs = 300;
constexpr double kSilenceSeconds = 3600;  // of one run of millions of records

std::string commandEnd(const hosts::CommandResult& result) {
  const std::string own = "paceline: ", said = result.said();
  return said.starts_with(own) ? said.substr(own.size()) : said;
}

}  // namespace

const std::vector<ExportFormat>& exportFormats() {
  static const std::vector<ExportFormat> kFormats = [] {
    std::vector<ExportFormat> all = {{.title = QObject::tr("Bundle: everything, to be imported again"), .id = "json", .ending = ".json"},
                                     {.title = QObject::tr("ESync's log tree"), .id = "esync", .tree = true},
                                     {.title = QObject::tr("ESync's log tree, in the folders that its own scripts read"), .id = "esync-original", .tree = true},
                                     {.title = QObject::tr("TensorBoard's event files, with HParams"), .id = "tensorboard", .tree = true},
                                     {.title = QObject::tr("Timeline for Perfetto and chrome://tracing"), .id = "trace", .ending = ".trace.json"}};
    for (const std::string& list : interchange::recordLists()) {
      QString name = qtext(list);
      all.push_back({.title = QObject::tr("CSV of %1").arg(said(name.replace('_', ' ').toStdString())), .id = list, .ending = qtext(interchange::endingOf(list))});
    }
    const auto weights = [&all](const QString& title, const char* id, const char* which) { all.push_back({.title = title, .id = id, .ending = QString(".") + id, .weights = which}); };
    weights(QObject::tr("Weights of the best evaluation (safetensors)"), "safetensors", "best");
    weights(QObject::tr("Weights of the best evaluation (NumPy)"), "npz", "best");
    weights(QObject::tr("Weights of the last evaluation (safetensors)"), "safetensors", "last");
    weights(QObject::tr("Weights of the last evaluation (NumPy)"), "npz", "last");
    const auto summary = [&all](const QString& title, const char* id, const char* ending, bool ofOne = false) {
      all.push_back({.title = title, .id = id, .summary = true, .ofOne = ofOne, .ending = ending});
    };
    summary(QObject::tr("Summary with curves (JSON)"), "json", ".json");
    summary(QObject::tr("Summary, a line for each run (CSV)"), "csv", ".csv");
    summary(QObject::tr("Results table (LaTeX)"), "latex", ".tex");
    summary(QObject::tr("Results table (Markdown)"), "markdown", ".md");
    summary(QObject::tr("ESync's summary"), "esync", ".json", true);
    return all;
  }();
  return kFormats;
}

bool goesToFolder(const ExportFormat& format, std::size_t runs) { return format.tree || (!format.summary && runs > 1); }

QString proposedName(const ExportFormat& format, const std::string& run, std::size_t runs) {
  if (!format.summary) return qtext(run) + format.ending;
  return (runs == 1 ? qtext(run) + "-summary" : QString("summary")) + format.ending;
}

QStringList alreadyThere(const RunExport& what) {
  QStringList there;
  if (what.format.tree) return there;  // an existing one is refused
  if (!goesToFolder(what.format, what.runs.size())) return QFileInfo::exists(what.path) ? QStringList(what.path) : there;
  for (const std::string& run : what.runs)
    if (const QString file = what.path + "/" + qtext(run) + what.format.ending; QFileInfo::exists(file)) there << file;
  return there;
}

bool RunExports::start(const RunExport& what) {
  if (busy_ || what.runs.empty()) return false;
  busy_ = true;
  stop_ = std::stop_source();
  std::vector<std::string> words{what.format.summary ? "summary" : "export"};
  words.insert(words.end(), what.runs.begin(), what.runs.end());
  words.insert(words.end(), {"--format", what.format.id, "-o", what.path.toStdString(), "--store", storePath_});
  if (what.format.summary) words.insert(words.end(), {"--target", std::to_string(what.target)});
  if (!what.format.weights.empty()) words.insert(words.end(), {"--weights", what.format.weights});
  const auto done = std::make_shared<int>(0);  // of the GUI thread
  const auto all = static_cast<int>(what.runs.size());
  const auto tell = [this, done, all] { emit moved(tr("%1 of %2 exported").arg(*done).arg(tr("%n run(s)", nullptr, all))); };
  auto* late = new QTimer(this);
  late->setSingleShot(true);
  connect(late, &QTimer::timeout, this, tell);
  late->start(kTellAfterMs);
  const auto work = [this, words, done, late, tell, person = stop_.get_token()](const std::stop_token& window) {
    const EitherStop stop(person, window);
    const auto onLine = [&](const std::string& line) {
      if (line.starts_with("exported ")) onGuiThread(this, [done, late, tell] { ++*done, late->isActive() ? void() : tell(); });
    };
    std::vector<std::string> command{hosts::localProgram("paceline")};
    command.insert(command.end(), words.begin(), words.end());
    const hosts::CommandResult result = hosts::runOn(*hosts::localHost(), command, {.silenceSeconds = kSilenceSeconds, .stop = stop.token(), .onLine = onLine});
    if (result.end.code != 0) throw Error(Errc::kHost, commandEnd(result));
    return true;
  };
  inBackground(tasks_, this, work, [this, late, all, path = what.path, person = stop_.get_token()](bool, const QString& error) {
    busy_ = false;
    delete late;
    if (person.stop_requested()) return emit ended({}, {});
    emit ended(error.isEmpty() ? tr("Exported %1 to %2").arg(tr("%n run(s)", nullptr, all), path) : QString(), error);
  });
  return true;
}

}  // namespace paceline::runs
