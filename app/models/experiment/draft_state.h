// All of an experiment draft as a value: for undo, for the next start of the window. Pure; nothing here throws.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <QString>

#include "engine/core/json/json_text.h"
#include "engine/core/spec/catalog.h"
#include "engine/core/spec/run_spec.h"

namespace paceline::experiment {

inline constexpr const char* kSeedPlace = "/seed";

struct DraftState {
  RunSpec spec;                              // the form: a run, or the base of a suite
  OrderedJson vary = OrderedJson::object();  // of a suite: its lists by pointer or label; empty: one run
  OrderedJson skip = OrderedJson::array();   // of a suite: the runs that it leaves out
  OrderedJson search = OrderedJson::object();  // of a suite that is searched; empty: all its runs are made
  QString text;                              // as the JSON editor shows it; while it cannot be read, the form stays as it was
  std::map<std::string, Params> left;        // "/algorithm/ssgd": the parameters of entries that were left for another one
  bool operator==(const DraftState&) const = default;
};

QString documentText(const DraftState& state);  // of spec, vary, skip and search, every default written out
// Of a run or a suite; a text with findings stays as it was written. "" or why it cannot be read: then `into` is unchanged.
QString readDraft(const std::string& text, DraftState& into);

QString seedsText(const DraftState& state);  // of the one of the spec, or of those that vary: "1, 2"
void setSeeds(DraftState& state, const std::vector<std::uint64_t>& seeds);

// Another entry at the choice `pointer` ("/algorithm") in the place of `now` (nullptr: not known). It gets back the values that it had when it was left for
// another one, and of what plays the same part in both (partOf) the value that stands there now. A name that says the one says the other.
void choose(DraftState& state, Choice RunSpec::*choice, const std::string& pointer, const CatalogEntry* now, const CatalogEntry& next);

// A file's text, and back: also of a draft whose text cannot be read. False: it is none; then `into` is unchanged.
std::string stored(const DraftState& state);
bool readStored(const std::string& text, DraftState& into);

struct KeptStep {  // a step that can be undone, or done again
  QString what;    // "changing batch size from 32 to 64"
  std::shared_ptr<const std::string> draft;  // stored() of the draft that it leads back to, or on to
};
struct KeptSteps {
  std::vector<KeptStep> back, again;  // from the draft as it is: the next one first
};
std::string withSteps(const std::string& stored, const KeptSteps& steps);  // of either kind the next ones, up to 1 MB, and at least one
KeptSteps stepsOf(const std::string& text);                                // what is no step is none, nor is what lies behind it

}  // namespace paceline::experiment
