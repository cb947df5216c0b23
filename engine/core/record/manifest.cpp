#include "engine/core/record/manifest.h"

#include <algorithm>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/json/fields.h"
#include "engine/core/base/hash.h"

namespace paceline {
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

ManifestFile fileFrom(const Json& json, const std::string& pointer, std::vector<Finding>& findings) {
  Fields fields(json, pointer, findings);
  ManifestFile file;
  file.path = fields.required<std::string>("path");
  file.program = fields.required<bool>("program");
  file.size = fields.required<std::int64_t>("size");
  file.sha256 = fields.required<std::string>("sha256");
  fields.refuseUnknown();
  return file;
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

std::string toJsonText(const Manifest& manifest) {
  Json files = Json::array();
  for (const ManifestFile& file : manifest.files)
    files.push_back({{"path", file.path}, {"program", file.program}, {"size", file.size}, {"sha256", file.sha256}});
  return dumped(Json{{"paceline", manifest.paceline}, {"files", std::move(files)}});
}

Manifest parseManifest(std::string_view text) {
  std::vector<Finding> findings;
  const auto json = parseJson(text, findings);
  if (!json) refuse(findings.front().message);
  Fields fields(*json, "", findings);
  Manifest manifest;
  manifest.paceline = fields.required<std::string>("paceline");
  const Json& files = fields.array("files");
  fields.refuseUnknown();
  if (files.empty() || files.size() > kMaxFiles) refuse(strCat("it has ", files.size(), " files, not 1 to ", kMaxFiles));
  for (std::size_t i = 0; i < files.size() && findings.empty(); ++i) manifest.files.push_back(fileFrom(files[i], pointerTo("/files", i), findings));
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
