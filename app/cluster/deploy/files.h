// Sets of files for a host: their manifest and their places here. Values; throws Error{kFile, kHost, kFormat} naming the file.
#pragma once

#include <memory>

#include "app/cluster/deploy/elf.h"
#include "engine/core/record/manifest.h"

namespace paceline::deploy {

struct FileSource {
  std::string path;     // on this computer; "": the content itself
  std::string content;
};

struct FileSet {
  Manifest manifest;
  std::vector<FileSource> sources;  // of manifest.files, in order
  void add(const std::string& path, bool program, FileSource source);  // hashes it
  std::int64_t bytes() const;
};

FileSet programFiles();                           // paceline-agent, -server and -worker, as localProgram finds them
FileSet folderFiles(const std::string& folder);   // the regular files in it and below, hidden ones left out; too many are refused
std::string readPart(const FileSource& source, std::int64_t offset, std::int64_t limit);  // "" at the end

// The libraries that our programs need besides the C library, for hosts that have no LibTorch. Lean: a library of which no symbol is used is
// replaced by an empty one of the same name, and what only such libraries need is left out. Any thread; made once, then kept.
std::shared_ptr<const FileSet> libraryBundle();  // of paceline-worker and paceline-server as localProgram finds them
ElfNeeds bundleNeeds();                          // of a host's C library, when it gets programs and bundle

// Parts, for tests.
struct LeanSet {
  std::vector<std::string> kept;      // sonames whose libraries are used
  std::vector<std::string> replaced;  // sonames that only have to exist
  std::vector<std::string> closure;   // all that the loader would load, without the C library
};
LeanSet leanSetOf(const std::string& program);

}  // namespace paceline::deploy
