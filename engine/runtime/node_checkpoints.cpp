#include "engine/runtime/node_checkpoints.h"

#include "engine/core/base/error.h"
#include "engine/core/record/state_archive.h"
#include "engine/runtime/checkpoint_folder.h"
#include "engine/runtime/setup.h"

namespace paceline {

NodeCheckpoints::NodeCheckpoints(const NodeRun& run, State state, Send send) : run_(run), state_(std::move(state)), send_(std::move(send)) {}

void NodeCheckpoints::obey(int coordinator, const SnapshotStep& step) {
  std::visit(Overloaded{[&](const Save& order) {
                          const std::optional<std::size_t> bytes = save(order.round);
                          send_(coordinator, snapshotMessage(Saved{.round = order.round, .done = bytes.has_value(),
                                                                   .bytes = static_cast<std::int64_t>(bytes.value_or(0))}));
                        },
                        [&](const Go& order) {
                          settle(order.round, order.complete);
                          ++goes_;
                        },
                        [&](const Load& order) {
                          load(order.round);
                          send_(coordinator, snapshotMessage(Loaded{order.round}));
                        },
                        [](const auto&) {}},
             step);
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

Holds NodeCheckpoints::held() const {
  Holds sound;
  for (const std::int64_t round : run_.resume->rounds()) {
    try {
      static_cast<void>(run_.resume->load(round));
      sound.rounds.push_back(round);
    } catch (const Error& error) {
      emitNotice(run_, "log", error.what(), "warn", "checkpoint");
    }
    if (sound.rounds.size() + 1 == kMaxScalars) break;
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
  if (!run_.checkpoints || run_.checkpoints->path() == run_.resume->path()) return;
  try {  // the new run can be resumed from its first moment on
    run_.checkpoints->save(round, table);
  } catch (const Error& error) {
    emitNotice(run_, "log", strCat("the checkpoint of round ", round, " is not copied: ", error.what()), "warn", "checkpoint");
  }
}

}  // namespace paceline
