#include "app/ui/first_minute.h"

#include <algorithm>
#include <memory>

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QTemporaryDir>
#include <QToolButton>

#include "app/models/words.h"
#include "engine/core/json/json_text.h"
#include "storage/store/store.h"

namespace paceline {
namespace {

constexpr const char* kSuite = "First minute";
constexpr const char* kSuiteFile = ":/paceline/first_minute/esync_vs_ssgd.json";
constexpr const char* kSampleFiles[] = {":/paceline/first_minute/sample_1.json", ":/paceline/first_minute/sample_2.json", ":/paceline/first_minute/sample_3.json",
                                        ":/paceline/first_minute/sample_4.json"};
constexpr const char* kSample = "sample";  // RunRow::source
constexpr const char* kHintsKey = "hints/lanes";  // how many of them were dismissed: with any store (earlier versions), and below it of each store
constexpr const char* kHints[] = {QT_TR_NOOP("Each lane is one node, time runs to the right, and its colours say what it does: the long light parts of w0, w1 and w2 are waits."),
                                  QT_TR_NOOP("Click one of these gaps: an arrow shows for whom the node waited, and a sentence says why."),
                                  QT_TR_NOOP("The wheel zooms at the pointer, Shift and the wheel pan, and Space holds the view still while the run goes on.")};
constexpr int kHintCount = static_cast<int>(std::size(kHints));

QByteArray contents(const char* resource) {
  QFile file(resource);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString hintsKey(const std::string& storePath) {
  const QFileInfo file(qtext(storePath));
  const QString folder = QFileInfo(file.absolutePath()).canonicalFilePath();  // empty: it is made with the store
  const QString path = (folder.isEmpty() ? file.absolutePath() : folder) + "/" + file.fileName();
  return QString("%1/%2").arg(kHintsKey, QString::fromLatin1(QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha256).toHex().left(16)));
}

// Of what is in the store the trashed comes back, what is not there is read from the program.
void putSample(recorder::Client& client, const std::string& storePath) {
  const QTemporaryDir folder;
  std::vector<std::string> missing, trashed;
  const store::StoreReader store(storePath);
  for (const char* file : kSampleFiles) {
    const QByteArray bundle = contents(file);
    const std::string id = jsonOrNull(bundle.toStdString()).at("run").at("id");
    const auto row = store.find(id);
    if (row && row->id == id) {
      if (row->trashed) trashed.push_back(id);
      continue;
    }
    QFile copy(folder.filePath(QString("%1.json").arg(missing.size())));
    if (!copy.open(QIODevice::WriteOnly) || copy.write(bundle) != bundle.size()) throw Error(Errc::kFile, copy.fileName().toStdString() + ": cannot be written");
    copy.close();
    missing.push_back(copy.fileName().toStdString());
  }
  if (!trashed.empty()) client.restore(trashed);
  if (!missing.empty()) client.importPaths(missing);
}

}  // namespace

FirstMinute::FirstMinute(Shell& shell, Window window, widgets::Banner* hints, QObject* parent) : QObject(parent), shell_(shell), window_(std::move(window)), hints_(hints) {
  connect(&shell_.queue, &runs::RunQueue::submitted, this, [this](const std::string& run) {
    if (std::exchange(expecting_, false)) first_ = run, runs_.clear(), told_ = false, follow();
  });
  connect(&shell_.queue, &runs::RunQueue::changed, this, &FirstMinute::follow);
  connect(&shell_.runs, &runs::RunsModel::refreshed, this, &FirstMinute::tellResult);
  if (auto* close = hints_->findChild<QToolButton*>()) connect(close, &QToolButton::clicked, this, [this] { dismissHints(kHintCount); });
}

QString FirstMinute::problem() const {
  if (!shell_.recorder.trouble().isEmpty()) return shell_.recorder.trouble();
  if (!shell_.catalogue.get()) return shell_.catalogue.error().isEmpty() ? tr("Asking paceline-worker what it can do") : "paceline-worker did not answer: " + shell_.catalogue.error();
  return {};
}

void FirstMinute::watch() {
  const std::vector<RunSpec> specs = problem().isEmpty() ? window_.runnable(contents(kSuiteFile).toStdString()) : std::vector<RunSpec>();
  if (specs.empty()) return shell_.tell(problem().isEmpty() ? "This Paceline cannot run its first experiment" : problem().toStdString());
  expecting_ = true;
  shell_.queue.submit(specs, kSuite);
}

// The first run is shown as soon as it begins, each further one where the one before it is still seen.
void FirstMinute::follow() {
  if (first_.empty() || told_) return;
  for (const recorder::Entry& entry : shell_.queue.entries()) {
    if (entry.suite != kSuite || entry.waiting || entry.run < first_ || runs_.contains(entry.run)) continue;
    const bool watched = runs_.empty() || (window_.onRunPage() && runs_.contains(window_.shownRun()));
    runs_.insert(entry.run);
    if (watched) shell_.openRun(entry.run);
    followPage();
  }
}

// What the runs themselves show, whatever that is.
void FirstMinute::tellResult() {
  if (told_ || runs_.size() < 2) return;
  const runs::RunItem *ssgd = nullptr, *esync = nullptr;
  for (const std::string& run : runs_) {
    const runs::RunItem* item = shell_.runs.find(run);
    if (!item || !item->whole) return;
    (item->row.algorithm == "esync" ? esync : ssgd) = item;
  }
  told_ = true;
  if (!ssgd || !esync || ssgd->row.state != store::RunState::kFinished || esync->row.state != store::RunState::kFinished) return;
  const std::vector<std::string> both(runs_.begin(), runs_.end());
  window_.say(tr("ESync reached %1 in %2 with %3 samples/s, SSGD %4 in %5 with %6")
                  .arg(percentText(esync->accuracyBest), durationText(esync->wallSeconds), rateText(esync->samplesPerSecond), percentText(ssgd->accuracyBest), durationText(ssgd->wallSeconds), rateText(ssgd->samplesPerSecond)),
              tr("Compare them"), [this, both] { shell_.compareRuns(both); });
}

void FirstMinute::openSample() {
  shell_.recorder.ask([path = shell_.recorder.storePath()](recorder::Client& client) { putSample(client, path); }, [this] {
    shell_.runs.refresh();
    window_.say(tr("The sample project: two methods with two seeds each, recorded before. Hide the sample, at the top, puts it away"), {}, {});
  });
}

bool FirstMinute::sampleShown() const {
  if (shell_.runs.trashed()) return false;
  for (int row = 0; row < shell_.runs.rowCount(); ++row)
    if (shell_.runs.item(row)->row.source == kSample) return true;
  return false;
}

void FirstMinute::hideSample() {
  std::vector<std::string> ids;
  for (int row = 0; row < shell_.runs.rowCount(); ++row)
    if (const store::RunRow& run = shell_.runs.item(row)->row; run.source == kSample && !run.trashed) ids.push_back(run.id);
  if (!ids.empty()) shell_.moveRuns(ids, true);
}

void FirstMinute::followPage() {
  if (window_.onRunPage() && runs_.contains(window_.shownRun())) showHint();
  else hints_->hide();
}

int FirstMinute::dismissed() const {
  const QSettings settings;
  return std::max(settings.value(kHintsKey, 0).toInt(), settings.value(hintsKey(shell_.recorder.storePath()), 0).toInt());
}

void FirstMinute::showHint() {
  const int next = dismissed();
  if (next >= kHintCount) return hints_->hide();
  hints_->tell(widgets::Token::kAccent, "info", tr("Hint %1 of %2: %3").arg(next + 1).arg(kHintCount).arg(tr(kHints[next])), next + 1 < kHintCount ? tr("Next hint") : tr("Got it"),
               [this, next] { dismissHints(next + 1); });
}

// Another window may have dismissed more of them meanwhile.
void FirstMinute::dismissHints(int upTo) {
  QSettings().setValue(hintsKey(shell_.recorder.storePath()), std::max(upTo, dismissed()));
  followPage();
}

}  // namespace paceline
