// Samples of each class in a data set, as a figure: of what a worker program counted, not of runs. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/figures/figure.h"

namespace paceline {

struct ClassCounts {
  std::string split{};  // "train", "test"
  std::vector<std::int64_t> perClass{};
  std::int64_t samples = 0;  // where there are no classes
};

// Bars by class, a set for each split. Where there are more classes than bars that can be told apart, a bar is of several. `names` may be empty: numbers.
Figure classCounts(const std::string& title, const std::vector<std::string>& names, const std::vector<ClassCounts>& splits);

// "60 000 samples to train, 6000 of each class"; "120 samples to test, 4 to 30 of each class"; "400 samples to train".
std::string countsInWords(const ClassCounts& split);

}  // namespace paceline
