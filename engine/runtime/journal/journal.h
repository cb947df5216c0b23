// What a server's next process needs to be where this one was, in memory without a name (memfd) that its supervisor holds as well: the orders of its life, its state at some
// moment, and all messages that it was handed since. Two states take turns, so one is always whole; words in the first page commit what lies behind it, so whatever a kill
// cuts is not there. Used by the node's thread. Where memory is refused the journal ends, once and for good, and the server goes on without.
//
// In the memory, at 4 KiB: the orders; at multiples of a tebibyte: the states of even and odd generations, their messages. What is not written takes no memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/comm/transport/message.h"
#include "engine/core/base/archive.h"
#include "engine/core/base/fd.h"
#include "engine/core/record/state_table.h"

namespace paceline {

class Journal {
 public:
  static constexpr std::uint64_t kLeastBytes = std::uint64_t{32} << 20;  // of messages behind one state before the next is made
  static constexpr std::uint64_t kMostBytes = std::uint64_t{8} << 30;    // more is no journal any more
  static constexpr std::uint64_t kWindowBytes = std::uint64_t{2} << 30;  // of a region that are mapped; what is behind is written by calls

  static Fd memory();  // to be held by who starts the server. Throws Error{kHost}

  // Throws Error{kFormat} for memory that holds what no server of this version has written.
  explicit Journal(const Fd& memory, std::uint64_t leastBytes = kLeastBytes, std::uint64_t mostBytes = kMostBytes, std::uint64_t windowBytes = kWindowBytes);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // The orders of the first process, for the ones that follow; they may hold keys.
  bool isNew() const;  // nothing is kept yet: this is the first process
  void keepOrders(std::string_view orders);
  std::string orders() const;
  int processes() const;  // that have come back, this one included
  bool whole() const;     // nothing is missing since the beginning
  double began() const;   // the first process, by the steady clock
  void began(double at);
  std::int64_t rounds() const;  // of a worker: its newest, in whichever process
  void rounds(std::int64_t newest);
  std::int64_t processOf(int client) const;  // the newest that a server knows of; 0: the first
  void renewed(int client, std::int64_t process);

  // A message as it was handed on, when (steady clock), and from whom.
  struct Entry {
    Message message;
    double at = 0;
  };
  void add(const Message& message, double at);
  void handled();  // whatever the newest message led to is done

  // For a process that comes back: what is there, oldest first.
  bool hasState() const;
  StateTable state() const;           // committed
  std::optional<Entry> next();        // behind it; nullopt: that was all
  bool wasHandled() const;            // the newest that next() gave
  std::int64_t given() const { return given_; }  // by next()
  std::uint64_t givenBytes() const { return givenBytes_; }
  bool crossed() const { return crossed_; }  // next() has come to where a state was begun that is not committed

  // States. A begun one is committed when nothing that was sent before it can be asked for again.
  bool wantsState() const;
  template <class State>
  void begin(const State& state) {  // state(Archive&)
    Writer writer(*this);
    state(writer);
    begun(writer.written());
  }
  bool hasBegun() const;
  void commit();

 private:
  struct Page;
  class Writer final : public Archive {
   public:
    explicit Writer(Journal& journal);
    bool loading() const override { return false; }
    void items(std::string_view name, ElementType type, void* values, std::size_t count) override;
    std::size_t savedCount(std::string_view, ElementType) override { return 0; }
    std::uint64_t written() const { return at_; }

   private:
    Journal& journal_;
    std::uint64_t at_ = 0;
  };

  // A region, mapped: what goes there costs no call of the kernel, and no cache its content.
  struct Window {
    std::byte* memory = nullptr;
    std::uint64_t room = 0;  // so many bytes have memory
  };

  void begun(std::uint64_t stateBytes);
  std::byte* windowAt(std::uint64_t at, std::uint64_t bytes);  // nullptr: not to be had
  bool put(std::uint64_t at, std::span<const std::span<const std::byte>> parts);
  bool write(std::uint64_t at, std::span<const std::span<const std::byte>> parts);
  bool read(std::uint64_t at, void* bytes, std::size_t count) const;
  void give(std::uint64_t from, std::uint64_t bytes);  // back to the system
  void end();                                          // it is whole no more

  int memory_;
  std::uint64_t leastBytes_, mostBytes_, windowBytes_;
  Page* page_ = nullptr;
  std::array<Window, 4> windows_;  // states of even and odd generations, their messages
  std::uint64_t readGeneration_ = 0, readAt_ = 0, givenBytes_ = 0;
  std::int64_t given_ = 0, readNumber_ = 0;
  bool crossed_ = false;
};

}  // namespace paceline
