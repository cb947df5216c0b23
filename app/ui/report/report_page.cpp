#include "app/ui/report/report_page.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <utility>

#include <QAbstractTextDocumentLayout>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QScrollBar>
#include <QSettings>
#include <QShortcut>
#include <QTextBlock>

#include "app/models/words.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/palette/keys.h"
#include "app/ui/report/report_file.h"
#include "app/ui/report/report_paper.h"
#include "app/ui/widgets/file_dialog.h"
#include "engine/core/base/file_text.h"

namespace paceline::reports {
namespace {

constexpr int kLiveMs = 2000;  // while a run that it reads goes on
constexpr int kPaperMargin = 24;
constexpr const char *kText = "/text", *kPath = "/path", *kSaved = "/saved";  // in the group of the window
constexpr const char *kFolder = "report/folder", *kExports = "export/folder";
constexpr int kMostWindows = 64;

// What is seen of a report, and where it comes from: papers of the same are the same.
std::string seenOf(const report::Report& report) {
  std::string seen = report::toHtml(report, [](const report::Picture& picture) {
    std::ostringstream address;
    address << picture.figure.get() << ' ' << picture.heightMm;
    return address.str();
  });
  for (const report::Piece& piece : report.pieces) seen += ' ' + std::to_string(piece.line);
  return seen;
}

QString atFolder(const char* key, const QString& name) {
  const QString folder = QSettings().value(key).toString();
  return folder.isEmpty() ? name : folder + "/" + name;
}

// Each window keeps a report of its own: the settings' group of the first number that no other one has.
QString groupFor(std::unique_ptr<QLockFile>& lock) {
  const QString folder = QFileInfo(QSettings().fileName()).absolutePath() + "/drafts", first = "report";
  if (!QDir().mkpath(folder)) return first;
  for (int number = 1; number <= kMostWindows; ++number) {
    lock = std::make_unique<QLockFile>(QString("%1/report-%2.lock").arg(folder).arg(number));
    lock->setStaleLockTime(0);  // old or not: a lock ends with its process
    if (lock->tryLock(0)) return number == 1 ? first : QString("report-%1").arg(number);
    if (lock->error() != QLockFile::LockFailedError) break;
  }
  return first;
}

}  // namespace

ReportPage::ReportPage(Shell& shell)
    : widgets::Page(tr("Report")), shell_(shell), live_(shell.recorder.storePath()), editor_(new ReportEditor), paper_(new QTextBrowser), file_(new widgets::ElidedLabel("caption")), problem_(widgets::problemLine()) {
  mayReplace = [this](const QString& sentence) { return widgets::sure(this, tr("Replace"), sentence); };
  build();
  connect(&live_, &LiveReport::ready, this, &ReportPage::follow);
  connect(&pictures_, &ReportPictures::drawn, &relayout_, qOverload<>(&QTimer::start));
  connect(&relayout_, &QTimer::timeout, this, [this] { paper_->document()->markContentsDirty(0, paper_->document()->characterCount()), paper_->viewport()->update(); });
  connect(&shell_.catalogue, &Catalogue::changed, this, [this] {
    if (const auto catalog = shell_.catalogue.get()) live_.setTitles(titlesOf(*catalog));
  });
  connect(editor_, &QPlainTextEdit::textChanged, this, [this] { live_.setText(editor_->toPlainText()), keep(), nameFile(); });
  connect(editor_, &QPlainTextEdit::cursorPositionChanged, this, &ReportPage::showLine);
  connect(&refresh_, &QTimer::timeout, this, [this] {
    const auto& runs = live_.report().footer.runs;
    if (isVisible() && std::ranges::any_of(runs, [](const report::FooterRun& run) { const auto state = store::stateFromName(run.state); return state && isActive(*state); })) live_.refresh();
  });
  relayout_.setSingleShot(true), relayout_.setInterval(0);
  refresh_.start(kLiveMs);
  group_ = groupFor(lock_);
  path_ = QSettings().value(group_ + kPath).toString(), saved_ = QSettings().value(group_ + kSaved).toString();
  editor_->setPlainText(QSettings().value(group_ + kText).toString());
  nameFile();
}

void ReportPage::build() {
  insert_ = widgets::button(tr("Insert"), "plus", {}, {.name = "reportInsert"});
  insert_->setMenu(insertMenu(*editor_, [this]() -> const report::Document& { return live_.document(); }));
  insert_->setToolTip(tr("A number, a figure, a table or lanes, where the cursor is (Ctrl+J)"));
  auto* open = widgets::button(tr("Open…"), "", [this] { openAs(); }, {.name = "reportOpen"});
  auto* save = widgets::button(tr("Save"), "", [this] { this->save(); }, {.name = "reportSave"});
  auto* help = widgets::button(tr("How to write"), "info", [this] { showHelp(); }, {.kind = "quiet", .name = "reportHelp"});
  auto* write = widgets::button(tr("Export…"), "export", [this] { primary(); }, {.kind = "primary", .name = "reportExport"});
  open->setToolTip(tr("A report from a file (Ctrl+O)"));
  save->setToolTip(tr("The report's text into its file (Ctrl+S)"));
  help->setToolTip(tr("What can be written in a report (Ctrl+H)"));
  write->setToolTip(tr("PDF, HTML in one file, or LaTeX (Ctrl+Return)"));
  titleRow_->insertWidget(1, file_, 1);
  for (QWidget* each : {static_cast<QWidget*>(help), static_cast<QWidget*>(insert_), static_cast<QWidget*>(open), static_cast<QWidget*>(save), static_cast<QWidget*>(write)}) titleRow_->addWidget(each);
  next_ = widgets::button(tr("Next problem"), "", [this] { editor_->nextProblem(); }, {.kind = "quiet", .name = "reportNextProblem"});
  next_->setToolTip(tr("The line of the next problem (F8)"));
  next_->hide();
  paper_->setObjectName("reportPaper");
  paper_->setAccessibleName(tr("The report as it is written out"));
  paper_->setOpenExternalLinks(true);
  preparePaper(*paper_->document(), pictures_);
  paper_->document()->setDocumentMargin(kPaperMargin);
  const QColor white = widgets::Theme::value(widgets::Token::kSurfaceRaised, false), ink = widgets::Theme::value(widgets::Token::kText, false);
  paper_->setStyleSheet(QString("QTextBrowser { background: %1; color: %2; }").arg(white.name(), ink.name()));  // paper is white in both themes
  QWidget* left = widgets::boxed(widgets::down({{editor_, 1}, widgets::across({{problem_, 1}, {next_, 0, Qt::AlignTop}})}, {widgets::kPageMargin, 0, widgets::kGap, widgets::kGroupGap}));
  QWidget* right = widgets::boxed(widgets::down({{paper_, 1}}, {widgets::kGap, 0, widgets::kPageMargin, widgets::kGroupGap}));
  left->setMinimumWidth(280), right->setMinimumWidth(300);
  body_->addWidget(widgets::splitter(Qt::Horizontal, {{left, 420, 2}, {right, 700, 3}}), 1);
  shortcut(QKeySequence::Open, tr("Open a report"), [this] { openAs(); });
  shortcut(QKeySequence::Save, tr("Save the report's text"), [this] { this->save(); });
  shortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_S, tr("Save the report's text in another file"), [this] { saveAs(); });
  shortcut(Qt::CTRL | Qt::Key_J, tr("Insert a number, a figure, a table or lanes"), [this] { insert_->showMenu(); });
  shortcut(Qt::CTRL | Qt::Key_H, tr("How a report is written"), [this] { showHelp(); });
  shortcut(Qt::Key_F8, tr("Go to the next problem"), [this] { editor_->nextProblem(); });
}

