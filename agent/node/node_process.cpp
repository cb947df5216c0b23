#include "agent/node/node_process.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <optional>
#include <thread>

#include "agent/node/node_wire.h"
#include "engine/core/base/error.h"
#include "engine/core/base/fd.h"
#include "engine/core/base/freed_memory.h"
#include "engine/core/base/open_files.h"
#include "engine/core/base/secret.h"
#include "engine/core/record/control.h"
#include "engine/core/record/dates.h"
#include "engine/runtime/checkpoints.h"
#include "engine/runtime/journal/journal.h"
#include "engine/runtime/kept_weights.h"

namespace paceline::node {
namespace {

constexpr std::size_t kMaxLine = std::size_t{64} << 20;  // of an order
constexpr const char* kCutOff = "cut_off";               // why a worker has ended that the others have lost, and that may come again

// Any thread. Each event is one line, written at once. Throws Error{kFile} when nobody reads any more.
class EventOutput {
 public:
  void write(const Event& event) {
    std::string line = toLine(event);
    line += '\n';
    const std::lock_guard lock(mutex_);
    if (!writeAll(STDOUT_FILENO, line)) throw Error(Errc::kFile, strCat("nobody reads this node's events any more: ", std::strerror(errno)));
  }
  void notice(const std::string& kind, const std::string& text, const std::string& level = "info", const std::string& reason = "") {
    write(NoticeRecord{.kind = kind, .text = text, .level = level, .reason = reason, .code = 0, .unixTime = recordDates().now()});
  }

 private:
  std::mutex mutex_;  // one line at a time on stdout
};

// Shows the supervisor that this process lives, as often as it asked for, from a thread of its own: a long step is no silence. Until this goes.
class Heart {
 public:
  explicit Heart(EventOutput& output) {
    const char* asked = std::getenv(kBeatVariable);
    const double seconds = asked ? std::strtod(asked, nullptr) : 0;
    if (!(seconds > 0)) return;  // nobody listens
    thread_ = std::jthread([this, &output, seconds](const std::stop_token& stop) { beat(output, seconds, stop); });
  }

 private:
  void beat(EventOutput& output, double seconds, const std::stop_token& stop) {
    try {
      std::unique_lock lock(mutex_);
      while (!stop.stop_requested()) {
        output.notice("beat", "");
        stopped_.wait_for(lock, stop, std::chrono::duration<double>(seconds), [] { return false; });
      }
    } catch (const Error&) {  // nobody reads any more: whoever says an event next finds out
    }
  }

  std::mutex mutex_;  // for stopped_ only
  std::condition_variable_any stopped_;
  std::jthread thread_;
};

// Reads stdin on a thread of its own until it ends or this goes.
class ControlInput {
 public:
  explicit ControlInput(EventOutput& output) : output_(output), wake_(::eventfd(0, EFD_CLOEXEC)) {
    if (!wake_) throw Error(Errc::kHost, strCat("cannot make an eventfd: ", std::strerror(errno)));
    reader_ = std::jthread([this](std::stop_token stop) { read(stop); });
  }
  ~ControlInput() {
    reader_.request_stop();
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(wake_.get(), &one, sizeof one);
    reader_.join();
  }

  // The next order, which must be a Prepare or a Start. nullopt: asked to stop before it came. Throws Error{kFormat} for a line
  // that is no order.
  template <class Order>
  std::optional<Order> expect(const char* name) {
    std::optional<std::string> line = next();
    if (!line) return std::nullopt;
    Control control = parseControl(*line);
    wipe(*line);  // it may hold keys
    if (Order* order = std::get_if<Order>(&control)) return std::move(*order);
    constexpr const char* kOrders[] = {"prepare", "start", "stop"};  // as in Control
    throw Error(Errc::kFormat, strCat("expected the order \"", name, "\", got \"", kOrders[control.index()], '"'));
  }
  const std::atomic<bool>& askedToStop() const { return asked_; }

