#include "app/cluster/deploy/files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "app/cluster/hosts/host.h"
#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"

namespace paceline::deploy {
namespace {

constexpr std::size_t kMostFiles = 50000;  // of a folder; each is hashed here and asked for there

}  // namespace

void FileSet::add(const std::string& path, bool program, FileSource source) {
  ManifestFile file{.path = path, .program = program, .size = 0, .sha256 = ""};
  if (source.path.empty()) {
    file.size = static_cast<std::int64_t>(source.content.size());
    file.sha256 = sha256Hex(source.content);
  } else {
    std::error_code error;
    file.size = static_cast<std::int64_t>(std::filesystem::file_size(source.path, error));
    if (error) throw Error(Errc::kFile, strCat("cannot read ", source.path, ": ", error.message()));
    file.sha256 = sha256OfFile(source.path);
  }
  manifest.files.push_back(std::move(file));
  sources.push_back(std::move(source));
}

std::int64_t FileSet::bytes() const {
  std::int64_t all = 0;
  for (const ManifestFile& file : manifest.files) all += file.size;
  return all;
}

FileSet programFiles() {
  FileSet set{.manifest = {.paceline = PACELINE_VERSION, .files = {}}, .sources = {}};
  for (const char* name : {"paceline-agent", "paceline-server", "paceline-worker"}) set.add(name, true, {.path = hosts::localProgram(name), .content = ""});
  return set;
}

FileSet folderFiles(const std::string& folder) {
  FileSet set{.manifest = {.paceline = PACELINE_VERSION, .files = {}}, .sources = {}};
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().filename().native().front() == '.') {
      entry.disable_recursion_pending();
    } else if (std::error_code ignored; entry->is_regular_file(ignored)) {
      names.push_back(entry->path().lexically_relative(folder).string());
      if (names.size() > kMostFiles) throw Error(Errc::kFile, strCat(folder, ": has more than ", kMostFiles, " files, too many to send; copy it to the host and set PACELINE_DATA there to the folder above it"));
    }
  }
  if (error) throw Error(Errc::kFile, strCat("cannot read ", folder, ": ", error.message()));
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) set.add(name, false, {.path = strCat(folder, "/", name), .content = ""});
  return set;
}

std::string readPart(const FileSource& source, std::int64_t offset, std::int64_t limit) {
  if (source.path.empty()) return source.content.substr(std::min(source.content.size(), static_cast<std::size_t>(offset)), static_cast<std::size_t>(limit));
  std::ifstream file(source.path, std::ios::binary);
  std::string bytes(static_cast<std::size_t>(limit), '\0');
  file.seekg(offset);
  if (!file) throw Error(Errc::kFile, strCat("cannot read ", source.path, ": ", std::strerror(errno)));
  file.read(bytes.data(), limit);
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

}  // namespace paceline::deploy
