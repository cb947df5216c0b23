// Long vectors between processes of one host without copying them through sockets: the wire below carries where they lie, and the receiver reads them in
// place. For wires whose endpoints are private sockets ("ipc:///folder/n0.sock").
//
// A vector that its sender owns in a VectorArena stays where it is; another one is copied there, so that the sender may change it at once. Each message
// that names one has a slot of the sender's ledger, which both map: the sender keeps the vector until the receiver, which lets go of it whenever it likes
// and in any thread, has cleared the slot. Sockets carry what is short, what has no slot left, and all to a peer that does not take our memory.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/comm/shm/mapping.h"
#include "engine/comm/shm/vector_arena.h"
#include "engine/comm/transport/transport.h"
#include "engine/core/base/fd.h"
#include "engine/core/base/packets.h"

namespace paceline::shm {

// The path of the socket on which the node with this endpoint takes the memory of others; "": it is no private socket.
std::string memoryPath(const std::string& endpoint);

// Used by one thread at a time, as every wire.
class SharedWire final : public LayerWire {
 public:
  // Listens beside its own endpoint, in a folder that only this user can enter.
  SharedWire(Wire& below, VectorArena arena, const std::string& endpoint);
  ~SharedWire() override;
  void connect(const std::vector<std::string>& endpoints);  // by node; "": no peer

  void send(int to, Message message) override;
  std::optional<Message> receive(double timeoutSeconds) override;
  WayCounts wayTo(int to, bool settled) override;
  void renew(int node) override;

 private:
  struct Lent {
    std::uint32_t slot = 0;
    Dense vector;
  };
  struct Peer {
    std::string path{};                   // "": what is for it goes through sockets
    std::uint32_t introduced = 0;         // segments that it was given
    bool knowsLedger = false;
    std::int64_t shared = 0;              // bytes of messages that did not go through sockets
    bool away = false;                    // what is sent goes nowhere, and nobody would let go of it
    Fd process{};                         // that was introduced; none: not known
    std::deque<Lent> lent{};              // to it, oldest first
    struct Theirs;                        // its memory
    std::shared_ptr<Theirs> theirs{};
  };

  struct Lost {  // a peer's process that was lost with vectors: it may still read them, until it ends
    Fd process;
    std::vector<Lent> lent;
  };

  Dense placed(const Dense& vector) const;  // the same values in the arena; empty: there is no room
  bool introduce(Peer& peer, std::uint32_t segment);
  std::optional<std::uint32_t> freeSlot();
  void takeBack(Peer& peer);  // what it has let go
  void leave(Peer& peer);     // it is lost
  void takeBackFromLost();
  std::optional<Message> received(double timeoutSeconds);
  bool open(Message& message);  // false: it came from a process that another has followed
  void acceptAll();
  void keep(Packet packet);

  VectorArena arena_;
  std::string ownPath_;
  Fd listener_, ledgerDescriptor_;
  std::optional<Mapping> ledger_;
  std::uint64_t ledgerFile_ = 0;  // tells it from those of other processes
  std::vector<std::uint32_t> freeSlots_;
  std::vector<Peer> peers_;   // by node
  std::vector<Lost> lost_;
  std::vector<Fd> arriving_;  // connections of which nothing has come yet
};

}  // namespace paceline::shm
