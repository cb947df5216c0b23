#include "app/ui/experiment/experiment_page.h"

#include <cerrno>
#include <cstring>

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSettings>
#include <QShortcut>
#include <QSyntaxHighlighter>

#include "app/models/experiment/draft_words.h"
#include "app/models/words.h"
#include "app/cluster/worker/worker_answer.h"
#include "app/ui/palette/keys.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/file_dialog.h"
#include "app/ui/widgets/input_rules.h"
#include "app/ui/experiment/experiment_form.h"
#include "app/ui/experiment/prediction_pane.h"
#include "app/ui/experiment/vary_controls.h"
#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/held_files.h"
#include "engine/core/base/replace_file.h"

namespace paceline::experiment {
namespace {

constexpr int kMostFindings = 170;  // px; then it scrolls
constexpr int kLeastFinding = 200, kBesideFinding = 48;  // px: of its text; icon and margins
constexpr const char* kSide = "experiment/side";
constexpr const char* kPresets = ":/paceline/presets";
constexpr const char* kFirstPreset = ":/paceline/presets/quick_synthetic.json";

QByteArray contents(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString nameIn(const QString& path) { return QJsonDocument::fromJson(contents(path)).object()["name"].toString(); }

class JsonColours : public QSyntaxHighlighter {
 public:
  using QSyntaxHighlighter::QSyntaxHighlighter;

 protected:
  void highlightBlock(const QString& text) override {
    static const QRegularExpression kToken(R"re("(?:[^"\\]|\\.)*"(\s*:)?|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b|\b(?:true|false|null)\b)re");
    auto found = kToken.globalMatch(text);
    while (found.hasNext()) {
      const QRegularExpressionMatch match = found.next();
      const bool string = text[match.capturedStart()] == '"';
      const bool key = match.capturedLength(1) > 0;
      const widgets::Token token = key ? widgets::Token::kText : string ? widgets::Token::kOk : widgets::Token::kAccent;
      setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()), widgets::Theme::instance().colour(token));
    }
  }
};

}  // namespace

ExperimentPage::ExperimentPage(Shell& shell)
    : widgets::Page(tr("Experiment")), shell_(shell), undo_(draft_, shell.undo.drafts),
      prediction_(draft_, [this] { return speedsOf(shell_.hosts); }, localPrediction(shell.recorder.storePath())), run_(widgets::button(tr("Run"), "play", [this] { run(); }, {.kind = "primary", .name = "runButton"})),
      simulate_(widgets::button(tr("Simulate"), "waiting", [this] { run(recorder::EntryKind::kSimulation); }, {.name = "simulateButton"})),
      form_(new ExperimentForm(draft_, shell.hosts, worker::splitOfSpec)), json_(jsonEditor()), findings_(new QListWidget),
      verdict_(widgets::wrapped(widgets::label("", "muted"))), fetch_(widgets::button("", "imported", [this] { fetch(); }, {.name = "fetchDataset"})) {
  widgets::addAll(titleRow_, {templatesButton(), widgets::button(tr("Open…"), "imported", [this] { openFile(); }, {.help = tr("Read an experiment document")}),
                               widgets::button(tr("Save…"), "export", [this] { saveFile(); }, {.help = tr("Write this document to a file: paceline run takes it")}), simulate_, run_});
  palette::tellKeys(new QShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_Return, this, this, [this] { run(recorder::EntryKind::kSimulation); }, Qt::WindowShortcut), tr("Experiment form"), tr("Simulate the runs in virtual time"));
  suite_ = new SuiteStrip(draft_, shell.runs, prediction_);
  widgets::addAll(body_, {widgets::horizontalLine(), suite_, {widgets::splitter(Qt::Horizontal, {{form_, 764, 3}, {sidePane(), 324, 1}}), 1}});
  connect(&draft_, &ExperimentDraft::specChanged, this, [this](int source) {
    if (source == static_cast<int>(ExperimentDraft::Source::kJson) || json_->toPlainText() == draft_.json()) return;
    const int scroll = json_->verticalScrollBar()->value();
    const int at = json_->textCursor().position();
    const QSignalBlocker blocker(json_);
    json_->setPlainText(draft_.json());
    QTextCursor cursor = json_->textCursor();
    cursor.setPosition(std::min(at, json_->document()->characterCount() - 1));
    json_->setTextCursor(cursor);
    json_->verticalScrollBar()->setValue(scroll);
  });
  connect(&draft_, &ExperimentDraft::findingsChanged, this, &ExperimentPage::followFindings);
  connect(form_, &ExperimentForm::told, this, [this](const QString& sentence) { shell_.offerUndo(shell_.undo.drafts, sentence.toStdString()); });
  connect(&shell_.catalogue, &Catalogue::changed, this, &ExperimentPage::followCatalogue);
  connect(&shell_.catalogue, &Catalogue::downloadChanged, this, &ExperimentPage::followFindings);
  connect(&shell_.catalogue, &Catalogue::downloadMoved, this, &ExperimentPage::followVerdict);
  connect(&shell_.recorder, &RecorderLink::troubleChanged, this, &ExperimentPage::followFindings);
  widgets::undoesDocument(this);
  DraftState first;
  readDraft(contents(kFirstPreset).toStdString(), first);
  draft_.restore(std::move(first));
  opened_ = draft_.json();
  followCatalogue();
}

std::vector<Template> templates() {
  std::vector<Template> all;
  for (const QFileInfo& file : QDir(kPresets).entryInfoList({"*.json"})) all.push_back({said(nameIn(file.filePath()).toStdString()), file.filePath()});
  return all;
}

void ExperimentPage::openTemplate(const Template& chosen) { open(contents(chosen.path).toStdString(), tr("the template %1").arg(chosen.title)); }

QPushButton* ExperimentPage::templatesButton() {
  QPushButton* made = widgets::button(tr("Templates"), "template", {}, {.name = "templates"});
  auto* menu = new QMenu(made);
  for (const Template& each : templates()) {
    QAction* action = menu->addAction(each.title);
    action->setObjectName(QFileInfo(each.path).fileName());
    connect(action, &QAction::triggered, this, [this, each] { openTemplate(each); });
  }
  made->setMenu(menu);
  return made;
}

// Keys, strings and numbers in colour; the draft follows what is typed.
QPlainTextEdit* ExperimentPage::jsonEditor() {
  auto* editor = new QPlainTextEdit;
  editor->setObjectName("json");
  editor->setProperty("role", "code");
  editor->setLineWrapMode(QPlainTextEdit::NoWrap);
  editor->setTabChangesFocus(true);
  editor->setAccessibleName(tr("JSON of the experiment"));
  auto* colours = new JsonColours(editor->document());
  const auto followTheme = [editor, colours] {
    editor->setFont(widgets::Theme::instance().font(widgets::TextRole::kMono));
    colours->rehighlight();
  };
  followTheme();
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, editor, followTheme);
  connect(editor, &QPlainTextEdit::textChanged, this, [this, editor] {
    if (editor->hasFocus()) draft_.setJson(editor->toPlainText());
  });
  return editor;
}

