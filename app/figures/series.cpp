#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "app/figures/figure.h"

namespace paceline {
namespace {

struct Named {
  std::string_view id, name;
};

// Position = palette index. Figures of other years must look the same: append only.
constexpr std::array<Named, 14> kAlgorithms = {{{"esync", "ESync"},
                                                {"ssgd", "SSGD"},
                                                {"asgd", "ASGD"},
                                                {"dc_asgd", "DC-ASGD"},
                                                {"standalone", "stand-alone"},
                                                {"local_sgd", "local SGD"},
                                                {"ssp", "SSP"},
                                                {"grouping_sgd", "Grouping-SGD"},
                                                {"gradient_dropping", "gradient dropping"},
                                                {"dgc", "DGC"},
                                                {"dgs", "DGS"},
                                                {"d_sgd", "D-SGD"},
                                                {"pdmm_isvr", "PDMM-ISVR"},
                                                {"admm_isvr", "ADMM-ISVR"}}};

}  // namespace

int seriesOf(const std::string& algorithm) {
  const auto found = std::ranges::find(kAlgorithms, algorithm, &Named::id);
  return static_cast<int>(found - kAlgorithms.begin());  // all unknown ones share the index after the last
}

std::string displayName(const std::string& algorithm) {
  const auto found = std::ranges::find(kAlgorithms, algorithm, &Named::id);
  if (found != kAlgorithms.end()) return std::string(found->name);
  return algorithm.empty() ? "unknown" : algorithm;
}

}  // namespace paceline
