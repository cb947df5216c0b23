#include "app/models/catalogue.h"

#include "app/cluster/deploy/fetch_dataset.h"
#include "app/cluster/worker/worker_answer.h"
#include "app/models/words.h"

namespace paceline {

void Catalogue::load() {
  error_.clear();
  inBackground(tasks_, this, [](const std::stop_token&) { return std::make_shared<const Catalog>(worker::describeLocal()); },
               [this](std::shared_ptr<const Catalog> loaded, const QString& error) {
                 if (loaded) catalog_ = std::move(loaded);
                 error_ = error;
                 emit changed();
               });
}

void Catalogue::download(const std::string& dataset) {
  if (!downloading_.empty()) return;
  downloading_ = tried_ = dataset;
  downloadError_.clear();
  downloaded_ = toDownload_ = 0;
  stop_ = std::stop_source();
  emit downloadChanged();
  inBackground(downloads_, this,
               [this, dataset, person = stop_.get_token()](const std::stop_token& window) {
                 const EitherStop stop(person, window);
                 const auto told = [this](const deploy::DatasetProgress& progress) {
                   onGuiThread(this, [this, done = progress.bytesDone, total = progress.bytesTotal] {
                     downloaded_ = done, toDownload_ = total;
                     emit downloadMoved();
                   });
                 };
                 return deploy::fetchDataset({.id = dataset, .onProgress = told, .stop = stop.token()});
               },
               [this](const deploy::FetchedDataset&, const QString& error) {
                 downloading_.clear();
                 if (!stop_.stop_requested()) downloadError_ = error;
                 emit downloadChanged();
                 load();
               });
}

QString Catalogue::downloadProgress() const {
  if (downloaded_ == 0) return {};
  const QString done = bytesText(static_cast<double>(downloaded_));
  if (toDownload_ == 0) return done;
  return tr("%1 of %2 (%3 %)").arg(done, bytesText(static_cast<double>(toDownload_))).arg(100 * downloaded_ / toDownload_);
}

void Catalogue::use(Catalog catalog) {
  catalog_ = std::make_shared<const Catalog>(std::move(catalog));
  error_.clear();
  emit changed();
}

}  // namespace paceline
