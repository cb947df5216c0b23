#include "app/models/catalogue.h"
#include "app/cluster/worker/catalog_source.h"

#include "app/cluster/run/run_controller.h"

namespace paceline {

Catalogue::Catalogue(QObject* parent) : QObject(parent) {}

void Catalogue::load() {
  error_.clear();
  tasks_.post([this](const std::stop_token&) {
    std::shared_ptr<const Catalog> loaded;
    QString error;
    try {
      loaded = std::make_shared<const Catalog>(worker::describeLocal());
    } catch (const std::exception& e) {
      error = QString::fromStdString(e.what());
    }
    QMetaObject::invokeMethod(
        this,
        [this, loaded, error] {
          if (loaded) catalog_ = loaded;
          error_ = error;
          emit changed();
        },
        Qt::QueuedConnection);
  });
}

void Catalogue::use(Catalog catalog) {
  catalog_ = std::make_shared<const Catalog>(std::move(catalog));
  error_.clear();
  emit changed();
}

}  // namespace paceline
