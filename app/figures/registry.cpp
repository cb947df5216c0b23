#include <algorithm>

#include "app/figures/figure.h"
#include "registry/figures.h"

namespace paceline {

const std::vector<FigureDef>& figures() {
  static const std::vector<FigureDef> defs = [] {
    std::vector<FigureDef> made;
    for (auto* define : k_figures) made.push_back(define());
    return made;
  }();
  return defs;
}

const FigureDef* findFigure(const std::string& id) {
  const auto found = std::ranges::find(figures(), id, &FigureDef::id);
  return found == figures().end() ? nullptr : &*found;
}

}  // namespace paceline
