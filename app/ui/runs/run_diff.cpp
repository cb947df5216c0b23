#include "app/ui/runs/run_diff.h"

#include <QDialog>
#include <QStandardItemModel>

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"
#include "engine/core/json/differences.h"

namespace paceline::runs {
namespace {

QString asLines(const QStandardItemModel& model) {  // tabs between cells
  QString text;
  for (int row = -1; row < model.rowCount(); ++row) {
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column)
      cells << (row < 0 ? model.headerData(column, Qt::Horizontal).toString() : model.index(row, column).data().toString());
    text += cells.join('\t') + '\n';
  }
  return text;
}

}  // namespace

QDialog* showDifferences(QWidget* parent, const RunRows& rows, const std::vector<std::string>& runs) {
  auto* dialog = new QDialog(parent);
  dialog->setObjectName("runDifferences");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  auto* model = new QStandardItemModel(dialog);
  std::vector<std::string> documents;
  QStringList headings{QObject::tr("Place")};
  for (const std::string& run : runs)
    if (const RunItem* item = rows.itemOf(run); item && !item->row.specText.empty()) documents.push_back(item->row.specText), headings << qtext(item->row.name);
  for (const Difference& each : differences(documents)) {
    QList<QStandardItem*> cells{new QStandardItem(qtext(each.pointer))};
    for (const std::string& value : each.values) cells << new QStandardItem(value.empty() ? "—" : qtext(value));
    for (QStandardItem* cell : cells) cell->setEditable(false);
    model->appendRow(cells);
  }
  model->setHorizontalHeaderLabels(headings);
  dialog->setWindowTitle(QObject::tr("Differences of %1").arg(QObject::tr("%n run(s)", nullptr, static_cast<int>(documents.size()))));
  QTableView* table = widgets::table(*model, "differencesTable", QObject::tr("Differences"));
  widgets::setWidths(table, {220, 160, 160});
  const QString words = documents.size() < 2 ? QObject::tr("Fewer than two of these runs have a document.") : model->rowCount() == 0 ? QObject::tr("Their documents are equal.") : QObject::tr("%n place(s) where they differ.", nullptr, model->rowCount());
  QPushButton* close = widgets::button(QObject::tr("Close"), "", [dialog] { dialog->close(); });
  dialog->setLayout(widgets::down({widgets::label(words, "muted"), {table, 1}, widgets::across({widgets::room(), widgets::copyButton(QObject::tr("Copy"), [model] { return asLines(*model); }), close})}, {16, 16, 16, 16}));
  dialog->resize(760, 420);
  dialog->show();
  return dialog;
}

}  // namespace paceline::runs
