// What this computer's worker can do (`paceline-worker describe`), asked for in the background. GUI thread.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

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

  // Fetches a data set to where runs look for it, goes on where an earlier try broke off, then asks for the catalogue again. One at a time.
  void download(const std::string& dataset);
  QString downloadProgress() const;  // "12.3 MB of 30.9 MB (40 %)", "12.3 MB" where the size is not known; "": no byte yet
  double downloadFraction() const { return toDownload_ == 0 ? -1 : static_cast<double>(downloaded_) / static_cast<double>(toDownload_); }  // -1: the size is not known
  void stopDownload() { stop_.request_stop(); }
  std::string downloading() const { return downloading_; }  // "": none
  QString downloadError(const std::string& dataset) const { return dataset == tried_ ? downloadError_ : QString(); }  // "": none, or it was stopped

 signals:
  void changed();  // loaded or failed
  void downloadChanged();  // begun or ended
  void downloadMoved();    // further, at most ten times a second

 private:
  std::shared_ptr<const Catalog> catalog_;
  QString error_, downloadError_;
  std::string downloading_, tried_;  // tried_: the one last downloaded, whose error is kept
  std::int64_t downloaded_ = 0, toDownload_ = 0;  // bytes; toDownload_ 0: not known
  std::stop_source stop_;  // of the download
  TaskQueue tasks_, downloads_;
};

}  // namespace paceline
