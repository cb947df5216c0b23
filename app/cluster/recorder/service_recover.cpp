// What the recorder before this one left in the queue.
#include "app/cluster/recorder/service.h"

namespace paceline::recorder {

// What was under way goes on, what only waited waits on; behind a reboot until somebody lets it.
void Service::recover() {
  std::vector<store::QueueRow> over;
  for (store::QueueRow& row : store_->queue()) {
    const auto run = store_->find(row.run);
    if (run && run->id == row.run && store::isEnded(run->state)) {
      over.push_back(row);
      continue;
    }
    const std::string boot = row.boot;
    if (!row.begun && row.boot != boot_) row.held = true;
    if (!row.held) row.boot = boot_;  // else it tells why it is held
    records_->write(row.run, [row](store::StoreWriter& store) { store.updateQueue(row); });
    Item& item = addItem(std::move(row));
    item.boot = boot;
    if (run && item.row.specText.empty()) item.hosts = parseRunSpec(run->specText).spec.hosts();
    if (run && item.row.begun) item.entry.state = run->state;
  }
  for (const store::QueueRow& row : over) {  // its recorder went away before it could see to that
    const store::RunRow run = store_->find(row.run).value();
    const auto lost = run::lostWithCheckpoint(run);
    goOn(row, {.run = run.id, .name = run.name, .state = run.state, .byLoss = lost.has_value(), .checkpointed = lost.value_or(false)});
    dequeue(row);
  }
  searches_.emplace(searchMeans());
  searches_->recover([this](const std::string& run) { return find(run) != nullptr; });
  for (Item& item : items_)
    if (item.row.begun) start(item);
}

}  // namespace paceline::recorder
