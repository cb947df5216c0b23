#include "app/cluster/ssh/session.h"

#include <algorithm>
#include <cstdlib>
#include <regex>

#include "app/cluster/hosts/host.h"
#include "app/cluster/ssh/config.h"
#include "app/cluster/ssh/connection.h"

namespace paceline::ssh {
namespace {

constexpr std::size_t kMaxHops = 8;

class SshHost final : public hosts::Host {
 public:
  SshHost(std::shared_ptr<SshConnection> connection, std::map<std::string, std::string> env, double seconds)
      : connection_(std::move(connection)), env_(std::move(env)), seconds_(seconds) {}
  std::string name() const override { return connection_->target().name; }
  std::unique_ptr<hosts::Process> start(const std::vector<std::string>& command) override {
    return startProcess(connection_, command.at(0), hosts::shellCommand(command, env_), seconds_);
  }

 private:
  std::shared_ptr<SshConnection> connection_;
  std::map<std::string, std::string> env_;
  double seconds_;
};

// "user@host:port", "ssh://user@[::1]:port" of ProxyJump.
hosts::HostEntry jumpEntry(const std::string& text, const hosts::HostEntry& behind) {
  static const std::regex form(R"((?:ssh://)?(?:(.*)@)?(?:\[(.*)\]|([^:]*)|(.*))(?::(\d{1,5}))?)");
  std::smatch parts;
  hosts::HostEntry entry;
  entry.name = text;
  if (std::regex_match(text, parts, form)) {
    entry.user = parts[1];
    entry.address = parts[2].str() + parts[3].str() + parts[4].str();
    entry.port = std::atoi(parts[5].str().c_str());
  }
  entry.acceptNewKey = behind.acceptNewKey;
  return entry;
}

// The host list's hops with those of ~/.ssh/config (ProxyJump) before the first.
std::vector<ResolvedAlias> resolvedHops(const std::vector<hosts::HostEntry>& hops) {
  std::vector<ResolvedAlias> all;
  for (const hosts::HostEntry& hop : hops) all.push_back(resolveAlias(hop));
  hosts::HostEntry first = hops.front();
  while (!all.front().jumps.empty()) {
    std::vector<ResolvedAlias> before;
    for (const std::string& jump : all.front().jumps) before.push_back(resolveAlias(jumpEntry(jump, first)));
    first = jumpEntry(all.front().jumps.front(), first);
    all.front().jumps.clear();
    for (std::size_t i = 1; i < before.size(); ++i) before[i].jumps.clear();  // reached through the one before, not through their own
    all.insert(all.begin(), before.begin(), before.end());
    if (all.size() > kMaxHops)
      throw SshError(SshStage::kReach,
                     strCat(all.back().name, ": more than ", kMaxHops, " jump hosts; does ProxyJump in ", sshConfigPath(), " go in a circle?"));
  }
  for (const ResolvedAlias& hop : all)
    if (!hop.proxyCommand.empty() && hop.jumps.empty())
      throw SshError(SshStage::kReach, strCat(hop.name, ": ", sshConfigPath(), " wants ProxyCommand \"", hop.proxyCommand,
                                              "\", which is not run here; use ProxyJump, or name a jump host in the host list"));
  return all;
}

std::vector<std::string> knownTypes(const ResolvedAlias& target) {
  std::vector<std::string> types;
  for (const KnownHostLine& line : readKnownHosts(target).lines)
    if (line.marker.empty()) types.push_back(line.type);
  return types;
}

std::unique_ptr<SshConnection> connect(const ResolvedAlias& target, std::unique_ptr<SshConnection> jump, hosts::CredentialPrompts& prompts, SshTimeouts timeouts) {
  if (target.aliveSeconds > 0) timeouts.keepAliveSeconds = std::min(timeouts.keepAliveSeconds, target.aliveSeconds);
  if (target.connectSeconds > 0) timeouts.connectSeconds = target.connectSeconds;
  const double dead = timeouts.keepAliveSeconds * timeouts.keepAliveMisses;
  auto [socket, tunnel] = jump ? tunnelThrough(std::move(jump), target, timeouts.connectSeconds)
                               : std::pair(connectTcp(target.name, target.host, target.port, timeouts.connectSeconds, dead), std::unique_ptr<SshCarrier>());
  auto connection = std::make_unique<SshConnection>(target, socket, std::move(tunnel), timeouts, knownTypes(target));
  verifyHostKey(*connection, prompts);
  logIn(*connection, prompts, timeouts.authenticateSeconds);
  return connection;
}

}  // namespace

std::unique_ptr<hosts::Host> sshHost(const std::vector<hosts::HostEntry>& hops, hosts::CredentialPrompts& prompts, const SshTimeouts& timeouts) {
  PACELINE_CHECK(!hops.empty(), "an SSH host without hops");
  std::unique_ptr<SshConnection> connection;
  const std::vector<ResolvedAlias> targets = resolvedHops(hops);
  for (const ResolvedAlias& target : targets) {
    try {
      connection = connect(target, std::move(connection), prompts, timeouts);
    } catch (const SshError& error) {
      if (&target == &targets.back()) throw;
      throw SshError(SshStage::kReach, strCat(targets.back().name, ": its jump host cannot be used: ", error.what()), error.mayPass());
    }
  }
  return std::make_unique<SshHost>(std::move(connection), hops.back().env, timeouts.authenticateSeconds);
}

}  // namespace paceline::ssh