QWidget* ExperimentPage::sidePane() {
  findings_->setObjectName("findings");
  findings_->setAccessibleName(tr("Findings"));
  findings_->setWordWrap(true);
  findings_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  const auto reveal = [this](QListWidgetItem* item) { form_->reveal(item->data(Qt::UserRole).toString().toStdString()); };
  connect(findings_, &QListWidget::itemActivated, this, reveal);
  connect(findings_, &QListWidget::itemClicked, this, reveal);
  auto* pane = new QFrame;
  pane->setObjectName("pane");
  sides_ = new widgets::Segments({tr("Prediction"), tr("Document")});
  sides_->setObjectName("experimentSides");
  QWidget* predicted = widgets::boxed(widgets::down({new PredictionPane(prediction_), widgets::room()}));
  connect(sides_, &widgets::Segments::chosen, this, [this, predicted](int side) {
    predicted->setVisible(side == 0);
    json_->setVisible(side == 1);
    QSettings().setValue(kSide, side);
  });
  pane->setLayout(widgets::down({widgets::label(tr("Check"), "section"), verdict_, {fetch_, 0, Qt::AlignLeft}, findings_, widgets::gap(widgets::kGap), {sides_, 0, Qt::AlignLeft}, {predicted, 1}, {json_, 1}},
                       {widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap}));
  pane->setMinimumWidth(300);  // at every text size: its lines break
  const int side = std::clamp(QSettings().value(kSide, 0).toInt(), 0, 1);
  sides_->setCurrent(side);
  predicted->setVisible(side == 0), json_->setVisible(side == 1);
  return pane;
}

