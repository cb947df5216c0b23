// What the lists of a suite set, and where in its documents. Private to suites and searches.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/core/json/json_text.h"

namespace paceline {

struct Setting {  // one position of one axis
  std::string label;
  std::vector<std::pair<std::string, OrderedJson>> values;  // pointer, value
};
using Axis = std::vector<Setting>;

// A member of "vary".
Axis readAxis(const std::string& key, const OrderedJson& values, std::vector<Finding>& findings);

// What a value is called in the names of runs: "esync", "batch_size 32".
std::string valueLabel(const std::string& pointer, const OrderedJson& value, std::size_t position);

// Where the pointer leads; objects on the way are made, places in arrays must exist. Throws Error{kSpec} that names the pointer.
OrderedJson& placeAt(OrderedJson& document, const std::string& pointer);

}  // namespace paceline
