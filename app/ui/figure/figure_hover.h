// What a figure says at one x: for the card beside the pointer. Pure functions.
#pragma once

#include <optional>

#include <QString>

#include "app/ui/figure/figure_style.h"

namespace paceline::figure {

// Index of the point of a line that is nearest to x; nullopt when the line is empty.
std::optional<std::size_t> nearestPoint(const Line& line, double x);

// Rich text: the x, then a row for each series with its mark and its exact value. "" when there is nothing to say.
QString hoverCard(const Figure& figure, double x, FigureStyle style, bool dark);

}  // namespace paceline::figure
