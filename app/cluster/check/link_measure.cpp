#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>
#include <unistd.h>

#include "app/cluster/check/judge.h"
#include "app/cluster/deploy/deployment.h"
#include "app/cluster/hosts/access.h"
#include "app/cluster/hosts/facts.h"
#include "app/cluster/run/launch_plan.h"
#include "engine/core/base/hash.h"
#include "engine/core/json/json_text.h"

namespace paceline::check {
namespace {

constexpr double kListenSeconds = 20, kMeasureSeconds = 45;  // the agents end by themselves before
constexpr std::size_t kAtOnce = 4;                           // more would measure the switch between the hosts
constexpr std::size_t kOpenAtOnce = 16;

std::string newToken() {
  std::string bytes(32, '\0');
  PACELINE_CHECK(::getentropy(bytes.data(), bytes.size()) == 0, "random bytes");
  return sha256Hex(bytes);
}

std::string complaintOf(hosts::Process& process) {  // without the program's name
  const std::string said = trimmedEnd(process.ended() ? process.wait().errors : "no answer in time");
  constexpr std::string_view kName = "paceline-agent: ";
  const std::size_t at = said.rfind(kName);
  return at == std::string::npos ? quotable(said, 200) : quotable(said.substr(at + kName.size()), 200);
}

struct Site {
  MeasuredHost there;
  std::string problem;  // why it cannot be measured
};

void measure(Site& from, Site& to, LinkMeasure& link) {
  const std::string token = newToken(), &address = to.there.address;
  const auto listener = to.there.host->start({to.there.agent, "listen", address});
  listener->writeLine(token);
  const int port = static_cast<int>(numberIn(answerOf(*listener, kListenSeconds).value_or(Json()), "port"));
  if (port < 1 || port > 65535) {
    link.problem = strCat(link.to, ": ", complaintOf(*listener));
    return;
  }
  const auto meter = from.there.host->start({from.there.agent, "measure", address, std::to_string(port)});
  meter->writeLine(token);
  const auto found = answerOf(*meter, kMeasureSeconds);
  if (!found) {
    link.problem = strCat(link.from, ": ", complaintOf(*meter));
    return;
  }
  link.problem = linkProblem(link.from, link.to, address, dumped(*found));
  link.reachable = link.problem.empty();
  link.mbps = numberIn(*found, "mbps_to");
  link.latencyMs = numberIn(*found, "latency_ms");
}

class Measurement {
 public:
  Measurement(const MeasuredHostOpener& open, const std::vector<std::string>& names, std::stop_token stop) : open_(open), names_(names), stop_(std::move(stop)) {
    for (const std::string& name : names) sites_[name];
    for (std::size_t step = 1; step < names.size(); ++step)
      for (std::size_t i = 0; i < names.size(); ++i) waiting_.push_back({.from = names[i], .to = names[(i + step) % names.size()], .problem = {}});
    left_ = waiting_.size();
  }

  std::vector<LinkMeasure> run(const std::function<void(const LinkMeasure&)>& onLink) {
    openAll();
    std::vector<LinkMeasure> all;
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min(kAtOnce, sites_.size() / 2); ++i) threads.emplace_back([this] { measureAll(); });
    std::unique_lock lock(mutex_);
    while (left_ > 0) {
      changed_.wait(lock, [this] { return !done_.empty(); });
      for (; !done_.empty(); --left_) {
        all.push_back(std::move(done_.front()));
        done_.pop_front();
        lock.unlock();
        if (onLink) onLink(all.back());
        lock.lock();
      }
    }
    return all;
  }

 private:
  void openAll() {
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min(kOpenAtOnce, names_.size()); ++i)
      threads.emplace_back([&] {
        for (std::size_t mine = next++; mine < names_.size(); mine = next++) open(names_[mine], sites_.at(names_[mine]));
      });
  }

  void open(const std::string& name, Site& site) {
    try {
      if (stop_.stop_requested()) throw Error(Errc::kStopped, "stopped");
      site.there = open_(name);
      if (site.there.address.empty()) site.problem = strCat(name, " has no data address yet; choose one of its addresses");
    } catch (const std::exception& error) {
      site.problem = error.what();
    }
  }

  void measureAll() {
    while (auto link = takeNext()) {
      Site &from = sites_.at(link->from), &to = sites_.at(link->to);
      link->problem = stop_.stop_requested() ? "stopped" : !from.problem.empty() ? from.problem : to.problem;
      try {
        if (link->problem.empty()) measure(from, to, *link);
      } catch (const std::exception& error) {  // a connection was lost under way
        link->problem = error.what();
      }
      const std::lock_guard lock(mutex_);
      busy_.erase(link->from);
      busy_.erase(link->to);
      done_.push_back(std::move(*link));
      changed_.notify_all();
    }
  }

