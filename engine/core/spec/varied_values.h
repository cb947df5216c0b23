// The values that a person gives to a place that varies: "1, 2, 4", "1..8 step 2", "0.001..1 log 4", or several of them with commas between. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/json/json_text.h"

namespace paceline {

inline constexpr std::size_t kMostVariedValues = 1000;  // of one place

struct VariedValues {
  std::vector<OrderedJson> values;  // each once, in their order; none where something is wrong
  std::string wanted, found;        // then what must be there ("whole numbers ...") and the words that are wrong: mustBe() makes the sentence
};

// Numbers: `A..B` counts by one between whole numbers, `step S` by S, `log N` gives N values with equal ratios between A and B, those between rounded to
// four digits. Whole numbers stay whole; "none" is null.
VariedValues readNumbers(std::string_view text);
VariedValues readTexts(std::string_view text);  // words with commas between

double roundedTo(double value, int digits);  // significant ones

std::string variedText(const OrderedJson& values);  // a list that the two read back to the same values; lists and objects as JSON

}  // namespace paceline
