#include "app/cluster/worker/data_answer.h"

#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/error.h"
#include "engine/core/json/fields.h"

namespace paceline::worker {

void describe(auto& visit, PublishedFile& file) {
  visit(Field{.key = "name", .required = true}, file.name);
  visit(Field{.key = "url", .required = true}, file.url);
  visit(Field{.key = "sha256"}, file.sha256);
  visit(Field{.key = "bytes", .bounds = atLeast(0)}, file.bytes);
}

void describe(auto& visit, ListedSet& set) {
  visit(Field{.key = "id", .required = true}, set.id);
  visit(Field{.key = "title"}, set.title);
  visit(Field{.key = "summary"}, set.summary);
  visit(Field{.key = "reference"}, set.reference);
  visit(Field{.key = "location"}, set.location);
  visit(Field{.key = "built_in"}, set.builtIn);
  visit(Field{.key = "download_to"}, set.downloadTo);
  visit(Field{.key = "shape"}, set.shape);
  visit(Field{.key = "classes"}, set.classes);
  visit(Field{.key = "train_count"}, set.trainCount);
  visit(Field{.key = "test_count"}, set.testCount);
  visit(Field{.key = "files", .required = true}, set.files);
  visit(Field{.key = "bytes", .bounds = atLeast(0)}, set.bytes);
}

void describe(auto& visit, ListedData& data) { visit(Field{.key = "datasets", .required = true}, data.sets); }

void describe(auto& visit, CheckedFile& file) {
  visit(Field{.key = "name", .required = true}, file.name);
  visit(Field{.key = "state", .required = true}, file.state);
  visit(Field{.key = "bytes"}, file.bytes);
}

void describe(auto& visit, CheckedSplit& split) {
  visit(Field{.key = "name", .required = true}, split.name);
  visit(Field{.key = "images", .required = true}, split.images);
  visit(Field{.key = "expected"}, split.expected);
  visit(Field{.key = "broken"}, split.broken);
  visit(Field{.key = "per_class"}, split.perClass);
  visit(Field{.key = "broken_files"}, split.brokenFiles);
}

void describe(auto& visit, CheckedData& data) {
  visit(Field{.key = "id", .required = true}, data.id);
  visit(Field{.key = "path", .required = true}, data.path);
  visit(Field{.key = "decoded"}, data.decoded);
  visit(Field{.key = "class_names"}, data.classNames);
  visit(Field{.key = "facts"}, data.facts);
  visit(Field{.key = "files", .required = true}, data.files);
  visit(Field{.key = "splits", .required = true}, data.splits);
  visit(Field{.key = "problems", .required = true}, data.problems);
}

void describe(auto& visit, LookedSample& sample) {
  visit(Field{.key = "index", .bounds = atLeast(0), .required = true}, sample.index);
  visit(Field{.key = "label", .bounds = atLeast(0), .required = true}, sample.label);
  visit(Field{.key = "stored"}, sample.stored);
  visit(Field{.key = "shape"}, sample.shape);
  visit(Field{.key = "pixels"}, sample.pixels);
  visit(Field{.key = "problem"}, sample.problem);
  visit(Field{.key = "numbers"}, sample.numbers);
  visit(Field{.key = "target"}, sample.target);
}

void describe(auto& visit, LookedData& data) {
  visit(Field{.key = "id", .required = true}, data.id);
  visit(Field{.key = "path"}, data.path);
  visit(Field{.key = "split", .required = true}, data.split);
  visit(Field{.key = "seed"}, data.seed);
  visit(Field{.key = "class_names"}, data.classNames);
  visit(Field{.key = "splits", .required = true}, data.splits);
  visit(Field{.key = "samples", .required = true}, data.samples);
}

namespace {

constexpr double kListSeconds = 120, kCheckSeconds = 24 * 3600;
constexpr std::int64_t kMostSide = 4096;  // of a sample's picture; what is shown has 96
constexpr const char* kLook = "local: paceline-worker data look";

bool isHex(const std::string& text) { return text.find_first_not_of("0123456789abcdef") == std::string::npos; }

void requirePixels(const LookedSample& sample, std::size_t number) {
  const auto refuse = [number](const std::string& what) { throw Error(Errc::kFormat, strCat(kLook, ": /samples/", number, ": ", what)); };
  if (!sample.problem.empty() || !sample.numbers.empty()) return;
  std::int64_t values = 1;
  for (const auto* shape : {&sample.stored, &sample.shape})
    if (shape->size() != 3) refuse(strCat("a shape has 3 numbers; this has ", shape->size()));
  for (const std::int64_t side : sample.shape) {
    if (side < 1 || side > kMostSide) refuse(strCat("a side must be 1 to ", kMostSide, "; it is ", side));
    values *= side;
  }
  if (static_cast<std::int64_t>(sample.pixels.size()) != 2 * values || !isHex(sample.pixels)) refuse(strCat("\"pixels\" must be ", values, " bytes in hexadecimal"));
}

}  // namespace

std::int64_t downloadBytes(const ListedSet& set) {
  std::int64_t bytes = 0;
  for (const PublishedFile& file : set.files) {
    if (file.bytes == 0) return 0;
    bytes += file.bytes;
  }
  return bytes;
}

std::vector<std::uint8_t> bytesOf(const LookedSample& sample) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < sample.pixels.size(); i += 2) bytes.push_back(static_cast<std::uint8_t>(16 * digit(sample.pixels[i]) + digit(sample.pixels[i + 1])));
  return bytes;
}

std::string targetOf(const LookedData& data, const LookedSample& sample) { return sample.target.empty() ? className(data.classNames, static_cast<std::size_t>(sample.label)) : sample.target; }

std::string className(const std::vector<std::string>& names, std::size_t label) { return label < names.size() ? names[label] : std::to_string(label); }

ListedData listedData(const Json& document) { return readFrom<ListedData>(document, "local: paceline-worker data list"); }
CheckedData checkedData(const Json& document) { return readFrom<CheckedData>(document, "local: paceline-worker data check"); }

LookedData lookedData(const Json& document) {
  LookedData data = readFrom<LookedData>(document, kLook);
  for (std::size_t i = 0; i < data.samples.size(); ++i) requirePixels(data.samples[i], i);
  return data;
}

ListedData listData(const std::stop_token& stop) { return listedData(workerDocument({"data", "list", "--sizes"}, kListSeconds, stop)); }

Json checkDocument(const std::string& path, const std::string& id, bool decode, const std::stop_token& stop, const std::vector<std::string>& set) {
  std::vector<std::string> words{"data", "check", path};
  for (const std::string& one : set) words.insert(words.end(), {"--set", one});
  if (!id.empty()) words.insert(words.end(), {"--as", id});
  if (decode) words.push_back("--decode");
  return workerDocument(words, kCheckSeconds, stop);
}

Json lookDocument(const LookQuestion& question, const std::stop_token& stop) {
  std::vector<std::string> words{"data", "look"};
  if (!question.path.empty()) words.push_back(question.path);
  if (!question.id.empty()) words.insert(words.end(), {"--as", question.id});
  words.insert(words.end(), {"--split", question.split, "--count", std::to_string(question.count), "--seed", std::to_string(question.seed)});
  return workerDocument(words, kCheckSeconds, stop);
}

}  // namespace paceline::worker
