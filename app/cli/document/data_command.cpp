// paceline data list | check | download: the data sets of this computer, described and checked by paceline-worker.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/hosts/parts.h"
#include "app/cli/runs/followed_runs.h"
#include "app/cluster/deploy/fetch_dataset.h"
#include "app/cluster/worker/data_answer.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/json/json_text.h"

namespace paceline::cli {
namespace {

constexpr double kListSeconds = 120, kCheckSeconds = 24 * 3600;
constexpr std::size_t kClassesShown = 20, kBrokenShown = 20;

std::int64_t downloadBytes(const worker::ListedSet& set) {
  std::int64_t bytes = 0;
  for (const worker::PublishedFile& file : set.files) bytes += file.bytes;
  return bytes;
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t side : shape) text += strCat(text.empty() ? "" : "x", side);
  return text;
}

std::string orFiles(std::int64_t count) { return count == 0 ? "its files say" : std::to_string(count); }

void list(bool json) {
  const Json document = worker::workerDocument({"data", "list"}, kListSeconds);
  if (json) {
    std::cout << dumped(document, 2) << '\n';
    return;
  }
  std::vector<std::vector<std::string>> rows;
  for (const worker::ListedSet& set : worker::listedData(document).sets)
    rows.push_back({set.id, orFiles(set.trainCount), orFiles(set.testCount), orFiles(set.classes), shapeText(set.shape), set.files.empty() ? "-" : bytesText(downloadBytes(set)),
                    set.location.empty() ? "not here" : set.location});
  std::cout << tableText({"set", "to train", "to test", "classes", "images", "download", "where"}, rows);
}

struct CheckArguments {
  std::string path, id;
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
  for (const worker::CheckedSplit& split : check.splits) {
    std::cout << "to " << split.name << ": " << split.images << " images, " << classesText(check.classNames, split.perClass);
    if (check.decoded && split.broken > 0) std::cout << ", " << split.broken << " do not decode";
    std::cout << '\n';
    for (std::size_t i = 0; i < std::min(split.brokenFiles.size(), kBrokenShown); ++i) std::cout << "  " << split.brokenFiles[i] << '\n';
  }
}

void check(const CheckArguments& arguments) {
  std::vector<std::string> command{"data", "check", arguments.path};
  if (!arguments.id.empty()) command.insert(command.end(), {"--as", arguments.id});
  if (arguments.decode) command.push_back("--decode");
  Interrupt interrupt;
  const Json document = worker::workerDocument(command, kCheckSeconds, interrupt.token());
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
  CLI::App* data = app.add_subcommand("data", "Data sets of this computer: list, check a folder, download.");
  data->require_subcommand(1);
  auto json = std::make_shared<bool>(false);
  CLI::App* command = data->add_subcommand("list", "Lists data sets, their folders and download sizes.");
  command->add_flag("--json", *json, "print one JSON document and nothing else");
  command->callback([json] { list(*json); });

  auto checking = std::make_shared<CheckArguments>();
  command = data->add_subcommand("check", "Checks a folder: files, checksums, images per split and class.");
  command->add_option("path", checking->path, "the folder, or an archive")->type_name("PATH")->required();
  command->add_option("--as", checking->id, "data set; default: detect from its files")->type_name("ID");
  command->add_flag("--decode", checking->decode, "decode every picture of a folder of pictures");
  command->add_flag("--json", checking->json, "print one JSON document and nothing else");
  command->callback([checking] { check(*checking); });

  auto downloading = std::make_shared<DownloadArguments>();
  command = data->add_subcommand("download", "Fetches a data set from its public address; goes on where an earlier try broke off.");
  command->add_option("id", downloading->id, "data set")->type_name("ID")->required();
  command->add_option("--to", downloading->to, "the folder for its files; default: where runs look for it")->type_name("FOLDER");
  command->add_option("--from", downloading->from, "another address to get the files from; they are checked all the same")->type_name("URL");
  command->add_flag("--json", downloading->json, "print one JSON document and nothing else");
  command->callback([downloading] { downloadSet(*downloading); });
}

}  // namespace paceline::cli
