#include "engine/runtime/journal/journal.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/core/base/error.h"

namespace paceline {
namespace {

constexpr std::uint64_t kMagic = 0x314c4e4a4e4c5043;  // "CPLNJNL1"
constexpr std::uint64_t kPageBytes = 4096, kRegion = std::uint64_t{1} << 40, kStep = std::uint64_t{4} << 20;  // by which a window gets memory
constexpr std::size_t kMostRenewed = 400;  // clients whose process has been another
constexpr std::uint64_t kMostOrders = std::uint64_t{256} << 20;

constexpr std::uint64_t stateAt(std::uint64_t generation) { return (1 + generation % 2) * kRegion; }
constexpr std::uint64_t messagesAt(std::uint64_t generation) { return (3 + generation % 2) * kRegion; }

using Word = std::atomic<std::uint64_t>;
static_assert(Word::is_always_lock_free && sizeof(Word) == 8);

// Before every message; its scalars, values and packed bytes follow.
struct EntryHead {
  std::uint64_t number = 0;  // from 1 on, over all generations
  double at = 0;
  std::int32_t from = -1, shard = 0;
  std::int64_t round = 0, version = 0;
  std::uint32_t cause = 0, messageNumber = 0, taken = 0, scalars = 0;
  std::uint64_t values = 0, packedCount = 0, packedBytes = 0;
  std::uint8_t kind = 0, packing = 0, pad[6] = {};
};

struct ArrayHead {
  std::uint32_t nameBytes = 0, type = 0;
  std::uint64_t count = 0;
};

// Past the caches: nobody reads it again, unless this process is killed.
void stream(std::byte* to, std::span<const std::byte> from) {
#if defined(__SSE2__)
  constexpr std::size_t kWord = sizeof(__m128i);
  const std::size_t unaligned = std::min(from.size(), (kWord - reinterpret_cast<std::uintptr_t>(to) % kWord) % kWord), words = (from.size() - unaligned) / kWord;
  std::memcpy(to, from.data(), unaligned);
  const auto* source = reinterpret_cast<const __m128i*>(from.data() + unaligned);
  auto* target = reinterpret_cast<__m128i*>(to + unaligned);
  for (std::size_t i = 0; i < words; ++i) _mm_stream_si128(target + i, _mm_loadu_si128(source + i));
  const std::size_t done = unaligned + words * kWord;
  std::memcpy(to + done, from.data() + done, from.size() - done);
  _mm_sfence();  // before what says that it is there
#else
  std::memcpy(to, from.data(), from.size());
#endif
}

template <class T>
std::span<const std::byte> bytesOf(const T& value) { return std::as_bytes(std::span(&value, 1)); }

}  // namespace

struct Journal::Page {
  Word magic, ordersBytes, processes, ended;
  std::atomic<double> began;
  Word committed, begun;  // generations
  Word stateBytes[2], messageBytes[2];
  Word added, handled;    // messages, over all generations
  Word rounds;
  Word renewals, renewal[kMostRenewed];  // client, process: 32 bits each
};

Fd Journal::memory() {
  Fd made(::memfd_create("paceline-journal", MFD_CLOEXEC));
  if (!made) throw Error(Errc::kHost, strCat("cannot make memory for a server's journal: ", std::strerror(errno)));
  return made;
}

Journal::Journal(const Fd& memory, std::uint64_t leastBytes, std::uint64_t mostBytes, std::uint64_t windowBytes)
    : memory_(memory.get()), leastBytes_(leastBytes), mostBytes_(mostBytes), windowBytes_(windowBytes) {
  static_assert(sizeof(Page) <= kPageBytes);
  struct stat file{};
  const bool there = ::fstat(memory_, &file) == 0;
  if (!there || (static_cast<std::uint64_t>(file.st_size) < kPageBytes && ::ftruncate(memory_, kPageBytes) != 0))
    throw Error(Errc::kHost, strCat("cannot use the server's journal: ", std::strerror(errno)));
  void* page = ::mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory_, 0);
  if (page == MAP_FAILED) throw Error(Errc::kHost, strCat("cannot map the server's journal: ", std::strerror(errno)));
  page_ = static_cast<Page*>(page);  // zeros, or what an earlier process left
  const std::uint64_t magic = page_->magic;
  if (magic != 0 && magic != kMagic) {
    ::munmap(page_, kPageBytes);
    throw Error(Errc::kFormat, "the server's journal is none of this version");
  }
  page_->magic = kMagic;
  if (!isNew()) ++page_->processes;
  readGeneration_ = page_->committed;
}

