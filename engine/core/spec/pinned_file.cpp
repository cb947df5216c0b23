#include "engine/core/spec/pinned_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/user_folders.h"

namespace paceline {
namespace {

constexpr std::string_view kMark = "#sha256=";
constexpr std::size_t kDigits = 64;
constexpr std::size_t kMostBytes = std::size_t{8} << 30;

template <class Spec, class Visit>
void eachText(Spec& spec, Visit visit) {
  for (auto* choice : {&spec.algorithm, &spec.model, &spec.dataset, &spec.partition})
    for (const auto& [name, value] : std::map(choice->params.values()))
      if (const auto* text = std::get_if<std::string>(&value)) visit(choice->params, name, *text);
}

}  // namespace

PinnedFile pinnedFile(std::string_view text) {
  const std::size_t at = text.size() >= kMark.size() + kDigits ? text.size() - kMark.size() - kDigits : std::string_view::npos;
  if (at == std::string_view::npos || text.substr(at, kMark.size()) != kMark || text.substr(at + kMark.size()).find_first_not_of("0123456789abcdef") != std::string_view::npos) return {.path = std::string(text)};
  return {.path = std::string(text.substr(0, at)), .sha256 = std::string(text.substr(at + kMark.size()))};
}

std::string textOf(const PinnedFile& file) { return file.sha256.empty() ? file.path : strCat(file.path, kMark, file.sha256); }

std::vector<PinnedFile> pinnedFiles(const RunSpec& spec) {
  std::vector<PinnedFile> files;
  eachText(spec, [&](const Params&, const std::string&, const std::string& text) {
    PinnedFile file = pinnedFile(text);
    if (!file.sha256.empty() && std::ranges::find(files, file.sha256, &PinnedFile::sha256) == files.end()) files.push_back(std::move(file));
  });
  return files;
}

void forgetPlaces(RunSpec& spec) {
  eachText(spec, [](Params& params, const std::string& name, const std::string& text) {
    PinnedFile file = pinnedFile(text);
    if (file.sha256.empty()) return;
    file.path.clear();
    params.set(name, textOf(file));
  });
}

std::string pathHere(const PinnedFile& file) {
  const std::string folder = environment(kFilesVariable);
  if (file.sha256.empty() || folder.empty()) return file.path;
  std::string sent = strCat(folder, "/", file.sha256, "/", fileName(file));
  return ::access(sent.c_str(), R_OK) == 0 ? sent : file.path;
}

std::string commandOf(const std::vector<ParamSpec>& specs, const Params& params) {
  const auto spec = std::ranges::find(specs, kCommandParam, &ParamSpec::name);
  if (spec == specs.end()) return "";
  const auto* given = valueOf<std::string>(params, kCommandParam);
  return given ? *given : std::get<std::string>(spec->fallback);
}

std::string fileName(const PinnedFile& file) { return file.path.substr(file.path.rfind('/') + 1); }

namespace {

void requireHash(const PinnedFile& file, const std::string& found) {
  if (found != file.sha256) throw Error(Errc::kData, strCat(file.path, " has changed: its SHA-256 is ", found, ", the document names ", file.sha256));
}

}  // namespace

void requireContent(const PinnedFile& file, const std::string& path) { requireHash(file, sha256OfFile(path)); }

std::string bytesOf(const PinnedFile& file) {
  std::optional<std::string> bytes = fileText(pathHere(file), kMostBytes);
  if (!bytes) throw Error(Errc::kFile, strCat("cannot read ", file.path, ": ", std::strerror(errno)));
  if (!file.sha256.empty()) requireHash(file, sha256Hex(*bytes));
  return *std::move(bytes);
}

}  // namespace paceline
