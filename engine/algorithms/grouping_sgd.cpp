// Grouping SGD: synchronous inside a group of workers of like speed, asynchronous between groups.
// When all members of a group have pushed, the server takes one step on their mean: w -= lr * (1 / gamma) * mean over the group of g_i,
// gamma = 1 + updates by other groups since this group's values. Jiang et al., "A Novel Stochastic Gradient Descent Algorithm Based on
// Grouping over Heterogeneous Cluster Systems for Distributed Deep Learning", CCGrid 2019 (MXNet-G). The document's momentum is the
// servers': one velocity for all groups, as published. Groups: the document's, or formed at the start from warm-up steps.
// Where this differs from the published code: push and reply are one exchange, so the values that a group gets are those that its gamma
// counts from (there a pull may return newer ones, which overestimates gamma); 1 / gamma scales the gradient with its weight decay.
// Nobody reaches an end alone, so unequal shares of the data hold up no group.
// On the wire per round: every element once to the servers and once back. Batch-norm statistics stay local.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "engine/algorithms/exchange/push_pull.h"
#include "engine/core/base/error.h"
#include "engine/core/spec/speed_groups.h"

namespace paceline {
namespace {

struct StepTime {  // kAsk: answered with a Membership when all have told theirs
  double seconds = 0;  // of the warm-up step
  template <class S, class V> static void fields(S& s, V& v) { v.real(s.seconds); }
};
struct Membership {
  std::int64_t group = 0, size = 0, groups = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.group), v.count(s.size), v.count(s.groups); }
};

class GroupingWorker final : public exchange::PushPullWorker {
 public:
  explicit GroupingWorker(const Params& params)
      : exchange::PushPullWorker(params), bySpeed_(params.text("groups_from") == "speed"), count_(params.integer("group_count")) {}

  void start(WorkerContext& ctx) override {
    if (!bySpeed_) return join(ctx);
    if (count_ > ctx.world())
      throw Error(Errc::kSpec, strCat("/algorithm/params/group_count: ", count_, " groups cannot be formed of ", ctx.world(), " workers"));
    const double seconds = ctx.warmUpStep();
    const auto own = ctx.ask<Membership>(StepTime{seconds});
    extra_ = {static_cast<double>(own.group), static_cast<double>(own.size)};
    ctx.note(strCat("group ", own.group + 1, " of ", own.groups, " by speed, with ", own.size, own.size == 1 ? " worker" : " workers",
                    ": a warm-up step took ", seconds, " s"));
  }

  void state(Archive& archive, const StateSizes&) override {
    archive.numbers("group", extra_);
    const auto isCount = [](double value) { return isWhole<int>(value) && value >= 0; };
    if (archive.loading() && (extra_.size() != 2 || !isCount(extra_[0]) || !isCount(extra_[1])))
      throw Error(Errc::kFormat, "\"group\" in the checkpoint is no group and its size");
  }
  LockStep lockStep(std::int64_t roundsDone) const override { return {.set = static_cast<int>(extra_.at(0)), .clock = roundsDone}; }

 private:
  void join(WorkerContext& ctx) {
    const std::span<const std::vector<int>> groups = ctx.groups();
    for (std::size_t g = 0; g < groups.size(); ++g)
      if (std::find(groups[g].begin(), groups[g].end(), ctx.rank()) != groups[g].end())
        extra_ = {static_cast<double>(g), static_cast<double>(groups[g].size())};
    if (extra_.empty())
      throw Error(Errc::kSpec, strCat("/groups: worker ", ctx.rank(), " is in no group; name all workers there, or set groups_from to \"speed\""));
  }

  bool bySpeed_;
  std::int64_t count_;
};

class GroupingServer final : public exchange::PushServer {
 public:
  explicit GroupingServer(const ServerSetup& setup)
      : exchange::PushServer(setup, 2),
        weighting_(setup.params.boolean("weighting")),
        count_(static_cast<int>(setup.params.integer("group_count"))),
        groupOf_(world(), -1),
        gone_(world()),
        stepSeconds_(world()) {}

  void state(Archive& archive) override {
    exchange::PushServer::state(archive);
    archive.fixedNumbers("group_of", groupOf_);
  }

  void owed(Archive& archive) override {
    exchange::PushServer::owed(archive);
    std::vector<double> gone(gone_.begin(), gone_.end()), groups, asking(asking_.begin(), asking_.end());
    for (const auto& [id, group] : groups_) groups.insert(groups.end(), {static_cast<double>(id), group.size, group.lost});
    archive.fixedNumbers("gone", gone);
    archive.fixedNumbers("step_seconds", stepSeconds_);
    archive.numbers("asking", asking);
    archive.numbers("groups", groups);
    if (archive.loading()) {
      gone_.assign(gone.begin(), gone.end());
      asking_.assign(asking.begin(), asking.end());
      for (std::size_t i = 0; i + 2 < groups.size(); i += 3) groups_[static_cast<int>(groups[i])] = {.size = groups[i + 1], .lost = groups[i + 2], .pushes = {}};
    }
    for (auto& [id, group] : groups_) archivePushes(archive, strCat("pushes of group ", id), group.pushes);
  }

