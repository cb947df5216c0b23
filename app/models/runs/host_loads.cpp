#include "app/models/runs/host_loads.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "storage/store/store.h"

namespace paceline::runs {
namespace {

constexpr std::size_t kMostLoads = 120;  // of a host: two minutes

}  // namespace

struct HostLoads::Source {
  std::unique_ptr<store::StoreReader> reader;
  std::map<std::string, std::int64_t> read;  // by run: how far

  std::vector<store::HostLoadRow> newer(const std::string& path, const std::string& run) {
    if (!reader && !std::filesystem::exists(path)) return {};
    if (!reader) reader = std::make_unique<store::StoreReader>(path);
    std::int64_t& after = read[run];
    return reader->records<HostLoad>(run, after, &after);
  }
};

HostLoads::HostLoads(RecorderLink& recorder, RunQueue& queue, clusters::HostsModel& hosts, QObject* parent)
    : QObject(parent), recorder_(recorder), queue_(queue), hosts_(hosts), source_(std::make_shared<Source>()) {
  connect(&recorder_, &RecorderLink::newerRows, this, &HostLoads::look);
  connect(&queue_, &RunQueue::changed, this, [this] {
    std::vector<std::string> gone;
    for (const auto& [run, reading] : runs_)
      if (queue_.find(run) == nullptr) gone.push_back(run);
    for (const std::string& run : gone) end(run);
  });
}

HostLoads::~HostLoads() = default;

// One reading of a run at a time: what it misses is read with the next news, half a second later.
void HostLoads::look(const std::string& run) {
  if (queue_.find(run) == nullptr) return;
  bool& reading = runs_[run];
  if (std::exchange(reading, true)) return;
  const auto work = [source = source_, path = recorder_.storePath(), run](const std::stop_token&) {
    try {
      return source->newer(path, run);
    } catch (const std::exception&) {
      source->reader.reset();
      throw;
    }
  };
  inBackground(tasks_, this, work, [this, run](const std::vector<store::HostLoadRow>& rows, const QString& error) {
    const auto known = runs_.find(run);
    if (known == runs_.end()) return;  // ended
    known->second = false;
    if (!error.isEmpty()) emit failed(error);
    take(run, rows);
  });
}

void HostLoads::take(const std::string& run, const std::vector<store::HostLoadRow>& rows) {
  std::map<std::string, std::vector<HostLoad>> byHost;
  for (const store::HostLoadRow& row : rows) byHost[row.node].push_back(row.record);
  for (auto& [host, loads] : byHost) {
    toldBy_[host] = run;
    hosts_.change(host, [&loads = loads](clusters::HostItem& item) {
      for (const HostLoad& load : loads)
        if (item.loads.empty() || load.t > item.loads.back().t) item.loads.push_back(load);  // another run may have told it
      if (item.loads.size() > kMostLoads) item.loads.erase(item.loads.begin(), item.loads.end() - kMostLoads);
    });
  }
}

void HostLoads::end(const std::string& run) {
  if (runs_.erase(run) == 0) return;
  tasks_.post([source = source_, run](const std::stop_token&) { source->read.erase(run); });
  for (auto told = toldBy_.begin(); told != toldBy_.end();) {
    if (told->second != run) {
      ++told;
      continue;
    }
    hosts_.change(told->first, [](clusters::HostItem& item) { item.loads.clear(); });
    told = toldBy_.erase(told);
  }
}

}  // namespace paceline::runs
