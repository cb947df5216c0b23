// A run whose loss became no number: where that began, and what its worker had recorded before.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "storage/store/store.h"

namespace paceline::summary {

inline constexpr std::size_t kRecordsBefore = 50;

struct Divergence {
  std::string node;
  std::string words;                   // "in round 12 the loss is NaN: training has diverged"
  std::vector<store::RoundRow> rounds;  // the last kRecordsBefore before it, in order, and the few behind it
};

std::optional<Divergence> divergenceOf(const store::StoreReader& store, const std::string& run);  // the first one; nullopt: none was told

// Records as a table: a column for each field that is not the same empty value in all of them, headed by its key.
struct RecordTable {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
};
RecordTable tableOf(std::span<const store::RoundRow> rounds, bool brief = false);  // brief: for eyes, numbers with four digits
std::string csvOf(const RecordTable& table);

}  // namespace paceline::summary
