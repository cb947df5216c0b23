// What the window asks of hosts. Each function is called on background threads, several at once, and may take minutes; it throws
// paceline::Error with one sentence. A struct of functions, so that tests answer in their place.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cluster/deploy/deployment.h"
#include "app/cluster/hosts/access.h"
#include "app/cluster/hosts/host_registry.h"
#include "app/cluster/check/host_check.h"
#include "app/cluster/hosts/facts.h"
#include "app/cluster/hosts/credential_prompt.h"

namespace paceline::clusters {

struct ImportedHosts {  // of a file that lists hosts
  std::vector<hosts::HostEntry> hosts;
  std::vector<std::string> problems;  // "hosts.txt:3: ..."; then nothing should be added
  std::vector<std::string> known;     // names in the book of those that are there already
};

struct HostServices {
  using OnLine = std::function<void(const check::CheckLine&)>;
  using OnLink = std::function<void(const check::LinkMeasure&)>;

  std::function<hosts::HostRegistry()> load;
  std::function<void(const hosts::HostRegistry&)> save;
  std::function<std::optional<hosts::HostFacts>(const std::string& host)> facts;
  std::function<void(const std::string& host)> forget;
  std::function<std::vector<check::LinkMeasure>()> links;  // as last measured

  std::function<std::vector<check::CheckLine>(const hosts::HostRegistry&, const std::string& host, hosts::CredentialPrompts&, const OnLine&, std::stop_token, const std::string& only)>
      check;
  std::function<std::vector<check::LinkMeasure>(const hosts::HostRegistry&, const std::vector<std::string>& hosts, hosts::CredentialPrompts&, const OnLink&, std::stop_token)> measure;
  std::function<void(const hosts::HostRegistry&, const std::string& host, hosts::CredentialPrompts&, deploy::DeployOptions)> deploy;
  std::function<deploy::HostDisk(const hosts::HostRegistry&, const std::string& host, hosts::CredentialPrompts&)> disk;
  std::function<std::int64_t(const hosts::HostRegistry&, const std::string& host, hosts::CredentialPrompts&, bool spools)> clean;  // bytes freed

  std::function<std::vector<std::string>()> aliases;  // of ~/.ssh/config
  std::function<ImportedHosts(const hosts::HostRegistry&, const std::string& path, const std::string& format)> import;
};

HostServices hostServices();  // the real ones, on the user's own host book

}  // namespace paceline::clusters
