#include "engine/comm/sim/sim_world.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <exception>
#include <optional>
#include <set>
#include <unordered_map>

#include "engine/comm/transport/layers.h"
#include "engine/comm/transport/send_queue.h"
#include "engine/comm/transport/sum_credit.h"
#include "engine/comm/sim/event_queue.h"
#include "engine/core/base/error.h"

namespace paceline::sim {
namespace {

enum class State { kRunning, kSleeping, kReceiving, kDone };

}  // namespace

struct SimWorld::Impl {
  class Node final : public Wire, public Clock {
   public:
    Node(Impl& world, int index, const Emulate& emulate) : world_(world), index_(index), link_(emulate) {}

    int self() const override { return index_; }
    double now() const override { return world_.now; }

    void send(int to, Message message) override {
      PACELINE_CHECK(to >= 0 && to < static_cast<int>(world_.nodes.size()), strCat("send to node ", to));
      PACELINE_CHECK(message.dense.values().size_bytes() <= kMaxDenseBytes && message.packed.bytes.size() <= kMaxPackedBytes,
                     strCat("a message of ", wireBytes(message), " bytes"));
      if (world_.first) return;
      PACELINE_CHECK(message.priority >= 0, "a message's priority");
      message.from = index_;
      if (!message.dense.owner()) message.dense = Dense::copied(message.dense.values());
      if (waiting_.empty() && link_.freeAt() <= world_.now && takes(to, message)) return leave(to, std::move(message));
      waiting_.push(to, std::move(message));
      lookAgain();
    }

    // One event, as long as nothing waits for this node's link and the link costs nothing: each would leave now.
    void sendToAll(const NodeList& nodes, const Message& message) override {
      if (!message.dense.empty() || message.priority != 0 || !waiting_.empty() || !link_.isFree()) return Wire::sendToAll(nodes, message);
      if (world_.first) return;
      Message sent = message;
      sent.from = index_;
      world_.broadcast(link_.leave(world_.now, 0), nodes, std::move(sent));
    }

    std::optional<Message> receive(double timeoutSeconds) override {
      if (inbox_.empty() && timeoutSeconds > 0) world_.block(*this, State::kReceiving, world_.now + timeoutSeconds);
      if (inbox_.empty()) {
        if (world_.wound) throw Error(*world_.wound);
        return std::nullopt;
      }
      const std::uint32_t place = inbox_.front();
      inbox_.pop_front();
      return world_.messages.take(place);
    }

    // As a real node's queue: what is held back for answers that will not come now leaves, for behind it may be what others wait for.
    void settle() override {
      while (std::optional<SendQueue::Next> next = waiting_.pop()) leave(next->to, std::move(next->message));
    }

    // Kept of those that will vanish.
    void tolerate(const std::vector<int>& nodes) override {
      for (const int node : world_.vanishing)
        if (std::ranges::find(nodes, node) != nodes.end()) tolerated_.insert(node);
    }

    void sleepFor(double seconds) override {
      if (seconds > 0) world_.block(*this, State::kSleeping, world_.now + seconds);
    }

   private:
    friend struct Impl;

    void leave(int to, Message message) {
      credit_.left(to, message, world_.now);
      const double available = link_.leave(world_.now, wireBytes(message));
      world_.schedule(available, Step::kAvailable, to, world_.messages.put(std::move(message)));
    }

    // What may be overtaken stays here while the receiver's link has not taken what this node sent it before, as a connection's sender is held back
    // by what its receiver has not got. What has no priority queues there, as much as there is.
    bool takes(int to, const Message& message) const {
      constexpr int kAhead = 2;
      if (message.priority == 0) return true;
      if (!credit_.allows(to, message)) return false;
      const auto& ahead = world_.nodes[static_cast<std::size_t>(to)]->ahead_;
      const auto found = ahead.find(index_);
      return found == ahead.end() || found->second < kAhead;
    }

    void lookAgain() {
      if (looks_ || waiting_.empty()) return;
      world_.schedule(std::max(world_.now, link_.freeAt()), Step::kLinkFree, index_);
      looks_ = true;
    }

    void linkFree() {
      looks_ = false;
      std::optional<SendQueue::Next> next = waiting_.pop([this](int to, const Message& message) { return takes(to, message); });
      if (!next) return;  // until one of its receivers has taken something, or answered
      leave(next->to, std::move(next->message));
      lookAgain();
    }

