#include "app/models/clusters/host_services.h"

#include <fstream>
#include <sstream>

#include "app/cluster/interop/host_import.h"
#include "app/cluster/ssh/config.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw Error(Errc::kFile, strCat(path, ": cannot be read"));
  return text.str();
}

ImportedHosts imported(const HostBook& book, const std::string& path, const std::string& format) {
  HostImport read = readHosts(contents(path), path, hostFormatNamed(format));
  if (!read.problems.empty()) return {.hosts = {}, .problems = std::move(read.problems), .known = {}};
  HostAdditions additions = additionsTo(book, read.hosts);
  return {.hosts = std::move(additions.entries), .problems = {}, .known = std::move(additions.knownAlready)};
}

}  // namespace

HostServices hostServices() {
  HostServices services;
  services.load = [] { return HostBook::load(HostBook::defaultPath()); };
  services.save = [](const HostBook& book) { book.save(); };
  services.facts = loadFacts;
  services.forget = forgetFacts;
  services.links = loadLinks;
  services.check = checkHost;
  services.measure = measureLinks;
  services.deploy = [](const HostBook& book, const std::string& host, CredentialPrompts& prompts, const DeployOptions& options) {
    deploy(*openHost(book, host, prompts), options);
  };
  services.disk = [](const HostBook& book, const std::string& host, CredentialPrompts& prompts) { return diskOf(*openHost(book, host, prompts)); };
  services.clean = [](const HostBook& book, const std::string& host, CredentialPrompts& prompts, bool spools) {
    return cleanHost(*openHost(book, host, prompts), spools);
  };
  services.opener = [](const HostBook& book, CredentialPrompts& prompts) { return bookOpener(book, prompts); };
  services.aliases = [] { return sshAliases(); };
  services.import = imported;
  return services;
}

}  // namespace paceline
