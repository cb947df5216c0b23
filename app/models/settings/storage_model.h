// Where the bytes of the store and of this computer went, asked in the background, and giving back what is not needed. GUI thread.
#pragma once

#include <QObject>
#include <QString>

#include "app/cluster/run/storage_use.h"
#include "app/models/recorder_link.h"
#include "app/models/task_queue.h"

namespace paceline {

class StorageModel : public QObject {
  Q_OBJECT
 public:
  explicit StorageModel(RecorderLink& recorder, QObject* parent = nullptr) : QObject(parent), recorder_(recorder) {}

  void load();
  void free(bool emptyTrash);  // runs in the trash as it was last read are deleted first
  bool busy() const { return busy_; }
  const run::StorageUse* use() const { return loaded_ ? &use_ : nullptr; }  // nullptr: not read yet

 signals:
  void changed();
  void freed(const QString& sentence);
  void failed(const QString& sentence);

 private:
  RecorderLink& recorder_;
  run::StorageUse use_;
  bool loaded_ = false, busy_ = false;
  TaskQueue tasks_;
};

}  // namespace paceline
