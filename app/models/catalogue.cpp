#include "app/models/catalogue.h"

#include "app/cluster/worker/worker_answer.h"

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

void Catalogue::use(Catalog catalog) {
  catalog_ = std::make_shared<const Catalog>(std::move(catalog));
  error_.clear();
  emit changed();
}

}  // namespace paceline
