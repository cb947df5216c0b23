#include "app/cluster/worker/own_files.h"

#include <openssl/evp.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/disk.h"
#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/replace_file.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/json/json_text.h"
#include "engine/core/record/dates.h"
#include "engine/core/spec/pinned_file.h"

namespace paceline::worker {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostSent = std::uintmax_t{256} << 20;  // bytes of a file of data that travels with a run

std::string trustedPath() {
  const std::string folder = userConfigFolder();
  return folder.empty() ? "" : folder + "/paceline/trusted.json";
}

Json trustedList() {
  const std::string path = trustedPath();
  const auto text = path.empty() ? std::nullopt : fileText(path);
  std::vector<Finding> findings;
  auto list = text ? parseJson(*text, findings) : std::nullopt;
  return list && list->is_object() ? *std::move(list) : Json::object();
}

// For who adds to it: a damaged one is not written over, so that nothing confirmed is lost. Throws Error{kFile, kFormat}.
Json wholeTrustedList(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return Json::object();
  const auto text = fileText(path);
  if (!text) throw Error(Errc::kFile, strCat("cannot read ", path, ": ", std::strerror(errno)));
  Json list = jsonFrom(*text, path);
  if (!list.is_object()) throw Error(Errc::kFormat, strCat(path, ": an object of confirmed files is expected, not ", described(list)));
  return list;
}

std::string keyOf(const std::string& sha256, const std::string& command) { return command.empty() ? sha256 : strCat(sha256, " ", command); }

class Pinner {
 public:
  Pinner(ParsedSpec& checked, std::string folder) : checked_(checked), folder_(std::move(folder)) {}

  void pin(const std::string& pointer, const CatalogEntry* entry, Params& params) {
    if (entry == nullptr) return;
    for (const ParamSpec& param : entry->params) {
      const auto* text = valueOf<std::string>(params, param.name);
      if (!param.file || text == nullptr) continue;
      const std::string at = strCat(pointer, "/params/", param.name);
      if (text->empty() && param.code) refuse(at, "must name a file");
      if (text->empty()) continue;
      const PinnedFile pinned = judged(at, param, pinnedFile(*text), param.code ? commandOf(entry->params, params) : "");
      params.set(param.name, textOf(pinned));
    }
  }

 private:
  void refuse(const std::string& at, const std::string& message) { addFinding(checked_.findings, {at, message}); }

  PinnedFile judged(const std::string& at, const ParamSpec& param, PinnedFile file, const std::string& command) {
    std::error_code error;
    if (const fs::path beside = fs::path(folder_) / file.path; !folder_.empty() && fs::exists(beside, error)) file.path = beside.lexically_normal().string();
    if (!param.code && !fs::exists(file.path, error)) {  // its hosts may have it
      addFinding(checked_.findings, {at, strCat(quotable(file.path, 200), " is not on this computer: it must be there on every host of this run"), false});
      return file;
    }
    if (!param.code && file.sha256.empty() && (fs::is_directory(file.path, error) || fs::file_size(file.path, error) > kMostSent)) return file;  // must lie on every host
    std::string found;
    try {
      found = contentOf(file.path);
    } catch (const Error& unreadable) {
      refuse(at, unreadable.what());
      return file;
    }
    if (!file.sha256.empty() && file.sha256 != found) {
      refuse(at, strCat(quotable(file.path, 200), " has changed: its SHA-256 is ", found, ", the document names ", file.sha256, ". Leave out #sha256=... to take it as it is now."));
      return file;
    }
    file.path = fs::absolute(file.path, error).string();
    if (file.sha256.empty()) file.sha256 = found;
    if (param.code && !isTrusted(file.sha256, command)) {
      const std::string started = command.empty() ? "" : strCat(", started by \"", quotable(command, 200), "\""), asked = command.empty() ? "" : strCat(" --command \"", quotable(command, 200), "\"");
      refuse(at, strCat(quotable(file.path, 200), " is code that runs on the hosts of this run", started, ", and nobody has confirmed it yet (SHA-256 ", file.sha256, "). If you trust it: paceline model trust ", quotable(file.path, 200), asked));
    }
    return file;
  }

