// All of an experiment draft as a value: for undo, for the next start of the window. Pure; nothing here throws.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <QString>

#include "engine/core/json/json_text.h"
#include "engine/core/spec/run_spec.h"

namespace paceline::experiment {

struct DraftState {
  RunSpec spec;                              // the form: a run, or the base of a suite
  OrderedJson vary = OrderedJson::object();  // of a suite: its lists by pointer or label; empty: one run
  QString text;                              // as the JSON editor shows it; while it cannot be read, the form stays as it was
  bool operator==(const DraftState&) const = default;
};

QString documentText(const DraftState& state);  // of spec and vary, every default written out
// Of a run or a suite; a text with findings stays as it was written. "" or why it cannot be read: then `into` is unchanged.
QString readDraft(const std::string& text, DraftState& into);

QString seedsText(const DraftState& state);  // of the one of the spec, or of those that vary: "1, 2"
void setSeeds(DraftState& state, const std::vector<std::uint64_t>& seeds);
QString varyText(const DraftState& state);  // "/algorithm/id: esync, ssgd; /seed: 1, 2"; "": one run

// "changing batch size from 64 to 32", "changing host of w1 from local to gpu1", "changing 3 places in nodes", "typing in the document"
QString changeText(const DraftState& before, const DraftState& after);
std::string changedPlace(const DraftState& before, const DraftState& after);  // the pointer that all differences are at or below

// A line of settings, and back: also of a draft whose text cannot be read. False: it is none; then `into` is unchanged.
std::string stored(const DraftState& state);
bool readStored(const std::string& text, DraftState& into);

}  // namespace paceline::experiment
