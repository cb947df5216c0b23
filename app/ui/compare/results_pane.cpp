#include "app/ui/compare/results_pane.h"

#include <algorithm>

#include <QHeaderView>
#include <QSettings>

#include "app/models/words.h"

namespace paceline::compare {
namespace {

constexpr int kBefore = 2;  // columns before those of the results
constexpr int kLeastName = 140;  // px at normal text, of a configuration's name
constexpr int kFirstNumber = 2, kLastNumber = 4, kVerdict = 5;  // columns of published values
constexpr int kNoteLines = 4;  // seen; the others scroll
constexpr const char* kAllColumns = "compare/allColumns";

// "Last accuracy (%)" in two lines, as short as it goes: headings are no wider than what stands below them.
QString heading(const std::string& title) {
  QString words = said(title);
  qsizetype best = -1, least = words.size();
  for (qsizetype at = words.indexOf(' '); at >= 0; at = words.indexOf(' ', at + 1))
    if (const qsizetype longer = std::max(at, words.size() - at - 1); longer < least) best = at, least = longer;
  return best < 0 ? words : words.replace(best, 1, '\n');
}

// "SSGD" where all rows are "SSGD, ...": it is said once, in the heading.
QString commonAlgorithm(const Results& results) {
  if (results.rows.size() < 2) return {};
  const QString name = qtext(displayName(results.rows.front().algorithm));
  const auto begins = [&](const ResultRow& row) { return qtext(row.label).startsWith(name + ", "); };
  return std::ranges::all_of(results.rows, begins) ? name : QString();
}

}  // namespace

ResultsPane::ResultsPane() {
  table_->setObjectName("results");
  table_->setAccessibleName(tr("Results"));
  widgets::styleTable(table_);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  all_ = widgets::button(tr("All columns"), "", [this] { QSettings().setValue(kAllColumns, all_->isChecked()), fold(); }, {.kind = "quiet", .name = "allColumns", .help = tr("Shows the columns that say the same of every row")});
  all_->setCheckable(true);
  all_->setChecked(QSettings().value(kAllColumns).toBool());
  published_->setObjectName("published");
  published_->setAccessibleName(tr("Published values beside ours"));
  widgets::styleTable(published_);
  published_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  which_ = new widgets::Segments({tr("Results"), tr("Published")});
  which_->setObjectName("resultsOrPublished");
  which_->setToolTip(tr("Published: what papers report of these runs, beside what they gave"));
  which_->hide();
  tables_->addWidget(table_), tables_->addWidget(published_);
  connect(which_, &widgets::Segments::chosen, this, [this](int index) { tables_->setCurrentIndex(index), all_->setEnabled(index == 0); });
  QHBoxLayout* row = widgets::across({head_, which_, {same_, 1}, all_,
                             widgets::copyButton(tr("Copy LaTeX"), [this] { return qtext(resultsToLatex(results_)); }, {.kind = "quiet"}),
                             widgets::copyButton(tr("Copy CSV"), [this] { return qtext(resultsToCsv(results_)); }, {.kind = "quiet"})},
                            {widgets::kGroupGap, 0, widgets::kGroupGap, 0});
  noteScroll_->setWidget(note_);
  noteScroll_->setWidgetResizable(true);
  noteScroll_->setFrameShape(QFrame::NoFrame);
  noteScroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  noteScroll_->setAccessibleName(tr("What the results tell"));
  setLayout(widgets::down({row, {tables_, 1}, widgets::across({{noteScroll_, 1}}, {widgets::kGroupGap, 0, widgets::kGroupGap, 4})}, {0, widgets::kGap, 0, 0}));
  setMinimumHeight(110);
}

void ResultsPane::setResults(const Results& results) {
  results_ = results;
  table_->clear();
  table_->setRowCount(static_cast<int>(results_.rows.size()));
  table_->setColumnCount(static_cast<int>(results_.columns.size()) + kBefore);
  const QString algorithm = commonAlgorithm(results_);
  QStringList titles{algorithm.isEmpty() ? tr("Configuration") : algorithm, tr("Runs")};
  for (const ResultColumn& column : results_.columns) titles << heading(column.title);
  table_->setHorizontalHeaderLabels(titles);
  for (int r = 0; r < table_->rowCount(); ++r) {
    const ResultRow& row = results_.rows[static_cast<std::size_t>(r)];
    put(r, 0, algorithm.isEmpty() ? said(row.label) : qtext(row.label).mid(algorithm.size() + 2), false, false);
    put(r, 1, QString::number(row.runs), false, true);
    for (std::size_t c = 0; c < row.cells.size(); ++c) put(r, static_cast<int>(c) + kBefore, said(row.cells[c].text), row.cells[c].best, true);
  }
  fold();
  fillPublished();
  QStringList said;
  if (!results_.note.empty()) said << paceline::said(results_.note);
  for (const std::string& finding : results_.findings) said << asSentence(paceline::said(finding));
  widgets::tell(note_, said.join('\n'));
  noteScroll_->setVisible(!said.isEmpty());
  fitNote();
  setVisible(table_->rowCount() > 0);
}

// Published, ours, and whether ours is inside the band: a row for each value that a run's document has.
void ResultsPane::fillPublished() {
  const std::vector<PublishedRow>& rows = results_.published;
  which_->setVisible(!rows.empty());
  head_->setVisible(rows.empty());  // the choice says it, and a narrow window has no room for both
  if (rows.empty()) which_->setCurrent(0), tables_->setCurrentIndex(0);
  published_->clear();
  published_->setRowCount(static_cast<int>(rows.size()));
  published_->setColumnCount(static_cast<int>(std::size(kPublishedHeads)));
  QStringList heads;
  for (const char* head : kPublishedHeads) heads << heading(head);
  published_->setHorizontalHeaderLabels(heads);
  for (int r = 0; r < published_->rowCount(); ++r) {
    const PublishedRow& row = rows[static_cast<std::size_t>(r)];
    const std::vector<std::string> cells = cellsOf(row);
    for (int c = 0; c < published_->columnCount(); ++c) {
      const std::string& words = cells[static_cast<std::size_t>(c)];
      auto* item = new QTableWidgetItem(c > kVerdict ? qtext(words) : said(words));  // the source is a person's
      const Qt::Alignment alignment = Qt::AlignVCenter | (c >= kFirstNumber && c <= kLastNumber ? Qt::AlignRight : Qt::AlignLeft);
      item->setTextAlignment(alignment);
      published_->horizontalHeaderItem(c)->setTextAlignment(alignment);
      item->setToolTip(c == kVerdict ? qtext(sourceText(row.value)) : item->text());
      if (c == kVerdict && (row.inside == Inside::kYes || row.inside == Inside::kNo))
        item->setForeground(widgets::Theme::instance().colour(row.inside == Inside::kYes ? widgets::Token::kOk : widgets::Token::kBad));
      published_->setItem(r, c, item);
    }
  }
  widgets::setWidths(published_, {kLeastName, 100, 70, 60, 60, 90, 160}, 0);
}

void ResultsPane::setLow(bool low) {
  low_ = low;
  fitNote();
}

void ResultsPane::put(int row, int column, const QString& words, bool best, bool number) {
  auto* item = new QTableWidgetItem(words);
  const Qt::Alignment alignment = Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft);
  item->setTextAlignment(alignment);
  item->setToolTip(words);
  QFont font = widgets::Theme::instance().font(widgets::TextRole::kBody);
  font.setBold(best);
  item->setFont(font);
  table_->setItem(row, column, item);
  if (QTableWidgetItem* head = table_->horizontalHeaderItem(column)) head->setTextAlignment(alignment);
}

