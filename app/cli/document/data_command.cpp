// paceline data list | check | look | download: the data sets of this computer, described, checked and read by paceline-worker.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/hosts/parts.h"
#include "app/cli/results/figure_file.h"
#include "app/cli/runs/followed_runs.h"
#include "app/cluster/deploy/fetch_dataset.h"
#include "app/cluster/worker/data_answer.h"
#include "app/cluster/worker/worker_answer.h"
#include "app/figures/class_counts.h"
#include "engine/core/json/json_text.h"

namespace paceline::cli {
namespace {

constexpr double kListSeconds = 120;
constexpr std::size_t kClassesShown = 20, kBrokenShown = 20;

std::string shapeText(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t side : shape) text += strCat(text.empty() ? "" : "x", side);
  return text;
}

std::string orFiles(std::int64_t count) { return count == 0 ? "its files say" : std::to_string(count); }

std::string downloadText(const worker::ListedSet& set) {
  if (set.files.empty()) return "-";
  const std::int64_t bytes = worker::downloadBytes(set);
  return bytes == 0 ? "of unknown size" : bytesText(bytes);
}

// An interrupted download is no set yet: how much of it there is.
std::string whereText(const worker::ListedSet& set) {
  if (!set.location.empty()) return set.location;
  const std::int64_t begun = deploy::begunBytes(set);
  return begun == 0 ? "not here" : strCat("begun: ", bytesText(begun), " in ", set.downloadTo);
}

void list(bool json) {
  const Json document = worker::workerDocument({"data", "list", "--sizes"}, kListSeconds);
  if (json) {
    std::cout << dumped(document, 2) << '\n';
    return;
  }
  std::vector<std::vector<std::string>> rows;
  for (const worker::ListedSet& set : worker::listedData(document).sets)
    rows.push_back({set.id, orFiles(set.trainCount), orFiles(set.testCount), orFiles(set.classes), set.shape.empty() ? "its files say" : shapeText(set.shape), downloadText(set), set.bytes == 0 ? "-" : bytesText(set.bytes), whereText(set)});
  std::cout << tableText({"set", "to train", "to test", "classes", "images", "download", "on disk", "where"}, rows);
}

struct CheckArguments {
  std::string path, id;
  std::vector<std::string> set;
  bool decode = false, json = false;
};

std::string classesText(const std::vector<std::string>& names, const std::vector<std::int64_t>& counts) {
  if (counts.empty()) return "";
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  if (*least == *most) return strCat(*least, " of each class");
  std::string text;
  for (std::size_t i = 0; i < std::min(counts.size(), kClassesShown); ++i)
    text += strCat(i == 0 ? "" : ", ", i < names.size() ? names[i] : std::to_string(i), ": ", counts[i]);
  if (counts.size() > kClassesShown) text += strCat(", ... (", counts.size(), " classes, ", *least, " to ", *most, " each)");
  return text;
}

std::string stateText(const std::string& state) {
  if (state == "published") return "✓ SHA-256 as published";
  if (state == "repacked") return "✓ content as published, packed anew";
  if (state == "different") return "✗ differs from the published one";
  if (state == "unverified") return "- no checksum is known";
  return "✗ missing";
}

void printCheck(const worker::CheckedData& check) {
  std::cout << check.id << " in " << check.path << '\n';
  std::vector<std::vector<std::string>> rows;
  for (const worker::CheckedFile& file : check.files) rows.push_back({file.name, bytesText(file.bytes), stateText(file.state)});
  if (!rows.empty()) std::cout << tableText({"file", "size", "state"}, rows);
  for (const std::string& fact : check.facts) std::cout << fact << '\n';
  const char* const samples = check.facts.empty() ? " images" : " samples";
  for (const worker::CheckedSplit& split : check.splits) {
    std::cout << "to " << split.name << ": " << split.images << samples << (split.perClass.empty() ? "" : ", ") << classesText(check.classNames, split.perClass);
    if (check.decoded && split.broken > 0) std::cout << ", " << split.broken << " do not decode";
    std::cout << '\n';
    for (std::size_t i = 0; i < std::min(split.brokenFiles.size(), kBrokenShown); ++i) std::cout << "  " << split.brokenFiles[i] << '\n';
  }
}

void check(const CheckArguments& arguments) {
  Interrupt interrupt;
  const Json document = worker::checkDocument(arguments.path, arguments.id, arguments.decode, interrupt.token(), arguments.set);
  const worker::CheckedData checked = worker::checkedData(document);
  if (arguments.json)
    std::cout << dumped(document, 2) << '\n';
  else
    printCheck(checked);
  std::cout.flush();
  const std::vector<std::string>& problems = checked.problems;
  if (problems.empty()) return;
  throw Error(Errc::kData, strCat(problems[0], problems.size() == 1 ? "" : strCat(" (and ", problems.size() - 1, " more)")));
}

struct LookArguments {
  std::string what, pictures, figure;
  worker::LookQuestion question;
  bool json = false;
};

// A picture file that needs no library: PGM of one channel, PPM of three.
std::string pictureText(const worker::LookedSample& sample) {
  const std::vector<std::uint8_t> pixels = worker::bytesOf(sample);
  const auto channels = static_cast<std::size_t>(sample.side(0));
  const std::size_t plane = pixels.size() / channels;
  std::string text = strCat(channels == 1 ? "P5" : "P6", "\n", sample.side(2), " ", sample.side(1), "\n255\n");
  for (std::size_t i = 0; i < plane; ++i)
    for (std::size_t c = 0; c < channels; ++c) text += static_cast<char>(pixels[c * plane + i]);
  return text;
}

// train-00123-ankle_boot.pgm. Returns how many samples are no picture.
std::size_t writePictures(const worker::LookedData& looked, const std::string& folder) {
  makeFolder(folder);
  std::size_t none = 0;
  for (const worker::LookedSample& sample : looked.samples) {
    if (!sample.isPicture() || (sample.side(0) != 1 && sample.side(0) != 3)) {
      ++none;
      continue;
    }
    std::string name = worker::className(looked.classNames, static_cast<std::size_t>(sample.label));
    std::ranges::replace_if(name, [](char c) { return c == '/' || c == ' '; }, '_');
    writeOutput(strCat(folder, "/", looked.split, "-", sample.index, "-", name, sample.side(0) == 1 ? ".pgm" : ".ppm"), pictureText(sample));
  }
  return none;
}

std::vector<ClassCounts> countsOf(const worker::LookedData& looked) {
  std::vector<ClassCounts> counts;
  for (const worker::CheckedSplit& split : looked.splits) counts.push_back({.split = split.name, .perClass = split.perClass, .samples = split.images});
  return counts;
}

void printLook(const worker::LookedData& looked) {
  std::cout << looked.id << ": " << looked.path << '\n';
  std::vector<std::vector<std::string>> rows;
  const std::size_t classes = looked.splits.empty() ? 0 : looked.splits.front().perClass.size();
  for (std::size_t label = 0; label < classes; ++label) {
    rows.push_back({std::to_string(label), worker::className(looked.classNames, label)});
    for (const worker::CheckedSplit& split : looked.splits) rows.back().push_back(std::to_string(label < split.perClass.size() ? split.perClass[label] : 0));
  }
  std::vector<std::string> header{"class", "name"};
  for (const worker::CheckedSplit& split : looked.splits) header.push_back("to " + split.name);
  if (classes > 0) std::cout << tableText(header, rows);
  for (const ClassCounts& counts : countsOf(looked)) std::cout << countsInWords(counts) << '\n';
  rows.clear();
  for (const worker::LookedSample& sample : looked.samples)
    rows.push_back({std::to_string(sample.index), worker::targetOf(looked, sample), !sample.problem.empty() ? sample.problem : sample.numbers.empty() ? shapeText(sample.stored) : sample.numbers});
  const bool numbers = std::ranges::any_of(looked.samples, [](const worker::LookedSample& sample) { return !sample.numbers.empty(); });
  if (!rows.empty()) std::cout << '\n' << tableText({strCat("sample to ", looked.split), classes > 0 ? "class" : "target", numbers ? "numbers" : "image"}, rows);
}

void look(LookArguments arguments) {
  std::error_code ignored;
  if (std::filesystem::exists(arguments.what, ignored) || arguments.what.find('/') != std::string::npos) arguments.question.path = arguments.what;
  else arguments.question.id = arguments.what;
  Interrupt interrupt;
  const Json document = worker::lookDocument(arguments.question, interrupt.token());
  const worker::LookedData looked = worker::lookedData(document);
  if (arguments.json) std::cout << dumped(document, 2) << '\n';
  else printLook(looked);
  if (!arguments.figure.empty()) writeFigureFile(classCounts(looked.id, looked.classNames, countsOf(looked)), arguments.figure);
  if (arguments.pictures.empty()) return;
  if (const std::size_t none = writePictures(looked, arguments.pictures); none > 0) std::cerr << none << " of " << looked.samples.size() << " samples are no picture of one or three channels\n";
}

struct DownloadArguments {
  std::string id, to, from;
  bool json = false;
};

void downloadSet(const DownloadArguments& arguments) {
  Interrupt interrupt;
  HostsLine line(isTerminal(STDERR_FILENO) && !arguments.json);
  const auto told = [&line](const deploy::DatasetProgress& progress) {
    const deploy::DownloadProgress& file = progress.ofFile;
    const bool complete = file.bytesDone > 0 && file.bytesDone == file.bytesTotal;
    line.tell(progress.file, complete ? "" : file.bytesDone == 0 ? "connecting" : transferText(file.bytesDone, file.bytesTotal, file.rateBytesPerSecond, file.etaSeconds));
  };
  const deploy::FetchedDataset set = deploy::fetchDataset({.id = arguments.id, .to = arguments.to, .from = arguments.from, .onProgress = told, .stop = interrupt.token()});
  line.clear();
  Json files = Json::array();
  std::int64_t bytes = 0, fetched = 0;
  for (const auto& [name, got] : set.files) {
    bytes += got.bytes;
    fetched += got.fetched;
    files.push_back({{"name", name}, {"bytes", got.bytes}, {"fetched_bytes", got.fetched}, {"resumed", got.resumed}, {"there", got.there}});
  }
  if (arguments.json) {
    std::cout << dumped(Json{{"id", arguments.id}, {"folder", set.folder}, {"files", files}}, 2) << '\n';
    return;
  }
  std::cout << arguments.id << ": " << (fetched == 0 ? "all was there already" : strCat("fetched ", bytesText(fetched), ", verified ", bytesText(bytes))) << ", in " << set.folder << '\n';
  if (!arguments.to.empty()) std::cout << "runs find it with /dataset/params/path set to that folder\n";
}

}  // namespace