bool ExperimentPage::open(const std::string& json, const QString& what) {
  const bool lost = draft_.json() != opened_;
  const QString problem = draft_.loadText(json, tr("opening %1").arg(what));
  if (!problem.isEmpty()) emit failed(what + ": the document cannot be read: " + problem);
  if (!problem.isEmpty()) return false;
  opened_ = draft_.json();
  form_->toTop();
  if (lost) shell_.offerUndo(shell_.undo.drafts, tr("Opened %1 in the place of your draft").arg(what).toStdString());
  return true;
}

QString ExperimentPage::change(const std::function<void(RunSpec&)>& change, const QString& what) {
  const RunSpec before = draft_.spec();
  draft_.edit(change, what);
  draft_.validateNow();
  const std::vector<PlaceChange> changes = changesOf(before, draft_.spec(), draft_.catalog());
  form_->mark(changes);
  QStringList words;
  for (const PlaceChange& each : changes) words << each.words;
  return words.join(", ");
}

bool ExperimentPage::runAgain(const std::string& json) {
  const ExperimentDraft::Judged judged = draft_.judged(json);
  bool needed = false;
  draft_.missing(judged.runs, &needed);
  if (judged.runs.empty() || needed) return false;
  shell_.queue.submit(judged.runs, {});  // the document of one run
  return true;
}

void ExperimentPage::keepDraft(const QString& folder) {
  file_ = std::make_unique<DraftFile>(folder, draft_, StepKeeper{.steps = [this] { return undo_.kept(); }, .take = [this](const KeptSteps& steps) { undo_.take(steps); }});
  connect(file_.get(), &DraftFile::failed, this, &ExperimentPage::failed);
  if (const QString problem = file_->restore(); !problem.isEmpty()) emit failed(problem);
}

void ExperimentPage::followCatalogue() {
  if (shell_.catalogue.get()) draft_.setCatalog(shell_.catalogue.get());
  followFindings();
}

