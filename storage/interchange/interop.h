// Exchange with other tools' files. Imported numbers equal what the original tool would have computed.
#pragma once

#include <string>
#include <vector>

#include "storage/store/store.h"
#include "storage/summary/summary.h"

namespace paceline::interchange {

// ESync log tree: <base>/<network>/<mode>/<host>/<device>/iter-N.txt. Any folder at or above a mode folder, any hosts and devices.
// One run per mode folder. Returns the new runs' ids. Throws Error{kFormat, kFile} naming file and value; then nothing is stored.
std::vector<std::string> importEsyncTree(store::StoreWriter& store, const std::string& folder);
// ESync.json, Sync.json, Async.json, DCASGD.json, each also -Non-IID.
std::string importEsyncSummary(store::StoreWriter& store, const std::string& file);
bool namesEsyncSummary(std::string_view file);  // by its name alone
// Finds out which of the two (or a bundle) it is.
std::vector<std::string> importPath(store::StoreWriter& store, const std::string& path);

// Same layout; below folder/<network>/<mode>/, which appears whole or not at all. What a broken export has left there is removed; then a sentence
// says so, else it is empty. Throws Error{kNoSpace, kFile, kUnsupported}.
std::string exportEsyncTree(const summary::RunData& data, const std::string& folder);
// host -> device -> five arrays, as summary.py would write from exportEsyncTree's files (its quirks included).
std::string esyncSummaryJson(const summary::RunData& data);

std::string endingOf(const std::string& format);  // of one run's file in a folder of several: "json", "trace", "csv", or a list of records
std::vector<std::string> recordLists();  // "rounds", "evaluations", ...: one a type of record
std::string recordsToCsv(const summary::RunData& data, std::string_view list);  // Error{kUsage}: no such list
std::string runToJson(const summary::RunData& data, int indent = 2);  // everything recorded, one document

}  // namespace paceline::interchange