Journal::~Journal() {
  for (const Window& window : windows_)
    if (window.memory) ::munmap(window.memory, windowBytes_);
  ::munmap(page_, kPageBytes);
}

bool Journal::isNew() const { return page_->ordersBytes == 0; }
int Journal::processes() const { return static_cast<int>(page_->processes.load()); }
bool Journal::whole() const { return page_->ended == 0; }
double Journal::began() const { return page_->began; }
void Journal::began(double at) { page_->began = at; }
std::int64_t Journal::rounds() const { return static_cast<std::int64_t>(page_->rounds.load()); }
void Journal::rounds(std::int64_t newest) { page_->rounds = static_cast<std::uint64_t>(newest); }

std::int64_t Journal::processOf(int client) const {
  for (std::size_t i = 0; i < page_->renewals; ++i)
    if (const std::uint64_t word = page_->renewal[i]; word >> 32U == static_cast<std::uint64_t>(client)) return static_cast<std::int64_t>(word & 0xffffffffU);
  return 0;
}

void Journal::renewed(int client, std::int64_t process) {
  const std::uint64_t known = page_->renewals, word = static_cast<std::uint64_t>(client) << 32U | static_cast<std::uint64_t>(process);
  for (std::size_t i = 0; i < known; ++i) {
    if (page_->renewal[i] >> 32U != static_cast<std::uint64_t>(client)) continue;
    page_->renewal[i] = std::max<std::uint64_t>(page_->renewal[i], word);  // a replay comes to earlier ones
    return;
  }
  if (known == kMostRenewed) return end();
  page_->renewal[known] = word;
  page_->renewals = known + 1;
}

void Journal::keepOrders(std::string_view orders) {
  const std::span<const std::byte> parts[] = {std::as_bytes(std::span(orders))};
  if (orders.empty() || orders.size() > kMostOrders || !write(kPageBytes, parts)) return end();
  page_->ordersBytes = orders.size();
}

std::string Journal::orders() const {
  std::string orders(page_->ordersBytes, '\0');
  if (!read(kPageBytes, orders.data(), orders.size())) throw Error(Errc::kFormat, "the server's journal lacks its orders");
  return orders;
}

void Journal::add(const Message& message, double at) {
  if (!whole()) return;
  const std::uint64_t generation = page_->begun, used = page_->messageBytes[generation % 2];
  const std::span<const Real> values = message.dense.values();
  const EntryHead head{.number = page_->added + 1,
                       .at = at,
                       .from = message.from,
                       .shard = message.shard,
                       .round = message.round,
                       .version = message.version,
                       .cause = static_cast<std::uint32_t>(message.cause),
                       .messageNumber = message.number,
                       .taken = message.taken,
                       .scalars = static_cast<std::uint32_t>(message.scalars.size()),
                       .values = values.size(),
                       .packedCount = message.packed.count,
                       .packedBytes = message.packed.bytes.size(),
                       .kind = static_cast<std::uint8_t>(message.kind),
                       .packing = static_cast<std::uint8_t>(message.packed.packing)};
  const std::span<const std::byte> parts[] = {bytesOf(head), std::as_bytes(std::span(message.scalars)), std::as_bytes(values), message.packed.bytes};
  std::uint64_t bytes = 0;
  for (const auto& part : parts) bytes += part.size();
  if (used + bytes > mostBytes_ || !put(messagesAt(generation) + used, parts)) return end();
  page_->messageBytes[generation % 2] = used + bytes;  // from here on it is there
  page_->added = head.number;
}

