#include "engine/runtime/losses/losses.h"

#include "engine/core/base/error.h"
#include "engine/runtime/control.h"

namespace paceline {

void Losses::lost(int node, bool begun) {
  if (dropped_.contains(node)) return;
  if (!begun) throw Error(Errc::kPeerLost, strCat(idOf(node), " is gone before the run began"));
  if (setup_.parts.algorithm.topology != Topology::kDecentralised) return drop(node);
  const bool neighbour = setup_.neighbours.isNeighbour(node);
  setup_.neighbours.lost(node);
  if (neighbour || coordinates())  // others tell of it
    emitNotice(setup_.run, "log", strCat(idOf(node), " is lost; ", neighbour ? "its last vector stands in for it" : "the run goes on without it"), "warn", "neighbour_lost");
}

void Losses::back(int node) {
  if (setup_.parts.algorithm.topology != Topology::kDecentralised) {
    if (dropped_.contains(node)) setup_.transport.send(node, messageOf(MessageKind::kDropped, Dropped{node}));
    return;
  }
  const bool neighbour = setup_.neighbours.isNeighbour(node);
  setup_.neighbours.back(setup_.transport, node);
  if (neighbour || coordinates()) emitNotice(setup_.run, "log", strCat(idOf(node), " is back", neighbour ? " and exchanges again" : ""), "warn", "neighbour_back");
}

void Losses::dropped(int node, bool begun) {
  if (node == setup_.run.node) throw Error(Errc::kPeerLost, "the run goes on without this worker: it was lost, or a connection of its had broken");
  if (node < 0 || !setup_.parts.workers.contains(node)) throw Error(Errc::kFormat, strCat("node ", node, " is said to be lost, and is no worker"));
  if (coordinates()) lost(node, begun);
}

void Losses::renewed(int node, bool begun) {
  requireRenewable(setup_.parts, node);
  lost(node, begun);
  setup_.transport.renew(node);
}

void Losses::drop(int node) {
  if (!coordinates() || !dropped_.insert(node).second) return;
  ++changes_;
  emitNotice(setup_.run, "log", strCat(idOf(node), " is lost; the run goes on without it"), "warn", "worker_lost");
  const Message told = messageOf(MessageKind::kDropped, Dropped{node});
  for (const int server : setup_.parts.servers) setup_.transport.send(server, told);
  for (const int evaluator : setup_.run.spec.evaluators()) setup_.transport.send(evaluator, told);
  setup_.transport.send(node, told);
  setup_.dropped(node);
}

}  // namespace paceline
