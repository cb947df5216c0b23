// A simulated run in which a link is cut for a while or a worker dies: the wires tell of it as the real ones do.
#pragma once

#include <set>

#include "tests/support/sim_run.h"

namespace paceline::tests {

struct Loss {
  int a = -1, b = -1;            // these two do not reach each other
  double from = 0, until = 0;    // virtual seconds
  int dies = -1;                 // this node
  std::int64_t inRound = 0;      // after this round
};

class LossyWorld {
 public:
  explicit LossyWorld(const Loss& loss) : loss_(loss) {}

  SimResult run(const RunSpec& spec, const ObjectiveFactory& objectives) {
    std::vector<Emulate> links;
    for (const NodeSpec& node : spec.nodes) links.push_back(node.emulate);
    sim::SimWorld world(links);
    result_ = {};
    result_.reasons.resize(spec.nodes.size());
    result_.parameters.resize(spec.workers().size());
    std::vector<std::function<void()>> bodies;
    for (int node = 0; node < static_cast<int>(spec.nodes.size()); ++node)
      bodies.push_back([&, node] { live(spec, objectives, world, node); });
    world.run(std::move(bodies));
    result_.seconds = world.now();
    return result_;
  }

  std::vector<std::string> warnings(int node) const {
    std::vector<std::string> texts;
    for (const NoticeRecord& notice : result_.of<NoticeRecord>(node))
      if (notice.level == "warn") texts.push_back(notice.text);
    return texts;
  }

 private:
  struct Died {};

  class LossyWire final : public Wire {
   public:
    LossyWire(LossyWorld& world, Wire& below, Clock& clock) : world_(world), below_(below), clock_(clock) {}
    int self() const override { return below_.self(); }
    void tolerate(const std::vector<int>& nodes) override { tolerated_.insert(nodes.begin(), nodes.end()); }
    void send(int to, Message message) override {
      if (!cutOff(to)) below_.send(to, std::move(message));
    }
    std::optional<Message> receive(double timeoutSeconds) override {
      const double deadline = clock_.now() + timeoutSeconds;
      while (true) {
        for (const int node : {world_.loss_.a, world_.loss_.b, world_.loss_.dies})
          if (std::optional<Message> news = newsOf(node)) return news;
        const double now = clock_.now();
        // Wakes when a cut begins or ends; a death is noticed within a tenth of a second.
        double until = std::min(deadline, world_.loss_.dies >= 0 && !world_.dead_ ? now + 0.1 : deadline);
        for (const double change : {world_.loss_.from, world_.loss_.until})
          if (change > now) until = std::min(until, change);
        if (std::optional<Message> message = below_.receive(until - now)) return message;
        if (clock_.now() >= deadline) return std::nullopt;
      }
    }

   private:
    bool cutOff(int node) const {
      const Loss& loss = world_.loss_;
      const bool pair = (self() == loss.a && node == loss.b) || (self() == loss.b && node == loss.a);
      return (pair && clock_.now() >= loss.from && clock_.now() < loss.until) || (world_.dead_ && node == loss.dies);
    }
    std::optional<Message> newsOf(int node) {
      if (node < 0 || node == self() || cutOff(node) == gone_.contains(node)) return std::nullopt;
      const bool lost = cutOff(node);
      if (lost && !tolerated_.contains(node)) throw Error(Errc::kPeerLost, strCat("w", node, " is gone"));
      if (lost) gone_.insert(node);
      else gone_.erase(node);
      return Message{.kind = lost ? MessageKind::kLost : MessageKind::kBack, .from = node};
    }

    LossyWorld& world_;
    Wire& below_;
    Clock& clock_;
    std::set<int> tolerated_, gone_;
  };

  void live(const RunSpec& spec, const ObjectiveFactory& objectives, sim::SimWorld& world, int node) {
    LossyWire wire(*this, world.wire(node), world.clock(node));
    const auto objective = objectives(spec, node);
    const Emit emit = [&](const Event& event) {
      result_.events.emplace_back(node, event);
      if (const auto* round = std::get_if<RoundRecord>(&event); round && node == loss_.dies && round->round == loss_.inRound) throw Died{};
    };
    try {
      result_.reasons[static_cast<std::size_t>(node)] =
          runWorker({.spec = spec, .node = node, .wire = wire, .clock = world.clock(node), .emit = emit, .askedToStop = nullptr, .nominalStepSeconds = kNominalStepSeconds},
                    *objective);
      result_.parameters[static_cast<std::size_t>(node)].assign(objective->parameters().begin(), objective->parameters().end());
    } catch (const Died&) {
      dead_ = true;
    }
  }

  Loss loss_;
  SimResult result_;
  bool dead_ = false;
};

}  // namespace paceline::tests
