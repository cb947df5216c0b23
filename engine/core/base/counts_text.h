// A list of counts as a text parameter holds it: "600000, 1200000", growing, at least one. Any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace paceline {

// Throws Error{kSpec} that quotes the item that is no whole number from 1 to 1e15 or does not grow.
std::vector<std::int64_t> countsFromText(std::string_view text);

}  // namespace paceline
