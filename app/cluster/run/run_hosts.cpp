#include "app/cluster/run/run_hosts.h"

#include <algorithm>
#include <filesystem>

#include "engine/core/base/error.h"

namespace paceline::run {

RunHosts::RunHosts(std::string run, const RunSpec& spec, const hosts::HostOpener& opener, const LinkTimes& times) {
  const hosts::HostNeeds needs{.datasets = {spec.dataset.id}};
  for (const std::string& host : spec.hosts()) hosts_[host].link = std::make_unique<AgentLink>(host, run, opener, needs, times, queue_);
}

std::optional<LinkMessage> RunHosts::next(double timeoutSeconds) {
  auto message = queue_.pop(timeoutSeconds);
  if (message) apply(*message);
  return message;
}

void RunHosts::apply(const LinkMessage& message) {
  using Kind = LinkMessage::Kind;
  Entry& entry = hosts_.at(message.host);
  switch (message.kind) {
    case Kind::kReady:
      if (entry.stage == Stage::kOpening) entry.stage = Stage::kReady;
      entry.site = message.site;
      break;
    case Kind::kBusy:
      entry.busy = message.text;
      break;
    case Kind::kLaunched:
    case Kind::kFollowing:
      entry.busy.clear();
      entry.stage = Stage::kLaunched;
      entry.launched = true;
      entry.version = message.version;
      entry.there = message.there;
      break;
    case Kind::kStarted:
      if (entry.stage == Stage::kLaunched) entry.stage = Stage::kStarted;
      break;
    case Kind::kLost:
      entry.lost = message.text;
      break;
    case Kind::kBack:
      entry.lost.clear();
      break;
    case Kind::kGone:
      entry.lost.clear();
      entry.stage = Stage::kOver;
      break;
    case Kind::kEnded:
    case Kind::kRefused:
    case Kind::kGivenUp:
      entry.stage = Stage::kOver;
      break;
    case Kind::kForgotten:
      entry.forgetting = false;
      break;
    case Kind::kProgress:
    case Kind::kEvent:
      break;
  }
}

void RunHosts::launch(std::vector<HostLaunch> plan, const AgentLink::Launch& how) {
  for (HostLaunch& part : plan) {
    AgentLink::Launch launch = how;
    Entry& entry = hosts_.at(part.host);
    const std::string& folder = entry.site.installation.workingFolder;
    if (!folder.empty() || part.host != "local") launch.folder = folder;
    launch.plan = std::move(part);
    entry.begun = true;
    entry.link->launch(std::move(launch));
  }
}

void RunHosts::follow(const std::map<std::string, std::int64_t>& from) {
  for (auto& [host, entry] : hosts_) {
    entry.begun = true;
    entry.link->follow(from);
  }
}

void RunHosts::start(const RunSpec& spec, const std::string& order) {
  for (auto& [host, entry] : hosts_) {
    std::vector<std::string> nodes;
    for (const NodeSpec& node : spec.nodes)
      if (node.host == host) nodes.push_back(node.id);
    entry.link->start(std::move(nodes), order);
  }
}

void RunHosts::end(double graceSeconds, const std::string& why) {
  for (auto& [host, entry] : hosts_) {
    if (!entry.begun) entry.stage = Stage::kOver;
    if (entry.stage != Stage::kOver) entry.link->end(graceSeconds, why);
  }
}

void RunHosts::forget() {
  for (auto& [host, entry] : hosts_) {
    if (!entry.launched || entry.stage != Stage::kOver || !entry.lost.empty()) continue;
    entry.forgetting = true;
    entry.link->forget();
  }
}

void RunHosts::leave(const std::string& host) { hosts_.at(host).stage = Stage::kOver; }

bool RunHosts::all(Stage stage) const {
  return std::all_of(hosts_.begin(), hosts_.end(), [&](const auto& entry) { return entry.second.stage >= stage; });
}

bool RunHosts::allForgotten() const {
  return std::none_of(hosts_.begin(), hosts_.end(), [](const auto& entry) { return entry.second.forgetting; });
}

bool RunHosts::anyLost() const { return !lostHosts().empty(); }

bool RunHosts::onlyLostLeft() const {
  return anyLost() && std::all_of(hosts_.begin(), hosts_.end(), [](const auto& entry) {
           return entry.second.stage == Stage::kOver || !entry.second.lost.empty();
         });
}

std::vector<std::string> RunHosts::lostHosts() const {
  std::vector<std::string> lost;
  for (const auto& [host, entry] : hosts_)
    if (!entry.lost.empty() && entry.stage != Stage::kOver) lost.push_back(host);
  return lost;
}

std::string RunHosts::openingText() const {
  std::string waiting;
  std::size_t ready = 0;
  for (const auto& [host, entry] : hosts_) {
    if (entry.stage != Stage::kOpening) ++ready;
    else waiting += strCat(waiting.empty() ? "opening " : ", ", host);
  }
  return hosts_.size() == 1 ? waiting : strCat(waiting, ": ", ready, " of ", hosts_.size(), " hosts are ready");
}

std::string RunHosts::busyText() const {
  for (const auto& [host, entry] : hosts_)
    if (!entry.busy.empty() && entry.stage < Stage::kLaunched) return strCat("waits for ", entry.busy, " on ", host);
  return "";
}

bool RunHosts::keepsOthersWaiting() const {
  return !busyText().empty() && std::any_of(hosts_.begin(), hosts_.end(), [](const auto& entry) { return entry.second.stage == Stage::kLaunched; });
}

// A link's sentence names its host or does not.
std::string RunHosts::lostText() const {
  std::string text;
  for (const std::string& host : lostHosts()) {
    const std::string& why = lostWhy(host);
    text += strCat(text.empty() ? "" : "; ", why.starts_with(strCat(host, ":")) ? "" : strCat(host, ": "), why);
  }
  return text;
}

std::map<std::string, HostSite> RunHosts::sites() const {
  std::map<std::string, HostSite> sites;
  for (const auto& [host, entry] : hosts_) sites[host] = entry.site;
  return sites;
}

std::map<std::string, InstalledOn> RunHosts::installed() const {
  std::map<std::string, InstalledOn> installed;
  for (const auto& [host, entry] : hosts_)
    installed[host] = {.id = host == "local" ? "" : std::filesystem::path(entry.site.installation.folder).filename().string(), .agent = entry.version};
  return installed;
}

}  // namespace paceline::run
