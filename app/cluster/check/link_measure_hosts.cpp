// measureLinks for the hosts of a book.
#include "app/cluster/hosts/data_address.h"
#include "app/cluster/deploy/deployment.h"
#include "app/cluster/hosts/access.h"
#include "app/cluster/hosts/facts.h"
#include "app/cluster/run/launch_plan.h"
#include "app/cluster/check/link_measure.h"
#include "engine/core/base/error.h"

namespace paceline::check {
namespace {

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

std::vector<LinkMeasure> measureLinks(const hosts::HostRegistry& book, const std::vector<std::string>& names, hosts::CredentialPrompts& prompts,
                                      const std::function<void(const LinkMeasure&)>& onLink, std::stop_token stop) {
  for (const std::string& name : names) book.require(name);
  const auto open = [&](const std::string& name) {
    const hosts::HostEntry& entry = book.require(name);
    MeasuredHost host{.host = hosts::openHost(book, name, prompts), .agent = {}, .address = hosts::dataAddressOf(entry)};
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
