#include "engine/core/record/manifest.h"

#include <algorithm>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/json/fields.h"
#include "engine/core/json/describe.h"
#include "engine/core/base/hash.h"

namespace paceline {

void describe(auto& visit, ManifestFile& file) {
  visit(Field{.key = "path", .required = true}, file.path);
  visit(Field{.key = "program", .required = true}, file.program);
  visit(Field{.key = "size", .required = true}, file.size);
  visit(Field{.key = "sha256", .required = true}, file.sha256);
}

void describe(auto& visit, Manifest& manifest) {
  visit(Field{.key = "paceline", .required = true}, manifest.paceline);
  visit(Field{.key = "files", .required = true}, manifest.files);
}

namespace {

constexpr std::size_t kMaxFiles = 20'000, kMaxPath = 1024;
constexpr std::int64_t kMaxSize = std::int64_t{1} << 42;

[[noreturn]] void refuse(const std::string& why) { throw Error(Errc::kFormat, "the list of files is refused: " + why); }

// Names that begin with a dot are the agent's own.
bool isInside(std::string_view path) {
  if (path.empty() || path.size() > kMaxPath) return false;
  if (std::any_of(path.begin(), path.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; })) return false;
  for (;;) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (part.empty() || part.front() == '.' || part.size() > 255) return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

void refuseClashes(const std::vector<ManifestFile>& files) {
  std::set<std::string> paths, folders;
  for (const ManifestFile& file : files) {
    if (!paths.insert(file.path).second) refuse(strCat("\"", quotable(file.path), "\" is there twice"));
    for (std::size_t slash = file.path.find('/'); slash != std::string::npos; slash = file.path.find('/', slash + 1)) folders.insert(file.path.substr(0, slash));
  }
  for (const std::string& folder : folders)
    if (paths.contains(folder)) refuse(strCat("\"", quotable(folder), "\" is a file and a folder"));
}

}  // namespace

bool isHash(std::string_view text, std::size_t digits) {
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string Manifest::id() const {
  std::vector<std::string> lines;
  for (const ManifestFile& file : files) lines.push_back(strCat(file.path, '\0', file.program ? "x" : "-", " ", file.size, " ", file.sha256, "\n"));
  std::sort(lines.begin(), lines.end());
  Sha256 hash;
  for (const std::string& line : lines) hash.add(line);
  return hash.hex().substr(0, 32);
}

std::string toJsonText(const Manifest& manifest) { return dumped(written(manifest)); }

Manifest parseManifest(std::string_view text) {
  std::vector<Finding> findings;
  Manifest manifest;
  const auto json = parseJson(text, findings);
  if (!json) refuse(findings.front().message);
  if (const auto files = json->find("files"); json->is_object() && files != json->end() && files->is_array() && (files->empty() || files->size() > kMaxFiles))
    refuse(strCat("it has ", files->size(), " files, not 1 to ", kMaxFiles));
  Fields fields(*json, "", findings);
  readObject(fields, manifest);
  if (!findings.empty()) refuse(findings.front().pointer + ": " + findings.front().message);
  for (const ManifestFile& file : manifest.files) {
    if (!isInside(file.path)) refuse(strCat("\"", quotable(file.path), "\" is no path inside its folder"));
    if (file.size < 0 || file.size > kMaxSize) refuse(strCat("\"", quotable(file.path), "\" has ", file.size, " bytes"));
    if (!isHash(file.sha256, 64)) refuse(strCat("\"", quotable(file.path), "\" has no SHA-256"));
  }
  refuseClashes(manifest.files);
  return manifest;
}

}  // namespace paceline
