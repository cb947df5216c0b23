#include "app/models/clusters/links_model.h"

#include <algorithm>
#include <cmath>

namespace paceline::clusters {

LinksModel::LinksModel(HostsModel& hosts, GuiPrompts& prompts, QObject* parent) : QObject(parent), hosts_(hosts), prompts_(prompts) {
  connect(&hosts_, &HostsModel::reloaded, this, &LinksModel::changed);
}

LinksModel::~LinksModel() { stop_.request_stop(); }

void LinksModel::load() {
  inBackground(tasks_, this, [services = hosts_.services()](const std::stop_token&) { return services.links(); },
               [this](const std::vector<check::LinkMeasure>& known, const QString&) {
                 for (const check::LinkMeasure& link : known)
                   if (!fresh(link.from, link.to)) links_[{link.from, link.to}] = link;
                 emit changed();
               });
}

void LinksModel::measure(const std::vector<std::string>& hosts) {
  const auto count = static_cast<int>(hosts.size());
  if (measuring_ || count < 2) return;
  measuring_ = true;
  ++round_;
  done_ = 0;
  total_ = count * (count - 1);
  stop_ = {};
  const auto work = [this, services = hosts_.services(), book = hosts_.book(), hosts, asked = stop_.get_token()](const std::stop_token& closing) {
    const EitherStop stop(asked, closing);
    const auto tell = [this](const check::LinkMeasure& link) { onGuiThread(this, [this, link] { take(link); }); };
    services.measure(book, hosts, *prompts_.forOneTask(stop.token()), tell, stop.token());
  };
  inBackground(tasks_, this, work, [this](const QString& error) {
    measuring_ = false;
    emit ended(error);
    emit changed();
  });
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

bool LinksModel::fresh(const std::string& from, const std::string& to) const {
  const auto told = told_.find({from, to});
  return told != told_.end() && told->second == round_;
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
