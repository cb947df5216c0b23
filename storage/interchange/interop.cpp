#include "storage/interchange/interop.h"

#include <filesystem>

#include "engine/core/base/error.h"
#include "storage/interchange/bundle.h"
#include "storage/interchange/esync_format.h"

namespace fs = std::filesystem;

namespace paceline::interchange {

std::vector<std::string> importPath(store::StoreWriter& store, const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw Error(Errc::kFile, strCat(path, ": ", error ? error.message() : "no such file or folder"));
  if (fs::is_directory(status)) return importEsyncTree(store, path);
  if (esyncModeOfSummary(fs::path(path).filename().string())) return {importEsyncSummary(store, path)};
  if (path.ends_with(".json")) return importBundle(store, path);
  throw Error(Errc::kFormat, strCat(path,
                                    ": nothing that Paceline can import: an ESync log tree (a folder), an ESync summary "
                                    "(ESync.json, ...) or a bundle (.json)"));
}

}  // namespace paceline::interchange
