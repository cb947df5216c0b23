// A figure's documents in pieces of text, so that many long curves take the memory of one. Any thread.
#pragma once

#include "app/figures/figure.h"
#include "engine/core/base/replace_file.h"

namespace paceline {

void writeFigureCsv(const Figure& figure, const PieceWriter& write);   // as figureToCsv()
void writeFigureJson(const Figure& figure, const PieceWriter& write);  // as figureToJson()

}  // namespace paceline
