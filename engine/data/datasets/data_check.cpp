#include "engine/data/datasets/data_check.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <thread>

#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "engine/data/datasets/file_set.h"
#include "engine/data/formats/readers.h"

namespace paceline::datasets {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBroken = 100;  // named

std::string plainHash(const std::string& path) {
  formats::ByteFile file(path);
  formats::Bytes block(std::size_t{1} << 20);
  Sha256 hash;
  while (const std::size_t got = file.read(block.data(), block.size())) hash.add({reinterpret_cast<const char*>(block.data()), got});
  return hash.hex();
}

// `path` itself, in it, or one folder deeper; also without .gz.
std::string findFile(const std::string& path, const std::string& name) {
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) return fs::path(path).filename() == name ? path : "";
  std::vector<std::string> names{name};
  if (name.ends_with(".gz") && !name.ends_with(".tar.gz")) names.push_back(name.substr(0, name.size() - 3));
  for (const std::string& each : names) {
    if (const fs::path file = fs::path(path) / each; fs::is_regular_file(file, ignored)) return file.string();
    for (fs::directory_iterator entry(path, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
      std::error_code unimportant;
      if (const fs::path file = entry->path() / each; fs::is_regular_file(file, unimportant)) return file.string();
    }
  }
  return "";
}

CheckedFile checkFile(const std::string& path, const PublishedFile& published) {
  CheckedFile checked{.name = published.name, .path = findFile(path, published.name), .expected = published.sha256};
  if (checked.path.empty()) return checked;
  std::error_code ignored;
  checked.bytes = static_cast<std::int64_t>(fs::file_size(checked.path, ignored));
  checked.state = FileState::kUnverified;
  if (published.sha256.empty()) return checked;
  checked.found = sha256OfFile(checked.path);
  checked.state = checked.found == published.sha256 ? FileState::kPublished : FileState::kDifferent;
  if (checked.state != FileState::kDifferent || published.plainSha256.empty()) return checked;
  if (checked.found == published.plainSha256 || plainHash(checked.path) == published.plainSha256) checked.state = FileState::kRepacked;
  return checked;
}

// The files of one of the two forms: those that are downloaded, or those that come inside them.
std::vector<CheckedFile> checkFiles(const DatasetDef& def, const std::string& path, std::vector<std::string>& problems) {
  std::vector<CheckedFile> files;
  for (const PublishedFile& published : def.files) {
    try {
      files.push_back(checkFile(path, published));
    } catch (const Error& error) {
      files.push_back({.name = published.name, .path = findFile(path, published.name), .state = FileState::kDifferent, .expected = published.sha256});
      problems.push_back(error.what());
    }
  }
  const auto inner = [&](std::size_t i) { return def.files[i].url.empty(); };
  bool unpacked = false;  // these are what is read where there are both
  for (std::size_t i = 0; i < files.size(); ++i) unpacked = unpacked || (inner(i) && files[i].state != FileState::kMissing);
  std::vector<CheckedFile> used;
  for (std::size_t i = 0; i < files.size(); ++i)
    if (inner(i) == unpacked || files[i].state != FileState::kMissing) used.push_back(files[i]);
  for (const CheckedFile& file : used) {
    if (file.state == FileState::kMissing) problems.push_back(strCat(path, ": has no ", file.name));
    if (file.state == FileState::kDifferent && !file.found.empty())
      problems.push_back(strCat(file.path, ": its SHA-256 is ", file.found, ", the published one is ", file.expected));
  }
  return used;
}

// Decodes every picture; several threads take the next index.
void decodeAll(const Images& images, int threads, CheckedSplit& split) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // guards what is broken
  std::vector<std::pair<std::size_t, std::string>> broken;
  const auto work = [&] {
    Picture picture;
    for (std::size_t i = next++; i < images.count(); i = next++) {
      try {
        images.files->decode(i, picture);
      } catch (const std::exception& error) {
        const std::lock_guard lock(mutex);
        broken.emplace_back(i, error.what());
      }
    }
  };
  {
    std::vector<std::jthread> pool;
    for (int i = 0; i < std::max(threads, 1); ++i) pool.emplace_back(work);
  }
  std::sort(broken.begin(), broken.end());
  split.broken = static_cast<std::int64_t>(broken.size());
  for (std::size_t i = 0; i < std::min(broken.size(), kMostBroken); ++i) split.brokenFiles.push_back(broken[i].second);
}

