// Fetches one file over HTTP or HTTPS: resumed where an earlier try broke off, its checksum verified, put in place in one step.
// Blocks the calling thread; any thread. libcurl stays in download.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

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
inline std::string partOf(const std::string& path) { return path + ".part"; }

}  // namespace paceline::deploy
