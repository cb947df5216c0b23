#include "app/models/settings/storage_model.h"

#include <algorithm>
#include <memory>

#include "app/models/words.h"

namespace paceline {

void StorageModel::load() {
  if (std::exchange(busy_, true)) return;
  emit changed();
  inBackground(tasks_, this, [path = recorder_.storePath()](const std::stop_token&) { return run::storageUse(path); }, [this](run::StorageUse use, const QString& error) {
    busy_ = false;
    if (error.isEmpty()) use_ = std::move(use), loaded_ = true;
    else emit failed(error);
    emit changed();
  });
}

void StorageModel::free(bool emptyTrash) {
  struct Outcome {
    std::int64_t before = 0, after = 0;
    std::vector<std::string> problems;
  };
  const auto outcome = std::make_shared<Outcome>();
  const std::vector<std::string> trash = emptyTrash ? use_.trash : std::vector<std::string>();
  recorder_.ask(
      [outcome, trash, path = recorder_.storePath()](recorder::Client& client) {
        outcome->before = run::storeBytes(path);
        if (!trash.empty()) outcome->problems = client.purge(trash);
        client.compact();
        outcome->after = run::storeBytes(path);
      },
      [this, outcome, runs = static_cast<int>(trash.size())] {
        for (const std::string& problem : outcome->problems) emit failed(qtext(problem));
        const QString deleted = runs > 0 ? tr("Deleted %n run(s). %1", nullptr, runs) : QString("%1");
        emit freed(deleted.arg(tr("Freed %1: the store has %2 now, before %3")).arg(bytesText(static_cast<double>(std::max<std::int64_t>(0, outcome->before - outcome->after))), bytesText(static_cast<double>(outcome->after)), bytesText(static_cast<double>(outcome->before))));
        load();
      });
}

}  // namespace paceline
