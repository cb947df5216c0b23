#include "app/ui/runs/traffic_dialog.h"

#include <cmath>

#include "app/models/words.h"
#include "engine/core/base/error.h"

namespace paceline::runs {
namespace {

QString counted(std::int64_t count) { return countText(count); }
QString counted(double count) { return countText(std::llround(count)); }
template <class Count>
QString counted(const std::optional<Count>& count) { return count ? counted(*count) : QString("–"); }

// Names first, then numbers.
void addRow(QStandardItemModel& model, const QStringList& cells, qsizetype names) {
  QList<QStandardItem*> row;
  for (const QString& cell : cells) {
    row << new QStandardItem(cell);
    row.back()->setEditable(false);
    row.back()->setTextAlignment((row.size() <= names ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
  model.appendRow(row);
}

// Those without help are names.
void tellHeadings(QStandardItemModel& model, const std::vector<std::pair<QString, QString>>& headings) {
  for (const auto& [title, help] : headings) {
    const int column = model.columnCount();
    model.setColumnCount(column + 1);
    model.setHeaderData(column, Qt::Horizontal, title);
    model.setHeaderData(column, Qt::Horizontal, help, Qt::ToolTipRole);
    if (!help.isEmpty()) model.setHeaderData(column, Qt::Horizontal, int(Qt::AlignRight | Qt::AlignVCenter), Qt::TextAlignmentRole);
  }
}

}  // namespace

TrafficDialog::TrafficDialog(QWidget* parent, const std::string& storePath, const std::string& run) : QDialog(parent) {
  setWindowTitle(tr("What crossed its links"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(QSize(1060, 560).boundedTo(parent->window()->size()));
  words_->setObjectName("trafficWords"), method_->setObjectName("trafficMethod");
  tellHeadings(links_, {{tr("From"), QString()}, {tr("To"), QString()}, {tr("Messages"), tr("As the sender counted")},
                        {tr("Values"), tr("Bytes of parameters, gradients and indices")}, {tr("Bytes"), tr("Of whole messages, as the sender counted")},
                        {tr("Received"), tr("Of whole messages, as the receiver counted")}, {tr("By memory"), tr("Of messages that crossed memory of one host")},
                        {tr("Framed"), tr("With what the connection adds, as the sender counted")}, {tr("Kernel"), tr("As the kernel's TCP counted")},
                        {tr("Off"), tr("How far the kernel's count is above the framed bytes")}, {tr("Sent again"), tr("By the kernel, for what was lost")}});
  tellHeadings(rounds_, {{tr("Worker"), QString()}, {tr("Bytes a round"), tr("Sent, mean of the rounds after the first")},
                         {tr("By its method"), tr("What the method has to send, as the simulator does")}, {tr("Off"), tr("How far the recorded bytes are above that")}});
  copy_ = widgets::copyButton(tr("Copy as CSV"), [this] { return csv_; }, {.name = "copyTraffic"});
  copy_->setEnabled(false);
  QPushButton* close = widgets::button(tr("Close"), "", [this] { accept(); }, {.name = "closeTraffic"});
  close->setDefault(true);
  QTableView* links = widgets::table(links_, "trafficLinks", tr("Links"));
  QTableView* rounds = widgets::table(rounds_, "trafficRounds", tr("Bytes of a round"));
  widgets::setWidths(links, {70, 70, 80, 100, 100, 100, 100, 90, 100, 80, 90}, 1);
  widgets::setWidths(rounds, {70, 120, 120, 90}, 0);
  setLayout(widgets::down({widgets::label(tr("What crossed its links"), "section"), words_, {links, 3}, method_, {rounds, 2}, widgets::across({widgets::room(), copy_, close})},
                          {widgets::kPageMargin, widgets::kPageMargin, widgets::kPageMargin, widgets::kGroupGap}, 12));
  links->setFocus();
  const auto read = [storePath, id = run](const std::stop_token&) {
    const store::StoreReader store(storePath);
    const std::optional<store::RunRow> row = store.find(id);
    if (!row) throw Error(Errc::kStore, strCat(storePath, ": has no run ", id));
    return Read{*row, std::make_shared<why::Ledger>(why::ledgerOf(store, *row))};
  };
  inBackground(tasks_, this, read, [this](const Read& found, const QString& error) {
    if (error.isEmpty()) take(found);
    else words_->setText(error);
  });
}

TrafficDialog::~TrafficDialog() { closed_.request_stop(); }

void TrafficDialog::take(const Read& read) {
  const why::Ledger& ledger = *read.ledger;
  if (ledger.ways.empty()) {
    const QString text = store::isEnded(read.run.state) ? asSentence(said(why::noLinksText(read.run))) : tr("Links are counted when the run ends, or in each so many rounds as the document says");
    return words_->setText(tr("%1.", "a sentence").arg(text));
  }
  QStringList uneven;
  for (const std::string& sentence : ledger.uneven) uneven << tr("%1.", "a sentence").arg(asSentence(said(sentence)));
  if (!ledger.again.empty()) uneven << tr("%1.", "a sentence").arg(asSentence(said(why::againText(ledger))));
  words_->setText(uneven.isEmpty() ? tr("What workers sent is what servers received. Bytes over the whole run, by both ends.") : uneven.join(' '));
  for (const summary::Way& way : ledger.ways)
    addRow(links_, {qtext(way.from), qtext(way.to), counted(way.messages), counted(way.values), counted(way.bytes), counted(way.bytesReceived), counted(way.shared),
                    way.framed > 0 ? counted(way.framed) : QString("–"), counted(way.kernel), way.kernel && way.framed > 0 ? qtext(why::offText(*way.kernel, static_cast<double>(way.framed))) : QString("–"), counted(way.again)}, 2);
  csv_ = qtext(why::linksToCsv(ledger));
  copy_->setEnabled(true);
  showRounds(ledger, tr("simulating…"));
  const auto simulate = [read, closed = closed_.get_token()](const std::stop_token& end) {
    const EitherStop stop(closed, end);
    auto told = std::make_shared<why::Ledger>(*read.ledger);
    why::addByMethod(*told, read.run, stop.token());
    return told;
  };
  inBackground(tasks_, this, simulate, [this, before = read.ledger](const std::shared_ptr<why::Ledger>& told, const QString& error) {
    const QString whyNot = told ? said(told->notByMethod) : error;
    if (!whyNot.isEmpty()) method_->setText(tr("What the method has to send is not known: %1.").arg(whyNot));
    showRounds(told ? *told : *before, "–");
  });
}

void TrafficDialog::showRounds(const why::Ledger& ledger, const QString& instead) {
  rounds_.removeRows(0, rounds_.rowCount());
  for (const why::SentRounds& worker : ledger.rounds)
    addRow(rounds_, {qtext(worker.worker), counted(worker.recorded), worker.byMethod ? counted(*worker.byMethod) : instead, worker.byMethod ? qtext(why::offText(worker.recorded, *worker.byMethod)) : QString("–")}, 1);
}

}  // namespace paceline::runs
