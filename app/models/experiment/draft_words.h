// What a document's places, values and changes are called, as its form shows them: labels and the catalogue's titles in place of pointers and ids.
// Pure; without a catalogue ids stay ids.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <QString>

#include "app/models/experiment/draft_state.h"
#include "engine/core/spec/catalog.h"

namespace paceline::experiment {

// What may stand at a choice of the document ("/algorithm"); empty: there is no choice.
std::vector<const CatalogEntry*> entriesAt(const Catalog& catalog, const std::string& choice);
const CatalogEntry* entryAt(const Catalog* catalog, const std::string& choice, const std::string& id);  // nullptr: not known

// "Algorithm" of /algorithm/id, "Local learning rate", "Slowdown of w3", "What varies"; "" of the whole document
QString placeName(const std::string& pointer, const RunSpec& spec, const Catalog* catalog);
// "SSGD", "crop and flip", "yes", "none"; "" of lists and of objects that are no choice
QString valueName(const std::string& pointer, const Json& value, const RunSpec& spec, const Catalog* catalog);
// What stands there; of a parameter that is not set its default. Null: nothing.
Json valueAt(const std::string& pointer, const RunSpec& spec, const Catalog* catalog);
QString entryName(const std::string& key, const OrderedJson& entry, const RunSpec& spec, const Catalog* catalog);  // of a list of the suite; "": it has no short name
Choice RunSpec::*choiceMember(const std::string& choice);  // of "/algorithm"; nullptr: none, or one without parameters
QString wordOf(const std::string& pointer, const std::string& id);  // of members with words of their own: "asks the servers"; else the id

QString varyText(const DraftState& state, const Catalog* catalog);  // "Algorithm: ESync, SSGD; Seed: 1, 2"; "": one run

// That the runs of a suite do not all take a place's value from its base. The field of the seeds shows an axis "/seed" itself, any other that sets them is told here.
struct Varied {
  QString set;   // the values that are set, or the names of the entries that set them: "ESync, SSGD"
  QString left;  // the names of the entries that leave it as the base has it; "": all set it
  QString sentence() const;
};
std::optional<Varied> variedAt(const DraftState& state, const Catalog* catalog, const std::string& pointer);

// "changing batch size from 64 to 32", "changing algorithm from SSGD to ESync", "changing 3 places in nodes", "typing in the document"
QString changeText(const DraftState& before, const DraftState& after, const Catalog* catalog);

// What another document of one run has otherwise: a place of the later one, what stood there and what stands there now. Nodes are told apart by their names.
struct PlaceChange {
  std::string pointer;
  QString words;   // "algorithm from SSGD to ESync", "batch size from 16 to 64", "local steps 4", "node e0 added"
  QString before;  // "SSGD"; "": nothing with a short name
};
std::vector<PlaceChange> changesOf(const RunSpec& before, const RunSpec& after, const Catalog* catalog);

std::string changedPlace(const DraftState& before, const DraftState& after);  // the pointer that all differences are at or below

}  // namespace paceline::experiment
