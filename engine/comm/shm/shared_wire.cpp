#include "engine/comm/shm/shared_wire.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <atomic>
#include <numeric>
#include <set>
#include <sstream>

#include "engine/core/base/hollow.h"
#include "engine/core/base/vector_memory.h"

namespace paceline::shm {
namespace {

constexpr std::uint32_t kSlots = 16384;  // vectors on their way to all peers together
constexpr int kBacklog = 4096;
constexpr std::string_view kScheme = "ipc://";
constexpr char kLedger[] = "ledger", kVectors[] = "vectors";

// Of a slot. On a page of memory that two processes map.
using Slot = std::atomic<std::uint32_t>;
static_assert(Slot::is_always_lock_free && sizeof(Slot) == sizeof(std::uint32_t));
constexpr std::uint32_t kFree = 0, kLent = 1;

Slot& slotOf(const Mapping& ledger, std::uint32_t slot) { return reinterpret_cast<Slot*>(ledger.bytes().data())[slot]; }

// What a message carries in the place of a vector. Both ends are programs of one host and one version.
struct Reference {
  std::uint64_t offset = 0;  // bytes
  std::uint32_t segment = 0, slot = 0;
  std::uint64_t ledger = 0;  // whose slot it is
};

// Its number among the files without a name; 0: none.
std::uint64_t fileOf(const Fd& memory) {
  struct stat file{};
  return memory && ::fstat(memory.get(), &file) == 0 ? file.st_ino : 0;
}

std::optional<sockaddr_un> addressOf(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) return std::nullopt;
  path.copy(address.sun_path, path.size());
  return address;
}

Fd listeningAt(const std::string& path) {
  const auto address = addressOf(path);
  Fd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const bool good = address && socket && ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) == 0 && ::listen(socket.get(), kBacklog) == 0;
  return good ? std::move(socket) : Fd();
}

Fd connectedTo(const std::string& path) {
  const auto address = addressOf(path);
  Fd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const bool good = address && socket && ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) == 0;
  return good ? std::move(socket) : Fd();
}

std::optional<ucred> peerOf(const Fd& connection) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? std::optional(peer) : std::nullopt;
}

bool isOurs(const Fd& connection) {
  const auto peer = peerOf(connection);
  return peer && peer->uid == ::geteuid();
}

// Of who listens at the other end. None before Linux 5.3, and where it has ended.
Fd processAt(const Fd& connection) {
  const auto peer = peerOf(connection);
  return Fd(peer ? static_cast<int>(::syscall(SYS_pidfd_open, peer->pid, 0)) : -1);
}

bool hasEnded(const Fd& process) {
  pollfd polled{process.get(), POLLIN, 0};
  return process && ::poll(&polled, 1, 0) > 0;
}

}  // namespace

struct SharedWire::Peer::Theirs {
  std::uint64_t ledgerFile = 0;
  std::set<std::uint64_t> before = {};  // of processes that it followed
  std::optional<Mapping> ledger;
  std::map<std::uint32_t, Mapping> segments;
};

std::string memoryPath(const std::string& endpoint) { return endpoint.starts_with(kScheme) ? strCat(endpoint.substr(kScheme.size()), ".memory") : ""; }

SharedWire::SharedWire(Wire& below, VectorArena arena, const std::string& endpoint)
    : LayerWire(below), arena_(std::move(arena)), ownPath_(memoryPath(endpoint)), listener_(listeningAt(ownPath_)) {
  ledger_ = Mapping::make(kSlots * sizeof(Slot), ledgerDescriptor_);
  ledgerFile_ = fileOf(ledgerDescriptor_);
  freeSlots_.resize(ledger_ ? kSlots : 0);
  std::iota(freeSlots_.rbegin(), freeSlots_.rend(), 0U);
}

// What is lent stays what it is: nobody makes vectors here any more, and who reads it maps it.
SharedWire::~SharedWire() {
  if (listener_) ::unlink(ownPath_.c_str());
}

void SharedWire::connect(const std::vector<std::string>& endpoints) {
  peers_.resize(endpoints.size());
  for (std::size_t i = 0; i < endpoints.size(); ++i)
    if (static_cast<int>(i) != self()) peers_[i].path = memoryPath(endpoints[i]);
}

Dense SharedWire::placed(const Dense& vector) const {
  if (vector.owner() && arena_.placeOf(vector.values().data(), vector.values().size_bytes())) return vector;
  const std::shared_ptr<void> memory = arena_.allocate(vector.values().size_bytes());
  if (!memory) return {};
  const std::span<Real> copy(static_cast<Real*>(memory.get()), vector.values().size());
  std::ranges::copy(vector.values(), copy.begin());
  return Dense::shared(copy, memory);
}

