// paceline-bench-summary STORE PART: makes the summary table and the accuracy figure of all runs of a store, or one of the documents with every point;
// "seconds peak-MB" on stdout. A program of its own: what paceline-bench is linked with, LibTorch above all, takes more memory than what is measured.
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "app/figures/figure_pieces.h"
#include "engine/core/base/error.h"
#include "storage/store/store.h"
#include "tests/bench/bench.h"

namespace paceline::bench {
namespace {

// Of this process. Its parent's peak does not count, as it would in ru_maxrss.
double peakMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (double kibibytes = 0; word == "VmHWM:" && status >> kibibytes) return kibibytes * 1024 / 1e6;
  throw Error(Errc::kHost, "/proc/self/status has no VmHWM");
}

Summaries summariesOf(const store::StoreReader& reader, const summary::Details& details) {
  Summaries summaries;
  for (const store::RunRow& run : reader.runs()) summaries.push_back(summary::summaryOf(reader, run, details));
  return summaries;
}

Figure accuracyOf(const store::StoreReader& reader) {
  const FigureDef& def = *findFigure("accuracy");
  return def.build(summariesOf(reader, def.reads({})), {});
}

// As many as a part made, so that nothing is left out unseen.
std::size_t made(const std::string& part, const std::string& path) {
  const store::StoreReader reader(path);
  if (part == "table_and_figure") {
    const std::string table = summary::summariesToCsv(summariesOf(reader, {}));
    std::size_t points = 0;
    for (const Line& line : accuracyOf(reader).lines) points += line.y.size();
    return table.empty() ? 0 : points;
  }
  std::size_t bytes = 0;
  if (part == "figure_csv") {
    writeFigureCsv(accuracyOf(reader), [&bytes](std::string_view piece) { bytes += piece.size(); });
    return bytes;
  }
  if (part != "json") throw Error(Errc::kUsage, strCat("there is no part ", part));
  summary::SummariesJson document;
  for (const store::RunRow& run : reader.runs()) bytes += document.next(summary::summaryOf(reader, run, summary::Details::all())).size();
  return bytes;
}

}  // namespace
}  // namespace paceline::bench

int main(int argc, char** argv) {
  using namespace paceline::bench;
  try {
    if (argc != 3) throw paceline::Error(paceline::Errc::kUsage, "usage: paceline-bench-summary STORE PART");
    const double began = secondsNow();
    const std::size_t amount = made(argv[2], argv[1]);
    std::cout << secondsNow() - began << " " << peakMegabytes() << " " << amount << std::endl;
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "paceline-bench-summary: " << error.what() << "\n";
    return 1;
  }
}
