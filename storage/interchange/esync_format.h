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

// Error{kFile}; Error{kFormat} when absurdly large.
std::string textOfFile(const std::string& path, std::size_t maxBytes = 16 << 20);

std::string folderName(std::string name);  // a name that is one folder and stays below its parent, whatever it was

struct EsyncIteration {
  RoundRecord round;
  std::optional<double> accuracy;  // as in the file
};

}  // namespace paceline::interchange
