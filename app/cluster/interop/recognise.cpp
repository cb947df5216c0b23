#include "app/cluster/interop/recognise.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "app/cluster/interop/host_import.h"
#include "engine/core/base/held_files.h"
#include "engine/core/base/text.h"
#include "engine/core/json/comments.h"
#include "engine/core/json/json_text.h"
#include "storage/interchange/foreign/table_head.h"
#include "storage/interchange/interop.h"

namespace paceline::interop {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHead = std::size_t{1} << 16, kReadWhole = std::size_t{4} << 20;  // bytes: of a large file, of a document or a list of hosts
constexpr std::size_t kMostEntries = 20'000, kMostChildren = 500;                   // looked at in a folder
constexpr int kDeepest = 6;                                                         // ESync's tree from its base: network, mode, host, device
constexpr const char* kReads = "Paceline reads its bundles and documents, ESync's logs and summaries, runs of TensorBoard, MLflow and Weights & Biases, tables of numbers, lists of hosts and data sets";

// The first bytes of a file. nullopt: errno says why not.
std::optional<std::string> beginOf(const std::string& path, std::size_t most) {
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) return std::nullopt;
  std::string text(most, '\0');
  text.resize(std::fread(text.data(), 1, most, file));
  const bool failed = std::ferror(file) != 0;
  const int problem = errno;
  std::fclose(file);
  errno = problem;
  return failed ? std::nullopt : std::optional(text);
}

bool isRound(const std::string& name) {  // "iter-12.txt"
  return name.starts_with("iter-") && name.ends_with(".txt") && name.size() > 9 && name.find_first_not_of("0123456789", 5) == name.size() - 4;
}

bool isDataName(const std::string& name) {
  return name.find("-ubyte") != std::string::npos || (name.starts_with("cifar-") && name.ends_with("-binary.tar.gz")) || (name.starts_with("data_batch_") && name.ends_with(".bin")) || name.ends_with("_32x32.mat");
}

// By the keys of its document; a large one by what stands in its first bytes.
Recognised ofJson(const std::string& path, const std::string& head, bool whole) {
  const auto is = [&path](Found what, const char* words) { return Recognised{.what = what, .path = path, .words = words}; };
  if (interchange::namesEsyncSummary(fs::path(path).filename().string())) return is(Found::kResults, "a summary of ESync");
  const Json document = whole ? jsonOrNull(head) : Json();
  if (!whole && head.find("\"paceline_bundle\"") != std::string::npos) return is(Found::kResults, "a bundle of Paceline");
  if (!whole) return is(Found::kNothing, "is a large JSON file and no bundle of Paceline");
  if (!document.is_object()) return is(Found::kNothing, "is no JSON object");
  if (document.contains("paceline_bundle")) return is(Found::kResults, "a bundle of Paceline");
  if (document.contains("base")) return is(Found::kExperiment, "a suite");
  if (document.contains("paceline") || document.contains("algorithm")) return is(Found::kExperiment, "an experiment");
  if (document.contains("hosts") && document.at("hosts").is_array()) return is(Found::kHosts, "ECL's list of hosts");
  if (document.contains("nodes")) return is(Found::kNothing, "is a list of who exchanges with whom; the form's topology imports it");
  return is(Found::kNothing, "is JSON that Paceline does not know");
}

// A list of words is one of hosts only where something else says so.
bool lookLikeHosts(const HostImport& hosts, const std::string& path) {
  const std::string name = lowerCase(fs::path(path).filename().string());
  for (const char* word : {"host", "node", "machine"})
    if (name.find(word) != std::string::npos) return true;
  return std::ranges::any_of(hosts.hosts, [](const ImportedHost& host) { return host.slots > 1 || host.address.find_first_of(".:") != std::string::npos; });
}

Recognised ofText(const std::string& path, const std::string& head, bool whole) {
  const bool text = head.find('\0') == std::string::npos && !head.empty();
  if (whole && text) {
    const HostImport hosts = interop::readHosts(head, path);
    if (hosts.problems.empty() && !hosts.hosts.empty() && lookLikeHosts(hosts, path)) return {.what = Found::kHosts, .path = path, .words = "a list of hosts"};
  }
  if (text && !interchange::tableHead(path).names.empty()) return {.what = Found::kTable, .path = path, .words = "a table of numbers whose columns are not known"};
  return {.what = Found::kNothing, .path = path, .words = strCat("is nothing that is known here; ", kReads)};
}

