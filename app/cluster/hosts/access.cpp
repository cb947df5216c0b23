#include "app/cluster/hosts/access.h"

#include <arpa/inet.h>
#include <netdb.h>

#include "app/cluster/hosts/exec_host.h"
#include "app/cluster/slurm/host.h"
#include "app/cluster/ssh/config.h"
#include "app/cluster/ssh/session.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline::hosts {
namespace {

// The entry behind its jump hosts, nearest first. HostRegistry::put refuses circles and jumps over what is no SSH host.
std::vector<HostEntry> hopsTo(const HostRegistry& book, const HostEntry& entry) {
  std::vector<HostEntry> hops{entry};
  while (!hops.front().jump.empty()) hops.insert(hops.begin(), book.require(hops.front().jump));
  return hops;
}

// "sending libtorch_cpu.so: 12 MB of 66 MB, 9.1 MB/s"
std::string progressText(const deploy::DeployProgress& progress) {
  if (!progress.waitsFor.empty()) return "waiting: " + progress.waitsFor;
  return strCat("sending ", progress.file, ": ", bytesText(progress.bytesDone), " of ", bytesText(progress.bytesTotal), ", ",
                bytesText(static_cast<std::int64_t>(progress.rateBytesPerSecond)), "/s");
}

// Passes prompts on; waits are told to whoever watches this opening, and end when it is given up.
class WatchedPrompts final : public CredentialPrompts {
 public:
  WatchedPrompts(CredentialPrompts& asked, const HostNeeds& needs) : asked_(asked), needs_(needs) {}
  std::optional<std::string> secret(const std::string& host, const std::string& prompt, bool echo) override { return asked_.secret(host, prompt, echo); }
  bool acceptKey(const HostKeyPrompt& question) override { return asked_.acceptKey(question); }
  bool mayWait(const std::string& host, const std::string& why) override {
    if (needs_.onProgress) needs_.onProgress(why);
    return asked_.mayWait(host, why) && !needs_.stop.stop_requested();
  }

 private:
  CredentialPrompts& asked_;
  const HostNeeds& needs_;
};

// The IP that a name stands for; "": none, or it needs ~/.ssh/config to be understood.
std::string resolved(const std::string& name) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (name.empty() || ::getaddrinfo(name.c_str(), nullptr, &hints, &found) != 0) return "";
  char text[INET6_ADDRSTRLEN] = "";
  const int failed = ::getnameinfo(found->ai_addr, found->ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST);
  ::freeaddrinfo(found);
  return failed == 0 ? text : "";
}

}  // namespace

std::unique_ptr<Host> openHost(const HostRegistry& book, const std::string& name, CredentialPrompts& prompts) {
  const HostEntry& entry = book.require(name);
  if (entry.kind == "local") return localHost(entry.name, entry.env);
  if (entry.kind == "exec") return execHost(entry);
  const bool here = entry.kind == "slurm" && entry.address.empty();
  auto host = here ? localHost(entry.name, entry.env) : ssh::sshHost(hopsTo(book, entry), prompts);
  return entry.kind == "slurm" ? slurm::slurmHost(entry, std::move(host), prompts) : std::move(host);
}

HostOpener localOpener() {
  static const std::unique_ptr<CredentialPrompts> prompts = nobody();
  return bookOpener(HostRegistry(), *prompts);
}

namespace {

// A command that ends at once is a machine that is away, as far as anybody here can tell.
std::unique_ptr<Host> reached(const HostRegistry& book, const HostEntry& entry, CredentialPrompts& prompts) {
  try {
    auto host = openHost(book, entry.name, prompts);
    if (entry.kind == "exec") runOn(*host, {"true"});
    return host;
  } catch (const Error& error) {
    const auto* session = dynamic_cast<const ssh::SshError*>(&error);
    if (session != nullptr ? session->mayPass() : entry.kind == "exec" && error.code() == Errc::kHost) throw NotReached(error.what());
    throw;
  }
}

}  // namespace

HostOpener bookOpener(HostRegistry book, CredentialPrompts& prompts) {
  return [book = std::move(book), &prompts](const std::string& name, const HostNeeds& needs) -> ReadyHost {
    const HostEntry& entry = book.require(name);
    if (entry.kind == "local") {  // our own programs, beside the running one
      for (const char* program : {"paceline-agent", "paceline-server", "paceline-worker"}) localProgram(program);
      return {.host = localHost(name, entry.env), .installation = localInstallation(), .dataAddress = dataAddressOf(entry)};
    }
    const auto tell = [&needs](const std::string& text) {
      if (needs.onProgress) needs.onProgress(text);
    };
    tell("connecting");
    WatchedPrompts watched(prompts, needs);
    auto host = reached(book, entry, watched);
    tell("looking at the installed files");
    const auto sending = [&tell](const deploy::DeployProgress& progress) { tell(progressText(progress)); };
    Installation installation = deploy::deploy(*host, {.datasets = needs.datasets, .files = needs.files, .libraries = entry.libraries, .onProgress = sending, .stop = needs.stop});
    std::string address = dataAddressOf(entry, *host);
    return {.host = std::move(host), .installation = std::move(installation), .dataAddress = std::move(address), .scheduled = entry.kind == "slurm"};
  };
}

std::string dataAddressOf(const HostEntry& entry) {
  if (!entry.dataAddress.empty() || entry.name == "local") return entry.dataAddress;
  return entry.kind == "local" ? "127.0.0.1" : resolved(entry.address);
}

std::string dataAddressOf(const HostEntry& entry, Host& opened) {
  if (entry.kind == "exec" && entry.dataAddress.empty()) return execDataAddress(opened);
  return entry.kind == "slurm" && entry.dataAddress.empty() ? slurm::slurmDataAddress(opened) : dataAddressOf(entry);
}

}  // namespace paceline::hosts
