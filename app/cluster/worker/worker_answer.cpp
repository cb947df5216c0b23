#include "app/cluster/worker/worker_answer.h"

#include <filesystem>

#include "app/cluster/hosts/host.h"
#include "app/cluster/hosts/host_registry.h"
#include "app/cluster/worker/own_files.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/replace_file.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/json/comments.h"

namespace paceline::worker {

std::string workerAnswer(const std::string& worker, const std::vector<std::string>& arguments, double seconds, std::stop_token stop,
                         const std::string& input) {
  std::vector<std::string> command{worker};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const hosts::CommandResult result = hosts::runOn(*hosts::localHost(), command, {.input = &input, .silenceSeconds = seconds, .stop = stop});
  if (result.end.code == 0) return result.text();
  const std::string said = trimmedEnd(result.end.errors);
  const std::string own = std::filesystem::path(worker).filename().string() + ": ";  // a sentence of its own: who was asked says nothing more
  if (said.starts_with(own)) throw Error(Errc::kHost, said.substr(own.size()));
  throw Error(Errc::kHost, strCat("local: ", worker, " ", arguments.front(), ": ", said.empty() ? strCat("exit code ", result.end.code) : said));
}

Json workerDocument(const std::vector<std::string>& arguments, double seconds, std::stop_token stop, const std::string& input) {
  const std::string worker = hosts::localProgram("paceline-worker");
  Json document = jsonOrNull(workerAnswer(worker, arguments, seconds, stop, input));
  if (!document.is_object()) throw Error(Errc::kHost, strCat("local: ", worker, " ", arguments.front(), " did not answer with JSON; is it of this version?"));
  return document;
}

namespace {

namespace fs = std::filesystem;

constexpr double kDescribeSeconds = 120;
constexpr double kSplitSeconds = 300;  // a large set on a slow disk

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

}  // namespace

Catalog describeWorker(const std::string& worker) {
  const std::string cache = userCacheFolder(), file = cache.empty() ? "" : strCat(cache, "/paceline/catalog-", keyOf(worker), ".json");
  if (const auto kept = fileText(file)) {
    try {
      return parseCatalog(*kept);
    } catch (const Error&) {  // damaged: asked again and written anew
    }
  }
  Catalog catalog;
  const std::string text = workerAnswer(worker, {"describe"}, kDescribeSeconds);
  try {
    catalog = parseCatalog(text);
  } catch (const Error& error) {
    throw Error(Errc::kHost, strCat("local: ", worker, " describe: ", error.what()));
  }
  if (file.empty()) return catalog;
  try {
    std::error_code ignored;
    fs::create_directories(fs::path(file).parent_path(), ignored);
    replaceFile(file, toJsonText(catalog), 0600);
  } catch (const Error&) {  // a cache that cannot be written is no cache, nothing worse
  }
  return catalog;
}

Catalog describeLocal() { return describeWorker(hosts::localProgram("paceline-worker")); }

SplitCounts splitOfSpec(const RunSpec& spec, const std::stop_token& stop) {
  const std::string text = workerAnswer(hosts::localProgram("paceline-worker"), {"split", "-"}, kSplitSeconds, stop, toJsonText(spec));
  try {
    const Json document = jsonFrom(text, "split");
    SplitCounts split{.workers = document.at("workers").get<std::vector<std::string>>(), .counts = document.at("counts").get<std::vector<LabelCounts>>()};
    if (split.workers.size() != split.counts.size())
      throw Error(Errc::kFormat, strCat("split: ", split.counts.size(), " counts for ", split.workers.size(), " workers"));
    return split;
  } catch (const Json::exception& error) {
    throw Error(Errc::kFormat, strCat("split: ", reasonOf(error)));
  }
}

OrderedJson documentOf(const std::string& text) {
  std::vector<Finding> findings;
  auto document = parseOrderedJson(withoutComments(text), findings);
  if (!document) throw Error(Errc::kSpec, findings.front().message);
  return *std::move(document);
}

OrderedJson& runOf(OrderedJson& document) {
  return document.is_object() && document.contains("base") ? document["base"] : document;
}

OrderedJson& nodesOf(OrderedJson& document) {
  OrderedJson& run = runOf(document);
  const char* base = &run == &document ? "" : "/base";
  if (!run.is_object() || !run.contains("nodes") || !run["nodes"].is_array() || run["nodes"].empty())
    throw Error(Errc::kSpec, strCat(base, "/nodes: there are no nodes to place"));
  OrderedJson& nodes = run["nodes"];
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (!nodes[i].is_object()) throw Error(Errc::kSpec, strCat(base, "/nodes/", i, ": must be an object, got ", described(nodes[i])));
  return nodes;
}

std::string textOf(const OrderedJson& document) { return dumped(document, 2) + "\n"; }

namespace {

ParsedSpec validatedSpec(const RunSpec& spec, const Catalog& catalog) {
  try {
    return validate(spec, catalog, hosts::HostRegistry::load(hosts::HostRegistry::defaultPath()).names());
  } catch (const Error& unreadable) {
    ParsedSpec checked = validate(spec, catalog, spec.hosts());
    for (std::size_t i = 0; i < spec.nodes.size(); ++i)
      if (spec.nodes[i].host != "local") addFinding(checked.findings, {strCat("/nodes/", i, "/host"), unreadable.what()});
    return checked;
  }
}

}  // namespace

ParsedSpec checkedSpec(const RunSpec& spec, const Catalog& catalog, const std::string& folder) {
  ParsedSpec checked = validatedSpec(spec, catalog);
  pinFiles(checked, catalog, folder);
  return checked;
}

}  // namespace paceline::worker