void ResultsPane::fitNote() {
  const int width = noteScroll_->viewport()->width(), lines = (low_ ? 1 : kNoteLines) * note_->fontMetrics().lineSpacing();
  noteScroll_->setFixedHeight(std::min(lines, std::max(0, note_->heightForWidth(width))));
}

// Of one row: what it has nothing in. Of several: what is the same in all.
void ResultsPane::fold() {
  QStringList same;
  for (int column = 1; column < table_->columnCount(); ++column) {
    const QString first = table_->rowCount() > 0 ? table_->item(0, column)->text() : QString();
    bool equal = table_->rowCount() > 1 || (column >= kBefore && !results_.rows.empty() && !results_.rows[0].cells[static_cast<std::size_t>(column - kBefore)].mean);
    for (int row = 1; row < table_->rowCount(); ++row) equal = equal && table_->item(row, column)->text() == first;
    if (equal) same << table_->horizontalHeaderItem(column)->text().replace('\n', ' ') + " " + first;
    table_->setColumnHidden(column, equal && !all_->isChecked());
  }
  all_->setVisible(!same.isEmpty());
  same_->setFullText(same.isEmpty() || all_->isChecked() ? QString() : (table_->rowCount() > 1 ? tr("The same in every row: %1") : tr("Without a value: %1")).arg(same.join(" · ")));
  std::vector<int> widths(static_cast<std::size_t>(table_->columnCount()), 40);
  if (!widths.empty()) widths.front() = kLeastName;
  widgets::setWidths(table_, widths, 0);
}

}  // namespace paceline::compare