void ReportPage::shortcut(const QKeySequence& keys, const QString& act, std::function<void()> does) {
  palette::tellKeys(new QShortcut(keys, this, this, std::move(does), Qt::WindowShortcut), "Report", act.toUtf8().constData());
}

void ReportPage::entered() {
  shell_.runs.refresh();
  live_.refresh();
  editor_->setFocus(Qt::OtherFocusReason);
}

void ReportPage::follow() {
  const report::Report& report = live_.report();
  editor_->mark(report.problems);
  const std::size_t count = report.problems.size();
  widgets::tell(problem_, count == 0 ? QString() : count == 1 ? qtext(report.problems.front().text()) : tr("%1 (and %2 more)").arg(qtext(report.problems.front().text())).arg(count - 1));
  next_->setVisible(count > 0);
  showPaper();
}

// Where one has read to stays, and so does what is selected while nothing changes.
void ReportPage::showPaper() {
  const report::Report& report = live_.report();
  if (std::string seen = seenOf(report); std::exchange(seen_, seen) == seen) return;
  shown_ = std::make_shared<const report::Report>(report);
  if (report.pieces.empty() && report.title.empty()) return paper_->clear();
  const int at = paper_->verticalScrollBar()->value();
  pictures_.setReport(shown_);
  fillPaper(*paper_->document(), *shown_);
  paper_->verticalScrollBar()->setValue(at);
}