void checkImages(const DatasetDef& def, const Dataset& data, bool decode, int threads, DataCheck& check) {
  check.classes = data.classes;
  check.splits = {countedSplit("train", data.train, data.classes, def.trainCount), countedSplit("test", data.test, data.classes, def.testCount)};
  if (!data.hasClasses) check.splits[0].perClass.clear(), check.splits[1].perClass.clear(), check.classes = 0;
  for (CheckedSplit& split : check.splits) {
    const Images& images = split.name == "train" ? data.train : data.test;
    if (split.expected != 0 && split.images != split.expected)
      check.problems.push_back(strCat(check.path, ": has ", split.images, " images to ", split.name, ", the published set has ", split.expected));
    if (!decode || !images.files) continue;
    decodeAll(images, threads, split);
    if (split.broken > 0)
      check.problems.push_back(strCat(check.path, ": ", split.broken, " of ", split.images, " pictures to ", split.name, " do not decode, first: ", split.brokenFiles.front()));
  }
  check.decoded = decode;
}

}  // namespace

bool hasFiles(const DatasetDef& def) { return std::ranges::count(def.params, "path", &ParamSpec::name) > 0; }

Params paramsAt(const DatasetDef& def, const std::string& path, const Params& more) {
  Params given = more;
  if (!path.empty()) given.set("path", path);
  for (const ParamSpec& spec : def.params)
    if (spec.name == "any_count" || spec.name == "skip_broken") given.set(spec.name, true);
  return completed(def.params, given, "");
}

std::vector<std::string> classNamesOf(const DatasetDef& def, const Dataset& data, const std::string& path) {
  return data.train.files ? classFolders(path + "/train") : def.classNames;
}

CheckedSplit countedSplit(const char* name, const Images& images, int classes, std::int64_t expected) {
  CheckedSplit split{.name = name, .images = static_cast<std::int64_t>(images.count()), .expected = expected};
  split.perClass.assign(static_cast<std::size_t>(classes), 0);
  for (const std::uint16_t label : images.labels) ++split.perClass[label];
  return split;
}

const char* fileStateName(FileState state) {
  constexpr const char* kNames[] = {"published", "repacked", "different", "unverified", "missing"};
  return kNames[static_cast<std::size_t>(state)];
}

std::int64_t bytesAt(const DatasetDef& def, const std::string& path) {
  std::int64_t bytes = 0;
  const auto add = [&bytes](const fs::path& file) {
    std::error_code unimportant;
    if (const auto size = fs::file_size(file, unimportant); !unimportant) bytes += static_cast<std::int64_t>(size);
  };
  for (const PublishedFile& published : def.files)
    if (const std::string file = findFile(path, published.name); !file.empty()) add(file);
  if (!def.files.empty()) return bytes;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(path, fs::directory_options::skip_permission_denied, error), end; !error && entry != end; entry.increment(error))
    if (std::error_code unimportant; entry->is_regular_file(unimportant)) add(entry->path());
  return bytes;
}

std::vector<const DatasetDef*> setsAt(const std::string& path) {
  std::vector<const DatasetDef*> could;
  for (const DatasetDef& def : datasets())
    if (hasFiles(def) && !def.locate(paramsAt(def, path)).empty()) could.push_back(&def);
  if (could.size() < 2) return could;
  for (const DatasetDef* def : could)
    if (def->describe) return {def};  // arrays, by what their files are called
  std::vector<const DatasetDef*> proven;
  for (const DatasetDef* def : could) {
    std::vector<std::string> unused;
    if (std::ranges::any_of(checkFiles(*def, path, unused), [](FileState state) { return state == FileState::kPublished || state == FileState::kRepacked; }, &CheckedFile::state))
      proven.push_back(def);
  }
  return proven.empty() ? could : proven;
}

DataCheck checkData(const DatasetDef& def, const std::string& path, bool decode, int threads, const Params& more) {
  DataCheck check{.id = def.id, .path = path};
  check.files = checkFiles(def, path, check.problems);
  const Params params = paramsAt(def, path, more);
  try {
    if (def.describe) check.facts = def.describe(params);
    const Dataset data = def.load(params, 1);
    check.classNames = classNamesOf(def, data, path);
    checkImages(def, data, decode, threads, check);
  } catch (const std::exception& error) {
    if (std::find(check.problems.begin(), check.problems.end(), error.what()) == check.problems.end()) check.problems.push_back(error.what());
  }
  return check;
}

}  // namespace paceline::datasets
