#include "app/models/catalogue.h"

#include "app/cluster/hosts/host.h"
#include "app/cluster/worker/worker_answer.h"

namespace paceline {
namespace {

constexpr double kDownloadSeconds = 24 * 3600;  // a large set over a slow line

}  // namespace

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
  downloading_ = dataset;
  downloadError_.clear();
  stop_ = std::stop_source();
  emit downloadChanged();
  inBackground(downloads_, this,
               [dataset, person = stop_.get_token()](const std::stop_token& window) {
                 const EitherStop stop(person, window);
                 return worker::workerAnswer(hosts::localProgram("paceline"), {"data", "download", dataset, "--json"}, kDownloadSeconds, stop.token());
               },
               [this](const std::string&, const QString& error) {
                 downloading_.clear();
                 downloadError_ = error;
                 emit downloadChanged();
                 load();
               });
}

void Catalogue::use(Catalog catalog) {
  catalog_ = std::make_shared<const Catalog>(std::move(catalog));
  error_.clear();
  emit changed();
}

}  // namespace paceline
