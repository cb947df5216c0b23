#include "app/ui/runs/diverged_dialog.h"

#include <QHeaderView>

#include "app/models/words.h"

namespace paceline::runs {

DivergedDialog::DivergedDialog(QWidget* parent, const std::string& storePath, const std::string& run) : QDialog(parent), table_(widgets::table(model_, "divergedTable", tr("Records before the loss became no number"))) {
  setWindowTitle(tr("Before the first NaN"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(QSize(1000, 560).boundedTo(parent->window()->size()));
  words_->setObjectName("divergedWords");
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  copy_ = widgets::copyButton(tr("Copy as CSV"), [this] { return csv_; }, {.name = "copyDiverged"});
  copy_->setEnabled(false);
  QPushButton* close = widgets::button(tr("Close"), "", [this] { accept(); }, {.name = "closeDiverged"});
  close->setDefault(true);
  setLayout(widgets::down({widgets::label(tr("Before the first NaN"), "section"), words_, {table_, 1}, widgets::across({widgets::room(), copy_, close})},
                          {widgets::kPageMargin, widgets::kPageMargin, widgets::kPageMargin, widgets::kGroupGap}, 12));
  const auto read = [storePath, id = run](const std::stop_token&) { return summary::divergenceOf(store::StoreReader(storePath), id); };
  inBackground(tasks_, this, read, [this](const std::optional<summary::Divergence>& found, const QString& error) {
    if (found) take(*found);
    else words_->setText(error.isEmpty() ? tr("Every loss of this run is a number.") : error);
  });
}

void DivergedDialog::take(const summary::Divergence& found) {
  const summary::RecordTable table = summary::tableOf(found.rounds, true);
  words_->setText(tr("%1: %2. What that worker recorded before it and next, oldest first; seconds are those of its own clock.").arg(qtext(found.node), said(found.words)));
  csv_ = qtext(summary::csvOf(summary::tableOf(found.rounds)));
  model_.setHorizontalHeaderLabels(qtexts(table.heads));
  for (const std::vector<std::string>& cells : table.rows) {
    QList<QStandardItem*> row;
    for (const std::string& cell : cells) {
      row << new QStandardItem(qtext(cell));
      row.back()->setEditable(false);
      row.back()->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    model_.appendRow(row);
  }
  copy_->setEnabled(true);
  table_->scrollToBottom();
  table_->setFocus();
}

}  // namespace paceline::runs
