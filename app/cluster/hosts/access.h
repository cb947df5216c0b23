// From a name to a host that can be used: this computer, SSH (with its jumps), or a scheduler.
#pragma once

#include "app/cluster/deploy/deployment.h"
#include "app/cluster/hosts/host.h"
#include "app/cluster/hosts/host_registry.h"
#include "engine/core/base/error.h"

namespace paceline::hosts {

// A host that a run can use at once: connected, with our programs on it.
struct ReadyHost {
  std::unique_ptr<Host> host;
  Installation installation;
  std::string dataAddress;  // where its nodes listen when the run spans hosts; "": other hosts cannot reach it
  bool scheduled = false;   // a scheduler gave it for a time, and somebody may cancel that
};

// Nothing answers there now; that may pass by itself.
class NotReached : public Error {
 public:
  explicit NotReached(const std::string& message) : Error(Errc::kHost, message) {}
};

// What a run wants of a host, and how the host's opening is watched and given up.
struct HostNeeds {
  std::vector<std::string> datasets{};  // ids whose files shall be there
  std::vector<PinnedFile> files{};      // of the document, from this computer
  std::stop_token stop{};
  std::function<void(const std::string& text)> onProgress{};  // "sending libtorch_cpu.so"; on the thread that opens
};

// Connects, deploys what is missing. May be called from several threads at once; the result is used by the calling thread alone.
// Throws Error{kHost} whose message names the host and what to do, NotReached among them.
using HostOpener = std::function<ReadyHost(const std::string& name, const HostNeeds& needs)>;

HostOpener localOpener();  // knows "local" only

// Connects. Throws Error{kHost} with one sentence that names the host.
std::unique_ptr<Host> openHost(const HostRegistry& book, const std::string& name, CredentialPrompts& prompts);

// What runs use: connects and deploys. `prompts` must outlive it.
HostOpener bookOpener(HostRegistry book, CredentialPrompts& prompts);

// Where the nodes of a host listen when a run spans hosts. Any thread; may ask the name service.
// The entry's data address, else the IP that its address stands for. "": not known ("local", aliases that need ~/.ssh/config).
std::string dataAddressOf(const HostEntry& entry);
std::string dataAddressOf(const HostEntry& entry, Host& opened);  // a scheduler's node is asked where it is

}  // namespace paceline::hosts
