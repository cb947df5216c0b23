#include "app/cluster/worker/worker_answer.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "app/cluster/hosts/host.h"
#include "app/cluster/hosts/local_process.h"
#include "app/cluster/run/run_controller.h"
#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/text.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/json/json_text.h"

namespace paceline::worker {

std::string workerAnswer(const std::string& worker, const std::vector<std::string>& arguments, double seconds, std::stop_token stop,
                         const std::string& input) {
  std::vector<std::string> command{worker};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const std::string asked = strCat("local: ", worker, " ", arguments.front());
  hosts::LocalProcess process(command);
  process.write(input);
  process.closeInput();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::string text;
  while (!process.ended()) {
    if (stop.stop_requested()) throw Error(Errc::kStopped, strCat(asked, " was stopped"));
    if (std::chrono::steady_clock::now() > deadline) throw Error(Errc::kHost, strCat(asked, " did not answer within ", seconds, " s"));
    if (const auto line = process.readLine(1)) text += *line + "\n";
  }
  const hosts::ProcessEnd end = process.wait();
  if (end.code == 0) return text;
  const std::string said = trimmedEnd(end.errors);
  const std::string own = "paceline-worker: ";  // a sentence of its own: who was asked says nothing more
  if (said.starts_with(own)) throw Error(Errc::kHost, said.substr(own.size()));
  throw Error(Errc::kHost, strCat(asked, ": ", said.empty() ? strCat("exit code ", end.code) : said));
}

namespace {

namespace fs = std::filesystem;

constexpr double kDescribeSeconds = 120;

std::string cacheFolder() {
  const std::string cache = userCacheFolder();
  return cache.empty() ? "" : cache + "/paceline";
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
  for (const char* name : {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"}) key += strCat(name, "=", environment(name), "\n");
  if (const std::string data = environment("PACELINE_DATA"); !data.empty()) key += folderStamp(data);
  if (const std::string home = userDataSets(); !home.empty()) key += folderStamp(home);
  return sha256Hex(key).substr(0, 32);
}

Catalog describeNow(const std::string& worker) {
  const std::string text = workerAnswer(worker, {"describe"}, kDescribeSeconds);
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
  if (const auto kept = fileText(file)) {
    try {
      return parseCatalog(*kept);
    } catch (const Error&) {  // damaged: asked again and written anew
    }
  }
  Catalog catalog = describeNow(worker);
  if (!file.empty()) keep(catalog, file);
  return catalog;
}

Catalog describeLocal() { return describeWorker(hosts::localProgram("paceline-worker")); }

namespace {

constexpr double kSplitSeconds = 300;  // a large set on a slow disk

}  // namespace

SplitCounts parseSplit(const std::string& text) {
  try {
    const Json document = Json::parse(text);
    SplitCounts split{.workers = document.at("workers").get<std::vector<std::string>>(), .counts = document.at("counts").get<std::vector<LabelCounts>>()};
    if (split.workers.size() != split.counts.size())
      throw Error(Errc::kFormat, strCat("split: ", split.counts.size(), " counts for ", split.workers.size(), " workers"));
    return split;
  } catch (const Json::exception& error) {
    throw Error(Errc::kFormat, strCat("split: ", error.what()));
  }
}

SplitCounts splitOfSpec(const RunSpec& spec, const std::stop_token& stop) {
  return parseSplit(workerAnswer(hosts::localProgram("paceline-worker"), {"split", "-"}, kSplitSeconds, stop, toJsonText(spec)));
}

}  // namespace paceline::worker