  ParsedSpec& checked_;
  std::string folder_;
};

// With the processor's instructions for it where it has them: a form asks after every edit of a new file.
std::string hashOf(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), &std::fclose);
  if (!file) throw Error(Errc::kFile, strCat("cannot read ", quotable(path, 200), ": ", std::strerror(errno)));
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  PACELINE_CHECK(context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1, "SHA-256");
  std::string chunk(std::size_t{1} << 20, '\0');
  while (const std::size_t got = std::fread(chunk.data(), 1, chunk.size(), file.get())) EVP_DigestUpdate(context.get(), chunk.data(), got);
  if (std::ferror(file.get()) != 0) throw Error(Errc::kFile, strCat("cannot read ", quotable(path, 200)));
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_DigestFinal_ex(context.get(), digest, &size);
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) text += kDigits[digest[i] >> 4], text += kDigits[digest[i] & 15];
  return text;
}

}  // namespace

std::string contentOf(const std::string& path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0) throw Error(Errc::kFile, strCat("cannot read ", quotable(path, 200), ": ", std::strerror(errno)));
  if (!S_ISREG(found.st_mode)) throw Error(Errc::kFile, strCat("cannot read ", quotable(path, 200), ": it is no file"));
  using Identity = std::tuple<dev_t, ino_t, off_t, time_t, long, time_t, long>;
  static std::mutex mutex;  // guards known
  static std::map<Identity, std::string> known;
  const Identity identity{found.st_dev, found.st_ino, found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec, found.st_ctim.tv_sec, found.st_ctim.tv_nsec};
  {
    const std::lock_guard lock(mutex);
    if (const auto there = known.find(identity); there != known.end()) return there->second;
  }
  std::string hash = hashOf(path);
  const std::lock_guard lock(mutex);
  return known[identity] = std::move(hash);
}

void pinFiles(ParsedSpec& checked, const Catalog& catalog, const std::string& folder) {
  RunSpec& spec = checked.spec;
  Pinner pinner(checked, folder);
  pinner.pin("/algorithm", findEntry(catalog.algorithms, spec.algorithm.id), spec.algorithm.params);
  pinner.pin("/model", findEntry(catalog.models, spec.model.id), spec.model.params);
  pinner.pin("/dataset", findEntry(catalog.datasets, spec.dataset.id), spec.dataset.params);
  pinner.pin("/partition", findEntry(catalog.partitions, spec.partition.id), spec.partition.params);
}

bool isTrusted(const std::string& sha256, const std::string& command) { return trustedList().contains(keyOf(sha256, command)); }

void trust(const std::string& sha256, const std::string& path, const std::string& command) {
  const std::string list = trustedPath();
  if (list.empty()) throw Error(Errc::kFile, "there is no folder for settings: neither XDG_CONFIG_HOME nor HOME is set");
  Json all = wholeTrustedList(list);
  all[keyOf(sha256, command)] = {{"path", path}, {"confirmed_utc", utcText(recordDates().now())}};
  const std::string folder = disk::folderOf(list);
  if (disk::makeFolders(folder) != 0) disk::refuse("cannot make " + folder, errno);
  replaceFile(list, dumped(all, 2) + "\n", 0600);
}

std::string dimsText(const Json& dims) {
  std::string text;
  for (const Json& size : dims) text += strCat(text.empty() ? "" : "x", size.get<std::int64_t>());
  return text.empty() ? "one number" : text;
}

TriedModel triedModel(const std::string& named, const RunSpec& spec, const std::stop_token& stop) {
  const Json found = workerDocument({"model", "check", named, "-"}, kTryingSeconds, stop, toJsonText(spec));
  const Json& step = found.at("step");
  return {.parameters = found.at("parameters").get<std::int64_t>(),
          .samples = step.at("samples").get<std::int64_t>(),
          .input = strCat(dimsText(step.at("input")), " ", step.at("input_type").get<std::string>())};
}

}  // namespace paceline::worker