void ReportPage::showLine() {
  if (!live_.current()) return;
  const int line = editor_->line();
  QTextBlock best;
  for (QTextBlock block = paper_->document()->begin(); block.isValid(); block = block.next())
    if (block.userState() > 0 && block.userState() <= line) best = block;
  QScrollBar* bar = paper_->verticalScrollBar();
  if (!best.isValid()) return bar->setValue(0);
  const QRectF place = paper_->document()->documentLayout()->blockBoundingRect(best);
  if (place.top() < bar->value() || place.top() > bar->value() + paper_->viewport()->height() * 3 / 4) bar->setValue(static_cast<int>(place.top()) - kPaperMargin);
}

void ReportPage::nameFile() {
  const bool changed = editor_->toPlainText() != saved_;
  file_->setFullText(path_.isEmpty() ? (changed ? tr("in no file yet") : QString()) : changed ? tr("%1, changed").arg(path_) : path_);
}

bool ReportPage::mayGo() {
  const QString now = editor_->toPlainText();
  return now.trimmed().isEmpty() || now == saved_ || mayReplace(path_.isEmpty() ? tr("Replace the report that is open? It is in no file; Ctrl+Z in its text brings it back.") : tr("Replace the report that is open? Its changes are not in %1; Ctrl+Z in its text brings them back.").arg(path_));
}

void ReportPage::take(const QString& text, const QString& path, bool saved) {
  editor_->replaceText(text);
  paper_->verticalScrollBar()->setValue(0);  // the cursor was at the end for a moment
  path_ = path, saved_ = saved ? editor_->toPlainText() : QString();  // the editor has ends of lines of its own
  keep(), nameFile();
}

void ReportPage::keep() {
  QSettings settings;
  settings.setValue(group_ + kText, editor_->toPlainText()), settings.setValue(group_ + kPath, path_), settings.setValue(group_ + kSaved, saved_);
}

void ReportPage::beginFrom(const std::vector<std::string>& runs, double target) {
  if (runs.empty() || !mayGo()) return;
  live_.begin(runs, target, [this](const QString& text, const QString& error) {
    if (!error.isEmpty()) return emit failed(error);
    take(text, {}, false);
  });
}

bool ReportPage::open(const QString& path) {
  const auto text = fileText(QFile::encodeName(path).toStdString(), report::kMaxReportBytes);
  if (!text) {
    const QString why = QString::fromLocal8Bit(std::strerror(errno));
    emit failed(tr("%1: cannot be read: %2").arg(path, why));
    return false;
  }
  const QByteArray bytes = QByteArray::fromStdString(*text);
  if (!bytes.isValidUtf8()) {  // saving it would spoil it
    emit failed(tr("%1: cannot be opened: it is no UTF-8 text").arg(path));
    return false;
  }
  take(QString::fromUtf8(bytes), path, true);
  return true;
}

