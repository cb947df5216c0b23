#include "engine/runtime/losses/divided_data.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/runtime/control.h"
#include "engine/runtime/replay.h"

namespace paceline {

DividedData::DividedData(const NodeRun& run, const RunParts& parts, Transport& transport, Objective& objective)
    : run_(run), parts_(parts), transport_(transport), objective_(objective), divides_(run.spec.dividesLostData() && !run.replay) {
  if (run.replay)
    for (const auto& [epoch, ranks] : run.replay->dividedBy(run.node, run.again ? run.again->process : 0)) objective.divideDataOf(ranks, epoch);
}

void DividedData::take(const Message& message) {
  const auto members = fieldsOf<Members>(message);
  const auto isRank = [this](std::int64_t rank) { return rank >= 0 && rank < static_cast<std::int64_t>(parts_.workers.size()); };
  if (message.from != parts_.coordinator || run_.node == parts_.coordinator || !std::ranges::all_of(members.lost, isRank) || members.lost.size() >= parts_.workers.size())
    throw Error(Errc::kFormat, strCat("node ", message.from, " says who is lost, which only the coordinator does, of workers that the run has"));
  if (members.view <= view_) return;
  view_ = members.view;
  lost_.assign(members.lost.begin(), members.lost.end());
}

void DividedData::betweenRounds(const Losses& losses, std::int64_t round, double t) {
  if (!divides_) return;
  if (!std::exchange(begun_, true)) {  // a run that goes on from a checkpoint has it there
    applied_ = objective_.dividesDataOf();
    if (view_ == 0) lost_ = applied_;
  }
  if (run_.node != parts_.coordinator) return void(apply(round, t));
  const std::string before = idsOf(lost_);
  lost_.clear();
  for (const int node : losses.dropped()) lost_.push_back(rankOf(parts_, node));
  std::ranges::sort(lost_);
  if (apply(round, t) || losses.changes() != told_) told_ = losses.changes(), tell(before);
}

bool DividedData::apply(std::int64_t round, double t) {
  const std::optional<std::uint64_t> epoch = objective_.divideDataOf(lost_);
  if (!epoch) return false;
  std::vector<int> changed;
  std::ranges::set_symmetric_difference(lost_, applied_, std::back_inserter(changed));
  for (const int rank : changed) run_.emit(MetricRecord{.round = round, .t = t, .name = strCat(std::ranges::count(lost_, rank) > 0 ? kTakesData : kLeavesData, idsOf({rank})), .value = static_cast<double>(*epoch)});
  applied_ = lost_;
  return true;
}

void DividedData::tell(const std::string& before) {
  const Message message = messageOf(MessageKind::kMembers, Members{.view = ++view_, .lost = {lost_.begin(), lost_.end()}});
  transport_.sendToAll(parts_.workers, message);
  const std::string now = idsOf(lost_);
  if (now != before) emitNotice(run_, "log", lost_.empty() ? strCat("all train on data of their own again, each from its next epoch on") : strCat("the others train on the data of ", now, ", too, each from its next epoch on"), "info", "data_divided");
}

std::string DividedData::idsOf(const std::vector<int>& ranks) const {
  std::vector<std::string> ids;
  for (const int rank : ranks) ids.push_back(run_.spec.nodes.at(static_cast<std::size_t>(parts_.workers[static_cast<std::size_t>(rank)])).id);
  return listed(ids);
}

}  // namespace paceline
