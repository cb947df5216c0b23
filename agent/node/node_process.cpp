#include "agent/node/node_process.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

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

#include "engine/comm/shm/shared_wire.h"
#include "engine/comm/zmq/zmq_wire.h"
#include "engine/core/base/error.h"
#include "engine/core/base/fd.h"
#include "engine/core/base/freed_memory.h"
#include "engine/core/base/open_files.h"
#include "engine/core/base/secret.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/base/vector_memory.h"
#include "engine/core/record/control.h"
#include "engine/core/record/dates.h"
#include "engine/runtime/checkpoints.h"

namespace paceline::node {
namespace {

constexpr std::size_t kMaxLine = std::size_t{64} << 20;  // of an order

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

// A wire bound and protected as the order says: on an address, or "ipc" for sockets in a private directory that goes with this. Plain data
// stay inside one host, where long vectors lie in memory that the nodes share. What protection costs here is measured and said.
class NodeWire {
 public:
  // The secret key is wiped from the order.
  explicit NodeWire(Prepare& prepare) : mode_(prepare.keys.mode), cost_(zeromq::measureProtection(prepare.keys.mode)) {
    std::string address = prepare.bind;
    if (address == "ipc") {
      folder_ = privateFolder();
      address = strCat("ipc://", folder_);
    }
    wire_ = zeromq::bindZmqWire(prepare.node, address, prepare.keys, zeromq::limitsFor(prepare.spec.nodes.size()));
    wipe(prepare.keys.secret);
    if (folder_.empty()) return;
    const shm::VectorArena arena;
    shared_.emplace(*wire_, arena, wire_->endpoint());
    useVectorMemory([arena](std::size_t bytes) { return arena.allocate(bytes); });
  }
  ~NodeWire() {
    leave();
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  NodeWire(const NodeWire&) = delete;
  NodeWire& operator=(const NodeWire&) = delete;
  std::string endpoint() const { return wire_->endpoint(); }
  Wire& top() { return shared_ ? static_cast<Wire&>(*shared_) : *wire_; }

  void connect(const Start& start, const RunSpec& spec, EventOutput& output) {
    if (start.endpoints.size() != spec.nodes.size())
      throw Error(Errc::kFormat,
                  strCat("start names ", start.endpoints.size(), " endpoints, the run has ", spec.nodes.size(), " nodes"));
    std::vector<std::string> names;
    for (const NodeSpec& node : spec.nodes) names.push_back(node.id);
    const std::vector<std::string> met = endpointsMetBy(spec, wire_->self(), start.endpoints);
    wire_->connect(met, names);
    if (shared_) shared_->connect(met);
    output.notice("note", zeromq::costSentence(mode_, wire_->endpoint(), cost_), "info", "protection");
  }

  // Sends what is left.
  void close(EventOutput& output) {
    const zeromq::WireCounts counts = wire_->counts();
    leave();
    if (mode_ != "plain") output.notice("note", zeromq::spentSentence(mode_, counts.sealedBytes, counts.openedBytes, cost_), "info", "protection");
    if (counts.refusedConnections > 0 || counts.droppedMessages > 0)
      output.notice("log", strCat(counts.refusedConnections, " connections of strangers were refused, ", counts.droppedMessages, " messages of strangers or of ended connections dropped"),
                    "warn", "strangers");
    if (counts.spoiltConnections > 0)
      output.notice("log", strCat(counts.spoiltConnections, " connections were ended because a message did not open: it was altered, repeated, left out or reordered on the way"),
                    "warn", "spoilt");
  }

 private:
  // What is lent to others stays as it is from now on: no vector is made in its memory any more.
  void leave() {
    useVectorMemory({});
    wire_.reset();
    shared_.reset();
  }

  std::string folder_, mode_;
  std::optional<shm::SharedWire> shared_;  // for who is on this host only
  std::unique_ptr<zeromq::BoundWire> wire_;
  zeromq::ProtectionCost cost_;
};

// Where this node's checkpoints are, as its first order says.
struct NodeFolders {
  std::optional<CheckpointFolder> own, resumed;
  std::optional<CheckpointFolder> followed;  // those of the coordinator, on this host

  explicit NodeFolders(const Prepare& prepare) {
    const RunSpec& spec = prepare.spec;
    const char* below = std::getenv(kCheckpointsVariable);
    const auto pathOf = [&](const std::filesystem::path& given) { return (below ? std::filesystem::path(below) / given : given).string(); };
    const StateOwner owner{spec.nodes.at(static_cast<std::size_t>(prepare.node)).id, stateConfig(spec)};
    if (!prepare.resume.empty()) resumed.emplace(pathOf(prepare.resume), owner);
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

// The reason it ended.
std::string live(ControlInput& input, EventOutput& output, const std::function<NodeWork(const Prepare&)>& prepared) {
  std::optional<Prepare> prepare = input.expect<Prepare>("prepare");
  if (!prepare) return "asked";
  // Before the wire, so that everything the wire may still be sending from outlives it; and "listening" means ready to train.
  const NodeWork work = prepared(*prepare);
  NodeFolders folders(*prepare);
  NodeWire wire(*prepare);
  output.notice("listening", wire.endpoint());
  const std::optional<Start> start = input.expect<Start>("start");
  if (!start) return "asked";
  wire.connect(*start, prepare->spec, output);
  output.notice("started", strCat(prepare->spec.nodes.at(static_cast<std::size_t>(prepare->node)).id, " ", work.what));
  if (!work.kernels.empty()) output.notice("note", work.kernels, "info", "kernels");
  const std::unique_ptr<Clock> clock = steadyClock();
  const std::string reason = work.run({.spec = prepare->spec,
                                       .node = prepare->node,
                                       .wire = wire.top(),
                                       .clock = *clock,
                                       .emit = [&](const Event& event) { output.write(event); },
                                       .askedToStop = &input.askedToStop(),
                                       .kernels = work.kernels,
                                       .checkpoints = orNull(folders.own),
                                       .follow = orNull(folders.followed),
                                       .resume = orNull(folders.resumed)});
  wire.close(output);
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
