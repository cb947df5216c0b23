#include "storage/interchange/verify.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "engine/core/spec/run_spec.h"
#include "storage/interchange/esync_format.h"
#include "storage/interchange/interop.h"
#include "storage/summary/links.h"

namespace paceline::interchange {
namespace {

constexpr std::size_t kTail = 256;            // bytes in which the sum stands
constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::size_t kHexDigits = 64;

Check documentCheck(const store::RunRow& run) {
  if (run.specText.empty()) return {.id = "document", .words = "it has none: the run was imported"};
  const ParsedSpec parsed = parseRunSpec(run.specText);
  for (const Finding& finding : parsed.findings)
    if (finding.error) return {.id = "document", .holds = false, .words = strCat(finding.pointer, ": ", finding.message)};
  const std::string config = configHash(parsed.spec), group = groupHash(parsed.spec);
  if (config != run.configHash) return {.id = "document", .holds = false, .words = strCat("its hash is ", config.substr(0, 12), ", the run says ", run.configHash.substr(0, 12), ": one of them was changed")};
  if (group != run.groupHash) return {.id = "document", .holds = false, .words = strCat("its hash without the seed is ", group.substr(0, 12), ", the run says ", run.groupHash.substr(0, 12), ": one of them was changed")};
  const bool same = parsed.spec.seed == run.seed && parsed.spec.algorithm.id == run.algorithm && parsed.spec.model.id == run.model && parsed.spec.dataset.id == run.dataset;
  if (!same) return {.id = "document", .holds = false, .words = "algorithm, model, data set or seed are others than the run says"};
  return {.id = "document", .words = strCat("whole, its hash is the run's, ", config.substr(0, 12))};
}

Check environmentCheck(const store::RunRow& run, const Json& here) {
  const Json versions = jsonOrNull(run.versions);
  Check check{.id = "environment"};
  const auto told = [&versions](const char* key) { return versions.is_object() && versions.contains(key) && versions[key].is_string() ? versions[key].get<std::string>() : std::string(); };
  if (told("paceline").empty()) {
    check.words = run.source.empty() ? "not recorded" : strCat("not recorded: of ", run.source);
    return check;
  }
  check.words = strCat("Paceline ", told("paceline"), ", LibTorch ", told("torch").empty() ? "not known" : told("torch"));
  for (const auto& [key, name] : {std::pair("paceline", "Paceline"), std::pair("torch", "LibTorch")})
    if (const std::string mine = here.value(key, ""); !mine.empty() && !told(key).empty() && mine != told(key)) check.words += strCat("; here it is ", name, " ", mine);
  return check;
}

Check recordsCheck(const summary::RunData& data) {
  std::set<std::string> declared;
  for (const store::NodeRow& node : data.nodes) declared.insert(node.id);
  std::int64_t rows = 0;
  std::map<std::string, std::set<std::int64_t>> rounds;
  for (const store::RoundRow& row : data.rounds) {
    if (!declared.contains(row.node)) return {.id = "records", .holds = false, .words = strCat("a round is of \"", quotable(row.node), "\", which is no node of the run")};
    if (!rounds[row.node].insert(row.record.round).second) return {.id = "records", .holds = false, .words = strCat("round ", row.record.round, " of ", row.node, " is there twice")};
  }
  // Rounds that a lost worker or a stop discarded are at the end; one that is missing before is a loss, unless the worker was away.
  const std::set<std::string> again = summary::startedAgain(data.nodes, data.notices);
  if (data.run.source.empty() || data.run.source == "simulated")
    for (const auto& [node, numbers] : rounds)
      if (const std::int64_t first = *numbers.begin(), last = *numbers.rbegin(); !again.contains(node) && last - first + 1 != static_cast<std::int64_t>(numbers.size()))
        return {.id = "records", .holds = false, .words = strCat(node, " has ", numbers.size(), " rounds from ", first, " to ", last, ": some are missing")};
  for (const store::EvaluationRow& row : data.evaluations)
    if (!data.run.specText.empty() && (row.record.accuracy < 0 || row.record.accuracy > 1 + 1e-9))
      return {.id = "records", .holds = false, .words = strCat("the accuracy of ", row.node, " in round ", row.record.round, " is ", row.record.accuracy, ", which is no fraction")};
  summary::eachList(data, [&rows](const auto& list) { rows += static_cast<std::int64_t>(list.size()); });
  return {.id = "records", .words = strCat(rows, " in all, ", data.rounds.size(), " rounds without a gap", again.empty() ? "" : strCat(" but those of ", listed({again.begin(), again.end()}), ", started again"), ", ", data.evaluations.size(), " evaluations")};
}

Check trafficCheck(const summary::RunData& data) {
  const std::set<std::string> again = summary::startedAgain(data.nodes, data.notices);
  const std::vector<std::string> uneven = summary::unevenWays(summary::waysOf(data.links), data.nodes, again);
  if (!uneven.empty()) return {.id = "traffic", .holds = false, .words = uneven.front()};
  return {.id = "traffic", .words = data.links.empty() ? "no link is recorded" : strCat("what ", again.empty() ? "" : "the other ", "workers sent is what servers received")};
}

}  // namespace

std::optional<bool> checksumHolds(const std::string& path) {
  const std::string mark = strCat("\"", kChecksumKey, "\": \"");
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw Error(Errc::kFile, strCat(path, ": cannot be read"));
  const auto size = static_cast<std::size_t>(file.tellg());
  const std::size_t from = size - std::min(size, kTail);
  std::string tail(size - from, '\0');
  file.seekg(static_cast<std::streamoff>(from));
  file.read(tail.data(), static_cast<std::streamsize>(tail.size()));
  const std::size_t place = tail.rfind(mark);
  if (place == std::string::npos || tail.size() < place + mark.size() + kHexDigits) return std::nullopt;
  const std::string told = tail.substr(place + mark.size(), kHexDigits);
  Sha256 sum;
  file.clear(), file.seekg(0);
  std::string piece(kPiece, '\0');
  for (std::size_t left = from + place; left > 0;) {
    piece.resize(std::min(left, kPiece));
    if (!file.read(piece.data(), static_cast<std::streamsize>(piece.size()))) throw Error(Errc::kFile, strCat(path, ": cannot be read"));
    sum.add(piece), left -= piece.size();
  }
  return sum.hex() == told;
}

std::vector<Check> checksOf(const summary::RunData& data, const Json& here) { return {documentCheck(data.run), recordsCheck(data), trafficCheck(data), environmentCheck(data.run, here)}; }

}  // namespace paceline::interchange