void addDataCommand(CLI::App& app, Shared&) {
  CLI::App* data = app.add_subcommand("data", "Data sets of this computer: list, check a folder, look at samples, download.");
  data->require_subcommand(1);
  auto json = std::make_shared<bool>(false);
  CLI::App* command = data->add_subcommand("list", "Lists data sets, their folders and download sizes.");
  command->add_flag("--json", *json, "print one JSON document and nothing else");
  command->callback([json] { list(*json); });

  auto checking = std::make_shared<CheckArguments>();
  command = data->add_subcommand("check", "Checks a folder or a file: files, checksums, samples per split and class; of arrays their shapes and ranges.");
  command->add_option("path", checking->path, "the folder, an archive, or a file of arrays")->type_name("PATH")->required();
  command->add_option("--as", checking->id, "data set; default: detect from its files")->type_name("ID");
  command->add_option("--set", checking->set, "another parameter of the data set, as inputs=*")->type_name("NAME=VALUE")->allow_extra_args(false);
  command->add_flag("--decode", checking->decode, "decode every picture of a folder of pictures");
  command->add_flag("--json", checking->json, "print one JSON document and nothing else");
  command->callback([checking] { check(*checking); });

  auto looking = std::make_shared<LookArguments>();
  command = data->add_subcommand("look", "Counts the samples of each class and shows some of them, the same ones for the same seed.");
  command->add_option("set", looking->what, "a data set's id, or a folder")->type_name("SET|PATH")->required();
  command->add_option("--as", looking->question.id, "what the folder holds; default: detect from its files")->type_name("ID");
  command->add_option("--split", looking->question.split, "which samples")->capture_default_str()->check(CLI::IsMember({"train", "test"}));
  command->add_option("--samples", looking->question.count, "how many")->capture_default_str()->check(CLI::Range(0, 200));
  command->add_option("--seed", looking->question.seed, "which of them")->capture_default_str();
  command->add_option("--pictures", looking->pictures, "folder for the samples as PGM or PPM files")->type_name("DIR");
  command->add_option("--figure", looking->figure, "file for the histogram: png, svg, pdf, csv or json")->type_name("FILE");
  command->add_flag("--json", looking->json, "print one JSON document and nothing else");
  command->callback([looking] { look(*looking); });

  auto downloading = std::make_shared<DownloadArguments>();
  command = data->add_subcommand("download", "Fetches a data set from its public address; goes on where an earlier try broke off.");
  command->add_option("id", downloading->id, "data set")->type_name("ID")->required();
  command->add_option("--to", downloading->to, "the folder for its files; default: where runs look for it")->type_name("FOLDER");
  command->add_option("--from", downloading->from, "another address to get the files from; they are checked all the same")->type_name("URL");
  command->add_flag("--json", downloading->json, "print one JSON document and nothing else");
  command->callback([downloading] { downloadSet(*downloading); });
}

}  // namespace paceline::cli