void ReportPage::openAs() {
  if (!mayGo()) return;
  const QString path = widgets::askOpenPath(this, {.title = tr("Open a report"), .at = QSettings().value(kFolder).toString(), .filters = tr("Reports (*.md);;All files (*)")});
  if (path.isEmpty()) return;
  QSettings().setValue(kFolder, QFileInfo(path).absolutePath());
  open(path);
}

void ReportPage::save() { path_.isEmpty() ? saveAs() : saveTo(path_); }

void ReportPage::saveAs() {
  const QString path = widgets::askSavePath(this, {.title = tr("Save the report's text"), .at = path_.isEmpty() ? atFolder(kFolder, "report.md") : path_, .filters = tr("Reports (*.md);;All files (*)")});
  if (path.isEmpty()) return;
  QSettings().setValue(kFolder, QFileInfo(path).absolutePath());
  saveTo(path);
}

// Its own file may have been written by another program meanwhile.
bool ReportPage::mayOverwrite(const QString& path) {
  if (path != path_) return true;  // the file dialog has asked
  const auto there = fileText(QFile::encodeName(path).toStdString(), report::kMaxReportBytes);
  return !there || QString::fromStdString(*there).replace("\r\n", "\n") == saved_ || mayReplace(tr("Replace %1? Another program has changed it since it was read here.").arg(path));
}

void ReportPage::saveTo(const QString& path) {
  if (!mayOverwrite(path)) return;
  const QString text = editor_->toPlainText();
  try {
    figure::writeFile(path, text.toUtf8());
  } catch (const std::exception& error) {
    return emit failed(QString::fromUtf8(error.what()));
  }
  path_ = path, saved_ = text;
  keep(), nameFile();
  emit told(tr("Wrote %1").arg(path));
}

void ReportPage::exportAs() {
  if (editor_->toPlainText().trimmed().isEmpty()) return emit failed(tr("Nothing to export: the report has no text."));
  const QString name = (path_.isEmpty() ? QString("report") : QFileInfo(path_).baseName()) + ".pdf";
  const QString path = widgets::askSavePath(this, {.title = tr("Export the report"), .at = atFolder(kExports, name), .filters = "PDF (*.pdf);;HTML (*.html);;LaTeX (*.tex)"});
  if (path.isEmpty()) return;
  QSettings().setValue(kExports, QFileInfo(path).absolutePath());
  exportTo(path);
}

// Read anew in the background, then drawn one picture after the other, so that the window answers meanwhile.
void ReportPage::exportTo(const QString& path) {
  live_.make(path_, path, [this, path](const ReportPtr& made, const QString& error) {
    if (!made) return emit failed(tr("The report is not written: %1").arg(error));
    auto* pictures = new ReportPictures;
    pictures->setParent(this);  // it goes with the page, too
    pictures->setReport(made);
    pictures->whenDrawn([this, path, made, pictures] {
      try {
        writeReport(path, made, *pictures);
        emit told(tr("Wrote %1").arg(path));
      } catch (const std::exception& problem) {
        emit failed(QString::fromUtf8(problem.what()));
      }
      pictures->deleteLater();
    });
  });
}

void ReportPage::showHelp() {
  auto* help = new QDialog(window());
  help->setObjectName("reportSyntax");
  help->setAttribute(Qt::WA_DeleteOnClose);
  help->setWindowTitle(tr("How a report is written"));
  auto* text = new QTextBrowser;
  text->setAccessibleName(help->windowTitle());
  text->setFrameShape(QFrame::NoFrame);
  text->setMarkdown(qtext(report::syntaxHelp([](const std::string& words) { return said(words).toStdString(); })));
  help->setLayout(widgets::down({{text, 1}}, {widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap}));
  help->resize(widgets::scaled(640), std::min(widgets::scaled(720), window()->height()));
  help->show();
  text->setFocus();
}

}  // namespace paceline::reports