Recognised ofFile(const std::string& path) {
  const auto nothing = [&path](const std::string& words) { return Recognised{.what = Found::kNothing, .path = path, .words = words}; };
  const std::string name = fs::path(path).filename().string();
  if (isHeld(path)) return nothing("is the store that is open here");
  if (isDataName(name)) return {.what = Found::kData, .path = path, .words = "a file of a data set"};
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) return nothing(strCat("cannot be read: ", error.message()));
  const bool whole = size <= kReadWhole;
  const std::optional<std::string> head = beginOf(path, whole ? kReadWhole : kHead);
  if (!head) return nothing(strCat("cannot be read: ", std::strerror(errno)));
  if (const interchange::ForeignFormat* format = interchange::foreignFormatOf(path, interchange::Told::kNothing)) return {.what = Found::kResults, .path = path, .words = format->what};
  if (head->starts_with("SQLite format 3")) return nothing("is a database; the Settings page opens a store of Paceline");
  const std::string plain = withoutComments(*head);
  const std::size_t first = plain.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string::npos && plain[first] == '{' ? ofJson(path, plain, whole) : ofText(path, *head, whole);
}

struct Inside {  // what lies anywhere below a folder
  bool rounds = false;
};

Inside lookedInto(const std::string& folder) {
  Inside inside;
  std::error_code error;
  std::size_t seen = 0;
  for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end; !error && entry != end && ++seen < kMostEntries; entry.increment(error)) {
    if (entry.depth() >= kDeepest) entry.disable_recursion_pending();
    const std::string name = entry->path().filename().string();
    inside.rounds = inside.rounds || isRound(name);
    if (inside.rounds) break;
  }
  return inside;
}

bool holdsData(const std::string& folder, const std::vector<fs::path>& children) {
  std::error_code ignored;
  const bool pictures = fs::is_directory(folder + "/train", ignored) && (fs::is_directory(folder + "/val", ignored) || fs::is_directory(folder + "/test", ignored));
  return pictures || std::ranges::any_of(children, [](const fs::path& path) { return isDataName(path.filename().string()); });
}

void lookInto(const std::string& folder, int depth, std::vector<Recognised>& all) {
  std::error_code error;
  std::vector<fs::path> children;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end && children.size() < kMostChildren; entry.increment(error))
    if (!entry->path().filename().string().starts_with('.')) children.push_back(entry->path());
  std::ranges::sort(children);
  if (holdsData(folder, children)) return all.push_back({.what = Found::kData, .path = folder, .words = "a data set"});
  const Inside inside = lookedInto(folder);
  if (inside.rounds) all.push_back({.what = Found::kResults, .path = folder, .words = "logs of ESync"});
  // Whatever is below is looked at; what is below again need not be.
  if (const interchange::ForeignFormat* format = depth == 0 && !inside.rounds ? interchange::foreignFormatOf(folder, interchange::Told::kNothing) : nullptr) return all.push_back({.what = Found::kResults, .path = folder, .words = format->what});
  for (const fs::path& child : children) {
    std::error_code ignored;
    if (fs::is_regular_file(child, ignored)) {
      if (Recognised found = ofFile(child.string()); found.what != Found::kNothing && found.what != Found::kTable) all.push_back(std::move(found));
    } else if (!inside.rounds && depth < kDeepest && fs::is_directory(child, ignored) && !fs::is_symlink(child, ignored)) {
      lookInto(child.string(), depth + 1, all);
    }
  }
}

}  // namespace

std::vector<Recognised> recognised(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const auto nothing = [&path](const std::string& words) { return std::vector{Recognised{.what = Found::kNothing, .path = path, .words = words}}; };
  if (!fs::exists(status)) return nothing(error ? error.message() : "no such file or folder");
  if (fs::is_regular_file(status)) return {ofFile(path)};
  if (!fs::is_directory(status)) return nothing("is neither a file nor a folder");
  std::vector<Recognised> all;
  lookInto(path, 0, all);
  return all.empty() ? nothing(strCat("holds nothing that is known here; ", kReads)) : all;
}

}  // namespace paceline::interop