    // A message is at this node's link, or through it.
    void arrives(const Message& message) {
      if (message.priority > 0) ++ahead_[message.from];
    }
    void arrived(const Message& message) {
      if (credit_.came(message, world_.now)) lookAgain();
      if (message.priority == 0) return;
      --ahead_[message.from];
      world_.nodes[static_cast<std::size_t>(message.from)]->lookAgain();
    }

    Impl& world_;
    int index_;
    LinkModel link_;
    SendQueue waiting_;   // for the link
    SumCredit credit_;
    bool looks_ = false;  // it will, at an event that is scheduled
    std::set<int> tolerated_;
    std::unordered_map<int, int> ahead_;  // messages with a priority that wait for this node's link or are on it, by sender
    State state_ = State::kSleeping;
    std::uint64_t blocks_ = 0;  // how often it has blocked
    std::deque<std::uint32_t> inbox_;  // places in world_.messages
  };

  Impl(const std::vector<Emulate>& links, std::vector<std::string> given, std::size_t stack) : names(std::move(given)), stackBytes(stack) {
    for (std::size_t i = names.size(); i < links.size(); ++i) names.push_back(strCat("node ", i));
    for (std::size_t i = 0; i < links.size(); ++i) {
      nodes.push_back(std::make_unique<Node>(*this, static_cast<int>(i), links[i]));
      if (links[i].lostAfterRounds) vanishing.push_back(static_cast<int>(i));
    }
  }

  void schedule(double time, Step step, int node, std::uint64_t what = 0) { events.add(now, {.time = time, .what = what, .node = node, .step = step}); }

  // Runs events until one wakes a node; that node. nullptr: everybody is done.
  Node* advance() {
    while (!first && !living.empty()) {
      if (events.empty()) {
        const Error stuck(Errc::kStopped, stuckText());
        fail(stuck.code(), stuck.what(), std::make_exception_ptr(stuck));
        break;
      }
      if (Node* woken = wokenBy(events.take())) return woken;
    }
    for (const std::unique_ptr<Node>& node : nodes)  // winding up: one after the other
      if (node->state_ != State::kDone) return node.get();
    return nullptr;
  }

  // Executes one event. The node that it lets run, if any.
  Node* wokenBy(const SimEvent& event) {
    Node& node = *nodes[static_cast<std::size_t>(event.node)];
    if (node.state_ == State::kDone && event.step == Step::kWake) return nullptr;
    switch (event.step) {
      case Step::kLinkFree:
        now = event.time;
        node.linkFree();
        return nullptr;
      case Step::kWake:
        if (node.state_ == State::kRunning || event.what != node.blocks_) return nullptr;
        now = event.time;
        return &node;
      case Step::kAvailable: {
        now = event.time;
        const Message& message = messages.at(event.what);
        node.arrives(message);
        schedule(node.link_.arrive(event.time, wireBytes(message)), Step::kDeliver, event.node, event.what);
        return nullptr;
      }
      case Step::kAvailableToAll:
        now = event.time;
        deliverToAll(broadcasts.at(event.what), messages.at(event.what));
        broadcasts.erase(event.what);
        messages.drop(event.what);
        return nullptr;
      case Step::kDeliver:
        now = event.time;
        node.arrived(messages.at(event.what));
        if (node.state_ == State::kDone) {
          messages.drop(event.what);
          return nullptr;
        }
        node.inbox_.push_back(static_cast<std::uint32_t>(event.what));
        return node.state_ == State::kReceiving ? &node : nullptr;
    }
    return nullptr;
  }

  void broadcast(double time, const NodeList& to, Message message) {
    const std::uint32_t place = messages.put(std::move(message));
    broadcasts.emplace(place, to);
    events.add(now, {.time = time, .what = place, .step = Step::kAvailableToAll}, to.size() - 1);
  }

  void vanish(Node& self) {
    self.waiting_ = {};
    for (const int index : living)
      if (nodes[static_cast<std::size_t>(index)]->tolerated_.contains(self.index_)) self.leave(index, {.kind = MessageKind::kLost, .from = self.index_});
  }

  // Nobody hears of what reaches a node that is done: at a run's end each says bye to all, and few are left.
  void deliverToAll(const NodeList& to, const Message& message) {
    for (const int index : living) {
      if (index == message.from || !to.contains(index)) continue;
      schedule(nodes[static_cast<std::size_t>(index)]->link_.arrive(now, wireBytes(message)), Step::kDeliver, index, messages.put(message));
    }
  }

