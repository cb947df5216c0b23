// A figure as small as a stamp: what can be seen of it there, so that many of them are painted quickly. Pure.
#pragma once

#include "app/figures/figure.h"

namespace paceline {

// Without notes, texts and smoothed-over points; few points a line, few lines. It is painted by FigurePaint::thumbnail.
Figure thumbnailOf(Figure figure);

}  // namespace paceline
