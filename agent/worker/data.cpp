#include <algorithm>
#include <filesystem>
#include <iostream>
#include <thread>

#include "agent/worker/commands.h"
#include "engine/core/base/error.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/json/json_text.h"
#include "engine/core/spec/completed.h"
#include "engine/data/datasets/data_check.h"

namespace paceline {
namespace {

Json fileJson(const datasets::PublishedFile& file) { return {{"name", file.name}, {"url", file.url}, {"bytes", file.bytes}, {"sha256", file.sha256}}; }

Json setJson(const datasets::DatasetDef& def) {
  std::vector<Finding> none;
  const std::string home = userDataSets();
  Json files = Json::array();
  for (const datasets::PublishedFile& file : def.files)
    if (!file.url.empty()) files.push_back(fileJson(file));
  return {{"id", def.id},
          {"title", def.title},
          {"reference", def.reference},
          {"location", def.locate(completeParams(def.params, {}, "", none))},
          {"shape", {def.shape.channels, def.shape.height, def.shape.width}},
          {"classes", def.classes},
          {"train_count", def.trainCount},
          {"test_count", def.testCount},
          {"download_to", def.files.empty() || home.empty() ? "" : strCat(home, "/", def.folder)},
          {"files", files}};
}

Json splitJson(const datasets::CheckedSplit& split) {
  return {{"name", split.name}, {"images", split.images}, {"expected", split.expected}, {"per_class", split.perClass}, {"broken", split.broken}, {"broken_files", split.brokenFiles}};
}

Json checkJson(const datasets::DataCheck& check) {
  Json files = Json::array(), splits = Json::array();
  for (const datasets::CheckedFile& file : check.files)
    files.push_back({{"name", file.name}, {"path", file.path}, {"bytes", file.bytes}, {"state", datasets::fileStateName(file.state)}, {"expected_sha256", file.expected}, {"found_sha256", file.found}});
  for (const datasets::CheckedSplit& split : check.splits) splits.push_back(splitJson(split));
  return {{"id", check.id}, {"path", check.path}, {"decoded", check.decoded}, {"classes", check.classes}, {"class_names", check.classNames}, {"files", files}, {"splits", splits}, {"problems", check.problems}};
}

const datasets::DatasetDef& setAt(const std::string& path, const std::string& id) {
  if (!id.empty()) {
    const datasets::DatasetDef* def = datasets::findDataset(id);
    if (def == nullptr) throw Error(Errc::kData, unknownId("data set", id, datasets::datasets()));
    if (!datasets::hasFiles(*def)) throw Error(Errc::kData, strCat("data set \"", id, "\" has no files"));
    return *def;
  }
  const std::vector<const datasets::DatasetDef*> could = datasets::setsAt(path);
  if (could.size() == 1) return *could.front();
  std::string names;
  for (const datasets::DatasetDef* def : could) names += strCat(names.empty() ? "" : " or ", def->id);
  if (could.empty()) throw Error(Errc::kData, strCat(path, ": is no known data set; name one with --as ID"));
  throw Error(Errc::kData, strCat(path, ": could be ", names, "; name one with --as ID"));
}

void check(const std::vector<std::string>& words) {
  std::string path, id;
  bool decode = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--decode")
      decode = true;
    else if (words[i] == "--as" && i + 1 < words.size())
      id = words[++i];
    else if (path.empty())
      path = words[i];
    else
      throw Error(Errc::kUsage, strCat("data check: \"", words[i], "\" is not expected"));
  }
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw Error(Errc::kFile, strCat(path.empty() ? "data check: the path" : path, ": ", error ? error.message() : "no such file or folder"));
  const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::cout << dumped(checkJson(datasets::checkData(setAt(path, id), path, decode, threads)), 2) << '\n';
}

}  // namespace

void data(const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == "list") {
    Json sets = Json::array();
    for (const datasets::DatasetDef& def : datasets::datasets()) sets.push_back(setJson(def));
    std::cout << dumped(Json{{"datasets", sets}}, 2) << '\n';
  } else if (words.size() >= 2 && words[0] == "check") {
    check({words.begin() + 1, words.end()});
  } else {
    throw Error(Errc::kUsage, "data: expected list, or check PATH [--as ID] [--decode]");
  }
  if (!std::cout.flush()) throw Error(Errc::kFile, "cannot write to stdout");
}

}  // namespace paceline
