// How much of the exchange overlap hides: a round over the longer of what computing and the busiest link need. tests/netns/overlap measures it, on
// hosts that are network namespaces with shaped links.
#include <filesystem>
#include <map>
#include <sstream>

#include "app/cluster/hosts/host.h"
#include "engine/core/base/error.h"
#include "tests/bench/bench.h"
#include "tests/bench/temp_folder.h"

namespace paceline::bench {
namespace {

constexpr int kLacking = 77;  // the script's exit code where this machine has not what it needs
constexpr int kTurns = 3;
constexpr double kTimeoutSeconds = 300;  // between two lines

struct Case {
  const char* id;
  const char* words;  // the script's name of it
  int rounds;         // 10 to 20 s
};
constexpr Case kCases[] = {{"overlap_lenet_100mbit", "lenet/100mbit/2/aes_gcm/true", 50},
                           {"overlap_lenet_1gbit", "lenet/1gbit/2/aes_gcm/true", 150},
                           {"overlap_resnet18_1gbit", "resnet18/1gbit/2/aes_gcm/true", 25}};

std::map<std::string, std::vector<double>> valuesOf(const std::string& program, const Case& which) {
  const TempFolder folder{};
  const auto host = hosts::localHost("local", {{"PACELINE_BIN", std::filesystem::path(program).parent_path().string()}});
  std::vector<std::string> command{std::string(PACELINE_BENCH_FOLDER) + "/../netns/overlap", "--lines", folder.path + "/lab", std::to_string(which.rounds)};
  command.insert(command.end(), kTurns, which.words);
  const hosts::CommandResult result = hosts::runOn(*host, command, {.silenceSeconds = kTimeoutSeconds});
  if (result.end.code == kLacking) throw Lacking(result.said());
  if (result.end.code != 0) throw Error(Errc::kData, result.said());
  std::map<std::string, std::vector<double>> values;
  for (const std::string& line : result.lines) {
    std::istringstream words(line);
    std::string name;
    for (double value = 0; words >> name >> value;) values[name].push_back(value);
  }
  if (values["ratio"].size() != kTurns) throw Error(Errc::kData, strCat("tests/netns/overlap printed \"", result.text(), "\" instead of ", kTurns, " ratios"));
  return values;
}

Result overlap(const std::string& program, const Case& which) {
  const auto values = valuesOf(program, which);
  Result result{.id = which.id, .value = median(values.at("ratio")), .target = 1.1, .higherIsBetter = false,
                .note = strCat("T_iter / max(T_compute, T_link) of ", which.words, " (model, link, workers, protection, overlap): ssgd with a server, hosts in network namespaces behind tc tbf, ",
                               which.rounds, " rounds with emulated steps, median of ", kTurns),
                .inputs = {}};
  for (const auto& [name, measured] : values)
    if (name != "ratio") result.inputs.emplace_back(name, median(measured));
  result.inputs.emplace_back("lowest_ratio", std::ranges::min(values.at("ratio")));
  result.inputs.emplace_back("highest_ratio", std::ranges::max(values.at("ratio")));
  return result;
}

}  // namespace

std::vector<Named> overlaps(const std::string& program) {
  std::vector<Named> rows;
  for (const Case& which : kCases) rows.push_back({which.id, [program, &which] { return overlap(program, which); }});
  return rows;
}

}  // namespace paceline::bench
