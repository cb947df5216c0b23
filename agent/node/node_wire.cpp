#include "agent/node/node_wire.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "engine/core/base/error.h"
#include "engine/core/base/secret.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/base/vector_memory.h"
#include "engine/runtime/node_loop.h"

namespace paceline::node {
namespace {

// The supervisor's folder for its nodes may have gone with the user's last session, and another user may have made one of that name since.
void requireOwn(const std::string& folder) {
  if (::mkdir(folder.c_str(), 0700) == 0) return;
  const int reason = errno;
  if (isOwnFolder(folder)) return;
  throw Error(Errc::kFile, strCat("cannot make a private directory in ", folder, ": ", reason == EEXIST ? "it is no folder of this user" : std::strerror(reason)));
}

std::string privateFolder() {
  const std::string given = environment(kNodesFolderVariable);
  if (!given.empty()) requireOwn(given);
  std::string folder = given.empty() ? userRuntimeFolder() + "/paceline-node-XXXXXX" : given + "/XXXXXX";
  if (!::mkdtemp(folder.data()))
    throw Error(Errc::kFile, strCat("cannot make a private directory ", folder, ": ", std::strerror(errno)));
  return folder;
}

zeromq::WireLimits limitsOf(const Prepare& prepare, const LastProcess& last) {
  constexpr int kSoonMs = 200;
  zeromq::WireLimits limits = zeromq::limitsFor(prepare.spec.nodes.size());
  if (prepare.serversReturn) limits.returnMs = kSoonMs;
  limits.processes = last.processes;
  if (prepare.spec.nodes.at(static_cast<std::size_t>(prepare.node)).role == Role::kWorker) limits.missedMs = limits.reachMs;  // it needs them all
  return limits;
}

}  // namespace

NodeWire::NodeWire(Prepare& prepare, const LastProcess& last) : mode_(prepare.keys.mode), cost_(zeromq::measureProtection(prepare.keys.mode)) {
  std::string address = prepare.bind;
  if (address == "ipc") {
    folder_ = last.folder.empty() ? privateFolder() : last.folder;
    address = strCat("ipc://", folder_);
  }
  wire_ = zeromq::bindZmqWire(prepare.node, address, prepare.keys, limitsOf(prepare, last), last.endpoint);
  wipe(prepare.keys.secret);
  if (folder_.empty()) return;
  const shm::VectorArena arena;
  if (last.processes > 0) std::filesystem::remove(shm::memoryPath(wire_->endpoint()));  // nobody listens there any more
  shared_.emplace(*wire_, arena, wire_->endpoint());
  useVectorMemory([arena](std::size_t bytes) { return arena.allocate(bytes); });
}

NodeWire::~NodeWire() {
  leave();
  if (keeps_) return;
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

void NodeWire::connect(const Start& start, const RunSpec& spec, const std::function<void(const std::string&)>& told) {
  if (start.endpoints.size() != spec.nodes.size())
    throw Error(Errc::kFormat, strCat("start names ", start.endpoints.size(), " endpoints, the run has ", spec.nodes.size(), " nodes"));
  std::vector<std::string> names;
  for (const NodeSpec& node : spec.nodes) names.push_back(node.id);
  const std::vector<std::string> met = endpointsMetBy(spec, wire_->self(), start.endpoints);
  wire_->connect(met, names);
  if (shared_) shared_->connect(met);
  told(zeromq::costSentence(mode_, wire_->endpoint(), cost_));
}

void NodeWire::close(const std::function<void(const char* kind, const std::string& text, const char* level, const char* reason)>& tell) {
  const zeromq::WireCounts counts = wire_->counts();
  leave();
  if (mode_ != "plain") tell("note", zeromq::spentSentence(mode_, counts.sealedBytes, counts.openedBytes, cost_), "info", "protection");
  if (counts.refusedConnections > 0 || counts.droppedMessages > 0)
    tell("log", strCat(counts.refusedConnections, " connections of strangers were refused, ", counts.droppedMessages, " messages of strangers or of ended connections dropped"), "warn",
         "strangers");
  if (counts.spoiltConnections > 0)
    tell("log", strCat(counts.spoiltConnections, " connections were ended because a message did not open: it was altered, repeated, left out or reordered on the way"), "warn", "spoilt");
}

// What is lent to others stays as it is from now on: no vector is made in its memory any more.
void NodeWire::leave() {
  useVectorMemory({});
  wire_.reset();
  shared_.reset();
}

}  // namespace paceline::node