bool Journal::put(std::uint64_t at, std::span<const std::span<const std::byte>> parts) {
  std::uint64_t bytes = 0;
  for (const auto& part : parts) bytes += part.size();
  std::byte* to = windowAt(at, bytes);
  if (to == nullptr) return write(at, parts);
  for (const auto& part : parts)
    if (!part.empty()) stream(to, part), to += part.size();
  return true;
}

// Memory is asked for before it is touched: what the system does not have would end the process.
std::byte* Journal::windowAt(std::uint64_t at, std::uint64_t bytes) {
  Window& window = windows_[at / kRegion - 1];
  const std::uint64_t region = at / kRegion * kRegion, end = at - region + bytes;
  if (end > windowBytes_) return nullptr;
  for (; window.room < end; window.room += kStep)
    if (::fallocate(memory_, 0, static_cast<off_t>(region + window.room), kStep) != 0) return nullptr;
  if (window.memory == nullptr)
    if (void* memory = ::mmap(nullptr, windowBytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory_, static_cast<off_t>(region)); memory != MAP_FAILED) window.memory = static_cast<std::byte*>(memory);
  return window.memory == nullptr ? nullptr : window.memory + (at - region);
}

void Journal::handled() { page_->handled = page_->added.load(); }

bool Journal::hasState() const { return page_->committed > 0; }

StateTable Journal::state() const {
  const std::uint64_t generation = page_->committed, bytes = page_->stateBytes[generation % 2];
  StateTable table;
  for (std::uint64_t at = 0; at < bytes;) {
    ArrayHead head;
    if (!read(stateAt(generation) + at, &head, sizeof head)) throw Error(Errc::kFormat, "the server's journal ends within its state");
    at += sizeof head;
    const auto type = static_cast<ElementType>(head.type);
    std::string name(head.nameBytes, '\0'), values(head.count * sizeOf(type), '\0');
    if (!read(stateAt(generation) + at, name.data(), name.size()) || !read(stateAt(generation) + at + name.size(), values.data(), values.size()))
      throw Error(Errc::kFormat, "the server's journal ends within its state");
    at += name.size() + values.size();
    table.arrays[std::move(name)] = {.type = type, .bytes = std::move(values)};
  }
  return table;
}

std::optional<Journal::Entry> Journal::next() {
  if (readAt_ >= page_->messageBytes[readGeneration_ % 2] && readGeneration_ < page_->begun) ++readGeneration_, readAt_ = 0, crossed_ = true;
  if (readAt_ >= page_->messageBytes[readGeneration_ % 2]) return std::nullopt;
  const std::uint64_t begin = messagesAt(readGeneration_) + readAt_;
  EntryHead head;
  bool good = read(begin, &head, sizeof head);
  std::uint64_t at = begin + sizeof head;
  Entry entry{.message = {.kind = static_cast<MessageKind>(head.kind),
                          .from = head.from,
                          .shard = head.shard,
                          .round = head.round,
                          .version = head.version,
                          .cause = static_cast<std::int32_t>(head.cause),
                          .number = head.messageNumber,
                          .taken = head.taken},
              .at = head.at};
  const auto take = [&](void* to, std::size_t count) {
    good = good && read(at, to, count);
    at += count;
  };
  entry.message.scalars.resize(head.scalars);
  take(entry.message.scalars.data(), head.scalars * sizeof(double));
  if (head.values > 0) entry.message.dense = Dense::made(head.values, [&](std::span<Real> values) { take(values.data(), values.size_bytes()); });
  if (head.packing != 0) {
    std::vector<std::byte> packed(head.packedBytes);
    take(packed.data(), packed.size());
    entry.message.packed = Packed::of(static_cast<Packing>(head.packing), head.packedCount, std::move(packed));
  }
  if (!good) throw Error(Errc::kFormat, "the server's journal ends within a message");
  readAt_ = at - messagesAt(readGeneration_);
  readNumber_ = static_cast<std::int64_t>(head.number);
  givenBytes_ += at - begin;
  ++given_;
  return entry;
}

