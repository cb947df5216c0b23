#include "app/ui/runs/why_strip.h"

#include <QHeaderView>
#include <QShortcut>
#include <QTableView>

#include "app/models/words.h"
#include "app/ui/palette/keys.h"
#include "app/ui/widgets/controls.h"

namespace paceline::runs {
namespace {

bool applies(const why::Cause* cause) { return cause && cause->remedy && cause->remedy->change; }

QString applyHelp(const why::Cause& cause) { return QObject::tr("Opens a copy of this run's document: %1. The run and its document stay as they are.").arg(said(cause.remedy->words)); }

}  // namespace

WhyEvidence::WhyEvidence(RunWhy& why, QWidget* page) : QDialog(page), why_(why) {
  setObjectName("whyEvidence");
  setWindowTitle(tr("Where the wall time goes"));
  table_ = widgets::table(causes_, "causesTable", tr("Causes of the wall time"));
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setTabKeyNavigation(false);
  widgets::setWidths(table_, {180, 60, 70, 50, 60, 200, 120}, CausesModel::kCause);
  lanes_ = widgets::button(tr("Show in the lanes"), "", [this] { showPlace(table_->currentIndex().row()); }, {.name = "evidenceLanes", .help = tr("The part of the timeline where it takes longest (Enter)")});
  apply_ = widgets::button(tr("Apply to a copy"), "copy", [this] { emit applied(table_->currentIndex().row()); }, {.name = "evidenceApply"});
  QPushButton* close = widgets::button(tr("Close"), "", [this] { hide(); });
  setLayout(widgets::down({{table_, 1}, words_, widgets::across({lanes_, apply_, widgets::room(), close})}, {widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap}, widgets::kGap));
  for (QPushButton* each : {lanes_, apply_, close}) each->setAutoDefault(false);  // Enter is the table's
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& at) { showPlace(at.row()); });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &WhyEvidence::followRow);
  connect(&why_, &RunWhy::updated, this, &WhyEvidence::follow);
  resize(widgets::scaled(940), widgets::scaled(260));
  follow();
}

void WhyEvidence::follow() {
  causes_.take(why_.diagnosis());
  if (!why_.diagnosis()) hide();
  if (!table_->currentIndex().isValid()) table_->setCurrentIndex(causes_.index(0, 0));
  followRow();
}

void WhyEvidence::followRow() {
  const why::Cause* cause = causes_.cause(table_->currentIndex().row());
  lanes_->setEnabled(cause && !cause->place.node.empty());
  apply_->setEnabled(applies(cause));
  apply_->setToolTip(applies(cause) ? applyHelp(*cause) : cause && cause->remedy ? tr("No document can say this: %1").arg(said(cause->remedy->words)) : QString());
  words_->setFullText(cause ? tr("%1.", "a sentence").arg(asSentence(said(why::sentenceOf(*cause)))) : tr("What the workers' steps take, a mean. What is not in this table takes less than a tenth of the wall time each."));
}

void WhyEvidence::showPlace(int row) {
  if (const why::Cause* cause = causes_.cause(row)) emit placeChosen(cause->place);
}

WhyStrip::WhyStrip(RunWhy& why, QWidget* page) : why_(why), words_(widgets::selectable(widgets::label(""))), shown_(new WhyEvidence(why, page)) {
  words_->setObjectName("whySentence");
  words_->setWordWrap(true);
  words_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  words_->setMinimumWidth(200);
  evidence_ = widgets::button(tr("Show evidence"), "", [this] { showEvidence(); }, {.kind = "quiet", .name = "whyEvidenceButton", .help = tr("The numbers behind it: where the wall time goes, and the rounds and nodes that show it (Ctrl+E)")});
  apply_ = widgets::button(tr("Apply to a copy"), "copy", [this] { emit applied(0); }, {.kind = "quiet", .name = "whyApply"});
  setLayout(widgets::across({{words_, 1}, evidence_, apply_}));
  auto* open = new QShortcut(QKeySequence("Ctrl+E"), page);
  open->setContext(Qt::WidgetWithChildrenShortcut);
  palette::tellKeys(open, tr("Page of a run"), tr("Show the evidence of what its time is lost to"));
  connect(open, &QShortcut::activated, evidence_, &QPushButton::click);
  connect(shown_, &WhyEvidence::placeChosen, this, &WhyStrip::placeChosen);
  connect(shown_, &WhyEvidence::applied, this, [this](int cause) {
    shown_->hide();
    emit applied(cause);
  });
  connect(&why_, &RunWhy::updated, this, &WhyStrip::follow);
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, &WhyStrip::fit);
  fit();
  follow();
}

void WhyStrip::fit() {
  words_->setFont(widgets::Theme::instance().font(widgets::TextRole::kCaption));
  words_->setFixedHeight(2 * QFontMetrics(words_->font()).lineSpacing());
}

// Over what is below the lanes, which stay in sight.
void WhyStrip::showEvidence() {
  QWidget* page = shown_->parentWidget();
  if (!shown_->isVisible()) shown_->move(page->mapToGlobal(QPoint(widgets::kPageMargin, std::max(0, page->height() - shown_->height() - widgets::kPageMargin))));
  shown_->show();
  shown_->raise();
  shown_->activateWindow();
}

// The line is there from the beginning, so that nothing below it moves.
void WhyStrip::follow() {
  const why::Diagnosis* told = why_.diagnosis();
  words_->setText(why_.sentence());
  words_->setToolTip(words_->text());
  widgets::setLook(words_, "role", told ? "small" : "caption");
  const why::Cause* first = told && !told->causes.empty() ? &told->causes.front() : nullptr;
  const auto more = told ? told->causes.size() : 0;
  evidence_->setText(more > 1 ? tr("Show evidence (%1)").arg(more) : tr("Show evidence"));
  evidence_->setEnabled(told);
  apply_->setEnabled(applies(first));
  apply_->setToolTip(applies(first)                ? applyHelp(*first)
                     : first && first->remedy      ? tr("No document can say this: %1").arg(said(first->remedy->words))
                     : told                        ? tr("There is no change to apply: %1").arg(why_.sentence())
                                                   : why_.sentence());
}

}  // namespace paceline::runs
