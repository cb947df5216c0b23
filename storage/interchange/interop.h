// Exchange with other tools' files. Imported numbers equal what the original tool would have computed.
#pragma once

#include <string>
#include <vector>

#include "storage/interchange/foreign/foreign_run.h"
#include "storage/store/store.h"
#include "storage/summary/summary.h"

namespace paceline::interchange {

// ESync log tree: <base>/<network>/<mode>/<host>/<device>/iter-N.txt. Any folder at or above a mode folder, any hosts and devices.
// One run per mode folder. Returns the new runs' ids. Throws Error{kFormat, kFile} naming file and value; then nothing is stored.
std::vector<std::string> importEsyncTree(store::StoreWriter& store, const std::string& folder);
// ESync.json, Sync.json, Async.json, DCASGD.json, each also -Non-IID.
std::string importEsyncSummary(store::StoreWriter& store, const std::string& file);
bool namesEsyncSummary(std::string_view file);  // by its name alone
// By what is in it: a bundle, either of the two, or what other tools wrote (foreign/foreign_run.h), of which `profile` says what is what. Of these, runs that are in the store
// already get what is new.
std::vector<std::string> importPath(store::StoreWriter& store, const std::string& path, const ImportProfile& profile = {});
// A bundle alone. One whose checksum does not hold is refused: a changed record would be taken for a measured one.
enum class Checksum { kMustHold, kPassedOver };
std::vector<std::string> importBundle(store::StoreWriter& store, const std::string& file, Checksum checksum = Checksum::kMustHold);
inline constexpr const char* kChecksumKey = "sha256";  // of a bundle's bytes in front of it
std::string importableKinds();  // in words

// Same layout; below folder/<network>/<mode>/, which appears whole or not at all. What a broken export has left there is removed; then a sentence
// says so, else it is empty. Throws Error{kNoSpace, kFile, kUnsupported}.
// kOriginal: with the folders that ESync's own summary.py and drawer.py name, cloud1 and cloud3 with cpu, gpu0 and gpu1: who evaluates where drawer.py looks for accuracies, the two
// slowest of six as cpu; of at most six workers, else Error{kUnsupported}. `told` then says whose folder is whose, a line each.
enum class EsyncFolders { kOwn, kOriginal };
std::string exportEsyncTree(const summary::RunData& data, const std::string& folder, EsyncFolders folders = EsyncFolders::kOwn, std::string* told = nullptr);
// host -> device -> five arrays, as summary.py would write from exportEsyncTree's files (its quirks included).
std::string esyncSummaryJson(const summary::RunData& data);

std::string endingOf(const std::string& format);  // of one run's file in a folder of several: "json", "trace", "csv", or a list of records
std::vector<std::string> recordLists();  // "rounds", "evaluations", ...: one a type of record
std::string recordsToCsv(const summary::RunData& data, std::string_view list);  // Error{kUsage}: no such list
std::string runToJson(const summary::RunData& data, int indent = 2);  // everything recorded, one document

}  // namespace paceline::interchange
