// Every figure of paceline-bench is measured against a limit of the same run. A row that cannot be measured says why in the place of a figure;
// exit 1 unless it is that this host lacks something. Targets that are not met change nothing.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <regex>
#include <set>
#include <string>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "engine/core/record/kernels.h"
#include "tests/bench/bench.h"

namespace paceline::bench {
namespace {

std::string ownProgram() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0) throw Error(Errc::kFile, "/proc/self/exe cannot be read");
  return std::string(path, static_cast<std::size_t>(length));
}

std::vector<Named> all() {
  const std::string program = ownProgram();
  std::vector<Named> rows = {
          {"worker_loop_vs_libtorch", workerLoopVsLibtorch},
          {"ps_round_vs_stream", [program] { return psRoundVsStream(program); }, kQuick},
          {"ps_round_vs_sockets", [program] { return psRoundVsSockets(program); }},
          {"curve_vs_plain", [program] { return curveVsPlain(program); }},
          {"aes_gcm_vs_plain", [program] { return aesGcmVsPlain(program); }},
          {"aes_gcm_vs_curve", [program] { return aesGcmVsCurve(program); }},
          {"ipc_vs_tcp", [program] { return ipcVsTcp(program); }},
          {"shm_vs_tcp", [program] { return shmVsTcp(program); }},
          {"server_sum_vs_triad", serverSumVsTriad, kQuick},
          {"aggregation_vs_gloo", [program] { return aggregationVsGloo(program); }},
          {"aggregation_vs_c10d", [program] { return aggregationVsC10d(program); }},
          {"simulator_iterations_per_s", simulatorIterations},
          {"selection_exact_vs_kthvalue", selectionExact, kQuick},
          {"selection_sampled_vs_kthvalue", selectionSampled, kQuick},
          {"sparse_codec_rate", sparseCodecRate, kQuick},
          {"sparse_index_vs_entropy", sparseIndexBytes, kQuick},
          {"sparse_bytes_per_kept", sparseBytes, kQuick},
          {"ingest_vs_sqlite", ingestVsSqlite, kQuick},
          {"recording_cost", recordingCost, kQuick},
          {"figure_paint_ms", figurePaint, kQuick},
          {"parallel_brush_ms", parallelBrush, kQuick},
          {"gallery_paint_ms", galleryPaint, kQuick},
          {"runs_filter_ms", runsFilter, kQuick},
          {"gui_stall_ms", guiSoak},
          {"prediction_ms", predictionAfterEdit, kQuick},
          {"two_workers_vs_independent", [program] { return twoWorkersVsIndependent(program); }},
          {"server_journal_cost", serverJournalCost},
          {"start_eight_hosts", startOnEightHosts},
          {"link_measured_1gbit", [program] { return linkMeasured((std::filesystem::path(program).parent_path() / "paceline-agent").string()); }},
          {"start_16_local_s", start16Local},
          {"start_64_local_s", start64Local},
          {"worker_idle_mb", workerIdleMb}};
  for (auto& more : {bigStore(program), trainingSpeeds(program), pictureLoading(), overlaps(program), timelines()}) rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

Json toJson(const Result& result) {
  Json inputs = Json::object();
  for (const auto& [name, value] : result.inputs) inputs[name] = jsonNumber(value);
  return {{"id", result.id},     {"value", jsonNumber(result.value)}, {"unit", result.unit},
          {"target", result.target}, {"better", result.higherIsBetter ? "higher" : "lower"}, {"note", result.note}, {"inputs", inputs}};
}

void print(const Result& result) {
  if (!result.absent.empty()) {
    std::printf("%-28s not measured: %s\n", result.id.c_str(), result.absent.c_str());
    std::fflush(stdout);
    return;
  }
  const bool met = result.higherIsBetter ? result.value >= result.target : result.value <= result.target;
  std::printf("%-28s %10.4f %-6s target %s %g  %s\n", result.id.c_str(), result.value, result.unit.c_str(),
              result.higherIsBetter ? ">=" : "<=", result.target, met ? "met" : "not met");
  for (const auto& [name, value] : result.inputs) std::printf("    %-40s %.6g\n", name.c_str(), value);
  std::printf("    %s\n", result.note.c_str());
  std::fflush(stdout);
}

// A figure, or why there is none. `failed` unless it is that this host lacks something.
Result measured(const Named& named, bool& failed) {
  std::string why = "it gave no number";
  try {
    Result result = named.measure();
    if (std::isfinite(result.value)) return result;
    failed = true;
  } catch (const std::exception& error) {
    failed = failed || dynamic_cast<const Lacking*>(&error) == nullptr;
    why = error.what();
  }
  return {.id = named.id, .note = "", .inputs = {}, .absent = why};
}

struct Choice {
  std::string filter, tag;  // "": every row
};

// Throws Error{kUsage} for a choice of nothing.
std::vector<Named> chosen(const Choice& choice) {
  std::vector<Named> rows = all();
  std::set<std::string> tags;
  for (const Named& row : rows) tags.insert(row.tags.begin(), row.tags.end());
  if (!choice.tag.empty() && !tags.contains(choice.tag)) {
    std::string known;
    for (const std::string& tag : tags) known += (known.empty() ? "" : ", ") + tag;
    throw Error(Errc::kUsage, strCat("No row has the tag \"", choice.tag, "\"; there is: ", known, "."));
  }
  std::regex wanted;
  try {
    wanted = std::regex(choice.filter);
  } catch (const std::regex_error&) {
    throw Error(Errc::kUsage, strCat("\"", choice.filter, "\" is no regular expression."));
  }
  std::erase_if(rows, [&](const Named& row) {
    return !std::regex_search(row.id, wanted) || (!choice.tag.empty() && std::ranges::find(row.tags, choice.tag) == row.tags.end());
  });
  if (rows.empty()) throw Error(Errc::kUsage, "No row has such a name and tag; --list prints all.");
  return rows;
}

int list(const std::vector<Named>& rows) {
  for (const Named& row : rows) {
    std::cout << row.id;
    for (const std::string& tag : row.tags) std::cout << "  " << tag;
    std::cout << "\n";
  }
  return 0;
}

int measureAll(const std::vector<Named>& rows, bool asJson) {
  Json results = Json::array(), absent = Json::object();
  bool failed = false;
  for (const Named& named : rows) {
    const Result result = measured(named, failed);
    if (!asJson) print(result);
    else if (result.absent.empty()) results.push_back(toJson(result));
    else absent[named.id] = result.absent;
  }
  if (asJson) std::cout << Json{{"results", results}, {"absent", absent}}.dump(2) << "\n";
  return failed ? 1 : 0;
}

int usage() {
  std::cerr << "usage: paceline-bench [--filter REGEX] [--tag TAG] [--json | --list]\n"
               "  --filter REGEX  the rows with that in their names\n"
               "  --tag quick     the rows that take under a minute together; with --filter, those of them with such names\n"
               "  --json          figures, their inputs and what could not be measured as one JSON document\n"
               "  --list          names and tags of the rows, without measuring\n";
  return 2;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() == 3 && arguments[0] == "--part" && arguments[1] == "ps_node") return psNodePart(std::stoi(arguments[2]));
  if (arguments.size() == 3 && arguments[0] == "--part" && arguments[1] == "socket_node") return socketNodePart(arguments[2]);
  if (arguments.size() == 3 && arguments[0] == "--part" && arguments[1] == "aggregation_node") return aggregationNodePart(std::stoi(arguments[2]));
  if (arguments.size() == 3 && arguments[0] == "--part" && arguments[1] == "bare_loop") return bareLoopPart(std::stod(arguments[2]));
  if (arguments.size() == 6 && arguments[0] == "--part" && arguments[1] == "training")
    return trainingPart(arguments[2], arguments[3], std::stoi(arguments[4]), std::stod(arguments[5]));
  Choice choice;
  bool asJson = false, onlyList = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--json") asJson = true;
    else if (arguments[i] == "--list") onlyList = true;
    else if (arguments[i] == "--filter" && i + 1 < arguments.size()) choice.filter = arguments[++i];
    else if (arguments[i] == "--tag" && i + 1 < arguments.size()) choice.tag = arguments[++i];
    else return usage();
  }
  if (asJson && onlyList) return usage();
  return onlyList ? list(chosen(choice)) : measureAll(chosen(choice), asJson);
}

}  // namespace
}  // namespace paceline::bench

int main(int argc, char** argv) {
  // One thread per process and the kernels of this host, as nodes run; must be in the environment before LibTorch's BLAS is loaded.
  if (std::getenv("OPENBLAS_NUM_THREADS") == nullptr) {
    for (const auto& [name, value] : paceline::kernelsHere()) setenv(name.c_str(), value.c_str(), 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("OMP_WAIT_POLICY", "passive", 1);
    execv("/proc/self/exe", argv);
  }
  try {
    return paceline::bench::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "paceline-bench: " << error.what() << "\n";
    const auto* ours = dynamic_cast<const paceline::Error*>(&error);
    return ours != nullptr && ours->code() == paceline::Errc::kUsage ? 2 : 1;
  }
}