 private:
  struct Group {
    double size = 0;           // as its members say
    double lost = 0;           // of them
    std::vector<Push> pushes;  // of those who wait for the others
  };

  void pushed(Push push, Outbox& out) override {
    Group& group = groupOf(push);
    group.pushes.push_back(std::move(push));
    stepWhenAllAreHere(group, out);
  }

  // A push of its that waits for the others' counts.
  void lost(std::size_t rank, Outbox& out) override {
    if (groupOf_[rank] < 0) throw Error(Errc::kPeerLost, strCat("worker ", rank, " is gone before it had told its group"));
    Group& group = groups_[static_cast<int>(groupOf_[rank])];
    gone_[rank] = true;
    group.lost += 1;
    stepWhenAllAreHere(group, out);
  }

  void stepWhenAllAreHere(Group& group, Outbox& out) {
    const auto living = std::ranges::count_if(group.pushes, [this](const Push& push) { return !gone_[push.rank]; });
    if (group.pushes.empty() || static_cast<double>(living) < group.size - group.lost) return;
    std::vector<Push> pushes = std::exchange(group.pushes, {});
    std::ranges::sort(pushes, {}, &Push::rank);
    std::int64_t stalest = 0;  // of a group all are equally stale
    for (const Push& member : pushes) stalest = std::max(stalest, stalenessOf(member));
    descend(pushes, Real{1} / static_cast<Real>(pushes.size()) * (weighting_ ? exchange::staleWeight(stalest) : 1));
    for (const Push& member : pushes) answer(member.rank, out);
  }

  Group& groupOf(const Push& push) {
    const double id = push.extra[0], size = push.extra[1];
    const double most = static_cast<double>(world());
    const bool sound = id >= 0 && id < most && std::floor(id) == id && size >= 1 && size <= most && std::floor(size) == size;
    if (!sound || (groupOf_[push.rank] >= 0 && groupOf_[push.rank] != id))
      throw Error(Errc::kFormat, strCat("worker ", push.rank, " pushed for group ", id, " of ", size, " workers"));
    groupOf_[push.rank] = id;
    Group& group = groups_[static_cast<int>(id)];
    if (group.size != 0 && group.size != size)
      throw Error(Errc::kFormat, strCat("worker ", push.rank, " says that group ", id, " has ", size, " workers, others said ", group.size));
    group.size = size;
    return group;
  }

  void asked(Message question, Outbox& out) override {
    const std::optional<std::size_t> rank = rankOf(question.from);
    const double seconds = fieldsOf<StepTime>(question).seconds;
    if (!rank || !(seconds > 0) || stepSeconds_[*rank] > 0 || static_cast<std::size_t>(count_) > world())
      throw Error(Errc::kFormat, strCat("node ", question.from, " registered for a group by speed with a step time of ", seconds, " s"));
    stepSeconds_[*rank] = seconds;
    asking_.push_back(question.from);
    if (asking_.size() < world()) return;
    const std::vector<int> groups = groupsBySpeed(stepSeconds_, count_);
    const int formed = 1 + *std::max_element(groups.begin(), groups.end());
    for (const int node : asking_) {
      const int own = groups[*rankOf(node)];
      out.send(node, messageOf(MessageKind::kAnswer, Membership{.group = own, .size = std::count(groups.begin(), groups.end(), own), .groups = formed}));
    }
    asking_.clear();
  }

  bool weighting_;
  int count_;
  std::vector<double> groupOf_;      // by rank; -1: it has not pushed yet
  std::vector<bool> gone_;           // by rank
  std::map<int, Group> groups_;
  std::vector<double> stepSeconds_;  // by rank; 0: not registered
  std::vector<int> asking_;          // nodes in the order of their questions
};

}  // namespace

AlgorithmDef grouping_sgd() {
  AlgorithmDef def = exchange::pushDef(
      "grouping_sgd",
      {choiceParam("groups_from", "document", {"document", "speed"},
                   "The document's groups, or groups of workers of like speed formed from a warm-up step of each."),
       limited(integerParam({"group_count", "Number of groups"}, 0, 0, 1e6, "With groups_from speed: how many groups; 0: chosen by the Calinski-Harabasz index, one if all are alike."),
               Limit::kWorkers),
       advanced(booleanParam("weighting", true, "A group's gradient counts 1 / gamma, gamma = 1 + updates by other groups meanwhile."))},
      "Step size on a group's mean gradient.");
  def.title = "Grouping SGD";
  def.summary = "Synchronous inside groups of workers of like speed, asynchronous between groups, stale groups weighing less.";
  def.reference = "W. Jiang et al., A Novel Stochastic Gradient Descent Algorithm Based on Grouping over Heterogeneous Cluster Systems, CCGrid 2019";
  def.groups = true;
  def.joinsAgain = false;  // a group rests at a clock of its own, and the coordinator is of one group
  def.needsGroups = {.param = "groups_from", .values = {"document"}};
  def.makeWorker = [](const Params& params) { return std::make_unique<GroupingWorker>(params); };
  def.makeServer = [](const ServerSetup& setup) { return std::make_unique<GroupingServer>(setup); };
  return def;
}

}  // namespace paceline
