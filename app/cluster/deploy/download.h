// Fetches one file over HTTP or HTTPS: resumed where an earlier try broke off, its checksum verified, put in place in one step.
// Blocks the calling thread; any thread. libcurl stays in download.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace paceline::deploy {

struct DownloadProgress {
  std::int64_t bytesDone = 0, bytesTotal = 0;  // total 0: not known
  double rateBytesPerSecond = 0, etaSeconds = 0;
};

struct Download {
  std::string url, path;      // path: where the file shall be; its folder is made
  std::int64_t bytes = 0;     // as published; 0: not known
  std::string sha256;         // as published; "": not known, any content is taken
  std::function<void(const DownloadProgress&)> onProgress = {};
  std::stop_token stop = {};
};

struct Downloaded {
  std::int64_t bytes = 0;    // of the file
  std::int64_t fetched = 0;  // over the network, this time
  bool resumed = false;      // began with what an earlier try had left
  bool there = false;        // it was there already, with the right checksum
};

// What has come so far is kept as <path>.part. Throws one sentence that names the host, the address or the file:
// Error{kHost}: no network, refused, broken off; Error{kFormat}: the checksum differs, the file is kept as <path>.bad;
// Error{kNoSpace, kFile}: it cannot be written; Error{kLocked}: another process downloads it; Error{kStopped}: asked to stop.
Downloaded download(const Download& what);

// A download that is not complete: <path>.part, locked while one process writes it. One thread.
// Throws Error{kNoSpace, kFile, kLocked} naming the file.
class PartFile {
 public:
  explicit PartFile(const std::string& path);  // of the complete file; makes its folder
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  std::int64_t size() const { return size_; }
  void append(std::string_view bytes);
  void clear();
  void requireSpace(std::int64_t bytes) const;  // free on its disk
  std::string sha256() const;
  void complete();  // becomes `path`
  void keepAsBad(); // becomes <path>.bad

 private:
  [[noreturn]] void failed(const char* what, int code) const;

  std::string path_, part_;
  int file_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace paceline::deploy
