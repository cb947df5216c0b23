// What papers report of the chosen runs ("published" of their documents), beside what these gave. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "engine/core/spec/published.h"

namespace paceline {

enum class Inside { kYes, kNo, kNoBand, kNoValue, kOtherSetting };

struct PublishedRow {
  std::string configuration;       // "ESync, slowdown 6"
  std::vector<std::string> ids{};  // of its runs
  std::string quantity;            // "Samples/s", "Speed-up over SSGD to 80 %", "Computing time of w0"
  PublishedValue value{};          // its source and what differs in it
  std::optional<double> ours{};    // in its unit, by its formula: mean over the runs that have it
  double deviation = 0;            // of the sample
  int runs = 0, of = 0;            // that have it
  Inside inside = Inside::kNoValue;
  std::string publishedText{}, oursText{}, ratioText{}, insideText{};  // "0.932 ± 0.003", "0.921 ± 0.002", "0.988", "no: 1.2 % below"
};

// Those that hold for a run of the list, in the order of the results' rows, then of the document.
std::vector<PublishedRow> publishedRows(const Summaries& runs, const Titles& titles = {});

inline constexpr const char* kPublishedHeads[] = {"Configuration", "Quantity", "Published", "Ours", "Ours / published", "Inside the band", "Source"};
std::vector<std::string> cellsOf(const PublishedRow& row);  // one for each head
std::string publishedToJson(const std::vector<PublishedRow>& rows);  // a list of objects
std::string sourceText(const PublishedValue& value);        // with what differs behind it
// The same for a text, in which many rows have one source: "[1]" in the last cell, and what that is.
struct PublishedTable {
  std::vector<std::vector<std::string>> rows{};
  std::vector<std::string> sources{};  // "[1] Somebody 2020, table 1"
};
PublishedTable numbered(const std::vector<PublishedRow>& rows);

// The values of its document that hold for a run; none where it has no document.
std::vector<PublishedValue> publishedOf(const summary::RunSummary& run);
// A run's own number of that kind, by the value's formula. Of speed-ups: what they divide. nullopt: not recorded, or the target was not reached.
std::optional<double> oursOf(const summary::RunSummary& run, const PublishedValue& value);

}  // namespace paceline
