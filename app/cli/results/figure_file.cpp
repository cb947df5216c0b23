#include "app/cli/results/figure_file.h"

#include <cstdlib>
#include <filesystem>

#include "app/cli/console.h"
#include "app/figures/figure_pieces.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

// The figure's JSON for the renderer, in a folder of its own that goes away with this value.
class HandOver {
 public:
  HandOver() {
    std::string pattern = (std::filesystem::temp_directory_path() / "paceline-figure-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw Error(Errc::kFile, strCat("cannot make folder ", pattern));
    folder_ = pattern;
  }
  ~HandOver() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  HandOver(const HandOver&) = delete;
  HandOver& operator=(const HandOver&) = delete;
  std::string path() const { return folder_ + "/figure.json"; }

 private:
  std::string folder_;
};

}  // namespace

void writeFigureFile(const Figure& figure, const std::string& path, const Picture& look) {
  if (path.ends_with(".csv")) return writeOutput(path, [&figure](const PieceWriter& write) { writeFigureCsv(figure, write); });
  if (path.ends_with(".json")) return writeOutput(path, [&figure](const PieceWriter& write) { writeFigureJson(figure, write), write("\n"); });
  const HandOver handOver;
  writeOutput(handOver.path(), [&figure](const PieceWriter& write) { writeFigureJson(figure, write); });
  runWorkbench({"render", handOver.path(), "-o", path, "--style", look.style, "--theme", look.theme});
}

}  // namespace paceline::cli
