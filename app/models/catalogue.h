// What this computer's worker can do (`paceline-worker describe`), asked for in the background. GUI thread.
#pragma once

#include <memory>

#include <QObject>
#include <QString>

#include "app/models/task_queue.h"
#include "engine/core/spec/catalog.h"

namespace paceline {

class Catalogue : public QObject {
  Q_OBJECT
 public:
  void load();
  void use(Catalog catalog);  // for tests and for a catalogue that came from elsewhere

  std::shared_ptr<const Catalog> get() const { return catalog_; }  // nullptr until loaded
  QString error() const { return error_; }

 signals:
  void changed();  // loaded or failed

 private:
  std::shared_ptr<const Catalog> catalog_;
  QString error_;
  TaskQueue tasks_;
};

}  // namespace paceline