// It finds what it was given behind the messages that need it. False: it takes nothing of ours.
bool SharedWire::introduce(Peer& peer, std::uint32_t segment) {
  const auto give = [&](const std::string& text, int descriptor) {
    const Fd connection = connectedTo(peer.path);
    if (connection && !peer.process) peer.process = processAt(connection);
    if (connection && sendPacket(connection, strCat(self(), ' ', text), {descriptor})) return true;
    peer.path.clear();
    return false;
  };
  if (!peer.knowsLedger && !(peer.knowsLedger = give(kLedger, ledgerDescriptor_.get()))) return false;
  for (; peer.introduced <= segment; ++peer.introduced)
    if (!give(strCat(kVectors, ' ', peer.introduced), arena_.descriptor(peer.introduced))) return false;
  return true;
}

std::optional<std::uint32_t> SharedWire::freeSlot() {
  if (freeSlots_.empty()) {
    for (Peer& peer : peers_) takeBack(peer);
  }
  if (freeSlots_.empty()) return std::nullopt;
  const std::uint32_t slot = freeSlots_.back();
  freeSlots_.pop_back();
  return slot;
}

void SharedWire::takeBack(Peer& peer) {
  for (; !peer.lent.empty() && slotOf(*ledger_, peer.lent.front().slot).load(std::memory_order_acquire) == kFree; peer.lent.pop_front())
    freeSlots_.push_back(peer.lent.front().slot);
}

// No word comes from one that has ended, so this is asked whenever something is to be sent, too.
void SharedWire::takeBackFromLost() {
  std::erase_if(lost_, [this](Lost& lost) {
    const bool ended = hasEnded(lost.process);
    std::erase_if(lost.lent, [&](const Lent& lent) {
      if (!ended && slotOf(*ledger_, lent.slot).load(std::memory_order_acquire) != kFree) return false;
      freeSlots_.push_back(lent.slot);
      return true;
    });
    return lost.lent.empty();
  });
}

void SharedWire::send(int to, Message message) {
  const auto node = static_cast<std::size_t>(to);
  const std::span<const Real> values = message.dense.values();
  if (to < 0 || node >= peers_.size() || peers_[node].path.empty() || peers_[node].away || isHollow(values) || values.size_bytes() < kLongVectorBytes)
    return below_.send(to, std::move(message));
  Peer& peer = peers_[node];
  takeBack(peer);
  takeBackFromLost();
  const std::optional<std::uint32_t> slot = freeSlot();
  const Dense vector = slot ? placed(message.dense) : Dense();
  const auto place = vector.empty() ? std::nullopt : arena_.placeOf(vector.values().data(), vector.values().size_bytes());
  if (!place || !introduce(peer, place->segment)) {
    if (slot) freeSlots_.push_back(*slot);
    return below_.send(to, std::move(message));
  }
  slotOf(*ledger_, *slot).store(kLent, std::memory_order_release);
  peer.lent.push_back({.slot = *slot, .vector = vector});
  const Reference reference{.offset = place->offset, .segment = place->segment, .slot = *slot, .ledger = ledgerFile_};
  const auto* const first = reinterpret_cast<const std::byte*>(&reference);
  peer.shared += static_cast<std::int64_t>(values.size_bytes()) - static_cast<std::int64_t>(sizeof reference);
  message.packed = Packed::of(Packing::kShared, values.size(), {first, first + sizeof reference});
  message.dense = {};
  below_.send(to, std::move(message));
}

WayCounts SharedWire::wayTo(int to, bool settled) {
  WayCounts counts = below_.wayTo(to, settled);
  if (to >= 0 && static_cast<std::size_t>(to) < peers_.size()) counts.shared = peers_[static_cast<std::size_t>(to)].shared;
  return counts;
}

std::optional<Message> SharedWire::receive(double timeoutSeconds) {
  while (true) {
    std::optional<Message> message = received(timeoutSeconds);
    if (!message || message->packed.packing != Packing::kShared || open(*message)) return message;
  }
}

std::optional<Message> SharedWire::received(double timeoutSeconds) {
  std::optional<Message> message = below_.receive(timeoutSeconds);
  if (!message || message->from < 0 || static_cast<std::size_t>(message->from) >= peers_.size()) return message;
  Peer& peer = peers_[static_cast<std::size_t>(message->from)];
  if (ledger_) takeBack(peer);
  if (message->kind == MessageKind::kLost) leave(peer);
  if (message->kind == MessageKind::kBack) {
    peer.away = false;
    takeBackFromLost();
  }
  return message;
}

