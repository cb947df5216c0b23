// What has to be started where for a run and with which keys, from the experiment document and what is known of its hosts. Any thread.
#pragma once

#include <functional>

#include "app/cluster/hosts/host.h"
#include "engine/core/record/control.h"
#include "engine/core/record/kernels.h"

namespace paceline::run {

struct NodeLaunch {
  std::string id;
  std::vector<std::string> command;
  std::map<std::string, std::string> env;
  std::string prepareLine;  // its first order; holds its keys, so whoever has sent it wipes it
  int restarts = 0;         // so often its host starts it again when it is killed
  int forkServer = -1;      // index in HostLaunch::forkServers; -1: a program of its own
};

// What workers of one host are forked from where they can be: LibTorch and the data set are loaded once (agent/README.md, "Forked nodes").
struct ForkServerLaunch {
  std::vector<std::string> command;
  std::map<std::string, std::string> env;
  std::string first;  // a document of which only the data set counts
};

// What is launched on a host; planLaunch() knows host and nodes.
struct HostLaunch {
  std::string host{};
  std::vector<NodeLaunch> nodes{};                            // servers first
  std::vector<ForkServerLaunch> forkServers{};
  std::string folder{};                                       // where they work
  std::optional<double> endAloneSeconds{};                    // the supervisor ends the run when nobody has followed it for this long
  double nodeSilentSeconds = 0;                               // the supervisor ends a node without a sign of life for this long; 0: never
  std::string title{};                                        // of the run, for others who wait for it
  bool beside = true;                                         // other runs may be active there
  std::function<bool(const std::string& run)> isRecorded{};  // it has ended and is in our store: its spool is of no use any more
  std::function<bool(const std::string& run)> isOver{};      // our recorder ended it: whatever of it is under way there is left over
};

struct HostSite {
  hosts::Installation installation;  // its env goes to every node there, below what the node itself needs
  std::string dataAddress;    // "": other hosts cannot reach it
  bool scheduled = false;     // a scheduler gave it for a time
};

// "auto" decided: "plain" on one host; across hosts what is fastest on all of them, "aes_gcm" where every processor has instructions for it, else "curve".
std::string protectionOf(const RunSpec& spec, const std::map<std::string, HostSite>& sites);

// The keys of one run: a Curve25519 pair per node, by node index, made here, handed to the nodes in their Prepare order and nowhere else; none when
// plain. Whoever holds them wipes them as soon as the nodes have them; the desktop needs none afterwards, not even to attach again.
// Throws Error{kHost} when this computer has no randomness to give.
std::vector<DataKeys> makeKeys(const std::string& protection, std::size_t nodes);

// ZeroMQ's text form of 4n bytes (RFC 32): 5n characters.
std::string z85(std::string_view bytes);

// The run whose checkpoints another one goes on from.
struct Resumed {
  std::string run{};  // "": none
  std::map<std::string, Variables> kernels{};  // by node: with which it computed
};

// Hosts in order of appearance, nodes with new keys. `binds`: bindAddresses(). Workers of a host with equal environments, but for their numbers of threads, share a fork server, but those
// with PACELINE_FORK=no in theirs. `workersReturn`: whyNotAgain() has no reason.
std::vector<HostLaunch> planLaunch(const std::string& run, const RunSpec& spec, const std::map<std::string, HostSite>& sites,
                                   const std::map<std::string, std::string>& binds, const Resumed& resumed = {}, bool workersReturn = true);

// Where each host's nodes listen: "ipc" (a private folder) when the run stays on one host and its data is plain, else the host's
// address; "local" without one listens where this computer's packets to the others leave. Throws Error{kHost} naming the host that the
// others could not reach.
std::map<std::string, std::string> bindAddresses(const std::string& protection, const std::map<std::string, HostSite>& sites);

// The order to begin, the same for all. Every node has an endpoint (by node id).
std::string startLine(const RunSpec& spec, const std::map<std::string, std::string>& endpoints);

// Variables of this process that its nodes on this computer need too: where data and libraries are, which devices may be used.
std::map<std::string, std::string> inheritedVariables();

}  // namespace paceline::run
