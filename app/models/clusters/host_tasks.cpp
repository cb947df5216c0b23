#include "app/models/clusters/host_tasks.h"

#include <algorithm>
#include <cmath>

#include "app/models/words.h"
#include "engine/core/base/clock.h"

namespace paceline::clusters {
namespace {

constexpr int kChecksAtOnce = 8, kDeploysAtOnce = 6;  // hosts; a check waits for the network most of the time
constexpr double kTellSeconds = 0.5;

// Lines that a check of `only` repeats wait from now on; the others stay.
std::vector<check::CheckLine> begun(std::vector<check::CheckLine> lines, const std::string& only) {
  if (lines.empty() || only.empty()) lines = check::plannedChecks();
  for (check::CheckLine& line : lines)
    if (only.empty() || line.id == only) line.state = check::CheckState::kWaiting, line.found.clear(), line.advice.clear();
  return lines;
}

}  // namespace

HostTasks::~HostTasks() {
  for (Stops* stops : {&stops_, &asking_})
    for (auto& [host, source] : *stops) source.request_stop();
}

void HostTasks::stop(const std::string& host) {
  if (const auto source = stops_.find(host); source != stops_.end()) source->second.request_stop();
}

bool HostTasks::begin(Stops& underWay, const std::string& host, Work work, std::function<void(const QString& error)> ended) {
  if (underWay.contains(host) || (!host.empty() && !hosts_.find(host))) return false;
  const std::stop_token asked = underWay[host].get_token();
  hosts_.change(host, [](HostItem& item) { item.failure.clear(); });
  const auto prompted = [this, asked, work = std::move(work)](const std::stop_token& closing) {
    const EitherStop stop(asked, closing);
    return stop.asked() ? Follow() : work(*prompts_.forOneTask(stop.token()), stop.token());
  };
  inBackground(pool_, this, prompted, [this, host, asked, &underWay, ended = std::move(ended)](const Follow& follow, const QString& problem) {
    const QString error = asked.stop_requested() ? QString() : problem;
    hosts_.change(host, [&error, own = &underWay == &stops_ ? 1 : 0](HostItem& item) {
      if (!error.isEmpty()) item.failure = error;  // what failed meanwhile keeps its sentence
      if (item.checking + item.deploying <= own) item.waiting.clear();
    });
    underWay.erase(host);
    if (follow) follow();
    ended(error);
  });
  return true;
}

HostChecks::HostChecks(HostsModel& hosts, GuiPrompts& prompts, QObject* parent) : HostTasks(hosts, prompts, kChecksAtOnce, parent) {
  connect(&prompts_, &GuiPrompts::waits, this, [this](const QString& host, const QString& why) {
    hosts_.change(host.toStdString(), [&why](HostItem& item) { item.waiting = why; });
  });
}

void HostChecks::check(const std::string& host, const std::string& only) {
  const auto work = [this, services = hosts_.services(), book = hosts_.book(), host, only](hosts::CredentialPrompts& prompts, const std::stop_token& stop) {
    const auto tell = [this, host](const check::CheckLine& line) { onGuiThread(this, [this, host, line] { onLine(host, line); }); };
    services.check(book, host, prompts, tell, stop, only);
    return Follow([this, host, facts = services.facts(host)] {
      if (facts) hosts_.change(host, [&facts](HostItem& item) { item.figures = figuresOf(*facts); });
    });
  };
  const auto end = [this, host](const QString&) {
    hosts_.change(host, [](HostItem& item) {
      item.checking = false;
      // Stopped before these.
      for (check::CheckLine& line : item.lines)
        if (line.state == check::CheckState::kRunning || line.state == check::CheckState::kWaiting) line.state = check::CheckState::kSkipped, line.found = "not checked";
    });
    emit changed();
    emit ended(qtext(host));
  };
  if (!begin(stops_, host, work, end)) return;
  hosts_.change(host, [&only](HostItem& item) {
    item.lines = begun(std::move(item.lines), only);
    item.checking = true;
  });
  emit changed();
}

void HostChecks::checkAll() {
  for (const std::string& name : hosts_.book().names()) check(name);
}

void HostChecks::onLine(const std::string& host, const check::CheckLine& line) {
  hosts_.change(host, [&line](HostItem& item) {
    const auto same = std::ranges::find(item.lines, line.id, &check::CheckLine::id);
    if (same == item.lines.end()) return item.lines.push_back(line);
    *same = line;
  });
}

DeployView nextView(const DeployView& before, const deploy::DeployProgress& progress, double seconds) {
  DeployView view{.progress = progress, .fraction = before.fraction};
  const auto done = static_cast<double>(progress.bytesDone), total = static_cast<double>(progress.bytesTotal);
  if (total > 0) view.fraction = std::max(before.fraction, std::min(1.0, done / total));
  const double mean = seconds > 0 ? done / seconds : 0, now = progress.rateBytesPerSecond;
  if (mean > 0 && now > 0 && done < total) {
    view.etaLow = (total - done) / std::max(mean, now);
    view.etaHigh = (total - done) / std::min(mean, now);
  }
  return view;
}

HostDeploys::HostDeploys(HostsModel& hosts, GuiPrompts& prompts, QObject* parent) : HostTasks(hosts, prompts, kDeploysAtOnce, parent) {}

const DeployView* HostDeploys::view(const std::string& host) const {
  const auto found = views_.find(host);
  return found == views_.end() ? nullptr : &found->second;
}

void HostDeploys::deploy(const std::string& host) {
  const auto work = [this, services = hosts_.services(), book = hosts_.book(), host](hosts::CredentialPrompts& prompts, const std::stop_token& stop) {
    const auto tell = [this, host, start = steadySeconds(), last = -1.0](const deploy::DeployProgress& progress) mutable {
      const double seconds = steadySeconds() - start;
      if (last >= 0 && seconds - last < kTellSeconds && progress.bytesDone < progress.bytesTotal) return;
      last = seconds;
      onGuiThread(this, [this, host, progress, seconds] { onProgress(host, progress, seconds); });
    };
    services.deploy(book, host, prompts, {.datasets = {}, .libraries = book.require(host).libraries, .onProgress = tell, .stop = stop});
    return Follow([this, host] { askDisk(host); });
  };
  const auto end = [this, host](const QString& error) {
    views_.erase(host);
    hosts_.change(host, [](HostItem& item) { item.deploying = false; });
    emit ended(qtext(host), error);
    emit changed(qtext(host));
  };
  if (!begin(stops_, host, work, end)) return;
  views_[host] = {};
  hosts_.change(host, [](HostItem& item) { item.deploying = true; });
  emit changed(qtext(host));
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
  const auto work = [this, host, question = std::move(question)](hosts::CredentialPrompts& prompts, const std::stop_token&) {
    return Follow([this, host, answer = question(prompts)] {
      hosts_.change(host, [&answer](HostItem& item) { item.disk = answer.first; });
      if (answer.second >= 0) emit cleaned(qtext(host), answer.second);
    });
  };
  if (begin(asking_, host, work, [this, host](const QString&) { emit changed(qtext(host)); })) emit changed(qtext(host));
}

LinksModel::LinksModel(HostsModel& hosts, GuiPrompts& prompts, QObject* parent) : HostTasks(hosts, prompts, 1, parent) {
  connect(&hosts_, &HostsModel::reloaded, this, &LinksModel::changed);
}

void LinksModel::load() {
  inBackground(pool_, this, [services = hosts_.services()](const std::stop_token&) { return services.links(); },
               [this](const std::vector<check::LinkMeasure>& known, const QString&) {
                 for (const check::LinkMeasure& link : known)
                   if (told_.try_emplace({link.from, link.to}, -1).first->second != round_) links_[{link.from, link.to}] = link;
                 emit changed();
               });
}

void LinksModel::measure(const std::vector<std::string>& hosts) {
  const auto count = static_cast<int>(hosts.size());
  if (count < 2) return;
  const auto work = [this, services = hosts_.services(), book = hosts_.book(), hosts](hosts::CredentialPrompts& prompts, const std::stop_token& stop) {
    const auto tell = [this](const check::LinkMeasure& link) { onGuiThread(this, [this, link] { take(link); }); };
    services.measure(book, hosts, prompts, tell, stop);
    return Follow();
  };
  const auto end = [this](const QString& error) {
    emit ended(error);
    emit changed();
  };
  if (!begin(stops_, {}, work, end)) return;
  ++round_;
  done_ = 0;
  total_ = count * (count - 1);
  emit changed();
}

void LinksModel::take(const check::LinkMeasure& link) {
  const std::pair<std::string, std::string> pair(link.from, link.to);
  if (told_[pair] != round_) done_ = std::min(done_ + 1, total_);
  told_[pair] = round_;
  links_[pair] = link;
  emit changed();
}

const check::LinkMeasure* LinksModel::at(const std::string& from, const std::string& to) const {
  const auto found = links_.find({from, to});
  return found == links_.end() ? nullptr : &found->second;
}

std::vector<std::string> LinksModel::measured() const {
  std::vector<std::string> names;
  for (const HostItem& item : hosts_.items()) {
    const std::string& name = item.entry.name;
    const bool any = std::any_of(links_.begin(), links_.end(), [&name](const auto& link) { return link.first.first == name || link.first.second == name; });
    if (any) names.push_back(name);
  }
  return names;
}

double linkLevel(double mbps) { return mbps > 0 ? std::clamp((std::log10(mbps) - 1) / 3, 0.0, 1.0) : 0; }

QString linkSpeedText(double mbps) {
  if (mbps >= 1000) return QString("%1 Gbit/s").arg(mbps / 1000, 0, 'f', mbps < 9950 ? 1 : 0);
  return QString("%1 Mbit/s").arg(mbps, 0, 'f', mbps < 9.95 ? 1 : 0);
}

QString linkLatencyText(double ms) { return QString("%1 ms").arg(ms, 0, 'f', ms < 0.995 ? 2 : ms < 9.95 ? 1 : 0); }

}  // namespace paceline::clusters
