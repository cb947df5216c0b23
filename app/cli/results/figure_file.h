// A figure as a file. Main thread.
#pragma once

#include <string>

#include "app/figures/figure.h"

namespace paceline::cli {

struct Picture {  // how one is drawn
  std::string style = "modern", theme = "light";
};

// By the ending of `path`: csv and json are written here, the others drawn by `paceline-workbench render`, the one renderer. Throws Error{kFile, kNoSpace}, Error{kHost}.
void writeFigureFile(const Figure& figure, const std::string& path, const Picture& look = {});

}  // namespace paceline::cli
