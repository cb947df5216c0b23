#include "app/ui/runs/resume_dialog.h"

#include <QFormLayout>
#include <QHeaderView>
#include <optional>

#include "app/models/experiment/placement_model.h"
#include "app/models/words.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/field.h"

namespace paceline::runs {
namespace {

constexpr int kMostNodes = 5;  // rows; then they scroll: the dialog fits the smallest window

template <class Number>
QString shownNumber(const std::optional<Number>& value) {
  return value ? QString::number(*value) : QString();
}

// Empty: no such rule.
template <class Number, class Read>
QString readNumber(const QLineEdit* from, const QString& name, Read read, std::optional<Number>& into) {
  const QString text = from->text().trimmed();
  into.reset();
  if (text.isEmpty()) return {};
  bool ok = false;
  const Number value = read(text, &ok);
  if (!ok || !(value > 0)) return QString("%1 must be a number above 0; it is \"%2\".").arg(name, text);
  into = value;
  return {};
}

}  // namespace

ResumeDialog::ResumeDialog(QWidget* parent, Shell& shell, store::RunRow run)
    : QDialog(parent), shell_(shell), run_(std::move(run)), nodes_(parseRunSpec(run_.specText).spec, shell.hosts, shell.catalogue.get()), table_(widgets::formTable(nodes_, "resumeNodes", tr("Nodes"))) {
  setWindowTitle(tr("Resume"));
  setAttribute(Qt::WA_DeleteOnClose);
  setMinimumWidth(560);
  const RunSpec& spec = nodes_.spec();
  name_ = line("resumeName", tr("Name"), qtext(run_.name));
  rounds_ = line("resumeRounds", tr("Rounds"), shownNumber(spec.stop.rounds));
  seconds_ = line("resumeSeconds", tr("Seconds"), shownNumber(spec.stop.seconds));
  samples_ = line("resumeSamples", tr("Samples"), shownNumber(spec.stop.samples));
  accuracy_ = line("resumeAccuracy", tr("Accuracy"), shownNumber(spec.stop.accuracy));
  auto* form = new QFormLayout;
  form->setSpacing(widgets::kGap);
  for (QLineEdit* each : {name_, rounds_, seconds_, samples_, accuracy_}) form->addRow(each->accessibleName(), each);
  problem_->setObjectName("resumeProblem");
  told_->setObjectName("resumeNodesTold");
  QSizePolicy policy = told_->sizePolicy();
  policy.setRetainSizeWhenHidden(true);  // nothing moves when it speaks
  told_->setSizePolicy(policy);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(experiment::ResumeNodes::kHost, QHeaderView::Stretch);
  table_->setCurrentIndex(nodes_.index(0, experiment::ResumeNodes::kHost));
  widgets::fitRows(table_, kMostNodes);
  connect(&nodes_, &QAbstractItemModel::dataChanged, this, &ResumeDialog::followNodes);
  followNodes();
  QPushButton *no = widgets::button(tr("Cancel"), "", [this] { reject(); }), *yes = widgets::button(tr("Resume"), "play", [this] { go(); }, {.kind = "primary", .name = "resumeGo"});
  no->setAutoDefault(false);
  yes->setDefault(true);
  setLayout(widgets::down({widgets::label(tr("Resume"), "section"), widgets::wrapped(widgets::label(tr("A new run goes on from the newest checkpoint that all nodes hold and has this one's records up to there. It ends by the first of these rules that is met. Its nodes may run elsewhere; what its checkpoints depend on stays."))),
                           form, widgets::label(tr("Nodes"), "head"), table_, told_, problem_, widgets::across({widgets::room(), no, yes}, {0, widgets::kGap, 0, 0})},
                          {widgets::kPageMargin, widgets::kPageMargin, widgets::kPageMargin, widgets::kGroupGap}, 12));
}

QLineEdit* ResumeDialog::line(const char* objectName, const QString& name, const QString& shown) {
  auto* made = new QLineEdit(shown);
  made->setObjectName(objectName);
  made->setAccessibleName(name);
  return made;
}

void ResumeDialog::followNodes() {
  const QString error = nodes_.error();
  widgets::tell(told_, error.isEmpty() ? nodes_.warning() : error);
  widgets::setLook(told_, "role", error.isEmpty() ? "warning" : "finding");
}

QString ResumeDialog::read(RunSpec& spec) const {
  spec.name = name_->text().trimmed().toStdString();
  const auto whole = [](const QString& text, bool* ok) { return static_cast<std::int64_t>(text.toLongLong(ok)); };
  const auto real = [](const QString& text, bool* ok) { return text.toDouble(ok); };
  for (const QString& problem : {readNumber(rounds_, "Rounds", whole, spec.stop.rounds), readNumber(seconds_, "Seconds", real, spec.stop.seconds), readNumber(samples_, "Samples", whole, spec.stop.samples),
                                 readNumber(accuracy_, "Accuracy", real, spec.stop.accuracy)})
    if (!problem.isEmpty()) return problem;
  if (const QString problem = nodes_.error(); !problem.isEmpty()) return problem;
  const auto catalog = shell_.catalogue.get();
  const ParsedSpec checked = catalog ? experiment::judged(spec, *catalog, shell_.hosts) : parseRunSpec(toJsonText(spec));
  for (const Finding& finding : checked.findings)
    if (finding.error) return QString("%1: %2").arg(qtext(finding.pointer), qtext(finding.message));
  return {};
}

void ResumeDialog::go() {
  RunSpec spec = nodes_.spec();
  const QString problem = read(spec);
  widgets::tell(problem_, problem);
  if (!problem.isEmpty()) return;
  shell_.queue.resume(run_, spec);
  accept();
}

}  // namespace paceline::runs