bool Journal::wasHandled() const { return readNumber_ <= static_cast<std::int64_t>(page_->handled.load()); }

bool Journal::hasBegun() const { return page_->begun > page_->committed; }

bool Journal::wantsState() const {
  const std::uint64_t generation = page_->committed;
  return whole() && !hasBegun() && page_->messageBytes[generation % 2] > leastBytes_ + page_->stateBytes[generation % 2];
}

void Journal::begun(std::uint64_t stateBytes) {
  if (!whole()) return;
  const std::uint64_t generation = page_->committed + 1;
  give(stateAt(generation) + stateBytes, page_->stateBytes[generation % 2]);
  page_->stateBytes[generation % 2] = stateBytes;
  page_->messageBytes[generation % 2] = 0;
  page_->begun = generation;  // what comes now lies behind it
}

// The memory of its messages stays, up to some: those of the next generation but one take it.
void Journal::commit() {
  if (!hasBegun()) return;
  const std::uint64_t before = page_->committed, bytes = page_->messageBytes[before % 2], kept = 2 * (leastBytes_ + page_->stateBytes[before % 2]);
  page_->committed = page_->begun.load();
  if (bytes > kept) give(messagesAt(before) + kept, bytes - kept);
}

Journal::Writer::Writer(Journal& journal) : journal_(journal) {}

void Journal::Writer::items(std::string_view name, ElementType type, void* values, std::size_t count) {
  const ArrayHead head{.nameBytes = static_cast<std::uint32_t>(name.size()), .type = static_cast<std::uint32_t>(type), .count = count};
  const std::span<const std::byte> parts[] = {bytesOf(head), std::as_bytes(std::span(name)), std::span(static_cast<const std::byte*>(values), count * sizeOf(type))};
  if (journal_.whole() && !journal_.put(stateAt(journal_.page_->committed + 1) + at_, parts)) journal_.end();
  for (const auto& part : parts) at_ += part.size();
}

bool Journal::write(std::uint64_t at, std::span<const std::span<const std::byte>> parts) {
  std::array<iovec, 4> pieces{};
  std::size_t used = 0;
  for (const auto& part : parts)
    if (!part.empty()) pieces[used++] = {.iov_base = const_cast<std::byte*>(part.data()), .iov_len = part.size()};
  for (std::size_t first = 0; first < used;) {
    const ssize_t written = ::pwritev(memory_, &pieces[first], static_cast<int>(used - first), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += static_cast<std::uint64_t>(written);
    std::size_t left = static_cast<std::size_t>(written);
    for (; first < used && left >= pieces[first].iov_len; ++first) left -= pieces[first].iov_len;
    if (first < used) pieces[first].iov_base = static_cast<char*>(pieces[first].iov_base) + left, pieces[first].iov_len -= left;
  }
  return true;
}

bool Journal::read(std::uint64_t at, void* bytes, std::size_t count) const {
  for (std::size_t done = 0; done < count;) {
    const ssize_t got = ::pread(memory_, static_cast<char*>(bytes) + done, count - done, static_cast<off_t>(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

// What a longer state had left behind this one.
void Journal::give(std::uint64_t from, std::uint64_t bytes) {
  Window& window = windows_[from / kRegion - 1];
  window.room = std::min(window.room, from % kRegion / kStep * kStep);
  if (bytes > 0) (void)::fallocate(memory_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(from), static_cast<off_t>(bytes));
}

void Journal::end() {
  page_->ended = 1;
  for (std::uint64_t region = 1; region <= 4; ++region) give(region * kRegion, kRegion);
}

}  // namespace paceline
