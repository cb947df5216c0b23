#include "app/ui/intake.h"

#include <QApplication>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"
#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"

namespace paceline {
namespace {

using interop::Found;
using interop::Recognised;

constexpr int kLeaveMs = 120;
constexpr qsizetype kNamed = 3;  // in a message

QStringList filesOf(const QMimeData* mime) {
  QStringList paths;
  for (const QUrl& url : mime->urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  return paths;
}

QString nameOf(const std::string& path) { return QFileInfo(qtext(path)).fileName(); }

QString few(const QStringList& names) {
  return names.size() <= kNamed ? names.join(", ") : QObject::tr("%1 and %2 more").arg(names.mid(0, kNamed).join(", ")).arg(names.size() - kNamed);
}

std::vector<Recognised> those(const std::vector<Recognised>& all, Found what) {
  std::vector<Recognised> found;
  std::ranges::copy_if(all, std::back_inserter(found), [what](const Recognised& each) { return each.what == what; });
  return found;
}

QStringList namesOf(const std::vector<Recognised>& all) {
  QStringList names;
  for (const Recognised& each : all) names << nameOf(each.path);
  return names;
}

}  // namespace

Intake::Intake(Shell& shell, Window window, QWidget* widget)
    : QObject(widget), shell_(shell), window_(std::move(window)), widget_(widget), cue_(new QLabel(tr("Drop to take in: results go to Runs, documents to Experiments, lists of hosts to Clusters, data sets to Data"), widget)) {
  cue_->setObjectName("dropCue");
  cue_->setAlignment(Qt::AlignCenter);
  cue_->setWordWrap(true);
  cue_->setAttribute(Qt::WA_TransparentForMouseEvents);
  cue_->hide();
  gone_.setSingleShot(true);
  gone_.setInterval(kLeaveMs);
  connect(&gone_, &QTimer::timeout, this, [this] { showCue(false); });
  widget->setAcceptDrops(true);
  qApp->installEventFilter(this);
}

void Intake::showCue(bool shown) {
  gone_.stop();
  if (shown && !cue_->isVisible()) {
    cue_->setGeometry(widget_->rect().adjusted(widgets::kGroupGap, widgets::kGroupGap, -widgets::kGroupGap, -widgets::kGroupGap));
    cue_->raise();
  }
  cue_->setVisible(shown);
}

// Before the field or editor below the pointer, which would take the path as text.
bool Intake::eventFilter(QObject* object, QEvent* event) {
  const QEvent::Type type = event->type();
  if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::DragLeave && type != QEvent::Drop) return false;
  const auto* on = qobject_cast<QWidget*>(object);
  if (on == nullptr || on->window() != widget_) return false;
  if (type == QEvent::DragLeave) return gone_.start(), false;
  auto* drop = static_cast<QDropEvent*>(event);
  const QStringList paths = filesOf(drop->mimeData());
  if (paths.isEmpty()) return false;
  drop->setDropAction(Qt::CopyAction);
  drop->accept();
  showCue(type != QEvent::Drop);
  if (type == QEvent::Drop) take(paths);
  return true;
}

void Intake::take(const QStringList& paths) {
  if (paths.isEmpty()) return;
  const auto work = [paths](const std::stop_token&) {
    std::vector<Recognised> all;
    for (const QString& path : paths)
      for (Recognised& each : interop::recognised(path.toStdString())) all.push_back(std::move(each));
    return all;
  };
  inBackground(tasks_, this, work, [this](const std::vector<Recognised>& all, const QString&) { sort(all); });
}

void Intake::sort(const std::vector<Recognised>& all) {
  QStringList refused;
  for (const Recognised& each : those(all, Found::kNothing)) refused << QString("%1 %2").arg(nameOf(each.path), qtext(each.words));
  const bool only = refused.size() == static_cast<qsizetype>(all.size());
  QStringList problems;
  if (!refused.isEmpty()) problems << QString(only ? "Nothing was taken in: " : "Not taken in: ") + few(refused) + ".";
  const QStringList said = openOthers(all, problems);
  const std::vector<Recognised> results = those(all, Found::kResults);
  results.empty() ? finish(said, problems, false) : importResults(results, said, problems);
}

void Intake::finish(const QStringList& said, const QStringList& problems, bool imported) {
  if (!problems.isEmpty()) shell_.tell(problems.join(" ").toStdString());
  if (!said.isEmpty()) window_.say(said.join(" "), imported ? tr("Show them") : QString(), imported ? window_.showRuns : std::function<void()>());
}

// The page that needs an answer is the one that is seen: hosts are added there, a document is run there. Of each kind one is shown; the others are named.
QStringList Intake::openOthers(const std::vector<Recognised>& all, QStringList& problems) {
  QStringList said;
  const auto rest = [](const std::vector<Recognised>& found, QString (*what)(int)) {
    const QStringList others = namesOf(found).mid(1);
    return others.isEmpty() ? QString() : " " + what(static_cast<int>(others.size())).arg(few(others));
  };
  if (const std::vector<Recognised> data = those(all, Found::kData); !data.empty()) {
    for (const Recognised& each : data) window_.checkData(qtext(each.path));
    said << tr("The data in %1 is checked on the Data page.").arg(few(namesOf(data)));
  }
  if (const std::vector<Recognised> documents = those(all, Found::kExperiment); !documents.empty()) {
    const Recognised& first = documents.front();
    const auto text = fileText(first.path);
    if (!text) problems << QString("%1: cannot be read: %2.").arg(qtext(first.path), std::strerror(errno));
    else if (window_.openExperiment(*text, qtext(first.path))) said << tr("Opened %1, %2.").arg(nameOf(first.path), ::paceline::said(first.words)) + rest(documents, [](int n) { return tr("%n of the same kind were not opened: %1.", nullptr, n); });
  }
  if (const std::vector<Recognised> tables = those(all, Found::kTable); !tables.empty()) {
    window_.askColumns(qtext(tables.front().path));
    said << tr("The columns of %1 are asked for.").arg(nameOf(tables.front().path)) + rest(tables, [](int n) { return tr("%n of the same kind were not opened: %1.", nullptr, n); });
  }
  if (const std::vector<Recognised> hosts = those(all, Found::kHosts); !hosts.empty()) {
    window_.showHosts(qtext(hosts.front().path));
    said << tr("The hosts of %1 are shown on the Clusters page, to be added there.").arg(nameOf(hosts.front().path)) + rest(hosts, [](int n) { return tr("%n of the same kind were not shown: %1.", nullptr, n); });
  }
  return said;
}

// Each by itself: one that is damaged leaves the others.
void Intake::importResults(const std::vector<Recognised>& results, QStringList said, QStringList problems) {
  struct Outcome {
    int runs = 0;
    QStringList taken, failed;
  };
  const auto outcome = std::make_shared<Outcome>();
  const auto ask = [results, outcome](recorder::Client& client) {
    for (const Recognised& each : results) {
      try {
        outcome->runs += static_cast<int>(client.importPaths({each.path}).size());
        outcome->taken << nameOf(each.path);
      } catch (const Error& error) {
        outcome->failed << asSentence(QString::fromUtf8(error.what())) + ".";
      }
    }
  };
  shell_.recorder.ask(ask, [this, outcome, said, problems]() mutable {
    if (!outcome->taken.isEmpty()) said.prepend(tr("Imported %1 from %2.").arg(tr("%n run(s)", nullptr, outcome->runs), few(outcome->taken)));
    finish(said, problems + outcome->failed, outcome->runs > 0);
    shell_.runs.refresh();
  });
}

}  // namespace paceline
