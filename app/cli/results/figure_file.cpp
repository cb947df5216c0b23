#include "app/cli/results/figure_file.h"

#include "app/cli/console.h"
#include "app/cli/scratch_folder.h"
#include "app/figures/figure_pieces.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
void writeFigureFile(const Figure& figure, const std::string& path, const Picture& look) {
  if (path.ends_with(".csv")) return writeOutput(path, [&figure](const PieceWriter& write) { writeFigureCsv(figure, write); });
  if (path.ends_with(".json")) return writeOutput(path, [&figure](const PieceWriter& write) { writeFigureJson(figure, write), write("\n"); });
  const ScratchFolder folder;
  const std::string handOver = folder / "figure.json";  // for the renderer
  writeOutput(handOver, [&figure](const PieceWriter& write) { writeFigureJson(figure, write); });
  runWorkbench({"render", handOver, "-o", path, "--style", look.style, "--theme", look.theme});
}

}  // namespace paceline::cli