void ExperimentPage::followFindings() {
  findings_->clear();
  for (const Finding& finding : draft_.findings()) {
    const QString name = placeName(finding.pointer, draft_.spec(), draft_.catalog()), place = name.isEmpty() ? name : name + "\n";
    auto* item = new QListWidgetItem(widgets::icon(finding.error ? "failed" : "warning", finding.error ? widgets::Token::kBad : widgets::Token::kWarn),
                                     place + qtext(finding.message), findings_);
    item->setData(Qt::UserRole, qtext(finding.pointer));
  }
  findings_->setVisible(findings_->count() > 0);
  int height = 4;
  const QFontMetrics metrics(findings_->font());
  for (int i = 0; i < findings_->count(); ++i) {  // the list's own hint knows nothing of the lines that its width makes
    const QRect room(0, 0, std::max(kLeastFinding, findings_->width() - kBesideFinding), 10'000);
    height += std::max(metrics.boundingRect(room, Qt::TextWordWrap, findings_->item(i)->text()).height() + widgets::kGap, widgets::kControlHeight);
  }
  findings_->setFixedHeight(std::min(height, kMostFindings));
  followVerdict();
  followFetch();
}

// Whether it can be run, or why not.
void ExperimentPage::followVerdict() {
  const int errors = draft_.errorCount();
  const auto runs = draft_.runnable().size();
  QString why;
  if (!shell_.recorder.trouble().isEmpty())
    why = "Nothing can be recorded: " + shell_.recorder.trouble();
  else if (errors > 0)
    why = tr("%n error(s) to mend first: %1", nullptr, errors).arg(qtext(draft_.findings().front().message));
  else if (!shell_.catalogue.get())
    why = shell_.catalogue.error().isEmpty() ? tr("Asking paceline-worker what it can do")
                                             : "paceline-worker did not answer: " + shell_.catalogue.error();
  bool needed = false;
  if (const DatasetEntry* set = draft_.missing(&needed); why.isEmpty() && set && needed) why = missingWords(*set, true);
  run_->setEnabled(why.isEmpty() && runs > 0);
  run_->setText(draft_.search() ? tr("Run search") : runs > 1 ? tr("Run %1").arg(runs) : tr("Run"));
  run_->setToolTip(why.isEmpty() ? "Ctrl+Return" : why);
  simulate_->setEnabled(run_->isEnabled() && !draft_.missing());
  simulate_->setToolTip(!run_->isEnabled() ? why : draft_.missing() ? missingWords(*draft_.missing(), true) : tr("The same in virtual time on this computer, as a run of its own: nothing is measured (Ctrl+Shift+Return)"));
  verdict_->setText(errors > 0 ? tr("%n error(s), shown beside the fields", nullptr, errors) : why.isEmpty() ? readyWords() : why);
}

QString ExperimentPage::readyWords() const {
  const DatasetEntry* set = draft_.missing();
  return set ? missingWords(*set, false) : tr("Ready to run.");
}

QString ExperimentPage::missingWords(const DatasetEntry& set, bool needed) const {
  if (shell_.catalogue.downloading() == set.id) {
    const QString far = shell_.catalogue.downloadProgress();
    return (far.isEmpty() ? tr("Downloading %1. It can be stopped and goes on where it broke off.").arg(titleOf(set)) : tr("Downloading %1: %2. It can be stopped and goes on where it broke off.").arg(titleOf(set), far));
  }
  if (const QString error = shell_.catalogue.downloadError(set.id); !error.isEmpty()) return tr("%1 could not be downloaded: %2").arg(titleOf(set), error);
  return (needed ? tr("%1 is not on this computer: a run here would fail.") : tr("Ready to run. %1 is not on this computer; the hosts of its workers must have it.")).arg(titleOf(set));
}

void ExperimentPage::followFetch() {
  const DatasetEntry* set = draft_.missing();
  fetch_->setVisible(set && set->downloads);
  if (!set) return;
  const std::string now = shell_.catalogue.downloading();
  fetch_->setText(now == set->id ? tr("Stop the download") : tr("Download %1").arg(titleOf(*set)));
  fetch_->setEnabled(now.empty() || now == set->id);
  fetch_->setToolTip(fetch_->isEnabled() ? QString() : tr("Another data set is being downloaded."));
}

void ExperimentPage::fetch() {
  const DatasetEntry* set = draft_.missing();
  if (!set) return;
  shell_.catalogue.downloading() == set->id ? shell_.catalogue.stopDownload() : shell_.catalogue.download(set->id);
}

void ExperimentPage::run(recorder::EntryKind kind) {
  draft_.validateNow();
  const bool simulated = kind == recorder::EntryKind::kSimulation;
  if (!(simulated ? simulate_ : run_)->isEnabled()) return;
  if (draft_.search()) return shell_.queue.submitSearch(draft_.json().toStdString(), draft_.spec().name, kind);
  shell_.queue.submit(draft_.runnable(), draft_.spec().name, kind, simulated ? std::vector<std::string>() : prediction_.keptFor(draft_.runnable()));
}

void ExperimentPage::startNew() { open(contents(kFirstPreset).toStdString(), tr("a new experiment")); }

void ExperimentPage::openFile() {
  const QString path = widgets::askOpenPath(this, {.title = tr("Open an experiment document"), .filters = tr("Experiments (*.json);;All files (*)")});
  if (path.isEmpty()) return;
  if (isHeld(path.toStdString())) return emit failed(path + ": this is the store that is open here, not an experiment.");
  const auto text = fileText(path.toStdString());
  if (!text) return emit failed(path + ": cannot be read: " + std::strerror(errno) + ".");
  open(*text, path);
}

void ExperimentPage::saveFile() {
  const QString path = widgets::askSavePath(this, {.title = tr("Save the experiment document"), .at = "experiment.json", .filters = tr("Experiments (*.json)")});
  if (path.isEmpty()) return;
  if (isHeld(path.toStdString())) return emit failed(path + ": this is the store that is open here; choose another name.");
  try {
    replaceFile(path.toStdString(), draft_.json().toStdString() + "\n");
    emit told(tr("Wrote %1").arg(path));
  } catch (const Error& error) {
    emit failed(qtext(error.what()));
  }
}

void ExperimentPage::entered() {
  if (!shell_.catalogue.get()) shell_.catalogue.load();
  shell_.hosts.load();
  if (!shell_.runs.loaded()) shell_.runs.refresh();
  prediction_.again();
}

}  // namespace paceline::experiment
