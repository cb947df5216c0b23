#include "engine/runtime/node_checkpoints.h"

#include <cmath>

#include "engine/core/base/error.h"
#include "engine/core/record/state_archive.h"
#include "engine/runtime/checkpoint_folder.h"
#include "engine/runtime/setup.h"

namespace paceline {

Message cutMessage(CutStep step, std::vector<double> numbers) {
  Message message;
  message.kind = MessageKind::kCheckpoint;
  message.scalars = std::move(numbers);
  message.scalars.insert(message.scalars.begin(), static_cast<double>(step));
  return message;
}

CutStep cutStep(const Message& message) {
  constexpr std::size_t kNumbers[] = {0, 2, 1, 0, 1, 1, 3, 2, 0, 1, 1};  // that must follow, by step; kHolds: any
  const std::vector<double>& s = message.scalars;
  bool sound = !s.empty();
  for (const double number : s) sound = sound && std::isfinite(number) && std::abs(number) < 1e15 && number == std::floor(number);
  sound = sound && s[0] >= 0 && s[0] <= static_cast<double>(CutStep::kLoaded);
  sound = sound && (s[0] == static_cast<double>(CutStep::kHolds) || s.size() == 1 + kNumbers[static_cast<std::size_t>(s[0])]);
  if (!sound) throw Error(Errc::kFormat, strCat("node ", message.from, " sent a checkpoint message that is none, with ", s.size(), " numbers"));
  return static_cast<CutStep>(s[0]);
}

std::int64_t cutNumber(const Message& message, std::size_t index) { return static_cast<std::int64_t>(message.scalars.at(index)); }

NodeCheckpoints::NodeCheckpoints(const NodeRun& run, State state, Send send) : run_(run), state_(std::move(state)), send_(std::move(send)) {}

bool NodeCheckpoints::obey(const Message& order) {
  const CutStep step = cutStep(order);
  if (step == CutStep::kSave) {
    const std::int64_t round = cutNumber(order, 1);
    const std::optional<std::size_t> bytes = save(round);
    send_(order.from, cutMessage(CutStep::kSaved, {static_cast<double>(round), bytes ? 1.0 : 0.0, static_cast<double>(bytes.value_or(0))}));
  } else if (step == CutStep::kGo) {
    settle(cutNumber(order, 1), cutNumber(order, 2) != 0);
    ++goes_;
  } else if (step == CutStep::kLoad) {
    load(cutNumber(order, 1));
    send_(order.from, cutMessage(CutStep::kLoaded, {order.scalars[1]}));
  } else {
    return false;
  }
  return true;
}

std::optional<std::size_t> NodeCheckpoints::save(std::int64_t round) {
  StateTable table;
  StateWriter writer(table);
  state_(writer);
  if (!run_.checkpoints) return table.bytes();
  try {
    run_.checkpoints->save(round, table);
    return table.bytes();
  } catch (const Error& error) {
    emitNotice(run_, "log", strCat("the checkpoint of round ", round, " is not saved: ", error.what()), "warn", "checkpoint");
    return std::nullopt;
  }
}

void NodeCheckpoints::settle(std::int64_t round, bool complete) {
  if (!run_.checkpoints || round == 0) return;
  if (complete)
    run_.checkpoints->keep(round);
  else
    run_.checkpoints->drop(round);
}

std::vector<double> NodeCheckpoints::held() const {
  std::vector<double> sound;
  for (const std::int64_t round : run_.resume->rounds()) {
    try {
      static_cast<void>(run_.resume->load(round));
      sound.push_back(static_cast<double>(round));
    } catch (const Error& error) {
      emitNotice(run_, "log", error.what(), "warn", "checkpoint");
    }
    if (sound.size() + 1 == kMaxScalars) break;
  }
  return sound;
}

void NodeCheckpoints::load(std::int64_t round) {
  const StateTable table = run_.resume->load(round);
  StateReader reader(table);
  try {
    state_(reader);
    reader.finish();
  } catch (const Error& error) {
    throw Error(error.code(), strCat("checkpoint of round ", round, " in ", run_.resume->path(), " cannot be used: ", error.what()));
  }
  loaded_ = true;
  if (!run_.checkpoints || run_.checkpoints->path() == run_.resume->path()) return;
  try {  // the new run can be resumed from its first moment on
    run_.checkpoints->save(round, table);
  } catch (const Error& error) {
    emitNotice(run_, "log", strCat("the checkpoint of round ", round, " is not copied: ", error.what()), "warn", "checkpoint");
  }
}

}  // namespace paceline
