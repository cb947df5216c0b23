// The contents that were sent to this host, each once under its SHA-256, and what has half arrived. Holds the lock of all that is written while
// it lives: two desktops send one after the other. One thread. Throws Error{kNoSpace, kFile, kFormat}; what has arrived stays for the next time.
#pragma once

#include <functional>
#include <string>

#include "agent/supervisor/fd.h"
#include "agent/supervisor/receive/installed.h"
#include "engine/core/record/manifest.h"

namespace paceline::receive {

class ObjectStore {
 public:
  ObjectStore(InstalledPaths paths, const std::function<void()>& onWait);  // onWait: somebody else has the lock

  bool has(const ManifestFile& file) const;
  std::int64_t arrived(const ManifestFile& file) const;  // bytes of a half-sent content
  std::int64_t bytesFree() const;

  // Appends what `next` gives (at most the bytes it is asked for) until the file is whole, then verifies and keeps it.
  void receive(const ManifestFile& file, const std::function<std::string(std::int64_t left)>& next);
  // Makes `folder` with these files (all are there) in one step; an older one of that name goes.
  void place(const Manifest& manifest, const std::string& folder);

 private:
  std::string object(const ManifestFile& file) const { return paths_.objects + "/" + file.sha256 + (file.program ? ".x" : ""); }
  std::string partial(const ManifestFile& file) const { return paths_.partial + "/" + file.sha256; }
  void takeOver(const ManifestFile& file) const;  // from agents/ or from the same content with another mode
  void keep(const ManifestFile& file);

  InstalledPaths paths_;
  Fd lock_;
};

}  // namespace paceline::receive