 private:
  void read(std::stop_token stop) {
    std::string line;
    char chunk[65536];
    while (!stop.stop_requested()) {
      pollfd ready[] = {{STDIN_FILENO, POLLIN, 0}, {wake_.get(), POLLIN, 0}};
      if (::poll(ready, 2, -1) < 0 && errno != EINTR) break;
      if (ready[0].revents == 0) continue;
      const ssize_t got = ::read(STDIN_FILENO, chunk, sizeof chunk);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0 || line.size() > kMaxLine) break;
      line.append(chunk, static_cast<std::size_t>(got));
      ::explicit_bzero(chunk, static_cast<std::size_t>(got));  // orders hold keys
      for (std::size_t end; (end = line.find('\n')) != std::string::npos;) {
        std::string rest = line.substr(end + 1);
        line.resize(end);
        take(line);
        wipe(line);
        line = std::move(rest);
      }
    }
    if (stop.stop_requested() || asked_) return;
    ask();
    // Whoever closed stdin may be gone altogether: then nobody reads our events, which this finds out. A pipe with a reader takes
    // it.
    try {
      output_.notice("log", "stdin was closed: this node ends as if asked to stop");
    } catch (const Error& error) {
      std::cerr << "paceline node: " << error.what() << '\n';
      std::_Exit(1);
    }
  }

  void take(std::string line) {
    bool stop = false;
    try {
      stop = std::holds_alternative<Stop>(parseControl(line));
    } catch (const Error&) {
      // Whoever expects an order parses it again, and reports.
    }
    if (stop) return ask();
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
    changed_.notify_all();
  }

  void ask() {
    asked_ = true;
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  }

  std::optional<std::string> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return asked_ || !lines_.empty(); });
    if (lines_.empty()) return std::nullopt;
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
  }

  EventOutput& output_;
  Fd wake_;  // eventfd: ends the reading thread
  std::atomic<bool> asked_ = false;
  std::mutex mutex_;  // guards lines_
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  std::jthread reader_;
};

// Where this node's checkpoints are, as its first order says.
struct NodeFolders {
  std::optional<CheckpointFolder> own, resumed;
  std::optional<CheckpointFolder> followed;  // those of the coordinator, on this host
  std::optional<KeptWeights> weights;

  explicit NodeFolders(const Prepare& prepare) {
    const RunSpec& spec = prepare.spec;
    const char* below = std::getenv(kCheckpointsVariable);
    const auto pathOf = [&](const std::filesystem::path& given) { return (below ? std::filesystem::path(below) / given : given).string(); };
    const StateOwner owner{spec.nodes.at(static_cast<std::size_t>(prepare.node)).id, stateConfig(spec)};
    if (!prepare.resume.empty()) resumed.emplace(pathOf(prepare.resume), owner);
    if (!prepare.weights.empty()) weights.emplace(pathOf(prepare.weights), std::map<std::string, std::string>{{"run", prepare.run}, {"model", spec.model.id}, {"algorithm", spec.algorithm.id}});
    if (prepare.checkpoints.empty()) return;
    own.emplace(pathOf(prepare.checkpoints), owner);
    const int trained = spec.evaluatorNode();
    if (trained < 0) return;
    const std::string& id = spec.nodes[static_cast<std::size_t>(trained)].id;
    followed.emplace((std::filesystem::path(own->path()).parent_path() / id).string(), StateOwner{id, owner.config});
  }
};

template <class T>
T* orNull(std::optional<T>& value) {
  return value ? &*value : nullptr;
}

// The journal that the supervisor gave this server; none: it may not be started again.
std::unique_ptr<Journal> givenJournal(Fd& memory) {
  const char* number = std::getenv(kJournalVariable);
  if (number == nullptr) return nullptr;
  memory = Fd(std::atoi(number));
  const auto ofHost = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return std::make_unique<Journal>(memory, Journal::kLeastBytes, std::min(Journal::kMostBytes, ofHost / 4));
}

// What a server's life has been ordered so far, as its journal keeps it.
struct KeptOrders {
  std::string prepare, endpoint, folder, start;  // one line each

  std::string text() const { return strCat(prepare, '\n', endpoint, '\n', folder, '\n', start, '\n'); }
  static KeptOrders of(const std::string& text) {
    KeptOrders kept;
    std::size_t begin = 0;
    for (std::string* line : {&kept.prepare, &kept.endpoint, &kept.folder, &kept.start}) {
      const std::size_t end = text.find('\n', begin);
      if (end == std::string::npos) throw Error(Errc::kFormat, "the server's journal lacks an order");
      *line = text.substr(begin, end - begin);
      begin = end + 1;
    }
    return kept;
  }
};

