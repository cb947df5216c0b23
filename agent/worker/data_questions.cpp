#include "agent/worker/data_questions.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <map>
#include <thread>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/json/json_text.h"
#include "engine/data/datasets/data_check.h"
#include "engine/data/datasets/data_look.h"

namespace paceline {
namespace {

// What follows a question: one path, and options.
struct Asked {
  std::string path;
  std::map<std::string, std::string> options;  // "--as": "mnist"; of a flag ""
  std::vector<std::string> set;                // of every --set: "inputs=*"
  bool has(const std::string& option) const { return options.contains(option); }
  std::string of(const std::string& option) const {
    const auto found = options.find(option);
    return found == options.end() ? "" : found->second;
  }
  template <class Number>
  void read(const std::string& option, Number& into) const {
    if (!has(option)) return;
    const std::string text = of(option);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
    if (error != std::errc() || end != text.data() + text.size()) throw Error(Errc::kUsage, strCat("data look: ", option, " takes a whole number, not \"", quotable(text), "\""));
  }
};

Asked askedOf(const std::vector<std::string>& words, const std::vector<std::string>& valued, const std::vector<std::string>& flags) {
  Asked asked;
  const auto one = [](const std::vector<std::string>& options, const std::string& word) { return std::ranges::find(options, word) != options.end(); };
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (one(flags, words[i])) asked.options[words[i]];
    else if (words[i] == "--set" && one(valued, words[i]) && i + 1 < words.size()) asked.set.push_back(words[++i]);
    else if (one(valued, words[i]) && i + 1 < words.size()) asked.options[words[i]] = words[i + 1], ++i;
    else if (asked.path.empty() && !words[i].starts_with("--")) asked.path = words[i];
    else throw Error(Errc::kUsage, strCat("data ", words[0], ": \"", quotable(words[i]), "\" is not expected"));
  }
  return asked;
}

// true, false, a number, else a text.
ParamValue parameterFrom(const std::string& text) {
  const Json value = jsonOrNull(text);
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  return text;
}

Json shapeJson(const Shape& shape) { return {shape.channels, shape.height, shape.width}; }

Json fileJson(const datasets::PublishedFile& file) { return {{"name", file.name}, {"url", file.url}, {"bytes", file.bytes}, {"sha256", file.sha256}}; }

Json setJson(const datasets::DatasetDef& def, bool sizes) {
  const std::string home = userDataSets(), location = def.locate(datasets::paramsAt(def, ""));
  Json files = Json::array();
  for (const datasets::PublishedFile& file : def.files)
    if (!file.url.empty()) files.push_back(fileJson(file));
  Json set = {{"id", def.id},
              {"title", def.title},
              {"summary", def.summary},
              {"reference", def.reference},
              {"location", location},
              {"built_in", location == datasets::kBuiltIn},
              {"shape", def.shape.channels == 0 ? Json::array() : shapeJson(def.shape)},
              {"classes", def.classes},
              {"train_count", def.trainCount},
              {"test_count", def.testCount},
              {"download_to", def.files.empty() || home.empty() ? "" : strCat(home, "/", def.folder)},
              {"files", files}};
  if (sizes) set["bytes"] = location.empty() || location == datasets::kBuiltIn ? 0 : datasets::bytesAt(def, location);
  return set;
}

Json splitJson(const datasets::CheckedSplit& split) {
  return {{"name", split.name}, {"images", split.images}, {"expected", split.expected}, {"per_class", split.perClass}, {"broken", split.broken}, {"broken_files", split.brokenFiles}};
}

Json splitsJson(const std::vector<datasets::CheckedSplit>& splits) {
  Json all = Json::array();
  for (const datasets::CheckedSplit& split : splits) all.push_back(splitJson(split));
  return all;
}

Json checkJson(const datasets::DataCheck& check) {
  Json files = Json::array();
  for (const datasets::CheckedFile& file : check.files)
    files.push_back({{"name", file.name}, {"path", file.path}, {"bytes", file.bytes}, {"state", datasets::fileStateName(file.state)}, {"expected_sha256", file.expected}, {"found_sha256", file.found}});
  return {{"id", check.id}, {"path", check.path}, {"decoded", check.decoded}, {"classes", check.classes}, {"class_names", check.classNames}, {"files", files}, {"facts", check.facts}, {"splits", splitsJson(check.splits)}, {"problems", check.problems}};
}

std::string hexOf(const std::vector<std::uint8_t>& bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) text += kDigits[byte >> 4], text += kDigits[byte & 15];
  return text;
}

