// ESync's log tree as values: network/mode/host/device/iter-N.txt, one JSON object a file, and the arrays that its summary.py
// makes of them. Private to storage.
//
// One round of one device <-> RoundRecord:
//   get_batch -> fetch, "forward and backward" -> compute, "local update" -> update, "check ready" -> query, evaluation ->
//   evaluate (sums over the time entries); "global update", else "global aggregate", of the highest-numbered entry -> wait;
//   total_time -> t; entries of "time" -> local steps, less one for esync (its last entry only aggregates).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/record/event.h"

namespace paceline::interchange {

struct EsyncMode {
  const char* folder;     // "esync"
  const char* algorithm;  // ours: "esync"
  const char* summary;    // "ESync"
};
const std::vector<EsyncMode>& esyncModes();

struct EsyncModeName {
  const EsyncMode* mode = nullptr;
  bool nonIid = false;
};
std::optional<EsyncModeName> esyncModeOfFolder(std::string_view folder);  // "dcasgd-niid"
std::optional<EsyncModeName> esyncModeOfSummary(std::string_view file);   // "DCASGD-Non-IID.json"
const EsyncMode* esyncModeOfAlgorithm(std::string_view algorithm);        // nullptr: ESync has no such mode
std::string esyncModeList();                                              // for messages

// ESync calls resnet18-v1 what is resnet18_v1 here.
std::string modelOfNetwork(std::string network);
std::string networkOfModel(std::string model);

struct EsyncIteration {
  RoundRecord round;
  std::optional<double> accuracy;  // as in the file
};

// Throws Error{kFormat} naming `file` and the key. `n` is the number in the file's name: the round, as summary.py takes it.
EsyncIteration parseEsyncIteration(const std::string& text, const std::string& file, std::int64_t n, bool esync);

// The text of iter-N.txt: one line, the original's keys in their order. A round's sums are spread evenly over its local steps and
// rounded to 4 decimals, as the original rounds each measurement.
std::string esyncIterationText(const EsyncIteration& iteration, bool esync);

std::int64_t esyncEntryCount(const RoundRecord& round, bool esync);  // entries of "time" in that text

}  // namespace paceline::interchange
