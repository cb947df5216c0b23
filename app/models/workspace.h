// The store as the window sees it. Reading is free (each model opens its own reader); the writer is taken when something must be written
// and given back when nothing has been for some seconds, so that the terminal can work beside an open window.
// GUI thread, except recorder(), which any thread may call. write() never blocks: it answers with written or writeFailed.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include <QObject>
#include <QString>
#include <QTimer>

#include "app/cluster/run/recorder.h"
#include "app/models/task_queue.h"

namespace paceline {

class Workspace : public QObject {
  Q_OBJECT
 public:
  explicit Workspace(const QString& storePath, QObject* parent = nullptr);
  ~Workspace() override;

  const std::string& storePath() const { return path_; }
  QString readOnlyReason() const { return readOnly_; }  // "" when it can be written

  // Opens the store for writing once, in the background: migrates an older one and finds out whether another process has it.
  void probe();
  using Work = std::function<void(store::StoreWriter&)>;
  void write(Work work, std::function<void()> done = {});

  // Shared with whoever records; throws Error{kLocked, kStore, ...}.
  std::shared_ptr<run::Recorder> recorder();

 signals:
  void readOnlyChanged();
  void written();                             // rows may have changed
  void writeFailed(const QString& sentence);

 private:
  void setReadOnly(const QString& reason);
  void giveBack();

  std::string path_;
  QString readOnly_;
  QTimer idle_;
  std::mutex mutex_;  // guards recorder_
  std::shared_ptr<run::Recorder> recorder_;
  TaskQueue tasks_;
};

}  // namespace paceline
