#include "app/models/clusters/host_deploys.h"

#include <algorithm>

#include "app/models/words.h"
#include "engine/core/base/clock.h"

namespace paceline::clusters {
namespace {

constexpr int kAtOnce = 6;  // hosts
constexpr double kTellSeconds = 0.5;

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

// `work` runs on the pool; its result and `ended` on the GUI thread.
void HostDeploys::post(const std::string& host, const std::stop_token& asked, Work work, std::function<void(const QString& error)> ended) {
  const auto prompted = [this, asked, work = std::move(work)](const std::stop_token& closing) {
    const EitherStop stop(asked, closing);
    return stop.asked() ? Follow() : work(*prompts_.forOneTask(stop.token()), stop.token());
  };
  inBackground(pool_, this, prompted, [this, host, asked, ended = std::move(ended)](const Follow& follow, const QString& problem) {
    const QString error = asked.stop_requested() ? QString() : problem;
    hosts_.change(host, [&error](HostItem& item) { item.failure = error, item.waiting.clear(); });
    if (follow) follow();
    ended(error);
    emit changed(qtext(host));
  });
}

void HostDeploys::deploy(const std::string& host) {
  if (stops_.contains(host) || !hosts_.find(host)) return;
  const std::stop_token asked = stops_[host].get_token();
  views_[host] = {};
  hosts_.change(host, [](HostItem& item) { item.deploying = true, item.failure.clear(); });
  const hosts::HostEntry entry = hosts_.find(host)->entry;
  const auto work = [this, services = hosts_.services(), book = hosts_.book(), entry](hosts::CredentialPrompts& prompts, const std::stop_token& stop) {
    const double start = steadySeconds();
    const auto last = std::make_shared<double>(-1);
    deploy::DeployOptions options{.datasets = {}, .libraries = entry.libraries, .onProgress = {}, .stop = stop};
    options.onProgress = [this, host = entry.name, start, last](const deploy::DeployProgress& progress) {
      const double seconds = steadySeconds() - start;
      if (*last >= 0 && seconds - *last < kTellSeconds && progress.bytesDone < progress.bytesTotal) return;
      *last = seconds;
      onGuiThread(this, [this, host, progress, seconds] { onProgress(host, progress, seconds); });
    };
    services.deploy(book, entry.name, prompts, options);
    return Follow([this, host = entry.name] { askDisk(host); });
  };
  post(host, asked, work, [this, host](const QString& error) {
    stops_.erase(host);
    views_.erase(host);
    hosts_.change(host, [](HostItem& item) { item.deploying = false; });
    emit ended(qtext(host), error);
  });
  emit changed(qtext(host));
}

void HostDeploys::stop(const std::string& host) {
  const auto source = stops_.find(host);
  if (source != stops_.end()) source->second.request_stop();
}

void HostDeploys::onProgress(const std::string& host, const deploy::DeployProgress& progress, double seconds) {
  const auto found = views_.find(host);
  if (found == views_.end()) return;
  found->second = nextView(found->second, progress, seconds);
  emit changed(qtext(host));
}

void HostDeploys::askDisk(const std::string& host) {
  ask(host, [services = hosts_.services(), book = hosts_.book(), host](hosts::CredentialPrompts& prompts) { return std::pair(services.disk(book, host, prompts), -1.0); });
}

void HostDeploys::clean(const std::string& host, bool spools) {
  ask(host, [services = hosts_.services(), book = hosts_.book(), host, spools](hosts::CredentialPrompts& prompts) {
    const auto freed = static_cast<double>(services.clean(book, host, prompts, spools));
    return std::pair(services.disk(book, host, prompts), freed);
  });
}

void HostDeploys::ask(const std::string& host, std::function<std::pair<deploy::HostDisk, double>(hosts::CredentialPrompts&)> question) {
  if (asking_.contains(host) || !hosts_.find(host)) return;
  const auto work = [this, host, question = std::move(question)](hosts::CredentialPrompts& prompts, const std::stop_token&) {
    return Follow([this, host, answer = question(prompts)] {
      hosts_.change(host, [&answer](HostItem& item) { item.disk = answer.first; });
      if (answer.second >= 0) emit cleaned(qtext(host), answer.second);
    });
  };
  post(host, asking_[host].get_token(), work, [this, host](const QString&) { asking_.erase(host); });
  emit changed(qtext(host));
}

}  // namespace paceline::clusters