  std::optional<LinkMeasure> takeNext() {  // whose hosts are both free; nullopt: nothing is left
    std::unique_lock lock(mutex_);
    while (!waiting_.empty()) {
      const auto free =
          std::ranges::find_if(waiting_, [this](const LinkMeasure& each) { return !busy_.contains(each.from) && !busy_.contains(each.to); });
      if (free == waiting_.end()) {
        changed_.wait(lock);
        continue;
      }
      LinkMeasure link = std::move(*free);
      waiting_.erase(free);
      busy_.insert({link.from, link.to});
      return link;
    }
    return std::nullopt;
  }

  const MeasuredHostOpener& open_;
  const std::vector<std::string>& names_;
  std::stop_token stop_;
  std::map<std::string, Site> sites_;  // no entry comes or goes after the constructor; each is used by the thread that has it in busy_
  std::mutex mutex_;                   // guards what follows
  std::condition_variable changed_;
  std::deque<LinkMeasure> waiting_, done_;
  std::set<std::string> busy_;
  std::size_t left_ = 0;  // not yet told
};

// "local" without a data address has the one from which its packets to another of these hosts leave.
std::string localAddress(const hosts::HostRegistry& book, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (name == "local") continue;
    try {
      return run::bindAddresses("curve", {{"local", {}}, {name, {.installation = {}, .dataAddress = hosts::dataAddressOf(book.require(name))}}}).at("local");
    } catch (const Error&) {  // not by way of this one
    }
  }
  return "";
}

}  // namespace

std::string linkProblem(const std::string& from, const std::string& to, const std::string& address, const std::string& said) {
  const Json json = jsonOrNull(said);
  if (json.is_object() && !json.contains("problem") && numberIn(json, "mbps_to") > 0) return "";
  const std::string kind = textIn(json, "problem"), cannot = strCat(from, " cannot reach ", to, " at ", address, ": ");
  const char* allow = "allow TCP between the hosts' data addresses (any port of the ephemeral range)";
  if (kind == "timed_out") return strCat(cannot, "connection timed out; ", allow);
  if (kind == "refused") return strCat(cannot, "connection refused; a firewall between them turns it away: ", allow);
  if (kind == "unreachable") return strCat(cannot, "no way there (", textIn(json, "detail", 120), "); give both hosts data addresses of networks that are joined");
  if (kind == "token") return strCat(cannot, "somebody else answers there; do two hosts have this address?");
  return strCat("the connection from ", from, " to ", to, " at ", address, " broke while it was measured (",
                kind.empty() ? "no sensible answer" : textIn(json, "detail", 120), "); measure again");
}

std::vector<LinkMeasure> measureLinksWith(const MeasuredHostOpener& open, const std::vector<std::string>& names,
                                          const std::function<void(const LinkMeasure&)>& onLink, std::stop_token stop) {
  std::vector<std::string> unique;
  for (const std::string& name : names)
    if (std::ranges::find(unique, name) == unique.end()) unique.push_back(name);
  std::vector<LinkMeasure> links = Measurement(open, unique, std::move(stop)).run(onLink);
  const auto place = [&](const std::string& name) { return std::ranges::find(unique, name) - unique.begin(); };
  std::ranges::sort(links, {}, [&](const LinkMeasure& link) { return std::pair(place(link.from), place(link.to)); });
  return links;
}

std::vector<LinkMeasure> measureLinks(const hosts::HostRegistry& book, const std::vector<std::string>& names, hosts::CredentialPrompts& prompts,
                                      const std::function<void(const LinkMeasure&)>& onLink, std::stop_token stop) {
  for (const std::string& name : names) book.require(name);
  const auto open = [&](const std::string& name) {
    const hosts::HostEntry& entry = book.require(name);
    MeasuredHost host{.host = hosts::openHost(book, name, prompts), .agent = {}, .address = {}};
    host.address = hosts::dataAddressOf(entry, *host.host);
    if (name == "local" && host.address.empty()) host.address = localAddress(book, names);
    host.agent = entry.kind == "local" ? hosts::localProgram("paceline-agent") : deploy::deployAgent(*host.host);
    return host;
  };
  std::vector<LinkMeasure> links = measureLinksWith(open, names, onLink, std::move(stop));
  try {
    hosts::keepLinks(links);
  } catch (const Error&) {  // a cache: what was measured is told all the same
  }
  return links;
}

}  // namespace paceline::check