Json lookJson(const datasets::DataLook& look) {
  Json samples = Json::array();
  for (const datasets::LookedSample& sample : look.samples) {
    Json one = {{"index", sample.index}, {"label", sample.label}};
    if (!sample.target.empty()) one["target"] = sample.target;
    if (!sample.numbers.empty()) one["numbers"] = sample.numbers;
    else if (sample.problem.empty()) one.update({{"stored", shapeJson(sample.stored)}, {"shape", shapeJson(sample.picture.shape)}, {"pixels", hexOf(sample.picture.pixels)}});
    else one["problem"] = sample.problem;
    samples.push_back(std::move(one));
  }
  return {{"id", look.id}, {"path", look.path}, {"classes", look.classes}, {"class_names", look.classNames}, {"splits", splitsJson(look.splits)}, {"split", look.split}, {"seed", look.seed}, {"samples", samples}};
}

const datasets::DatasetDef& setNamed(const std::string& id) {
  const datasets::DatasetDef* def = datasets::findDataset(id);
  if (def == nullptr) throw Error(Errc::kData, unknownId("data set", id, datasets::datasets()));
  return *def;
}

const datasets::DatasetDef& setAt(const std::string& path, const std::string& id) {
  if (!id.empty()) {
    const datasets::DatasetDef& def = setNamed(id);
    if (!datasets::hasFiles(def)) throw Error(Errc::kData, strCat("data set \"", id, "\" has no files"));
    return def;
  }
  const std::vector<const datasets::DatasetDef*> could = datasets::setsAt(path);
  if (could.size() == 1) return *could.front();
  std::string names;
  for (const datasets::DatasetDef* def : could) names += strCat(names.empty() ? "" : " or ", def->id);
  if (could.empty()) throw Error(Errc::kData, strCat(path, ": is no known data set; name one with --as ID"));
  throw Error(Errc::kData, strCat(path, ": could be ", names, "; name one with --as ID"));
}

void requirePath(const std::string& question, const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw Error(Errc::kFile, strCat(path.empty() ? strCat("data ", question, ": the path") : path, ": ", error ? error.message() : "no such file or folder"));
}

Json setsJson(const Asked& asked) {
  Json sets = Json::array();
  for (const datasets::DatasetDef& def : datasets::datasets()) sets.push_back(setJson(def, asked.has("--sizes")));
  return {{"datasets", sets}};
}

Json checked(const Asked& asked) {
  requirePath("check", asked.path);
  const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  Params more;
  for (const std::string& word : asked.set) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos) throw Error(Errc::kUsage, strCat("data check: --set takes NAME=VALUE, not \"", quotable(word), "\""));
    more.set(word.substr(0, equals), parameterFrom(word.substr(equals + 1)));
  }
  return checkJson(datasets::checkData(setAt(asked.path, asked.of("--as")), asked.path, asked.has("--decode"), threads, more));
}

Json looked(const Asked& asked) {
  datasets::LookWish wish;
  if (asked.has("--split")) wish.split = asked.of("--split");
  asked.read("--count", wish.count);
  asked.read("--seed", wish.seed);
  if (asked.path.empty() && !asked.has("--as")) throw Error(Errc::kUsage, "data look: name a folder, or a data set with --as ID");
  if (asked.path.empty()) return lookJson(datasets::lookAt(setNamed(asked.of("--as")), "", wish));
  requirePath("look", asked.path);
  return lookJson(datasets::lookAt(setAt(asked.path, asked.of("--as")), asked.path, wish));
}

}  // namespace

void answerAboutData(const std::vector<std::string>& words) {
  const std::string question = words.empty() ? "" : words.front();
  Json answer;
  if (question == "list") answer = setsJson(askedOf(words, {}, {"--sizes"}));
  else if (question == "check") answer = checked(askedOf(words, {"--as", "--set"}, {"--decode"}));
  else if (question == "look") answer = looked(askedOf(words, {"--as", "--split", "--count", "--seed"}, {}));
  else throw Error(Errc::kUsage, "data: expected list, check or look");
  std::cout << dumped(answer, 2) << '\n';
  if (!std::cout.flush()) throw Error(Errc::kFile, "cannot write to stdout");
}

}  // namespace paceline
