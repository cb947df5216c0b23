#include "engine/runtime/farewell.h"

namespace paceline {

// In the order of the nodes: servers before the first client come before the clients.
void sayBye(const NodeRun& run, const RunParts& parts, Transport& transport, MeteredWire& meter, StopReason reason) {
  const auto tellServers = [&](int from, int to) {
    for (const int server : parts.servers) {
      if (server < from || server >= to) continue;
      const Traffic& with = meter.with(server);
      transport.send(server, messageOf(MessageKind::kBye, Bye{.reason = reason, .received = {with.bytesReceived, with.messagesReceived}}));
    }
  };
  const int firstClient = parts.clients.front();
  tellServers(0, firstClient);
  const Message bye = messageOf(MessageKind::kBye, Bye{.reason = reason});
  if (run.node == parts.coordinator || parts.workersMeet) transport.sendToAll(parts.clients, bye);
  else for (const int client : clientsMetBy(parts, run.spec, run.node)) transport.send(client, bye);
  tellServers(firstClient, static_cast<int>(run.spec.nodes.size()));
}

}  // namespace paceline
