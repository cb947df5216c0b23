#include "app/models/clusters/host_services.h"

#include "app/cluster/interop/host_import.h"
#include "app/cluster/ssh/config.h"
#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"

namespace paceline::clusters {
namespace {

std::string contents(const std::string& path) {
  if (auto text = fileText(path)) return std::move(*text);
  throw Error(Errc::kFile, strCat(path, ": cannot be read"));
}

ImportedHosts imported(const hosts::HostRegistry& book, const std::string& path, const std::string& format) {
  interop::HostImport read = interop::readHosts(contents(path), path, interop::hostFormatNamed(format));
  if (!read.problems.empty()) return {.hosts = {}, .problems = std::move(read.problems), .known = {}};
  interop::HostAdditions additions = interop::additionsTo(book, read.hosts);
  return {.hosts = std::move(additions.entries), .problems = {}, .known = std::move(additions.knownAlready)};
}

}  // namespace

HostServices hostServices() {
  HostServices services;
  services.load = [] { return hosts::HostRegistry::load(hosts::HostRegistry::defaultPath()); };
  services.save = [](const hosts::HostRegistry& book) { book.save(); };
  services.facts = hosts::loadFacts;
  services.forget = hosts::forgetFacts;
  services.links = hosts::loadLinks;
  services.check = check::checkHost;
  services.measure = check::measureLinks;
  services.deploy = [](const hosts::HostRegistry& book, const std::string& host, hosts::CredentialPrompts& prompts, const deploy::DeployOptions& options) {
    deploy::deploy(*hosts::openHost(book, host, prompts), options);
  };
  services.disk = [](const hosts::HostRegistry& book, const std::string& host, hosts::CredentialPrompts& prompts) { return deploy::diskOf(*hosts::openHost(book, host, prompts)); };
  services.clean = [](const hosts::HostRegistry& book, const std::string& host, hosts::CredentialPrompts& prompts, bool spools) {
    return deploy::cleanHost(*hosts::openHost(book, host, prompts), spools);
  };
  services.aliases = [] { return ssh::sshAliases(); };
  services.import = imported;
  return services;
}

}  // namespace paceline::clusters