void SharedWire::renew(int node) {
  if (Peer& peer = peers_.at(static_cast<std::size_t>(node)); !peer.away) leave(peer);
  below_.renew(node);
}

// It may be another process when it comes again; or the same, which has noticed nothing and still reads what it was sent.
void SharedWire::leave(Peer& peer) {
  lost_.push_back({.process = std::exchange(peer.process, {}), .lent = {std::make_move_iterator(peer.lent.begin()), std::make_move_iterator(peer.lent.end())}});
  peer.lent.clear();
  takeBackFromLost();
  peer.knowsLedger = false, peer.introduced = 0, peer.away = true;
}

// The vector that the message refers to. What it says is not believed.
bool SharedWire::open(Message& message) {
  const auto refuse = [&](const std::string& why) {
    throw Error(Errc::kFormat, strCat("node ", message.from, " sent a vector in shared memory that ", why));
  };
  Peer& peer = peers_[static_cast<std::size_t>(message.from)];
  Reference reference;
  if (message.packed.bytes.size() != sizeof reference) refuse("is not described as one");
  std::memcpy(&reference, message.packed.bytes.data(), sizeof reference);
  const auto known = [&] { return peer.theirs && peer.theirs->ledger && peer.theirs->ledgerFile == reference.ledger && peer.theirs->segments.contains(reference.segment); };
  if (!known()) acceptAll();
  if (peer.theirs && peer.theirs->before.contains(reference.ledger)) return false;
  if (!known()) refuse("it has not handed over");
  const std::span<std::byte> all = peer.theirs->segments.at(reference.segment).bytes();
  const std::size_t count = message.packed.count;
  if (count > kMaxDenseBytes / sizeof(Real) || reference.offset % alignof(Real) != 0 || reference.offset > all.size() ||
      count * sizeof(Real) > all.size() - reference.offset || reference.slot >= peer.theirs->ledger->bytes().size() / sizeof(Slot))
    refuse(strCat("is not there: ", count, " values at ", reference.offset, ", slot ", reference.slot));
  if (slotOf(*peer.theirs->ledger, reference.slot).load(std::memory_order_acquire) != kLent) refuse(strCat("it does not lend: slot ", reference.slot));
  const auto* const values = reinterpret_cast<const Real*>(all.data() + reference.offset);
  message.dense = Dense::shared({values, count}, {values, [theirs = peer.theirs, slot = reference.slot](const Real*) {
                                                     slotOf(*theirs->ledger, slot).store(kFree, std::memory_order_release);
                                                   }});
  message.packed = {};
  return true;
}

void SharedWire::acceptAll() {
  if (!listener_) return;
  for (Fd connection; (connection = Fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)));)
    if (isOurs(connection)) arriving_.push_back(std::move(connection));
  std::erase_if(arriving_, [this](const Fd& connection) {
    std::optional<Packet> packet = receivePacket(connection);
    if (!packet) return errno != EAGAIN;
    keep(*std::move(packet));
    return true;
  });
}

// "2 ledger" or "2 vectors 0", and the descriptor; anything else is nobody's of this run.
void SharedWire::keep(Packet packet) {
  std::istringstream words(packet.text);
  std::size_t node = 0;
  std::string what;
  if (!(words >> node >> what) || node >= peers_.size() || packet.fds.size() != 1) return;
  std::shared_ptr<Peer::Theirs>& theirs = peers_[node].theirs;
  if (what == kLedger) {
    const std::uint64_t file = fileOf(packet.fds[0]);
    if (file == 0 || (theirs && theirs->ledgerFile == file)) return;  // the same, because it lost us for a while
    std::set<std::uint64_t> before = theirs ? theirs->before : std::set<std::uint64_t>();
    if (theirs) before.insert(theirs->ledgerFile);
    theirs = std::make_shared<Peer::Theirs>(Peer::Theirs{.ledgerFile = file, .before = std::move(before), .ledger = Mapping::of(packet.fds[0], true), .segments = {}});
  } else if (std::uint32_t segment = 0; theirs && what == kVectors && words >> segment) {
    if (auto memory = Mapping::of(packet.fds[0], false)) theirs->segments.try_emplace(segment, *std::move(memory));
  }
}

}  // namespace paceline::shm