// The reason it ended.
std::string live(ControlInput& input, EventOutput& output, const std::function<NodeWork(const Prepare&)>& prepared) {
  Fd memory;
  const std::unique_ptr<Journal> journal = givenJournal(memory);
  KeptOrders kept;
  const bool again = journal && !journal->isNew();
  std::string orders = again ? journal->orders() : "";
  if (again) kept = KeptOrders::of(orders);
  std::optional<Prepare> prepare = again ? std::get<Prepare>(parseControl(kept.prepare)) : input.expect<Prepare>("prepare");
  if (!prepare) return "asked";
  if (journal && !again) kept.prepare = toLine(*prepare);
  // Before the wire, so that everything the wire may still be sending from outlives it; and "listening" means ready to train.
  const NodeWork work = prepared(*prepare);
  NodeFolders folders(*prepare);
  NodeWire wire(*prepare, {.endpoint = kept.endpoint, .folder = kept.folder, .processes = journal ? journal->processes() : 0});
  if (!again) output.notice("listening", wire.endpoint());
  const std::optional<Start> start = again ? std::get<Start>(parseControl(kept.start)) : input.expect<Start>("start");
  if (!start) return "asked";
  if (journal && !again) {
    kept.endpoint = wire.endpoint(), kept.folder = wire.folder(), kept.start = toLine(*start);
    orders = kept.text();
    journal->keepOrders(orders);
  }
  for (std::string* line : {&orders, &kept.prepare}) wipe(*line);  // they hold keys
  wire.connect(*start, prepare->spec, [&](const std::string& text) { if (!again) output.notice("note", text, "info", "protection"); });
  if (!again) output.notice("started", strCat(prepare->spec.nodes.at(static_cast<std::size_t>(prepare->node)).id, " ", work.what));
  if (!work.kernels.empty()) output.notice("note", work.kernels, "info", "kernels");
  const std::unique_ptr<Clock> clock = steadyClock();
  const auto run = [&] {
    return work.run({.spec = prepare->spec,
                     .node = prepare->node,
                     .wire = wire.top(),
                     .clock = *clock,
                     .emit = [&](const Event& event) { output.write(event); },
                     .askedToStop = &input.askedToStop(),
                     .address = prepare->bind == "ipc" ? "127.0.0.1" : prepare->bind,
                     .kernels = work.kernels,
                     .checkpoints = orNull(folders.own),
                     .follow = orNull(folders.followed),
                     .resume = orNull(folders.resumed),
                     .weights = orNull(folders.weights),
                     .serversReturn = prepare->serversReturn,
                     .journal = journal.get()});
  };
  std::string reason;
  try {
    reason = run();
  } catch (const Error& error) {
    const bool mayComeAgain = journal && prepare->spec.nodes.at(static_cast<std::size_t>(prepare->node)).role == Role::kWorker;
    if (!mayComeAgain || error.code() != Errc::kPeerLost) throw;
    output.notice("log", error.what(), "warn", kCutOff);
    wire.keepFolder();
    return kCutOff;
  }
  wire.close([&](const char* kind, const std::string& text, const char* level, const char* reason_) { output.notice(kind, text, level, reason_); });
  return reason;
}

}  // namespace

int runNode(const std::function<NodeWork(const Prepare&)>& prepared) {
  std::signal(SIGPIPE, SIG_IGN);
  allowManyFiles();
  keepFreedMemory();
  EventOutput output;
  std::string sentence, cause;
  try {
    std::string reason;
    {
      const Heart heart(output);  // this and the next are gone before the last word: nothing is said after it
      ControlInput input(output);
      reason = live(input, output, prepared);
    }
    if (reason == kVanished) (void)::raise(SIGKILL);  // as the document has it
    if (reason == kCutOff) return kCutOffCode;
    output.notice("finished", "", "info", reason);
    return 0;
  } catch (const Error& error) {
    sentence = error.what();
    if (error.code() == Errc::kPeerLost) cause = "peer_lost";  // another node's end is the reason, not this one
  } catch (const std::exception& error) {
    sentence = error.what();
  }
  try {
    output.notice("failed", sentence, "error", cause);
  } catch (const Error&) {
    std::cerr << "paceline node: " << sentence << '\n';
  }
  return 1;
}

int runCommand(const char* program, const std::function<void()>& command) {
  try {
    command();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << program << ": " << reasonOf(error) << '\n';
    return 1;
  }
}

}  // namespace paceline::node
