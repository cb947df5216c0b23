#include "app/ui/settings/storage_card.h"

#include <algorithm>

#include "app/models/words.h"

namespace paceline {
namespace {

constexpr int kNames = 170, kItems = 50, kRowsShown = 6;

QString sizeText(std::int64_t bytes) { return bytesText(static_cast<double>(bytes)); }

}  // namespace

StorageCard::StorageCard(StorageModel& storage)
    : storage_(storage), reading_(widgets::label("", "caption")), facts_(new widgets::FactGrid(kNames)), items_(new QTableWidget(0, 4)),
      again_(widgets::button(tr("Read again"), "refresh", [this] { storage_.load(); }, {.name = "readStorage"})),
      free_(widgets::button(tr("Give unused pages back"), "", [this] { storage_.free(false); }, {.name = "freeStorage", .help = tr("Makes the store's file smaller; nothing recorded goes")})),
      empty_(widgets::button(tr("Empty the trash…"), "trash", [this] { emptyTrash(); }, {.kind = "bad", .name = "emptyTrash"})) {
  widgets::styleCard(this);
  items_->setObjectName("storageTable");
  items_->setAccessibleName(tr("Runs and suites by size"));
  items_->setHorizontalHeaderLabels({tr("Run or suite"), tr("Runs"), tr("Records"), tr("Size")});
  for (int column = 1; column < items_->columnCount(); ++column) items_->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignVCenter | Qt::AlignRight);
  items_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  widgets::styleTable(items_);
  widgets::setWidths(items_, {240, 60, 100, 90}, 0);
  auto* column = static_cast<QVBoxLayout*>(layout());
  widgets::addAll(column, {widgets::label(tr("Storage"), "section"), reading_, facts_, items_, widgets::across({again_, free_, empty_, widgets::room()})});
  connect(&storage_, &StorageModel::changed, this, &StorageCard::follow);
  follow();
}

void StorageCard::follow() {
  const run::StorageUse* use = storage_.use();
  reading_->setText(storage_.busy() ? tr("Reading") : "");
  reading_->setVisible(storage_.busy());
  again_->setEnabled(!storage_.busy());
  free_->setEnabled(use && !storage_.busy());
  empty_->setEnabled(use && !storage_.busy() && !use->trash.empty());
  items_->setVisible(use && !use->items.empty());
  if (!use) return;
  widgets::emptyLayout(facts_);
  const auto folder = [this](const QString& name, const run::FolderUse& of) {
    facts_->add(name, of.path.empty() ? tr("none") : tr("%1, %2 in %3").arg(sizeText(of.bytes), QString::number(of.entries), qtext(of.path)));
  };
  facts_->add(tr("Store"), tr("%1, its log %2").arg(sizeText(use->store.fileBytes), sizeText(use->store.logBytes)));
  facts_->add(tr("Unused pages in it"), sizeText(use->store.freeBytes));
  facts_->add(tr("Trash"), QString("%1, %2").arg(tr("%n run(s)", nullptr, static_cast<int>(use->trash.size())), sizeText(use->trashBytes)));
  facts_->add(tr("Documents and summaries"), sizeText(use->store.otherBytes));
  folder(tr("Checkpoints here"), use->checkpoints);
  folder(tr("Spools here"), use->spools);
  folder(tr("Data sets"), use->dataSets);
  folder(tr("Unpacked arrays"), use->arrays);
  fillItems(*use);
}

void StorageCard::fillItems(const run::StorageUse& use) {
  items_->setRowCount(static_cast<int>(std::min<std::size_t>(use.items.size(), kItems)));
  for (int row = 0; row < items_->rowCount(); ++row) {
    const run::KeptItem& item = use.items[static_cast<std::size_t>(row)];
    const QString name = item.suite ? tr("%1, suite").arg(qtext(item.name)) : qtext(item.name);
    const QString cells[] = {item.trashed == 0 ? name : item.trashed == item.runs ? tr("%1 (in the trash)").arg(name) : tr("%1 (%2 in the trash)").arg(name).arg(item.trashed), QString::number(item.runs), countText(item.records), sizeText(item.bytes)};
    for (int column = 0; column < 4; ++column) {
      auto* cell = new QTableWidgetItem(cells[column]);
      cell->setTextAlignment(Qt::AlignVCenter | (column == 0 ? Qt::AlignLeft : Qt::AlignRight));
      cell->setToolTip(cells[column]);
      items_->setItem(row, column, cell);
    }
  }
  widgets::fitRows(items_, kRowsShown);
}

void StorageCard::emptyTrash() {
  const run::StorageUse* use = storage_.use();
  if (!use) return;
  const QString many = tr("%n run(s)", nullptr, static_cast<int>(use->trash.size()));
  if (widgets::sure(this, tr("Delete for ever"), tr("%n run(s) in the trash and everything recorded of them, %1, will be gone with their checkpoints. This cannot be undone.", nullptr, static_cast<int>(use->trash.size())).arg(sizeText(use->trashBytes))))
    storage_.free(true);
}

}  // namespace paceline
