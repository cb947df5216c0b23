// Sets of files for a host: their manifest and their places here. Values; throws Error{kFile, kHost} naming the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace paceline::deploy
