#include "app/models/clusters/host_deploys.h"

#include <algorithm>
#include <chrono>

namespace paceline::clusters {
namespace {

constexpr int kAtOnce = 6;  // hosts
constexpr double kTellSeconds = 0.5;

using Steady = std::chrono::steady_clock;

double since(Steady::time_point start) { return std::chrono::duration<double>(Steady::now() - start).count(); }

}  // namespace

DeployView nextView(const DeployView& before, const deploy::DeployProgress& progress, double seconds) {
  DeployView view{.progress = progress, .fraction = before.fraction, .etaLow = std::nullopt, .etaHigh = std::nullopt};
  const auto done = static_cast<double>(progress.bytesDone), total = static_cast<double>(progress.bytesTotal);
  if (total > 0) view.fraction = std::max(before.fraction, std::min(1.0, done / total));
  const double mean = seconds > 0 ? done / seconds : 0, now = progress.rateBytesPerSecond;
  if (mean > 0 && now > 0 && done < total) {
    view.etaLow = (total - done) / std::max(mean, now);
    view.etaHigh = (total - done) / std::min(mean, now);
  }
  return view;
}

HostDeploys::HostDeploys(HostsModel& hosts, GuiPrompts& prompts, QObject* parent)
    : QObject(parent), hosts_(hosts), prompts_(prompts), pool_(kAtOnce) {}

HostDeploys::~HostDeploys() {
  for (auto& [host, source] : stops_) source.request_stop();
  for (auto& [host, source] : asking_) source.request_stop();
}

const DeployView* HostDeploys::view(const std::string& host) const {
  const auto found = views_.find(host);
  return found == views_.end() ? nullptr : &found->second;
}

// The work happens on the pool; what it returns and `ended` on the GUI thread.
void HostDeploys::post(const std::string& host, const std::stop_token& asked, Work work, std::function<void(const QString& error)> ended) {
  pool_.post([this, host, asked, work = std::move(work), ended = std::move(ended)](const std::stop_token& closing) {
    const EitherStop stop(asked, closing);
    QString error;
    std::function<void()> follow;
    try {
      const std::unique_ptr<hosts::CredentialPrompts> prompts = prompts_.forOneTask(stop.token());
      if (!stop.asked()) follow = work(*prompts, stop.token());
    } catch (const std::exception& e) {
      error = QString::fromStdString(e.what());
    }
    const bool stopped = asked.stop_requested();
    QMetaObject::invokeMethod(
        this,
        [this, host, follow, ended, error = stopped ? QString() : error] {
          hosts_.change(host, [&error](HostItem& item) { item.failure = error, item.waiting.clear(); });
          if (follow) follow();
          ended(error);
          emit changed(QString::fromStdString(host));
        },
        Qt::QueuedConnection);
  });
}

void HostDeploys::deploy(const std::string& host) {
  if (stops_.contains(host) || !hosts_.find(host)) return;
  const std::stop_token asked = stops_[host].get_token();
  views_[host] = {};
  hosts_.change(host, [](HostItem& item) { item.deploying = true, item.failure.clear(); });
  const hosts::HostEntry entry = hosts_.find(host)->entry;
  const auto work = [this, services = hosts_.services(), book = hosts_.book(), entry](hosts::CredentialPrompts& prompts, const std::stop_token& stop) {
    const auto start = Steady::now();
    const auto last = std::make_shared<double>(-1);
    deploy::DeployOptions options{.datasets = {}, .libraries = entry.libraries, .onProgress = {}, .stop = stop};
    options.onProgress = [this, host = entry.name, start, last](const deploy::DeployProgress& progress) {
      const double seconds = since(start);
      if (*last >= 0 && seconds - *last < kTellSeconds && progress.bytesDone < progress.bytesTotal) return;
      *last = seconds;
      QMetaObject::invokeMethod(this, [this, host, progress, seconds] { onProgress(host, progress, seconds); }, Qt::QueuedConnection);
    };
    services.deploy(book, entry.name, prompts, options);
    return std::function<void()>([this, host = entry.name] { askDisk(host); });
  };
  post(host, asked, work, [this, host](const QString& error) {
    stops_.erase(host);
    views_.erase(host);
    hosts_.change(host, [](HostItem& item) { item.deploying = false; });
    emit ended(QString::fromStdString(host), error);
  });
  emit changed(QString::fromStdString(host));
}

void HostDeploys::stop(const std::string& host) {
  const auto source = stops_.find(host);
  if (source != stops_.end()) source->second.request_stop();
}

void HostDeploys::onProgress(const std::string& host, const deploy::DeployProgress& progress, double seconds) {
  const auto found = views_.find(host);
  if (found == views_.end()) return;
  found->second = nextView(found->second, progress, seconds);
  emit changed(QString::fromStdString(host));
}

void HostDeploys::askDisk(const std::string& host) {
  if (asking_.contains(host) || !hosts_.find(host)) return;
  const std::stop_token asked = asking_[host].get_token();
  const auto work = [this, services = hosts_.services(), book = hosts_.book(), host](hosts::CredentialPrompts& prompts, const std::stop_token&) {
    const deploy::HostDisk disk = services.disk(book, host, prompts);
    return std::function<void()>([this, host, disk] { hosts_.change(host, [&disk](HostItem& item) { item.disk = disk; }); });
  };
  post(host, asked, work, [this, host](const QString&) { asking_.erase(host); });
  emit changed(QString::fromStdString(host));
}

void HostDeploys::clean(const std::string& host, bool spools) {
  if (asking_.contains(host) || !hosts_.find(host)) return;
  const std::stop_token asked = asking_[host].get_token();
  const auto work = [this, services = hosts_.services(), book = hosts_.book(), host, spools](hosts::CredentialPrompts& prompts, const std::stop_token&) {
    const auto freed = static_cast<double>(services.clean(book, host, prompts, spools));
    const deploy::HostDisk disk = services.disk(book, host, prompts);
    return std::function<void()>([this, host, freed, disk] {
      hosts_.change(host, [&disk](HostItem& item) { item.disk = disk; });
      emit cleaned(QString::fromStdString(host), freed);
    });
  };
  post(host, asked, work, [this, host](const QString&) { asking_.erase(host); });
  emit changed(QString::fromStdString(host));
}

}  // namespace paceline::clusters
