#include "app/cluster/catalog_source.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/cluster/local_process.h"
#include "app/cluster/run_controller.h"
#include "engine/core/error.h"
#include "engine/core/hash.h"

namespace paceline {
namespace {

namespace fs = std::filesystem;

constexpr double kDescribeSeconds = 120;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string cacheFolder() {
  if (const std::string xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) return xdg + "/paceline";
  const std::string home = variable("HOME");
  return home.empty() ? "" : home + "/.cache/paceline";
}

std::string stamp(const fs::path& path) {
  std::error_code error;
  const auto changed = fs::last_write_time(path, error);
  if (error) return strCat(path.string(), ": absent\n");
  const auto size = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
  return strCat(path.string(), ": ", size, " ", changed.time_since_epoch().count(), "\n");
}

// A folder and what lies directly in it: data sets are one level deep.
std::string folderStamp(const fs::path& folder) {
  std::string all = stamp(folder);
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) all += stamp(entry->path());
  return all;
}

// Everything that what the worker says depends on.
std::string keyOf(const std::string& worker) {
  std::error_code ignored;
  const fs::path here = fs::current_path(ignored);
  std::string key = strCat(PACELINE_VERSION, "\n", stamp(worker), stamp("/var/lib/dpkg/status"), here.string(), "\n", folderStamp(here / "data"));
  for (const char* name : {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"}) key += strCat(name, "=", variable(name), "\n");
  if (const std::string data = variable("PACELINE_DATA"); !data.empty()) key += folderStamp(data);
  return sha256Hex(key).substr(0, 32);
}

Catalog describeNow(const std::string& worker) {
  LocalProcess process({worker, "describe"});
  process.closeInput();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(kDescribeSeconds);
  std::string text;
  while (!process.ended()) {
    if (std::chrono::steady_clock::now() > deadline)
      throw Error(Errc::kHost, strCat("local: ", worker, " describe did not answer within ", kDescribeSeconds, " s"));
    if (const auto line = process.readLine(1)) text += *line + "\n";
  }
  const ProcessEnd end = process.wait();
  if (end.code != 0) {
    std::string said = end.errors;
    said = said.substr(0, said.find_last_not_of(" \n") + 1);
    throw Error(Errc::kHost, strCat("local: ", worker, " describe: ", said.empty() ? strCat("exit code ", end.code) : said));
  }
  try {
    return parseCatalog(text);
  } catch (const Error& error) {
    throw Error(Errc::kHost, strCat("local: ", worker, " describe: ", error.what()));
  }
}

void keep(const Catalog& catalog, const std::string& file) {  // a cache that cannot be written is no cache, nothing worse
  std::error_code ignored;
  fs::create_directories(fs::path(file).parent_path(), ignored);
  const std::string temporary = strCat(file, ".", ::getpid());
  {
    std::ofstream out(temporary);
    out << toJsonText(catalog);
    out.close();
    if (!out) return static_cast<void>(fs::remove(temporary, ignored));
  }
  fs::rename(temporary, file, ignored);
}

}  // namespace

Catalog describeWorker(const std::string& worker) {
  const std::string folder = cacheFolder(), file = folder.empty() ? "" : strCat(folder, "/catalog-", keyOf(worker), ".json");
  if (std::ifstream in(file); !file.empty() && in) {
    std::ostringstream text;
    text << in.rdbuf();
    try {
      return parseCatalog(text.str());
    } catch (const Error&) {  // damaged: asked again and written anew
    }
  }
  Catalog catalog = describeNow(worker);
  if (!file.empty()) keep(catalog, file);
  return catalog;
}

Catalog describeLocal() { return describeWorker(localProgram("paceline-worker")); }

}  // namespace paceline
