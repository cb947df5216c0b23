#include "app/ui/experiment/experiment_page.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QRegularExpression>
#include <QSaveFile>
#include <QScrollBar>
#include <QSyntaxHighlighter>

#include "app/models/words.h"
#include "app/cluster/worker/worker_answer.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/experiment/experiment_form.h"

namespace paceline::experiment {
namespace {

constexpr int kMostFindings = 170;  // px; then it scrolls
constexpr int kLeastFinding = 200, kBesideFinding = 48;  // px: of its text; icon and margins
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
    : widgets::Page("New experiment"), shell_(shell), run_(widgets::button("Run", "play", [this] { run(); }, {.kind = "primary", .name = "runButton"})),
      form_(new ExperimentForm(draft_, shell.hosts, shell.undo, worker::splitOfSpec)), json_(jsonEditor()), findings_(new QListWidget),
      verdict_(widgets::wrapped(widgets::label("", "muted"))) {
  widgets::addAll(titleRow_, {templates(), widgets::button("Open…", "imported", [this] { openFile(); }, {.help = "Read an experiment document"}),
                               widgets::button("Save…", "export", [this] { saveFile(); }, {.help = "Write this document to a file: paceline run takes it"}), run_});
  widgets::addAll(body_, {widgets::horizontalLine(), {widgets::splitter(Qt::Horizontal, {{form_, 704, 3}, {sidePane(), 384, 2}}), 1}});
  connect(&draft_, &ExperimentDraft::specChanged, this, [this](int source) {
    if (source == static_cast<int>(ExperimentDraft::Source::kJson) || json_->toPlainText() == draft_.json()) return;
    const int scroll = json_->verticalScrollBar()->value();
    const QSignalBlocker blocker(json_);
    json_->setPlainText(draft_.json());
    json_->verticalScrollBar()->setValue(scroll);
  });
  connect(&draft_, &ExperimentDraft::findingsChanged, this, &ExperimentPage::followFindings);
  connect(&shell_.catalogue, &Catalogue::changed, this, &ExperimentPage::followCatalogue);
  connect(&shell_.recorder, &RecorderLink::troubleChanged, this, &ExperimentPage::followFindings);
  draft_.loadText(contents(kFirstPreset).toStdString());
  followCatalogue();
}

QPushButton* ExperimentPage::templates() {
  QPushButton* made = widgets::button("Templates", "template", {}, {.name = "templates"});
  auto* menu = new QMenu(made);
  for (const QString& name : QDir(kPresets).entryList({"*.json"})) {
    const QString path = QString(kPresets) + "/" + name;
    QAction* action = menu->addAction(nameIn(path));
    action->setObjectName(name);
    connect(action, &QAction::triggered, this, [this, path] { draft_.loadText(contents(path).toStdString()); });
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
  editor->setAccessibleName("JSON of the experiment");
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
  findings_->setAccessibleName("Findings");
  findings_->setWordWrap(true);
  findings_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  const auto reveal = [this](QListWidgetItem* item) { form_->reveal(item->data(Qt::UserRole).toString().toStdString()); };
  connect(findings_, &QListWidget::itemActivated, this, reveal);
  connect(findings_, &QListWidget::itemClicked, this, reveal);
  auto* pane = new QFrame;
  pane->setObjectName("pane");
  pane->setLayout(widgets::down({widgets::label("Check", "section"), verdict_, findings_, widgets::gap(widgets::kGap), widgets::label("Document", "section"), {json_, 1}},
                       {widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap}));
  pane->setMinimumWidth(300);
  return pane;
}

void ExperimentPage::loadText(const std::string& json) {
  if (!draft_.loadText(json))
    emit failed("The document cannot be read: " + qtext(draft_.findings().empty() ? "" : draft_.findings().front().message));
}

void ExperimentPage::followCatalogue() {
  if (shell_.catalogue.get()) draft_.setCatalog(shell_.catalogue.get());
  followFindings();
}

void ExperimentPage::followFindings() {
  findings_->clear();
  for (const Finding& finding : draft_.findings()) {
    const QString place = finding.pointer.empty() ? QString() : qtext(finding.pointer) + "\n";
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
  const int errors = draft_.errorCount();
  const auto runs = draft_.runnable().size();
  QString why;
  if (!shell_.recorder.trouble().isEmpty())
    why = "Nothing can be recorded: " + shell_.recorder.trouble();
  else if (errors > 0)
    why = plural(errors, "error") + " to mend first: " + qtext(draft_.findings().front().message);
  else if (!shell_.catalogue.get())
    why = shell_.catalogue.error().isEmpty() ? "Asking paceline-worker what it can do"
                                             : "paceline-worker did not answer: " + shell_.catalogue.error();
  run_->setEnabled(why.isEmpty() && runs > 0);
  run_->setText(runs > 1 ? QString("Run %1 seeds").arg(runs) : "Run");
  run_->setToolTip(why.isEmpty() ? "Ctrl+Return" : why);
  verdict_->setText(errors > 0 ? plural(errors, "error") + ", shown beside the fields" : why.isEmpty() ? "Ready to run." : why);
}

void ExperimentPage::run() {
  draft_.validateNow();
  if (!run_->isEnabled()) return;
  shell_.queue.submit(draft_.runnable());
}

void ExperimentPage::openFile() {
  const QString path = QFileDialog::getOpenFileName(this, "Open an experiment document", {}, "Experiments (*.json);;All files (*)");
  if (path.isEmpty()) return;
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return emit failed(path + ": cannot be read: " + file.errorString());
  loadText(file.readAll().toStdString());
}

void ExperimentPage::saveFile() {
  const QString path = QFileDialog::getSaveFileName(this, "Save the experiment document", "experiment.json", "Experiments (*.json)");
  if (path.isEmpty()) return;
  QSaveFile file(path);
  const QByteArray bytes = draft_.json().toUtf8() + "\n";
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
    emit failed(path + ": cannot be written: " + file.errorString());
}

void ExperimentPage::entered() {
  if (!shell_.catalogue.get()) shell_.catalogue.load();
  shell_.hosts.load();
}

}  // namespace paceline::experiment
