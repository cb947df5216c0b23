// The Settings page's card of what takes room: the store by runs and suites, the trash, checkpoints, spools, data sets; with what can be given back. GUI thread.
#pragma once

#include <QFrame>
#include <QTableWidget>

#include "app/models/settings/storage_model.h"
#include "app/ui/widgets/controls.h"

namespace paceline {

class StorageCard : public QFrame {
  Q_OBJECT
 public:
  explicit StorageCard(StorageModel& storage);

 private:
  void follow();
  void fillItems(const run::StorageUse& use);
  void emptyTrash();

  StorageModel& storage_;
  QLabel* reading_;
  widgets::FactGrid* facts_;
  QTableWidget* items_;
  QPushButton *again_, *free_, *empty_;
};

}  // namespace paceline