  // Returns when `self` may run again. The turn goes straight to the next node: none is passed when that is `self`.
  void block(Node& self, State state, double wakeAt) {
    if (!first) {
      self.state_ = state;
      ++self.blocks_;
      if (std::isfinite(wakeAt)) schedule(wakeAt, Step::kWake, self.index_, self.blocks_);
      Node* next = advance();
      if (next != &self) turns->pass(static_cast<std::size_t>(next->index_));
      self.state_ = State::kRunning;
    }
    if (first) throw Error(*wound);
  }

  void run(const std::vector<std::function<void()>>& bodies) {
    PACELINE_CHECK(bodies.size() == nodes.size(), strCat(bodies.size(), " bodies for ", nodes.size(), " nodes"));
    {
      Fibers all(stackBytes);
      turns = &all;
      start(bodies, all);
      if (Node* next = advance()) all.pass(static_cast<std::size_t>(next->index_));
      turns = nullptr;
    }
    events.clear();
    messages = {};
    broadcasts.clear();
    if (first) std::rethrow_exception(first);
  }

  void start(const std::vector<std::function<void()>>& bodies, Fibers& all) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      Node& node = *nodes[i];
      try {
        all.add([this, &node, &body = bodies[i]] { return live(node, body); });
      } catch (const Error& error) {
        const Error refused(Errc::kHost, strCat("node ", i, " of ", bodies.size(), " of the simulation: ", error.what()));
        fail(refused.code(), refused.what(), std::make_exception_ptr(refused));
        for (std::size_t k = i; k < bodies.size(); ++k) nodes[k]->state_ = State::kDone;
        return;
      }
      node.state_ = State::kSleeping;
      living.insert(living.end(), node.index_);
      schedule(now, Step::kWake, node.index_, node.blocks_);
    }
  }

  // Who has the turn next.
  std::size_t live(Node& self, const std::function<void()>& body) {
    self.state_ = State::kRunning;
    const std::string& name = names[static_cast<std::size_t>(self.index_)];
    if (!first) {
      try {
        if (body) body();
      } catch (const std::exception& error) {
        fail(Errc::kPeerLost, strCat(name, " is gone: ", error.what()), std::current_exception());
      } catch (...) {
        fail(Errc::kPeerLost, strCat(name, " is gone"), std::current_exception());
      }
    }
    self.state_ = State::kDone;
    for (const std::uint32_t place : self.inbox_) messages.drop(place);
    self.inbox_.clear();
    living.erase(self.index_);
    Node* next = advance();
    return next ? static_cast<std::size_t>(next->index_) : Fibers::kMaker;
  }

  void fail(Errc code, const std::string& text, std::exception_ptr cause) {
    if (first) return;
    first = std::move(cause);
    wound.emplace(code, text);
  }

  std::string stuckText() const {
    constexpr std::size_t kNamed = 8;
    std::string waiting;
    std::size_t count = 0;
    for (const std::unique_ptr<Node>& node : nodes)
      if (node->state_ != State::kDone && ++count <= kNamed) {
        if (count > 1) waiting += ", ";
        waiting += names[static_cast<std::size_t>(node->index_)];
      }
    if (count > kNamed) waiting += strCat(" and ", count - kNamed, " more");
    return strCat("simulation is stuck: ", waiting, count == 1 ? " waits" : " wait", " for a message");
  }

  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<std::string> names;
  std::vector<int> vanishing;  // nodes whose document says so
  std::size_t stackBytes;
  EventQueue events;
  MessagePool messages;
  std::unordered_map<std::uint64_t, NodeList> broadcasts;  // by the message's place: to whom
  double now = 0;
  std::set<int> living;
  std::exception_ptr first;     // set: the simulation is being wound up, and blocked nodes get `wound`
  std::optional<Error> wound;
  Fibers* turns = nullptr;       // while it runs; everything here is touched only by whoever has the turn
};

SimWorld::SimWorld(const std::vector<Emulate>& links, std::vector<std::string> names, std::size_t stackBytes)
    : impl_(std::make_unique<Impl>(links, std::move(names), stackBytes)) {}

SimWorld::~SimWorld() = default;

Wire& SimWorld::wire(int node) { return *impl_->nodes.at(static_cast<std::size_t>(node)); }
Clock& SimWorld::clock(int node) { return *impl_->nodes.at(static_cast<std::size_t>(node)); }
double SimWorld::now() const { return impl_->now; }
void SimWorld::vanish(int node) { impl_->vanish(*impl_->nodes.at(static_cast<std::size_t>(node))); }
std::uint64_t SimWorld::events() const { return impl_->events.sequence(); }

void SimWorld::run(std::vector<std::function<void()>> bodies) { impl_->run(bodies); }

}  // namespace paceline::sim
