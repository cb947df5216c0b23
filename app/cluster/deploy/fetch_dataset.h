// Fetches a data set to this computer: the files that the worker program names, one after the other. For terminal and window.
// Blocks the calling thread; any thread. Throws what download() throws, Error{kHost} where the worker does not answer, Error{kFormat} where its answer is none and Error{kData} for a set that cannot be fetched.
#pragma once

#include <vector>

#include "app/cluster/deploy/download.h"
#include "app/cluster/worker/data_answer.h"

namespace paceline::deploy {

struct DatasetProgress {
  std::string file;                           // told before its first byte, too
  DownloadProgress ofFile{};
  std::int64_t bytesDone = 0, bytesTotal = 0;  // of all files; total 0: one's size is not known
};

struct DatasetFetch {
  std::string id;
  std::string to{};    // a folder; "": where runs look for it
  std::string from{};  // another address to get the files from; they are checked all the same
  std::function<void(const DatasetProgress&)> onProgress{};
  std::stop_token stop{};
};

struct FetchedFile {
  std::string name;
  Downloaded got;
};

struct FetchedDataset {
  std::string folder;
  std::vector<FetchedFile> files;
};

FetchedDataset fetchDataset(const DatasetFetch& what);

// What earlier tries have left where runs look for it: a download goes on from there. 0: nothing.
std::int64_t begunBytes(const worker::ListedSet& set);

}  // namespace paceline::deploy
