// What varies in a draft: its lists by place, and the runs that are left out. Pure; nothing here throws.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <QStringList>

#include "app/models/experiment/draft_state.h"
#include "engine/core/spec/suite.h"

namespace paceline::experiment {

// The key of the list that varies just this place; a choice ("/algorithm/id") may vary as a whole ("/algorithm"). nullopt: none does.
std::optional<std::string> axisOf(const DraftState& state, const std::string& pointer);
bool varies(const DraftState& state, const std::string& pointer);

QString axisName(const DraftState& state, const Catalog* catalog, const std::string& key);  // "Slowdown of w3"
QStringList axisValues(const DraftState& state, const Catalog* catalog, const std::string& key);  // "ESync", "32"; what has no short word is its number
QString axisText(const DraftState& state, const std::string& key);  // as it is typed: "1, 2, 4"
std::vector<std::string> axisIds(const DraftState& state, const std::string& key);  // of a choice, or of words

// The base takes the first value; runs that are left out stay so where their values are still there.
void setAxis(DraftState& state, const std::string& key, const std::vector<OrderedJson>& values);
// The choice among `ids`: values that the list has already are kept as they are; others are as choose() would leave them.
void setAxisIds(DraftState& state, const Catalog* catalog, const std::string& pointer, const std::vector<std::string>& ids);
void endAxis(DraftState& state, const std::string& key);  // the base keeps the first value

// A range that is searched instead of a list; "search 0.001..1 log", as it is typed.
std::optional<SearchRange> rangeOf(const DraftState& state, const std::string& pointer);
bool isRangeText(const QString& typed);
std::optional<SearchRange> readRange(const QString& typed, const OrderedJson& now);  // now: what stands there; nullopt: it is none
QString rangeText(const SearchRange& range);
void setRange(DraftState& state, const std::string& key, const SearchRange& range);  // instead of its list; the suite is searched from then on
void beginSearch(DraftState& state);  // of 20 runs, over its lists
void endSearch(DraftState& state);    // ranges become lists of their two ends
QString searchSentence(const DraftState& state, const Catalog* catalog, const SearchSpace& space);  // "Search over Learning rate, 2 algorithms: 20 runs for best accuracy, bayesian"

void pruneSkipped(DraftState& state);  // what is left out names only values that are there

// Rows of "/nodes" or "/edges" are gone: lists below them go with them or move up.
void forgetRows(DraftState& state, const std::string& list, const std::vector<int>& rows);

using Cell = std::vector<std::size_t>;  // a position on each axis
void leaveOut(DraftState& state, const std::vector<SuiteAxis>& axes, const std::vector<Cell>& cells);  // these and no others

// "5 slowdowns x 2 algorithms x 3 seeds = 30 runs", or "... = 28 of 30 runs"; "": one run
QString suiteSentence(const DraftState& state, const Catalog* catalog, const std::vector<SuiteAxis>& axes, std::size_t runs);

}  // namespace paceline::experiment
