#include "app/models/workspace.h"

#include "engine/core/base/error.h"

namespace paceline {
namespace {

constexpr int kGiveBackMs = 3000;

}  // namespace

Workspace::Workspace(const QString& storePath, QObject* parent) : QObject(parent), path_(storePath.toStdString()) {
  idle_.setInterval(kGiveBackMs);
  connect(&idle_, &QTimer::timeout, this, &Workspace::giveBack);
  idle_.start();
}

Workspace::~Workspace() = default;

std::shared_ptr<run::Recorder> Workspace::recorder() {
  const std::lock_guard lock(mutex_);
  if (!recorder_)
    recorder_ = std::make_shared<run::Recorder>(path_, [this](const std::string& error) {
      QMetaObject::invokeMethod(
          this, [this, text = QString::fromStdString(error)] { emit writeFailed(text); }, Qt::QueuedConnection);
    });
  return recorder_;
}

void Workspace::probe() {
  write([](store::StoreWriter&) {});
}

void Workspace::write(Work work, std::function<void()> done) {
  tasks_.post([this, work = std::move(work), done = std::move(done)](const std::stop_token&) {
    QString refused, failed;
    try {
      const auto writer = recorder();
      writer->withWriter([&work](store::StoreWriter& store) { work(store); });
    } catch (const Error& error) {
      (error.code() == Errc::kLocked ? refused : failed) = QString::fromStdString(error.what());
    } catch (const std::exception& error) {
      failed = QString::fromStdString(error.what());
    }
    QMetaObject::invokeMethod(
        this,
        [this, refused, failed, done] {
          setReadOnly(refused);
          if (!failed.isEmpty()) emit writeFailed(failed);
          if (!refused.isEmpty() || !failed.isEmpty()) return;
          if (done) done();
          emit written();
        },
        Qt::QueuedConnection);
  });
}

void Workspace::setReadOnly(const QString& reason) {
  if (reason == readOnly_) return;
  readOnly_ = reason;
  emit readOnlyChanged();
}

// Closing writes what is queued, so it happens on the lane.
void Workspace::giveBack() {
  if (!readOnly_.isEmpty()) probe();                      // free by now?
  const std::unique_lock lock(mutex_, std::try_to_lock);  // the store may be opening just now
  if (!lock || !recorder_ || recorder_.use_count() > 1) return;
  tasks_.post([closing = std::move(recorder_)](const std::stop_token&) mutable { closing.reset(); });
  recorder_ = nullptr;
}

}  // namespace paceline
