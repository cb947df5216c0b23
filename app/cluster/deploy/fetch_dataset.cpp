#include "app/cluster/deploy/fetch_dataset.h"

#include <filesystem>

#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/error.h"

namespace paceline::deploy {
namespace {

constexpr double kListSeconds = 120;

worker::ListedSet setNamed(const worker::ListedData& data, const std::string& id) {
  std::string have;
  for (const worker::ListedSet& set : data.sets) {
    if (set.id == id) return set;
    if (!set.files.empty()) have += (have.empty() ? "" : ", ") + set.id;
  }
  throw Error(Errc::kData, strCat("data set \"", id, "\" is not known; have ", have));
}

std::string folderFor(const worker::ListedSet& set, const DatasetFetch& what) {
  if (set.files.empty())
    throw Error(Errc::kData, strCat("data set \"", what.id, "\" has nothing to download", set.builtIn ? ": it is made from the seed" : ": its folder is yours"));
  const std::string folder = what.to.empty() ? set.downloadTo : what.to;
  if (folder.empty()) throw Error(Errc::kData, "there is no home folder to download to; say where with --to FOLDER");
  return std::filesystem::absolute(folder).lexically_normal().string();
}

std::int64_t sizeOf(const std::string& path) {
  std::error_code missing;
  const auto size = std::filesystem::file_size(path, missing);
  return missing ? 0 : static_cast<std::int64_t>(size);
}

}  // namespace

std::int64_t begunBytes(const worker::ListedSet& set) {
  std::int64_t bytes = 0;
  if (!set.downloadTo.empty())
    for (const worker::PublishedFile& file : set.files) {
      const std::string path = strCat(set.downloadTo, "/", file.name);
      bytes += sizeOf(path) + sizeOf(partOf(path));
    }
  return bytes;
}

FetchedDataset fetchDataset(const DatasetFetch& what) {
  const worker::ListedSet set = setNamed(worker::listedData(worker::workerDocument({"data", "list"}, kListSeconds, what.stop)), what.id);
  FetchedDataset fetched{.folder = folderFor(set, what), .files = {}};
  DatasetProgress now{.file = {}, .bytesTotal = worker::downloadBytes(set)};
  std::int64_t before = 0;  // of the files that are complete
  for (const worker::PublishedFile& file : set.files) {
    now.file = file.name;
    const auto told = [&](const DownloadProgress& progress) {
      now.ofFile = progress;
      now.bytesDone = before + progress.bytesDone;
      if (what.onProgress) what.onProgress(now);
    };
    told({.bytesDone = 0, .bytesTotal = file.bytes});
    const Downloaded got = download({.url = what.from.empty() ? file.url : strCat(what.from, what.from.ends_with('/') ? "" : "/", now.file),
                                     .path = strCat(fetched.folder, "/", now.file),
                                     .bytes = file.bytes,
                                     .sha256 = file.sha256,
                                     .onProgress = told,
                                     .stop = what.stop});
    told({.bytesDone = got.bytes, .bytesTotal = got.bytes});
    before += got.bytes;
    fetched.files.push_back({.name = now.file, .got = got});
  }
  return fetched;
}

}  // namespace paceline::deploy
