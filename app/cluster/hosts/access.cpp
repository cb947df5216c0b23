#include "app/cluster/hosts/access.h"

#include <algorithm>

#include "app/cluster/slurm/host.h"
#include "app/cluster/ssh/session.h"
#include "engine/core/base/error.h"

namespace paceline::hosts {
namespace {

// The entry behind its jump hosts, nearest first. HostRegistry::put refuses circles; a file written by hand may have one.
std::vector<HostEntry> hopsTo(const HostRegistry& book, const HostEntry& entry) {
  std::vector<HostEntry> hops{entry};
  while (!hops.front().jump.empty()) {
    const HostEntry& next = book.require(hops.front().jump);
    const bool seen = std::any_of(hops.begin(), hops.end(), [&](const HostEntry& hop) { return hop.name == next.name; });
    const std::string problem = seen ? " is reached through itself" : next.kind != "ssh" ? strCat(" is of kind ", next.kind, ", not ssh") : "";
    if (!problem.empty()) throw Error(Errc::kHost, strCat(entry.name, ": its jump host ", next.name, problem));
    hops.insert(hops.begin(), next);
  }
  return hops;
}

}  // namespace

std::unique_ptr<Host> openHost(const HostRegistry& book, const std::string& name, CredentialPrompts& prompts) {
  const HostEntry& entry = book.require(name);
  if (entry.kind == "local") return localHost(entry.name, entry.env);
  if (entry.kind == "slurm") return slurm::slurmHost(entry, entry.address.empty() ? localHost(entry.name, entry.env) : ssh::sshHost(hopsTo(book, entry), prompts), prompts);
  return ssh::sshHost(hopsTo(book, entry), prompts);
}

}  // namespace paceline::hosts
