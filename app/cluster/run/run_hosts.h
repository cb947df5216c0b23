// The hosts of one run: their links, and how far each of them is. What is asked for is asked of all of them at once.
// Used by one thread. Never throws: what goes wrong is a message.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cluster/run/agent_link.h"
#include "app/cluster/run/run_row.h"

namespace paceline::run {

class RunHosts {
 public:
  RunHosts(std::string run, const RunSpec& spec, const hosts::HostOpener& opener, const LinkTimes& times);  // begins to open all of them

  // What came next, after it changed what the questions below answer.
  std::optional<LinkMessage> next(double timeoutSeconds);

  void launch(std::vector<HostLaunch> plan, const AgentLink::Launch& how);
  void follow(const std::map<std::string, std::int64_t>& from);  // nodes and hosts -> last number that is known
  void start(const RunSpec& spec, const std::string& order);
  void end(double graceSeconds, const std::string& why);
  void forget();
  void leave(const std::string& host);  // nothing more is waited for there

  bool allReady() const { return all(Stage::kReady); }
  bool allLaunched() const { return all(Stage::kLaunched); }
  bool allStarted() const { return all(Stage::kStarted); }
  bool allOver() const { return all(Stage::kOver); }
  bool allForgotten() const;
  bool anyLost() const;
  bool onlyLostLeft() const;       // all others are over
  std::string openingText() const;  // "opening gpu1, gpu2: 3 of 5 hosts are ready"
  std::string busyText() const;    // "waits for esync on gpu1"; "": for none
  bool keepsOthersWaiting() const;  // launched somewhere while it waits elsewhere
  std::string lostText() const;    // "gpu1: why; gpu2: why"; "": none is lost
  std::vector<std::string> lostHosts() const;
  const std::string& lostWhy(const std::string& host) const { return hosts_.at(host).lost; }
  const AgentRun& there(const std::string& host) const { return hosts_.at(host).there; }

  std::map<std::string, HostSite> sites() const;
  std::map<std::string, InstalledOn> installed() const;

 private:
  enum class Stage { kOpening, kReady, kLaunched, kStarted, kOver };
  struct Entry {
    Stage stage = Stage::kOpening;
    std::string busy;  // the run that is active there
    std::string lost;  // why it cannot be reached now; "": it can
    bool begun = false, launched = false, forgetting = false;  // begun: something was asked of it
    HostSite site;
    std::string version;  // of its supervisor
    AgentRun there;
    std::unique_ptr<AgentLink> link;
  };
  bool all(Stage stage) const;
  void apply(const LinkMessage& message);

  LinkQueue queue_;  // outlives the links
  std::map<std::string, Entry> hosts_;
};

}  // namespace paceline::run
