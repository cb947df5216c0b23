// An ESync log tree becomes one run per mode folder. Everything is read and checked first, then stored in one transaction.
#include "storage/interchange/esync_import.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "engine/core/base/error.h"
#include "storage/interchange/interop.h"

namespace fs = std::filesystem;

namespace paceline::interchange {
namespace {

bool isIterationFile(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.starts_with("iter-") && name.ends_with(".txt");
}

std::vector<fs::path> subfolders(const fs::path& folder) {
  std::vector<fs::path> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.is_directory()) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end(),
            [](const fs::path& a, const fs::path& b) { return naturalLess(a.filename().string(), b.filename().string()); });
  return folders;
}

// Folders with host/device/iter-*.txt below them, at `root` or deeper.
std::set<fs::path> modeFolders(const fs::path& root) {
  std::set<fs::path> modes;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (!isIterationFile(entry.path()) || !entry.is_regular_file()) continue;
    const fs::path mode = entry.path().parent_path().parent_path().parent_path();
    const fs::path inside = mode.lexically_relative(root);
    if (!inside.empty() && *inside.begin() != "..") modes.insert(mode);
  }
  return modes;
}

void readDevice(const fs::path& folder, const std::string& node, EsyncRun& run) {
  std::int64_t seq = 0;
  double before = 0;
  for (std::int64_t n = 1;; ++n) {  // summary.py stops at the first number that is missing
    const fs::path file = folder / strCat("iter-", n, ".txt");
    if (!fs::exists(file)) break;
    EsyncIteration iteration = parseEsyncIteration(textOfFile(file.string()), file.string(), n, run.isEsync());
    RoundRecord& round = iteration.round;
    round.total = std::max(0.0, round.t - before);
    before = round.t;
    run.samplesOf[node] += round.samples;
    if (iteration.accuracy) run.addAccuracy(node, ++seq, round, *iteration.accuracy);
    run.events.push_back({.run = run.row.id, .node = node, .seq = ++seq, .event = round});
  }
  if (seq == 0) throw Error(Errc::kFormat, strCat(folder.string(), ": has no iter-1.txt"));
  const auto files = std::count_if(fs::directory_iterator(folder), fs::directory_iterator(),
                                   [](const fs::directory_entry& entry) { return isIterationFile(entry.path()); });
  const auto read = std::get<RoundRecord>(run.events.back().event).round;
  if (files > read)
    run.row.notes +=
        strCat("\n", node, ": iter-", read + 1, ".txt is missing; ", files - read, " later files left out, as summary.py does.");
}

EsyncRun readMode(const fs::path& folder) {
  const std::string modeName = folder.filename().string(), network = folder.parent_path().filename().string();
  const std::optional<EsyncModeName> mode = esyncModeOfFolder(modeName);
  if (!mode)
    throw Error(Errc::kFormat, strCat(folder.string(), ": \"", modeName, "\" is no mode of ESync; have ", esyncModeList()));
  EsyncRun run(*mode, network, "esync tree", folder.string());
  for (const fs::path& host : subfolders(folder)) {
    const std::vector<fs::path> devices = subfolders(host);
    if (devices.empty()) throw Error(Errc::kFormat, strCat(host.string(), ": has no device folder"));
    for (const fs::path& device : devices)
      readDevice(device, run.addNode(host.filename().string(), device.filename().string()), run);
  }
  return run;
}

std::vector<EsyncRun> readTree(const fs::path& root) {
  std::vector<EsyncRun> runs;
  for (const fs::path& mode : modeFolders(root)) runs.push_back(readMode(mode));
  if (runs.empty())
    throw Error(
        Errc::kFormat,
        strCat(root.string(), ": no ESync log tree in it (network/mode/host/device/iter-1.txt, at the mode folder or above)"));
  return runs;
}

}  // namespace

bool naturalLess(std::string_view a, std::string_view b) {
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  while (!a.empty() && !b.empty()) {
    if (!isDigit(a[0]) || !isDigit(b[0])) {
      if (a[0] != b[0]) return a[0] < b[0];
      a.remove_prefix(1), b.remove_prefix(1);
      continue;
    }
    std::uint64_t x = 0, y = 0;
    const char* aEnd = std::from_chars(a.data(), a.data() + a.size(), x).ptr;
    const char* bEnd = std::from_chars(b.data(), b.data() + b.size(), y).ptr;
    if (x != y) return x < y;
    a.remove_prefix(static_cast<std::size_t>(aEnd - a.data())), b.remove_prefix(static_cast<std::size_t>(bEnd - b.data()));
  }
  return a.size() < b.size();
}

std::string textOfFile(const std::string& path, std::uintmax_t maxBytes) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) throw Error(Errc::kFile, strCat(path, ": cannot be read: ", error.message()));
  if (size > maxBytes) throw Error(Errc::kFormat, strCat(path, ": ", size, " bytes are too many for such a file"));
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in && !in.eof()) throw Error(Errc::kFile, strCat(path, ": cannot be read"));
  return text;
}

EsyncRun::EsyncRun(const EsyncModeName& mode, const std::string& network, const std::string& source, const std::string& from) {
  row.id = store::newRunId();
  const std::string folder = strCat(mode.mode->folder, mode.nonIid ? "-niid" : "");
  row.name = network.empty() ? folder : strCat(network, " ", folder);
  row.state = store::RunState::kImported;
  row.algorithm = mode.mode->algorithm;
  row.model = modelOfNetwork(network);
  row.partition = mode.nonIid ? "by_class" : "contiguous";  // what ESync calls i.i.d. is contiguous blocks
  row.createdUtc = unixNow();
  row.source = source;
  row.notes = strCat("Imported from ", from, ".");
}

bool EsyncRun::isEsync() const { return row.algorithm == "esync"; }

std::string EsyncRun::addNode(const std::string& host, const std::string& device) {
  store::NodeRow node;
  node.run = row.id, node.id = strCat(host, "/", device), node.role = "worker", node.host = host, node.device = device;
  node.rank = static_cast<int>(nodes.size());
  nodes.push_back(node);
  return node.id;
}

void EsyncRun::addAccuracy(const std::string& node, std::int64_t seq, const RoundRecord& round, double accuracy) {
  EvaluationRecord record;
  record.round = round.round;
  record.t = std::max(0.0, round.t - round.evaluate);
  record.accuracy = accuracy;
  record.loss = std::numeric_limits<double>::quiet_NaN();
  record.samples = samplesOf[node];
  record.seconds = round.evaluate;
  events.push_back({.run = row.id, .node = node, .seq = seq, .event = record});
}

std::vector<std::string> storeEsyncRuns(store::StoreWriter& store, const std::vector<EsyncRun>& runs) {
  std::vector<std::string> ids;
  store.together([&] {
    for (const EsyncRun& run : runs) {
      store.createRun(run.row, run.nodes);
      store.append(run.events);
      ids.push_back(run.row.id);
    }
  });
  return ids;
}

std::vector<std::string> importEsyncTree(store::StoreWriter& store, const std::string& folder) {
  try {
    const fs::path root = fs::canonical(folder);  // so that "." has a name
    if (!fs::is_directory(root)) throw Error(Errc::kFile, strCat(folder, ": is not a folder"));
    return storeEsyncRuns(store, readTree(root));
  } catch (const fs::filesystem_error& error) {
    throw Error(Errc::kFile, strCat(error.path1().string(), ": ", error.code().message()));
  }
}

}  // namespace paceline::interchange
