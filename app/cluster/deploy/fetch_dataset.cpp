#include "app/cluster/deploy/fetch_dataset.h"

#include <filesystem>

#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/error.h"

namespace paceline::deploy {
namespace {

constexpr double kListSeconds = 120;

std::string textOf(const Json& json, const char* key) { return json.value(key, std::string()); }
std::int64_t bytesOf(const Json& file) { return file.value("bytes", std::int64_t{0}); }

const Json& setNamed(const Json& document, const std::string& id) {
  std::string have;
  for (const Json& set : document.at("datasets")) {
    if (textOf(set, "id") == id) return set;
    if (!set.at("files").empty()) have += (have.empty() ? "" : ", ") + textOf(set, "id");
  }
  throw Error(Errc::kData, strCat("data set \"", id, "\" is not known; have ", have));
}

std::string folderFor(const Json& set, const DatasetFetch& what) {
  if (set.at("files").empty())
    throw Error(Errc::kData, strCat("data set \"", what.id, "\" has nothing to download", textOf(set, "location") == "built in" ? ": it is made from the seed" : ": its folder is yours"));
  const std::string folder = what.to.empty() ? textOf(set, "download_to") : what.to;
  if (folder.empty()) throw Error(Errc::kData, "there is no home folder to download to; say where with --to FOLDER");
  return std::filesystem::absolute(folder).lexically_normal().string();
}

std::int64_t totalOf(const Json& files) {  // 0: not known
  std::int64_t total = 0;
  for (const Json& file : files) {
    if (bytesOf(file) <= 0) return 0;
    total += bytesOf(file);
  }
  return total;
}

}  // namespace

FetchedDataset fetchDataset(const DatasetFetch& what) {
  const Json document = worker::workerDocument({"data", "list"}, kListSeconds, what.stop);
  const Json& set = setNamed(document, what.id);
  const Json& files = set.at("files");
  FetchedDataset fetched{.folder = folderFor(set, what), .files = {}};
  DatasetProgress now{.file = {}, .bytesTotal = totalOf(files)};
  std::int64_t before = 0;  // of the files that are complete
  for (const Json& file : files) {
    now.file = textOf(file, "name");
    const auto told = [&](const DownloadProgress& progress) {
      now.ofFile = progress;
      now.bytesDone = before + progress.bytesDone;
      if (what.onProgress) what.onProgress(now);
    };
    told({.bytesDone = 0, .bytesTotal = bytesOf(file)});
    const Downloaded got = download({.url = what.from.empty() ? textOf(file, "url") : strCat(what.from, what.from.ends_with('/') ? "" : "/", now.file),
                                     .path = strCat(fetched.folder, "/", now.file),
                                     .bytes = bytesOf(file),
                                     .sha256 = textOf(file, "sha256"),
                                     .onProgress = told,
                                     .stop = what.stop});
    told({.bytesDone = got.bytes, .bytesTotal = got.bytes});
    before += got.bytes;
    fetched.files.push_back({.name = now.file, .got = got});
  }
  return fetched;
}

}  // namespace paceline::deploy
